"""A game of which every table of the database knows something."""

from storage import (
    Database,
    board_page,
    clocks,
    direct_messages,
    log,
    orders,
    outbox,
    pings,
    positions,
    proposals,
    results,
    seats,
)
from storage.board_page import BoardLink, BoardSession
from storage.clocks import ClockChanges, ClockStop, ClockTurn, Pause
from storage.contract import Transaction
from storage.log import CombinedEffects, NewLogRow
from storage.orders import EndedOrder, Order, OrderChanges
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges, Ping, PingStep
from storage.positions import AddPosition, StoredState
from storage.proposals import Vote
from storage.results import GameResult
from storage.seats import SeatEntry
from storage.settings import GAME_SETTINGS
from tests.storage.makers import ANN, BOB, LATER, NOW, act, line, move, new_game, undo
from tests.support.noted import noted

TABLES = (
    *("seats", "memberships", "log", "states", "positions", "outbox", "seat_history", "proposals", "votes"),
    *("proposal_pings", "pauses", "past_pauses", "orders", "orders_before", "automatic_moves", "results"),
    *("ratings", "notifications", "pings", "direct_messages", "game_settings", "turns", "clock_stops"),
    *("board_links", "board_sessions", "messages"),
)


async def rows_of(db: Database, game_id: int) -> dict[str, list[str]]:
    """All that the tables have of a game."""
    found = {"games": [repr(await db.row("SELECT * FROM games WHERE id = ?", game_id))]}
    for table in TABLES:
        rows = await db.rows(f"SELECT * FROM {table} WHERE game_id = ?", game_id)
        found[table] = sorted(repr(tuple(row)) for row in rows)
    return found


async def full_game(db: Database, guild_id: int = 10) -> int:
    """Ann and Bob have made some moves, of which one was undone; 4 is the last row."""
    game = (await new_game(db, guild_id=guild_id)).id
    for user_id, name in ((ANN, "Ann"), (BOB, "Bob")):
        await seats.join_game(db, game, user_id, name, now=NOW)
    start = NewLogRow("start", "{}", "d1", "", ANN)
    await log.commit_start(db, game, [start], [line("begun")], now=NOW, thread_id=1000 + game)
    await _moves(db, game)
    await _posts(db, game)
    await _table(db, game)
    await _board(db, game)
    await db.write(lambda tx: _scored(tx, game))
    return game


async def _moves(db: Database, game: int) -> None:
    for number in (1, 2, 3, 4, 5):
        await orders.store_order(db, game, Order(number, "p1" if number < 4 else "p2", ANN, "{}", 1, NOW))
    ends = (
        OrderChanges(ended_orders=(EndedOrder(2, "bought"),), automatic_moves=((2, 1),)),
        OrderChanges(ended_orders=(EndedOrder(3, "sold"),)),
    )
    for seq, changes in enumerate(ends, start=1):
        digest = f"d{seq + 1}"
        kept = CombinedEffects((changes, AddPosition(digest, "position")))
        await move(db, game, seq, act('{"kind": "pass"}', digest), state="kept", changes=kept)
    back = OrderChanges(
        undo_target_seq=2, ended_orders=(EndedOrder(1, "over"), EndedOrder(5, "done", is_owner_notified=True))
    )
    await move(db, game, 3, undo(2, "d2"), state="kept", changes=back)
    await positions.add_positions(db, game, [StoredState(4, "d2", f"position {game}")])


async def _posts(db: Database, game: int) -> None:
    await outbox.queue_notices(db, game, 4, [line(text) for text in "abc"], NOW)
    first, second, *_ = await outbox.unposted_notices_of_game(db, game)
    await outbox.mark_sent(db, first.id, now=NOW, message_id=1)
    for role, number in (("board", 1), ("turn", 2), ("line", None)):
        await noted(db, game, role, number)
    await outbox.mark_failed(db, second.id, error="closed", attempt_count=outbox.MAX_ATTEMPTS)
    turn = OutboxMessage("turn", "{}", NotificationChanges(("p1", "p2"), "p1", ("p1", "p2")))
    await outbox.queue_notices(db, game, 4, [turn], NOW)
    for notification in (await pings.notifications_of_game(db, game))[0]:
        whose = (ANN, BOB)[notification.player_id == "p2"]
        pinged = Ping(notification.player_id, whose, 0, "pending", "pending")
        step = PingStep(notification, 1, NOW, LATER, (pinged,))
        await db.write(lambda tx, taken=step: pings.store_ping_step(tx, game, taken))  # type: ignore[misc]
    await db.write(lambda tx: direct_messages.queue_message(tx, ANN, "Your move", [(game, "p1")], game, NOW))


async def _table(db: Database, game: int) -> None:
    asked = {"by_user": ANN, "now": NOW, "until": LATER, "seq": 4}
    for replaced in ([], [], [1]):
        proposal = await proposals.propose(db, game, "pause", "{}", replaced_numbers=replaced, **asked)  # type: ignore[arg-type]
        await proposals.cast_vote(db, proposal, Vote(ANN, True), NOW)
    await proposals.mark_pinged(db, game, [ANN, BOB], NOW)
    await clocks.start_pause(db, game, Pause(ANN, None, NOW, True), seq=4, notices=[])
    await clocks.end_pause(db, game, seq=4, notices=[], now=LATER)
    turns = (
        ClockTurn("p1", 1, NOW, ended=2, zero=NOW),
        ClockTurn("p1", 3, NOW, zero=NOW),
        ClockTurn("p2", 3, NOW),
    )
    await clocks.store_clock_changes(db, game, ClockChanges(turns), seq=4, now=NOW)
    await clocks.store_clock_stop(db, game, ClockStop("p1", "away", NOW))
    await seats.record_seat_change(
        db, game, SeatEntry("p2", "substitute", ANN, "Ann", 4, LATER, NOW), notices=[]
    )
    await GAME_SETTINGS.put(db, game, "bank", "5 days")


async def _board(db: Database, game: int) -> None:
    await board_page.record_link(db, BoardLink(f"link {game}", game, ANN, False, LATER))
    for state in ("open", "waiting"):
        session = BoardSession(f"{state} {game}", game, ANN, state, "1234", None, NOW, LATER)
        await board_page.open_session(db, session)


async def _scored(tx: Transaction, game: int) -> None:
    await results.replace_results(tx, game, [GameResult("p1", 1, 900, True), GameResult("p2", 2, 400, False)])
    insert = "INSERT INTO ratings (game_id, user_id, mu, sigma, at) VALUES (?, ?, 1, 2, ?)"
    await tx.run(insert, game, ANN, NOW)
