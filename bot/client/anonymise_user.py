"""Anonymises a user in the games of one server or of all servers, and deletes the bot's direct messages to them."""

from bot.client.bot_client import BotClient
from bot.table.past.anonymise import anonymised_content
from storage import (
    direct_messages,
    personal_data,
)


async def anonymise(client: BotClient, user_id: int, guild_id: int | None = None) -> list[int]:
    """Anonymise a user in a server's games, or in all games if `guild_id` is None; returns the ids of these games.

    Also deletes the bot's direct messages to the user. Raises StillSeated if the user still has a seat. The caller must
    vacuum the database afterwards.
    """
    tables = client.tables
    # Deleted first, since their ids on Discord are lost once the user is anonymised.
    posted_messages = await direct_messages.messages_of_user(tables.db, user_id, guild_id)
    game_ids = await personal_data.anonymise(tables.db, user_id, anonymised_content, guild_id=guild_id)
    tables.themes.forget_all()
    await client.expired_direct_messages.delete_messages(posted_messages)
    for game_id in game_ids:
        tables.forget(game_id)
    return game_ids
