"""Caretakers (computer players): their seats in a lobby, and their moves when no user's move triggers them.

If a caretaker makes an offer to a player, such as to sell a train, and nobody answers in time, the offer is withdrawn.
"""

from datetime import timedelta
from typing import Final

from bot.table.live import LiveGame
from bot.table.lobby import Lobbies, Lobby
from bot.table.orders import automatic
from bot.table.orders.automatic import AutomaticRun, caretaker_strength
from bot.table.outbox import notices
from bot.table.outbox.notices import PositionBeforeMove
from bot.table.tables import Tables
from engine import OfferCursor, caretaker
from storage import CARETAKER_USER, Seat, parse_timestamp

OFFER_LIFETIME: Final = timedelta(hours=12)
"""Time after which an offer by a computer player to another player is withdrawn if nobody has answered it."""


async def play_caretakers(tables: Tables, game_id: int) -> bool:
    """Make the moves of computer players until a user must decide; none if they wait after an undo.

    Returns True if a computer player's offer to a player is unanswered. The caller must call again later to withdraw
    it.
    """
    while await _make_batch_of_moves(tables, game_id):
        pass
    async with tables.reading(game_id) as live:
        return _has_unanswered_offer(live)


async def resume_caretakers(tables: Tables, game_id: int) -> bool:
    """Let caretakers (computer players) that wait after an undo move again; raises Refused.

    Returns True if one of them moved.
    """
    async with tables.writing(game_id) as live:
        if live.move_obstacle(tables.clock()) is not None or not is_caretaker_waiting(live):
            return False
        return await _make_automatic_moves(tables, live)


def caretaker_must_act(live: LiveGame) -> bool:
    """True if it is a caretaker's (computer player's) turn."""
    return not automatic.caretaker_players(live).isdisjoint(live.game.actors())


def is_caretaker_waiting(live: LiveGame) -> bool:
    """True if it is a computer player's turn but the last log row is an undo, so that it waits.

    False if the computer player has taken the seat after the undo.
    """
    return live.ends_with_undo and caretaker_must_act(live) and not _has_just_taken_seat(live)


async def _make_batch_of_moves(tables: Tables, game_id: int) -> bool:
    async with tables.writing(game_id) as live:
        now = tables.clock()
        if live.move_obstacle(now) is not None:
            return False
        withdrawal = _overdue_withdrawal(live, now)
        if withdrawal is not None:
            position_before = PositionBeforeMove.of(live.game)
            return await _store_automatic_moves(
                tables, live, await automatic.withdraw_offer(tables.db, live, withdrawal), position_before
            )
        return (
            caretaker_must_act(live)
            and not is_caretaker_waiting(live)
            and await _make_automatic_moves(tables, live)
        )


def _has_unanswered_offer(live: LiveGame) -> bool:
    return live.game.proposal is not None and live.game.proposal.by in automatic.caretaker_players(live)


def _overdue_withdrawal(live: LiveGame, now: str) -> OfferCursor | None:
    proposal = live.game.proposal
    if proposal is None or not _has_unanswered_offer(live):
        return None
    row_of_offer = next((row for row in reversed(live.effective_rows) if row.actor == proposal.by), None)
    if (
        row_of_offer is None
        or parse_timestamp(now) - parse_timestamp(row_of_offer.created_at) < OFFER_LIFETIME
    ):
        return None
    return OfferCursor(live.game.offers(proposal.by, "answer")[0]).pick("withdraw")


def _has_just_taken_seat(live: LiveGame) -> bool:
    new_caretakers = {
        entry.player_id
        for entry in live.seat_history
        if entry.role == "caretaker" and entry.since == live.seq
    }
    return not new_caretakers.isdisjoint(live.game.actors())


async def _make_automatic_moves(tables: Tables, live: LiveGame) -> bool:
    position_before = PositionBeforeMove.of(live.game)
    return await _store_automatic_moves(
        tables, live, await automatic.run_automatic_moves(tables.db, live, ()), position_before
    )


async def _store_automatic_moves(
    tables: Tables, live: LiveGame, automatic_run: AutomaticRun, position_before: PositionBeforeMove
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
        order_changes=automatic_run.order_changes(live.seq + 1),
    )
    tables.on_notice(live.id)
    return True


DEFAULT_STRENGTH_NAME: Final = "Caretaker"
"""Word in the name of a computer player whose strength was not chosen, in place of its strength."""


async def add_caretaker(
    lobbies: Lobbies, game_id: int, user_id: int, strength: str = caretaker.DEFAULT_STRENGTH
) -> Lobby:
    """Add a computer player of this strength to a lobby, at the request of a seated user.

    Raises Refused, NotSeated, StorageError.
    """
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.join(game_id, CARETAKER_USER, strength)


async def remove_caretaker(lobbies: Lobbies, game_id: int, user_id: int) -> Lobby:
    """Remove the last computer player from a lobby, at the request of a seated user."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.leave(game_id, CARETAKER_USER)


async def join_with_same_strength(lobbies: Lobbies, game_id: int, seat: Seat) -> Lobby:
    """Add a computer player to a lobby. It is as strong as the computer player in this seat of an earlier game."""
    strength = caretaker_strength(seat)
    return await lobbies.join(
        game_id, CARETAKER_USER, DEFAULT_STRENGTH_NAME if strength is None else strength
    )
