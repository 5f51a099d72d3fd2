"""Caretakers (computer players): seats in a lobby, and moves after other changes.

Their offers to other players end when nobody has answered in time, so that no table waits for long.
"""

from datetime import timedelta
from typing import Final

from bot.table.live import LiveGame
from bot.table.lobby import Lobbies, Lobby
from bot.table.orders import automatic
from bot.table.orders.automatic import AutomaticRun, strength_of
from bot.table.outbox import notices
from bot.table.outbox.notices import FormerPosition
from bot.table.tables import Tables
from engine import Cursor, caretaker
from storage import CARETAKER_USER, Seat, parse_timestamp

OFFER_LIFETIME: Final = timedelta(hours=12)
"""Time that the offer of a caretaker waits for an answer."""


async def play_caretakers(tables: Tables, game_id: int) -> bool:
    """Make a game's caretaker moves until a person must decide, not after an undo.

    True if a proposal of theirs must be checked later.
    """
    while await _make_some_moves(tables, game_id):
        pass
    async with tables.reading(game_id) as live:
        return _has_open_offer(live)


async def resume_caretakers(tables: Tables, game_id: int) -> bool:
    """Let caretakers that wait after an undo resume; True if there were any. Raises Refused."""
    async with tables.writing(game_id) as live:
        if live.move_obstacle(tables.clock()) is not None or not caretaker_waits(live):
            return False
        return await _make_automatic_moves(tables, live)


def caretaker_must_act(live: LiveGame) -> bool:
    """True if a caretaker must act."""
    return not automatic.caretaker_players(live).isdisjoint(live.game.actors())


def caretaker_waits(live: LiveGame) -> bool:
    """True if a caretaker must act and waits, since an undo came after it sat down."""
    return live.ends_with_undo and caretaker_must_act(live) and not _has_just_sat_down(live)


async def _make_some_moves(tables: Tables, game_id: int) -> bool:
    """Make some caretaker moves; False if there are none."""
    async with tables.writing(game_id) as live:
        now = tables.clock()
        if live.move_obstacle(now) is not None:
            return False
        withdrawal = _overdue_withdrawal(live, now)
        if withdrawal is not None:
            position_before = FormerPosition.of(live.game)
            return await _store_run(
                tables, live, await automatic.withdraw_offer(tables.db, live, withdrawal), position_before
            )
        return (
            caretaker_must_act(live)
            and not caretaker_waits(live)
            and await _make_automatic_moves(tables, live)
        )


def _has_open_offer(live: LiveGame) -> bool:
    return live.game.proposal is not None and live.game.proposal.by in automatic.caretaker_players(live)


def _overdue_withdrawal(live: LiveGame, now: str) -> Cursor | None:
    """The withdrawal of a caretaker's proposal that waited too long; else None."""
    proposal = live.game.proposal
    if proposal is None or not _has_open_offer(live):
        return None
    proposal_row = next((row for row in reversed(live.effective_rows) if row.actor == proposal.by), None)
    if (
        proposal_row is None
        or parse_timestamp(now) - parse_timestamp(proposal_row.created_at) < OFFER_LIFETIME
    ):
        return None
    return Cursor(live.game.offers(proposal.by, "answer")[0]).pick("withdraw")


def _has_just_sat_down(live: LiveGame) -> bool:
    new_caretakers = {
        entry.player_id
        for entry in live.seat_history
        if entry.role == "caretaker" and entry.since == live.seq
    }
    return not new_caretakers.isdisjoint(live.game.actors())


async def _make_automatic_moves(tables: Tables, live: LiveGame) -> bool:
    position_before = FormerPosition.of(live.game)
    return await _store_run(
        tables, live, await automatic.run_automatic_moves(tables.db, live, ()), position_before
    )


async def _store_run(
    tables: Tables, live: LiveGame, automatic_run: AutomaticRun, position_before: FormerPosition
) -> bool:
    if not automatic_run.entries:
        return False
    pending_notices = notices.move_notices(
        live, automatic_run.entries[0].actor, automatic_run.events, automatic_run.lines, position_before
    )
    await tables.commit(
        live,
        automatic_run.entries,
        pending_notices,
        live.effective_rows,
        changes=automatic_run.order_changes(live.seq + 1),
    )
    tables.on_notice(live.id)
    return True


DEFAULT_NAME: Final = "Caretaker"
"""Added to the name of a computer player whose strength nobody has chosen."""


async def add_caretaker(
    lobbies: Lobbies, game_id: int, user_id: int, strength: str = caretaker.STRONGEST
) -> Lobby:
    """Give a computer player of this strength a seat. Raises Refused, NotSeated, StorageError."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.join(game_id, CARETAKER_USER, strength)


async def remove_caretaker(lobbies: Lobbies, game_id: int, user_id: int) -> Lobby:
    """Free the last seat of a computer player."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.leave(game_id, CARETAKER_USER)


async def join_with_same_strength(lobbies: Lobbies, game_id: int, seat: Seat) -> Lobby:
    """Give a computer player a seat, of the same strength as in an earlier game's seat."""
    strength = strength_of(seat)
    return await lobbies.join(game_id, CARETAKER_USER, DEFAULT_NAME if strength is None else strength)
