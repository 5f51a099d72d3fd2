"""Deletion of old rows: sent lines and direct messages, and records of old posts."""

from datetime import datetime, timedelta
from typing import Final

from storage import direct_messages, messages, outbox
from storage.contract import Database, format_timestamp

KEPT: Final = timedelta(days=30)


async def delete_old_rows(db: Database, now: datetime) -> None:
    """Delete what was sent so long ago that nobody asks for it."""
    before = format_timestamp(now - KEPT)
    await outbox.forget_sent(db, before)
    await messages.forget_old(db, before)
    await direct_messages.forget_sent(db, before)
