"""Changes of a game's settings: by seated users in the lobby, by moderators at any time."""

from bot.table.errors import Refused
from bot.table.lobby import Lobbies
from bot.table.orders.sealed_auction import SEALED, require_auction, sealing_notice
from bot.table.outbox.notices import TurnChange, table_note
from bot.table.settings.game_rules import title_of
from bot.table.settings.table_settings import (
    AT_ZERO,
    AWAY_BUDGET,
    BANK,
    GRACE,
    REMINDERS,
    Setting,
    setting_named,
)
from bot.table.tables import Tables
from storage import GAMES, OutboxMessage, Transaction, clocks, games, log, outbox, pings


async def choose_game_setting(
    tables: Tables, lobbies: Lobbies, game_id: int, user_id: int, setting: str, value: str, *, moderator: bool
) -> str:
    """Choose a setting, and return its line; a running game posts it. Raises Refused, NotSeated."""
    chosen, wanted = setting_named(setting), value.strip().casefold()
    line = f"{chosen.description}: {chosen.meaning_of(wanted)}."
    over = await _hand_over(tables, game_id, chosen, wanted)
    async with tables.lock(game_id):
        row = await games.get_game(tables.db, game_id)
        if row.status not in ("lobby", "running"):
            raise Refused(f"Game {game_id} has ended.")
        if (chosen.name, wanted) == (SEALED, "on"):
            require_auction(title_of(row))
        if row.status == "running" and not moderator:
            raise Refused("The game has started, so only a moderator can change this, with `/mod settings`.")
        if row.status == "lobby":
            lobbies.require_seat(await lobbies.read(game_id), None if moderator else user_id)
        posts = (
            []
            if row.status == "lobby"
            else table_note(f"<@{user_id}> as a moderator: {line}", over, new_post=True)
        )

        async def change(tx: Transaction) -> None:
            await games.lock_and_read(tx, game_id)
            await GAMES.write(tx, game_id, chosen.name, wanted)
            if chosen in (BANK, GRACE, AT_ZERO, AWAY_BUDGET):
                await clocks.announce_again(tx, game_id)
            if chosen.name == SEALED:
                await clocks.restart_turns(tx, game_id)
            if chosen is REMINDERS:
                await pings.make_due_for_game(tx, game_id, tables.clock())
            await outbox.add_notices(tx, game_id, seq, posts, tables.clock())

        seq = await log.last_seq(tables.db, game_id)
        await tables.db.write(change)
    tables.on_notice(game_id)
    return line


async def _hand_over(tables: Tables, game_id: int, setting: Setting, value: str) -> OutboxMessage:
    """Update the turn message and ping players, when sealed bids are switched on or off."""
    row = await games.get_game(tables.db, game_id)
    if row.status != "running" or setting.name != SEALED:
        return TurnChange((), None).notice()
    async with tables.reading(game_id) as live:
        return await sealing_notice(tables.db, live, value)
