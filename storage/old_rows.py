"""Deletion of old rows: sent lines and direct messages, and records of old posts."""

from datetime import datetime, timedelta
from typing import Final

from storage import direct_messages, messages, outbox
from storage.contract import Database, format_timestamp

ROWS_KEPT_FOR: Final = timedelta(days=30)


async def delete_old_rows(db: Database, now: datetime) -> None:
    """Delete the records of posts sent more than ROWS_KEPT_FOR ago."""
    before = format_timestamp(now - ROWS_KEPT_FOR)
    await outbox.delete_sent_before(db, before)
    await messages.delete_before(db, before)
    await direct_messages.delete_sent_before(db, before)
