"""Messages that were sent and noted, as the bot notes them."""

from dataclasses import replace

from storage import Database, messages
from storage.messages import ThreadMessage

AT = "2026-01-01T00:00:00.000+00:00"


async def noted(
    db: Database, game_id: int, role: str, message_id: int | None, key: str = ""
) -> ThreadMessage:
    """A message of this role, which is in doubt without a number."""
    begun = await messages.put_message(db, ThreadMessage(0, game_id, role, key, None, "", "[]", AT))
    known = replace(begun, message_id=message_id)
    await messages.record_message_changes(db, known)
    return known
