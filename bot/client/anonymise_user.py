"""Anonymising a user in the games of a server or everywhere, direct messages included."""

from bot.client.bot_client import BotClient
from bot.table.past.anonymise import anonymised_content
from storage import (
    direct_messages,
    personal_data,
)


async def anonymise(client: BotClient, user_id: int, guild_id: int | None = None) -> list[int]:
    """Anonymise a user in the games of a server, or everywhere; returns their games.

    Raises StillSeated. The caller sweeps the file afterwards.
    """
    tables = client.tables
    # Once their numbers are removed, nothing would delete the messages that still ping them.
    posted_messages = await direct_messages.messages_of_user(tables.db, user_id, guild_id)
    game_ids = await personal_data.anonymise(tables.db, user_id, anonymised_content, guild_id=guild_id)
    await client.expired_direct_messages.delete_messages(posted_messages)
    for game_id in game_ids:
        tables.forget(game_id)
    return game_ids
