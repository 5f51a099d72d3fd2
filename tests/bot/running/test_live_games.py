"""A game in memory and its log: who plays which seat, what lines say, what is whole, and what was certainly stored."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.errors import MovedOn, NotKnown, NotStored, Refused, Untouched
from bot.table.game_cache import Places
from bot.table.games.confirmed_writes import confirm_write, evict_on_failure, then_true
from bot.table.games.game_log import (
    Flawed,
    Opening,
    Struck,
    TakenBack,
    Undone,
    counting_rows,
    rows_before,
    undo_walk,
)
from bot.table.games.loading import require_started
from bot.table.live import LiveGame, name_players
from bot.table.move_lines import Uneventful, eventful, move_lines, with_mark
from engine.core.actions import Pass
from engine.core.errors import IllegalAction
from engine.core.events import Passed, RoundStarted, TileLaid
from engine.core.facts import fact
from engine.core.offers import Cursor, Offer
from storage import (
    ANONYMISED,
    CARETAKER,
    DatabaseUnreachable,
    Entry,
    NotSeated,
    OutcomeUnknown,
    Row,
    ShardLost,
    StaleSequence,
    games,
    log,
)
from tests.bot.support.positions import played_to
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.titles.builders import new_game


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- who plays -------------------------------------------------------------------------------------------------------


def seat(player: str, user: int, name: str = "") -> Any:
    return some(player_id=player, user_id=user, display_name=name or player.upper())


def live(*history: Any, users: Sequence[int] = (ANN, BOB, CY), **more: Any) -> LiveGame:
    """A running game of three after row 9."""
    row: Any = some(id=5, status=more.pop("status", "running"))
    seats: Any = tuple(seat(f"p{number}", user) for number, user in enumerate(users, 1))
    game: Any = some()
    return LiveGame(row, seats, game, 9, seat_history=history, **more)


def sits(player: str, role: str, user: int) -> Any:
    return some(player_id=player, role=role, user_id=user, since=1, until=None, display_name="x", at="")


def test_a_substitute_plays_for_the_holder_of_a_seat() -> None:
    table = live(substitutes={"p2": sits("p2", "substitute", 99)})
    assert [table.user_of(player) for player in ("p1", "p2")] == [ANN, 99]
    assert table.holder_of("p2") == BOB
    assert [table.player_of(user) for user in (ANN, BOB, 99, 7)] == ["p1", "p2", "p2", None]
    assert (table.people_of("p2"), table.people_of("p1")) == ((99,), (ANN,))
    both = live(substitutes={"p2": sits("p2", "substitute", ANN)})
    assert both.player_of(ANN) == "p1", "one's own seat first"
    assert table.name_of("p3") == "P3"


def test_for_a_seat_that_the_table_plays_the_others_are_pinged_and_for_a_caretaker_nobody() -> None:
    group = live(sits("p2", "group", BOB))
    assert group.by_group == {"p2"}
    assert not group.by_caretaker
    assert group.people_of("p2") == (ANN, CY)
    assert group.others_than("p1") == (CY,), "who has vanished is no other"
    cared = live(sits("p2", "caretaker", BOB))
    assert cared.people_of("p2") == ()
    assert cared.others_than("p1") == (CY,)
    assert cared.people_of("p1") == (ANN,)


def test_the_people_of_a_game_are_those_with_a_seat() -> None:
    assert live(users=(ANN, CARETAKER, ANONYMISED)).people == (ANN,)


def pause(*, lasts: bool) -> Any:
    return some(lasts=lambda now: lasts and now == "now")


def test_a_game_says_why_no_move_is_possible() -> None:
    assert live().held_up("now") is None
    assert live(status="abandoned", waits="It waits.").held_up("now") == "Game 5 was abandoned."
    assert live(waits="It waits.").held_up("now") == "It waits."
    assert live(waits="It waits.", pause=pause(lasts=True)).held_up("now") == "It waits."
    assert live(pause=pause(lasts=True)).held_up("now") == "Game 5 pauses. `/game resume` ends the pause."
    assert live(pause=pause(lasts=False)).held_up("now") is None
    assert live(status="finished").held_up("now") is None


def test_positions_are_remembered_by_the_row_after_which_they_stood() -> None:
    table = live(counting=[row(1, "start"), row(4)])
    table.remember("a position")
    assert (table.as_it_stood(4), table.as_it_stood(1)) == ("a position", None)
    assert table.taken_back
    assert not live(counting=[row(9)]).taken_back
    stored = table.rows_of([Entry("action", "{}", "d", "p1", 1), Entry("undo", "{}", "d", "p1", 1)], "now")
    assert [(one.game_id, one.seq, one.kind, one.created_at) for one in stored] == [
        (5, 10, "action", "now"), (5, 11, "undo", "now"),
    ]  # fmt: skip


def test_players_have_the_names_of_their_seats() -> None:
    game = new_game()
    seats = [some(player_id="a", display_name="Anna"), some(player_id="b", display_name=game.name("b"))]
    renamed = name_players(game, seats)
    assert [renamed.name(player) for player in ("a", "b")] == ["Anna", "Bob"]


# --- what lines say --------------------------------------------------------------------------------------------------


def test_how_a_move_came_about_stands_behind_the_first_thing_that_was_done() -> None:
    quiet = Uneventful("PRR skips track.")
    assert with_mark(("a", "b"), "") == ("a", "b")
    assert with_mark(("a", "b"), "*(mark)*") == ("a *(mark)*", "b")
    marked = with_mark((quiet, "a", "b"), "*(mark)*")
    assert marked == ("PRR skips track.", "a *(mark)*", "b")
    assert eventful(marked) == ("a *(mark)*", "b")
    alone = with_mark((quiet,), "*(mark)*")
    assert alone == ("PRR skips track. *(mark)*",)
    assert eventful(alone) == ()


def offer(kind: str, entity: str = "PRR") -> Offer:
    return Offer(kind, "a", entity, fact("offer.end_game"))


LAID = TileLaid("PRR", "D2", "57", 0, 0, 100, None)


def test_whose_turn_ended_is_said_before_what_then_happens_to_others() -> None:
    game = new_game()
    begun = RoundStarted("operating", 1)
    theirs, begins = TileLaid("B&O", "D2", "57", 0, 0, 1, None), "__OR 1.1__ begins."
    lays = {company: f"**{company}** lays #57 (rotation 0) on D2 (Berlin)." for company in ("PRR", "B&O")}
    ended, laid = offer("pass"), offer("lay_tile")
    assert move_lines((begun,), game, ended) == ("**PRR** is done.", begins)
    assert move_lines((LAID, begun), game, laid) == (lays["PRR"], begins)
    assert move_lines((theirs,), game, ended) == ("**PRR** is done.", lays["B&O"])
    assert move_lines((theirs,), game, laid) == (lays["B&O"],), "it is not ended by what happens to others"
    assert move_lines((LAID,), game, ended) == (lays["PRR"],)


def test_a_move_without_an_event_says_that_it_is_done_or_what_its_button_said() -> None:
    game = new_game()
    (done,) = move_lines((), game, offer("pass"))
    assert (done, eventful([done])) == ("**PRR** is done.", ())
    (said,) = move_lines((), game, offer("lay_tile"))
    assert said.startswith("**PRR**: ")
    assert said == said.lower().replace("**prr**", "**PRR**")


def test_a_step_that_others_wait_for_is_not_passed_over_in_silence() -> None:
    """Such as one that a destination run or a merger depends on."""
    game = new_game()
    for step, loud in (("destination_run", True), ("shuffle", True), ("track", False)):
        lines = move_lines((Passed("PRR", fact(f"declined.{step}")),), game, offer("pass"))
        assert (len(lines), len(eventful(lines))) == (1, loud)


def test_what_a_company_declines_is_posted_only_where_that_is_to_be_said_aloud() -> None:
    for aloud in (None, False, True):
        there = live()
        there.game = played_to("lay_tile").play()
        declines = next(offer for offer in there.game.offers() if offer.kind == "pass")
        walk = Cursor(declines)
        made = there.make(walk, ANN) if aloud is None else there.make(walk, ANN, aloud=aloud)
        assert made.lines[0] == "**PRR** (Ann) declines track."
        assert (made.lines[0] in eventful(made.lines)) == bool(aloud)


# --- the log ---------------------------------------------------------------------------------------------------------


def row(seq: int, kind: Any = "action", payload: str = "") -> Row:
    """A row that can be read, unless its payload is given."""
    usual = {
        "start": Opening("18chesapeake", "rulebook", (), 3, (("a", "Ann"), ("b", "Bob"))).payload(),
        "action": Pass(actor="a", entity="a").model_dump_json(),
    }
    return Row(5, seq, kind, payload or usual.get(kind, "{}"), "", "a", 1, "now")


def undo(seq: int, to: int) -> Row:
    return row(seq, "undo", log.undo_payload(to))


START = row(1, "start")


def numbers(rows: Sequence[Row]) -> list[int]:
    return [one.seq for one in rows]


def flaw(*rows: Row) -> tuple[int, str]:
    """Where a log is not whole, and why."""
    with pytest.raises(Flawed) as found:
        counting_rows(rows)
    return found.value.seq, str(found.value)


def test_of_a_whole_log_the_rows_count_that_were_not_undone() -> None:
    assert numbers(counting_rows([START, row(2), row(3), undo(4, 2), row(5)])) == [1, 2, 5]


def test_a_row_that_is_gone_is_named_unless_it_was_undone() -> None:
    assert flaw() == (1, "move 1, with which it started, is gone from its log")
    assert flaw(row(2), row(3))[0] == 1
    assert flaw(START, row(3), row(4)) == (2, "move 2 is gone from its log")
    assert numbers(counting_rows([START, row(2), undo(4, 2), row(5)])) == [1, 2, 5], "row 3 was undone"
    assert flaw(START, row(2), undo(5, 3), row(6))[0] == 3, "row 3 was not undone"
    assert flaw(START, undo(3, 1), row(5))[0] == 4


def test_a_row_that_cannot_be_read_is_named_where_nothing_before_it_is_gone() -> None:
    bad = row(2, payload='{"kind": "nonsense"}')
    assert flaw(START, bad, row(3)) == (2, "move 2 in its log cannot be read")
    assert flaw(START, row(3), row(4, payload="x"))[0] == 2
    assert flaw(START, bad, row(4))[0] == 2
    assert flaw(row(1, "start", "x"), row(2))[0] == 1
    assert flaw(START, row(2), row(3, "undo", "x"))[0] == 3
    assert flaw(START, row(2), row(3, "accept", "x")) == (3, "move 3 in its log cannot be read")
    assert numbers(counting_rows([START, bad, undo(3, 1), row(4)])) == [1, 4], "what was undone is not read"


def test_a_log_that_contradicts_itself_is_flawed_at_its_end() -> None:
    accept = row(3, "accept", log.accept_payload("2", "{}"))
    seq, why = flaw(START, row(2), accept, row(4), undo(5, 2))
    assert (seq, why[:32]) == (5, "its log contradicts itself: Move")
    assert numbers(counting_rows([START, row(2, payload="x"), accept, row(4)])) == [3, 4]
    assert numbers(counting_rows([accept, row(4)])) == [3, 4]


def test_undos_are_found_in_the_log_from_the_last_accept_and_the_first_of_them_on() -> None:
    rows = [START, row(2), row(3), undo(4, 2), row(5), row(6), undo(7, 1)]
    found = [(one.seq, numbers(gone)) for one, gone in undo_walk(rows)]
    assert found == [(4, [3]), (5, []), (6, []), (7, [2, 5, 6])]
    assert list(undo_walk(rows[:3])) == []
    accept = row(8, "accept", log.accept_payload("2", "{}"))
    found = [
        (one.seq, numbers(gone)) for one, gone in undo_walk([*rows, accept, row(9), row(10), undo(11, 9)])
    ]
    assert found == [(8, []), (11, [10])]


def test_an_undo_in_the_middle_of_a_redo_ends_it_and_an_accept_ends_all() -> None:
    rows = [START, row(2), row(3), row(4), undo(5, 1), row(6), row(7)]
    found = Undone.of(rows)
    assert (found.last(), found.since()) == (None, rows[-1])
    back, accept = undo(8, 6), row(9, "accept", log.accept_payload("2", "{}"))
    found.taken(back, [rows[-1]])
    assert found == Undone.of([*rows, back])
    assert (found.last(), found.since()) == (TakenBack(back, (rows[-1],)), rows[-1])
    assert found.struck == [Struck(rows[4], 2, 4), Struck(back, 7, 7)]
    found.made(accept)
    assert found == Undone.of([*rows, back, accept])
    assert (found.last(), found.since(), found.struck) == (None, accept, [])


def test_the_rows_before_a_flaw_are_whole() -> None:
    rows = [START, row(2), row(3, payload="x"), row(4), row(5, payload="x")]
    assert numbers(rows_before(rows, 5)) == [1, 2]
    assert numbers(rows_before(rows, 3)) == [1, 2]
    assert numbers(rows_before(rows, 6)) == [1, 2]
    assert rows_before([row(2)], 2) == []
    assert rows_before([row(2), row(3)], 9) == []


# --- storing ---------------------------------------------------------------------------------------------------------


class Database:
    """A write that fails, and what the database then knows of it."""

    def __init__(self, error: Exception | None, found: int | Exception | None = None) -> None:
        self.error, self.found = error, found
        self.looks = 0

    async def write(self) -> int:
        if self.error is not None:
            raise self.error
        return 7

    async def done(self) -> int | None:
        self.looks += 1
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    async def stores(self) -> int:
        return await confirm_write(self.write(), self.done, "`/log` shows it.")


async def test_what_was_stored_is_not_looked_for() -> None:
    database = Database(None)
    assert await database.stores() == 7
    assert database.looks == 0


async def test_where_a_write_fails_the_database_is_asked_whether_it_was_done() -> None:
    for error in (DatabaseUnreachable("gone"), StaleSequence(3, 4), RuntimeError("nobody foresaw this")):
        assert await Database(error, 7).stores() == 7


@pytest.mark.parametrize(
    ("error", "raised", "looks"),
    [
        (NotSeated("no seat"), NotSeated, 0),
        (ShardLost(1), NotStored, 0),
        (DatabaseUnreachable("gone"), NotStored, 1),
        (StaleSequence(3, 4), StaleSequence, 1),
        (RuntimeError("nobody foresaw this"), Untouched, 1),
    ],
)
async def test_what_was_certainly_not_stored_says_so(
    error: Exception, raised: type[Exception], looks: int
) -> None:
    database = Database(error)
    with pytest.raises(raised):
        await database.stores()
    assert database.looks == looks


async def test_where_the_database_does_not_answer_nobody_knows() -> None:
    says = (
        "It is not known whether this was stored: the database has not answered. `/log` shows it. "
        "Look there before you try again."
    )
    with pytest.raises(NotKnown, match=f"^{says}$"):
        await Database(DatabaseUnreachable("gone"), DatabaseUnreachable("gone")).stores()


async def test_a_write_that_returns_nothing_is_finished() -> None:
    async def write() -> None:
        return

    assert await then_true(write())


@pytest.mark.parametrize(
    ("error", "raised", "forgotten"),
    [
        (Refused("not now"), Refused, False),
        (IllegalAction(fact("offer.end_game")), IllegalAction, False),
        (NotStored(DatabaseUnreachable("gone")), NotStored, True),
        (StaleSequence(3, 4), MovedOn, True),
        (OutcomeUnknown("gone"), OutcomeUnknown, True),
        (NotKnown("see"), NotKnown, True),
        (RuntimeError("nobody foresaw this"), Untouched, True),
        (KeyboardInterrupt(), KeyboardInterrupt, True),
    ],
)
async def test_a_game_that_may_be_ahead_of_its_log_is_forgotten(
    error: BaseException, raised: type[BaseException], forgotten: bool
) -> None:
    times: list[int] = []
    with pytest.raises(raised):
        async with evict_on_failure(lambda: times.append(1)):
            raise error
    assert bool(times) == forgotten


async def test_a_game_whose_move_is_stored_is_not_forgotten() -> None:
    times: list[int] = []
    async with evict_on_failure(lambda: times.append(1)):
        pass
    assert times == []


# --- taking up -------------------------------------------------------------------------------------------------------


async def test_a_game_that_is_taken_up_names_its_players_as_its_seats_do(service: TableService) -> None:
    """Not as the first row of its log does."""
    game = await service.game()
    await service.db.write(lambda tx: tx.put("UPDATE seats SET display_name = 'Zoe' WHERE seat = 2"))
    async with TableService.on(service.db).tables.reading(game) as live:
        assert [live.game.name(player) for player in ("p1", "p2", "p3")] == ["Ann", "Zoe", "Cy"]


async def test_a_game_has_no_position_before_it_starts_and_none_if_it_was_abandoned_before(
    service: TableService,
) -> None:
    lobby, started = await service.lobby(), await service.game()
    with pytest.raises(Refused, match=rf"^Game {lobby} has not started yet. `/game start` starts it\.$"):
        await require_started(service.db, await games.get_game(service.db, lobby))
    for game in (lobby, started):
        await games.abandon(service.db, game)
    with pytest.raises(Refused, match=rf"^Game {lobby} was abandoned before it started\.$"):
        await require_started(service.db, await games.get_game(service.db, lobby))
    await require_started(service.db, await games.get_game(service.db, started))


# --- places ----------------------------------------------------------------------------------------------------------


def test_a_game_is_found_by_its_thread_or_by_the_channel_that_stands_for_it() -> None:
    places = Places()
    places.show(70, 5)
    assert (places.game_in(70), places.game_in(71)) == (5, None)
    places.lose(6, 8)
    assert (places.game_in(8), places.is_lost(6), places.is_lost(5), places.lost_in(8)) == (
        6,
        True,
        False,
        [6],
    )
    places.lose(7, 8)
    places.lose(9, 10)
    assert (places.game_in(8), places.lost_in(8), places.game_in(10)) == (None, [6, 7], 9)
    places.find(6)
    assert places.game_in(8) == 7
    places.leave(70)
    assert places.game_in(70) is None


# --- what other processes have changed -------------------------------------------------------------------------------


async def test_a_game_in_memory_is_read_again_once_another_process_has_changed_it(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server of its own a process knows the seats; of others only what is stored."""
    game = await service.game()

    async def held() -> LiveGame:
        async with service.tables.reading(game) as live:
            return live

    monkeypatch.setattr(service.db, "shared", True)
    live = await held()
    await service.db.write(lambda tx: tx.run("UPDATE seats SET display_name = 'Dee' WHERE seat = 1"))
    assert await held() is live
    monkeypatch.setattr(service.tables, "share", some(holds=lambda guild: False))
    seated = await held()
    assert seated.seats[0].display_name == "Dee"
    assert await held() is seated
    await TableService.on(service.db).pass_on(game)
    assert (await held()).seq == seated.seq + 1
