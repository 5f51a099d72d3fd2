"""Changes of a game's settings: by seated users until the game starts, and by moderators at any time."""

from bot.table.errors import Refused
from bot.table.games.confirmed_writes import forget_game_on_failure
from bot.table.lobby import Lobbies, lobby_expiry
from bot.table.orders.sealed_auction import SEALED_SETTING, require_title_with_auction, sealing_notice
from bot.table.outbox.notices import TurnChange, note_notices
from bot.table.settings.game_rules import title_of
from bot.table.settings.lobby_starts import require_possible_start, write_start
from bot.table.settings.table_settings import (
    AWAY_BUDGET,
    BANK,
    EMPTY_BANK_ACTION,
    GRACE,
    REMINDERS,
    START,
    GameSetting,
    setting_named,
)
from bot.table.tables import Tables
from storage import (
    GAME_SETTINGS,
    OutboxMessage,
    Transaction,
    clocks,
    games,
    log,
    outbox,
    parse_timestamp,
    pings,
)


async def choose_game_setting(
    tables: Tables,
    lobbies: Lobbies,
    game_id: int,
    user_id: int,
    setting_name: str,
    value: str,
    *,
    is_moderator: bool,
) -> str:
    """Change one setting of a game and return the public line about it; a running game's thread shows the line.

    Raises Refused, NotSeated.
    """
    chosen_setting, new_value = setting_named(setting_name), value.strip().casefold()
    line = f"{chosen_setting.description}: {chosen_setting.meaning_of(new_value)}."
    turn_change = await _turn_change_notice(tables, game_id, chosen_setting, new_value)
    async with tables.lock(game_id), forget_game_on_failure(lambda: tables.forget(game_id)):
        row = await games.get_game(tables.db, game_id)
        if row.status not in ("lobby", "running"):
            raise Refused(f"Game {game_id} has ended.")
        if chosen_setting is START and row.status == "running":
            raise Refused("The game has started.")
        if chosen_setting is START:
            require_possible_start(new_value, parse_timestamp(tables.clock()), lobby_expiry(row.created_at))
        if (chosen_setting.name, new_value) == (SEALED_SETTING, "on"):
            require_title_with_auction(title_of(row))
        if row.status == "running" and not is_moderator:
            raise Refused("The game has started, so only a moderator can change this, with `/mod settings`.")
        if row.status == "lobby":
            lobbies.require_seat(await lobbies.read(game_id), None if is_moderator else user_id)
        public_notices = (
            []
            if row.status == "lobby"
            else note_notices(f"<@{user_id}> as a moderator: {line}", turn_change, is_new_post=True)
        )

        async def write_setting(tx: Transaction) -> None:
            await games.lock_and_read(tx, game_id)
            if chosen_setting is START:
                await write_start(tx, game_id, new_value)
            else:
                await GAME_SETTINGS.write(tx, game_id, chosen_setting.name, new_value)
            if chosen_setting in (BANK, GRACE, EMPTY_BANK_ACTION, AWAY_BUDGET):
                await clocks.reset_time_up_announcements(tx, game_id)
            if chosen_setting.name == SEALED_SETTING:
                await clocks.restart_turns(tx, game_id)
            if chosen_setting is REMINDERS:
                await pings.make_due_for_game(tx, game_id, tables.clock())
            await outbox.add_notices(tx, game_id, seq, public_notices, tables.clock())

        seq = await log.last_seq(tables.db, game_id)
        await tables.db.write(write_setting)
    tables.reload_and_post(game_id)
    return line


async def _turn_change_notice(
    tables: Tables, game_id: int, setting: GameSetting, value: str
) -> OutboxMessage:
    """The notice that updates the turn message of a game whose setting was changed.

    If sealed bids were switched on or off, it also pings the players who must act.
    """
    row = await games.get_game(tables.db, game_id)
    if row.status != "running" or setting.name != SEALED_SETTING:
        return TurnChange((), None).notice()
    async with tables.reading(game_id) as live:
        return await sealing_notice(tables.db, live, value)
