"""Two games that look alike: what is done in one, or asked about it, is nothing to the other; on both databases."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from storage import (
    Database,
    board_page,
    clocks,
    direct_messages,
    games,
    log,
    messages,
    orders,
    outbox,
    overviews,
    personal_data,
    pings,
    positions,
    proposals,
    results,
    seats,
)
from storage.clocks import ClockChanges, ClockStop, ClockTurn, Pause
from storage.contract import fetch
from storage.direct_messages import DirectMessage
from storage.orders import EarlierOrderState, EndedOrder, OrderChanges
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges, Ping
from storage.positions import AddPosition, DropPositions, StoredState
from storage.proposals import StoredProposal, Vote
from storage.results import GameResult
from storage.seats import SeatEntry
from storage.settings import GAME_SETTINGS, GUILD_SETTINGS
from tests.storage.full_games import full_game, rows_of
from tests.storage.makers import ANN, BOB, LAST, LATER, NOW, act, change, line, move, undo
from tests.support.noted import noted

Done: TypeAlias = Callable[[Database, int], Awaitable[object]]
"""Something done in a game, or asked about it."""
LINE = [line("news")]
HOLDER = SeatEntry("p1", "holder", 300, "Cy", 4, None, LATER)
PINGED = Ping("p1", ANN, 0, "pending", "pending")


def moves(entry: log.NewLogRow, **more: Any) -> Done:
    """This is the fifth row."""
    return lambda db, game: move(db, game, 4, entry, notices=LINE, now=LATER, **more)


def letter(what: Callable[[Database, DirectMessage], Awaitable[object]]) -> Done:
    """This becomes of the direct message about the game."""

    async def done(db: Database, game: int) -> object:
        found = next(one for one in await direct_messages.unsent_messages(db) if one.game_id == game)
        return await what(db, found)

    return done


def proposal(game: int) -> StoredProposal:
    """An open one."""
    return StoredProposal(game, 2, "pause", "{}", ANN, NOW, LATER, "open")


def handed(*changes: Any) -> Done:
    """This becomes of the notifications."""
    posted = [OutboxMessage("turn", "", NotificationChanges(*changes))]
    return lambda db, game: outbox.queue_notices(db, game, 4, posted, LATER)


async def scored(db: Database, game: int) -> None:
    """It ends, and is scored."""
    await games.finish_game(db, game)
    await results.add_results(db, game, [GameResult("p1", 1, 5, True)])


async def put_out(db: Database, game: int) -> None:
    """All that it has to post fails."""
    for posting in await outbox.unposted_notices_of_game(db, game):
        await outbox.mark_failed(db, posting.id, error="503")


async def elsewhere(db: Database, game: int) -> None:
    row = await games.get_game(db, game)
    assert await log.move_to_thread(db, row, channel_id=1, thread_id=9, notices=LINE, now=LATER)


async def anonymised(db: Database, game: int) -> None:
    await games.finish_game(db, game)
    assert await personal_data.anonymise(db, ANN, lambda where, text, who: text + "!", guild_id=10) == [game]


MADE: dict[str, Done] = {
    "a move": moves(act(), state="after"),
    "an undo": moves(undo(1), changes=OrderChanges(undo_target_seq=1)),
    "an end": moves(act(), status="finished", results_of_game=[GameResult("p1", 1, 5, True)]),
    "orders": moves(
        act(),
        changes=OrderChanges(
            replaced_order_numbers=(4,),
            ended_orders=(EndedOrder(4, "over"),),
            earlier_states=(EarlierOrderState(1, "standing", None, None),),
        ),
    ),
    "undone turns": moves(act(), changes=ClockChanges((ClockTurn("p1", 1, LATER),), undo_target_seq=1)),
    "undone positions": moves(act(), changes=DropPositions(1)),
    "a position": moves(act(), changes=AddPosition("d", "position")),
    "a state": lambda db, game: log.store_state(db, game, StoredState(4, "d2", "again")),
    "another thread": elsewhere,
    "no game any more": lambda db, game: log.commit_abandon(db, game, seq=4, notices=LINE, now=LATER),
    "messages": lambda db, game: noted(db, game, "turn", 6),
    "a result": scored,
    "positions kept": lambda db, game: positions.add_positions(db, game, [StoredState(20, "x", "y")]),
    "positions dropped": lambda db, game: positions.drop_position(db, game, 2),
    "positions forgotten": lambda db, game: db.write(lambda tx: positions.drop_positions(tx, game)),
    "an order withdrawn": lambda db, game: orders.withdraw_order(db, game, 4, ANN, now=LATER),
    "ends of orders shown": lambda db, game: orders.take_unnotified_orders(db, game, ANN),
    "ends of orders written": lambda db, game: orders.queue_message(db, game, ANN, [1], "over", LATER),
    "ends of orders known": lambda db, game: orders.mark_notified(db, game, [1, 2]),
    "ends of orders unknown": lambda db, game: orders.mark_not_notified(db, game, [5]),
    "a proposal": lambda db, game: proposals.propose(
        *(db, game, "pause", "{}"), by_user=BOB, now=LATER, until=LATER, seq=4, replaced_numbers=[2]
    ),
    "a vote": lambda db, game: proposals.cast_vote(db, proposal(game), Vote(ANN, False), LATER),
    "a proposal closed": lambda db, game: proposals.close_proposal(
        db, proposal(game), "refused", seq=4, now=LATER
    ),
    "a proposal pinged": lambda db, game: proposals.mark_pinged(db, game, [ANN], LATER),
    "a pause": lambda db, game: clocks.start_pause(db, game, Pause(BOB, None, LATER), seq=4, notices=LINE),
    "no pause": lambda db, game: clocks.end_pause(db, game, seq=4, notices=LINE, now=LATER),
    "a turn": lambda db, game: clocks.store_clock_changes(
        db, game, ClockChanges((ClockTurn("p1", 3, LATER),)), seq=4, now=LATER
    ),
    "an announcement": lambda db, game: db.write(lambda tx: clocks.reset_time_up_announcements(tx, game)),
    "turns anew": lambda db, game: db.write(lambda tx: clocks.restart_turns(tx, game)),
    "a turn anew": lambda db, game: db.write(lambda tx: clocks.restart_turns(tx, game, "p1")),
    "a clock stopped": lambda db, game: clocks.store_clock_stop(
        db, game, ClockStop("p1", "away", NOW, LATER)
    ),
    "a new holder": lambda db, game: seats.replace_holder(db, game, HOLDER, leaving_user=ANN, notices=LINE),
    "a setting": lambda db, game: GAME_SETTINGS.put(db, game, "bank", "none"),
    "no setting": lambda db, game: GAME_SETTINGS.forget(db, game, "bank"),
    "no settings": lambda db, game: GAME_SETTINGS.forget_all(db, game),
    "posts": put_out,
    "hand-overs": handed(("p2",), "p1", ("p1", "p2")),
    "nobody acts": handed((), None, ("p2",)),
    "reminders": lambda db, game: db.write(lambda tx: pings.make_due_for_game(tx, game, LAST)),
    "a ping put off": lambda db, game: pings.postpone_ping(db, game, PINGED, LATER),
    "a ping posted": lambda db, game: pings.mark_pinged(db, game, [PINGED]),
    "a departure": lambda db, game: pings.mark_departed(db, game, "p1"),
    "silence": lambda db, game: pings.mute_game(db, game, ANN),
    "a message sent": letter(lambda db, dm: direct_messages.mark_sent(db, dm, LATER, 7)),
    "a message taken back": letter(direct_messages.withdraw_message),
    "a message refused": letter(
        lambda db, dm: db.write(lambda tx: direct_messages.mark_direct_messages_closed(tx, dm))
    ),
    "a browser confirmed": lambda db, game: board_page.confirm_session(db, ANN, game, "1234", LATER),
    "no browsers": lambda db, game: db.write(lambda tx: board_page.end_sessions(tx, ANN, game)),
    "a link used": lambda db, game: board_page.mark_link_used(db, f"link {game}", NOW),
    "a seat anew": lambda db, game: seats.record_seat_change(db, game, HOLDER, notices=LINE),
    "a user anonymised": anonymised,
    "all posts dropped": lambda db, game: outbox.delete_outbox_of_guild(db, 10),
}


async def test_game_leaves_its_neighbour_alone(db: Database) -> None:
    """Both have the same players, and rows with the same numbers."""
    other = await full_game(db, 11)
    before = await rows_of(db, other)
    for what, done in MADE.items():
        game = await full_game(db, 10)
        untouched = await rows_of(db, game)
        await done(db, game)
        assert await rows_of(db, game) != untouched or what == "no pause", what
        assert await rows_of(db, other) == before, what
        await change(db, "UPDATE games SET guild_id = 12 WHERE id = ?", game)


ASKED: dict[str, Done] = {
    "its row": games.get_game,
    "the log": lambda db, game: log.read_rows(db, game, after_seq=1),
    "the last row": log.last_seq,
    "the state": log.stored_state,
    "a position before": lambda db, game: positions.last_position_up_to(db, game, 3),
    "a position after": lambda db, game: positions.first_position_from(db, game, 2),
    "posts": outbox.unposted_notices_of_game,
    "lines": lambda db, game: outbox.notices_of_kind(db, game, "line", 0),
    "lines shown": lambda db, game: messages.shown_turns(db, game, "line", "turn", 3),
    "neighbours": lambda db, game: messages.notices_sharing_messages(db, game, "line", 0),
    "turn messages": messages.open_turn_messages,
    "the board": lambda db, game: messages.newest_message_of_role(db, game, "board"),
    "doubts": messages.possibly_unsent_messages,
    "message numbers": lambda db, game: messages.message_ids_after(db, game, 0),
    "orders": orders.all_orders,
    "standing orders": orders.standing_orders,
    "orders after a row": lambda db, game: orders.orders_standing_after(db, game, 1),
    "orders before an undo": lambda db, game: orders.states_before_undo(db, game, 4),
    "Ann's orders": lambda db, game: orders.orders_of_user(db, game, ANN),
    "the next order": orders.next_order_number,
    "ends of orders": lambda db, game: orders.unnotified_orders(db, game, ANN),
    "automatic moves": orders.automatic_moves,
    "a proposal": lambda db, game: proposals.find_proposal(db, game, 2),
    "open proposals": lambda db, game: proposals.open_proposals(db, game, NOW),
    "proposals of a kind": lambda db, game: proposals.open_proposals(db, game, NOW, "pause"),
    "votes": lambda db, game: proposals.open_proposals_with_votes(db, game, NOW),
    "replaced proposals": lambda db, game: proposals.proposals_replaced_by(db, game, 3),
    "proposals asked": lambda db, game: proposals.open_proposals_with_last_seq(db, NOW, game_id=game),
    "users pinged": lambda db, game: proposals.users_pinged_since(db, game, "2026-01-01"),
    "the pause": clocks.find_pause,
    "the last pause": lambda db, game: clocks.end_of_last_unvoted_pause(db, game, ANN),
    "turns": lambda db, game: fetch(db, clocks.turns_query(game)),
    "stops": clocks.clock_stops,
    "pings": pings.notifications_of_game,
    "seats": seats.seats,
    "joined and left": seats.lobby_changes,
    "who played": seats.seat_entries,
    "a setting": lambda db, game: GAME_SETTINGS.get(db, game, "bank"),
    "settings": GAME_SETTINGS.settings_of,
    "browsers": lambda db, game: board_page.unconfirmed_sessions(db, ANN, game, NOW),
    "decisions": lambda db, game: results.timed_moves_of_game(db, game, 2),
    # Of its server, which has no other game:
    "games": lambda db, game: games.list_games(db, 10, "running"),
    "ratings": lambda db, game: results.ratings_of_server(db, 10),
    "newest games": lambda db, game: results.newest_games(db, 10, 9),
    "names": lambda db, game: results.user_names(db, 10),
    "overviews": lambda db, game: overviews.overviews_of_server(db, 10, NOW),
    "users": lambda db, game: personal_data.users_of_guild(db, 10),
    "seats held": lambda db, game: personal_data.games_with_seat(db, ANN, 10),
}


async def test_question_is_about_one_game(db: Database) -> None:
    await GUILD_SETTINGS.put(db, 10, results.RATINGS_KEY, results.RATINGS_ON)
    game = await full_game(db, 10)
    before = {what: await asked(db, game) for what, asked in ASKED.items()}
    assert [what for what, found in before.items() if not found] == ["the pause"]
    await full_game(db, 11)
    assert {what: await asked(db, game) for what, asked in ASKED.items()} == before
