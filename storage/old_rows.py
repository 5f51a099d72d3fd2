"""Deletion of old records of sent posts and direct messages."""

from datetime import datetime, timedelta
from typing import Final

from storage import direct_messages, messages, outbox
from storage.contract import Database, format_timestamp

ROW_RETENTION: Final = timedelta(days=30)


async def delete_old_rows(db: Database, now: datetime) -> None:
    """Delete records of posts and direct messages older than ROWS_KEPT_FOR."""
    before = format_timestamp(now - ROW_RETENTION)
    await outbox.delete_sent_before(db, before)
    await messages.delete_before(db, before)
    await direct_messages.delete_sent_before(db, before)
