"""Numbers and names of the past: places, wins, times, what a redo brings back, and what is left of a user."""

import json
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.games.game_log import Undone, moves_text
from bot.table.past import statistics
from bot.table.past.anonymise import NamesOverTime, anonymised, named
from bot.table.past.game_record import _whoever, in_anothers_name
from bot.table.past.past_games import PastGame, positions_to_store
from bot.table.past.past_views import _thinned, chart
from bot.table.past.statistics import LISTED, Played, head_to_head
from bot.table.player_names import LONGEST_NAME, NAMELESS, distinct_name, harmless, look_alike_key
from bot.table.results_and_ratings import rating_changes
from engine.tell.views import HistoryView, MomentView
from storage import ANONYMISED, CARETAKER, FORMER, Entry, Result, Row, games, log, positions
from storage import personal_data as stored_people
from storage import results as stored_results
from tests.bot.support.table_service import ANN, BOB, CY
from tests.titles.builders import new_game


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- places and wins -------------------------------------------------------------------------------------------------


def placed(game: int, user: int, rank: int, title: str = "18al") -> stored_results.PlacedUser:
    return stored_results.PlacedUser(game, title, user, rank, rank == 1)


def test_of_several_seats_in_one_game_the_best_place_counts() -> None:
    played = Played.of([placed(1, ANN, 2), placed(1, ANN, 1), placed(2, ANN, 3), placed(2, ANN, 4)])
    assert played.says() == "1 win in 2 games, average place 2.0"
    assert Played.of([placed(1, ANN, 1), placed(2, ANN, 1)]).says() == "2 wins in 2 games, average place 1.0"
    assert Played.of([placed(1, ANN, 2)]).says() == "0 wins in 1 game, average place 2.0"
    assert Played.of([]).says() == "no finished game"


def test_games_are_counted_by_how_they_stand_and_what_is_played() -> None:
    rows: list[tuple[str, games.Status, int]] = [
        ("18al", "running", 1), ("18al", "finished", 1), ("18tn", "lobby", 1),
        ("18tn", "abandoned", 1), ("18xx", "running", 1),
    ]  # fmt: skip
    assert statistics._of_games(rows) == (
        "Games: 1 open, 2 running, 1 finished and 1 abandoned. Played: 18AL 2, 18xx 1."
    )
    assert statistics._of_games([]) == "Games: none yet."
    assert statistics._of_games(rows[2:3]) == "Games: 1 open."


NAMES = {ANN: "Ann", BOB: "Bob", CY: "Cy"}


def test_people_are_listed_by_wins_then_games_then_name_and_former_players_last() -> None:
    results = [
        *(placed(1, user, rank) for user, rank in ((BOB, 1), (ANN, 2), (CARETAKER, 3), (ANONYMISED, 4))),
        *(placed(2, user, rank) for user, rank in ((ANN, 2), (CY, 3), (ANONYMISED, 1))),
    ]
    spans = {CY: [timedelta(minutes=2), timedelta(minutes=4)], 99: [timedelta(minutes=1)]}
    lines = statistics._of_people(NAMES, results, spans, {BOB: stored_results.Rating(27100, 6200)})
    assert lines == [
        "**Bob**: 1 win in 1 game, average place 1.0; rating 27.1 ± 6.2",
        "**Ann**: 0 wins in 2 games, average place 2.0",
        "**Cy**: 0 wins in 1 game, average place 3.0; decides within 3 min (median of 2)",
        f"**{FORMER}**: no finished game; decides within 1 min (median of 1)",
        f"**{FORMER}, or several**: 1 win in 2 games",
    ]
    equal = statistics._of_people({1: "Zoë", 2: "Abe"}, [placed(1, 1, 1), placed(2, 2, 1)], {}, {})
    assert [line.partition(":")[0] for line in equal] == ["**Abe**", "**Zoë**"]
    alone = statistics._of_people(NAMES, [placed(1, ANONYMISED, 1)], {}, {})
    assert alone == [f"**{FORMER}**: 1 win in 1 game"]


@pytest.mark.parametrize(
    ("people", "more"), [(LISTED, None), (LISTED + 1, "1 more player: "), (LISTED + 2, "2 more players: ")]
)
def test_who_has_won_less_is_asked_for_by_name(people: int, more: str | None) -> None:
    lines = statistics._of_people({}, [placed(1, 100 + number, number) for number in range(people)], {}, {})
    assert len(lines) == LISTED + (more is not None)
    assert more is None or lines[-1].startswith(more)


def test_one_person_sees_their_games_of_each_title() -> None:
    results = [placed(1, ANN, 1), placed(2, ANN, 2, "18tn"), placed(2, BOB, 1, "18tn")]
    lines = statistics._of_person(
        ANN, NAMES, results, {}, {(ANN, "18tn"): stored_results.Rating(25000, 8000)}
    )
    assert lines == [
        "**Ann**: 1 win in 2 games, average place 1.5",
        "- 18AL: 1 win in 1 game, average place 1.0",
        "- 18TN: 0 wins in 1 game, average place 2.0; rating 25.0 ± 8.0",
    ]
    assert statistics._of_person(99, NAMES, results, {}, {}) == ["**<@99>**: no finished game"]


@pytest.fixture
def results_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Finished games of a server: `results_of(...)`."""

    def set_to(*found: stored_results.PlacedUser) -> Any:
        async def of_server(*_: object) -> list[stored_results.PlacedUser]:
            return list(found)

        async def names(*_: object) -> dict[int, str]:
            return NAMES

        monkeypatch.setattr("storage.results.places_of_server", of_server)
        monkeypatch.setattr("storage.results.user_names", names)
        return some(db=None)

    return set_to


async def test_two_people_are_compared_in_the_games_that_both_have_finished(results_of: Any) -> None:
    """Of several seats the best counts."""
    tables = results_of(
        placed(1, ANN, 1), placed(1, BOB, 2), placed(2, ANN, 3), placed(2, ANN, 1), placed(2, BOB, 2),
        placed(3, ANN, 2, "18tn"), placed(3, BOB, 1, "18tn"), placed(4, ANN, 1, "18tn"), placed(4, BOB, 1, "18tn"),
        placed(5, ANN, 1),
    )  # fmt: skip
    assert (await head_to_head(tables, 1, (ANN, BOB), None)).split("\n") == [
        "**Ann** against **Bob**: 4 games, **Ann** ahead in 2, **Bob** in 1, equal in 1",
        "- 18AL: 2 games, **Ann** ahead in 2, **Bob** in 0",
        "- 18TN: 2 games, **Ann** ahead in 0, **Bob** in 1, equal in 1",
    ]
    of_one = await head_to_head(tables, 1, (BOB, ANN), "18al")
    assert of_one.startswith("**Bob** against **Ann**: 2 games, **Bob** ahead in 0, **Ann** in 2\n- 18AL")
    assert (
        await head_to_head(tables, 1, (ANN, 99), None)
        == "**Ann** and **<@99>** have finished no game together here."
    )
    with pytest.raises(Refused, match="against themselves"):
        await head_to_head(tables, 1, (ANN, ANN), None)


# --- ratings ---------------------------------------------------------------------------------------------------------


def entry(kind: Any = "action", payload: str = '{"kind": "pass", "actor": "p1", "entity": "p1"}') -> Entry:
    return Entry(kind, payload, "digest", "p1", 1)


def ended(*users: int, group: Sequence[str] = (), cared: Sequence[str] = ()) -> Any:
    """A table whose players p1, p2, ... are these users."""
    seats = [some(player_id=f"p{number}", user_id=user) for number, user in enumerate(users, 1)]
    return some(seats=seats, by_group=frozenset(group), by_caretaker=frozenset(cared))


def rated(live: Any, *entries: Entry, count: int = 3) -> Any:
    found = [Result(f"p{number}", number, 100, number == 1) for number in range(1, count + 1)]
    return rating_changes(live, entries or (entry(),), found, "now")


def test_a_game_rates_the_people_who_played_it_to_its_end() -> None:
    whole = rated(ended(ANN, BOB, CY))
    assert isinstance(whole, stored_results.Rated)
    assert whole.places == ((ANN, 1), (BOB, 2), (CY, 3))
    for left_out in (
        ended(ANN, CARETAKER, CY),
        ended(ANN, ANONYMISED, CY),
        ended(ANN, BOB, CY, group=["p2"]),
        ended(ANN, BOB, CY, cared=["p2"]),
    ):
        assert rated(left_out).places == ((ANN, 1), (CY, 3))


def test_what_is_no_contest_rates_nobody() -> None:
    assert rated(ended(ANN, CARETAKER, ANONYMISED)) is log.NOTHING
    assert rated(ended(ANN, BOB, CY), count=0) is log.NOTHING
    early = entry(payload='{"kind": "end_game", "actor": "p1", "entity": "p1"}')
    assert rated(ended(ANN, BOB, CY), entry(), early) is log.NOTHING
    assert rated(ended(ANN, BOB, CY), entry("accept", "{}")) is log.NOTHING


# --- positions -------------------------------------------------------------------------------------------------------


def row(seq: int, kind: Any = "action", payload: str = "{}", actor: str = "p1") -> Row:
    return Row(5, seq, kind, payload, f"digest {payload}", actor, 1, "now")


@pytest.mark.parametrize(
    ("made", "added", "stored"),
    [(14, 1, False), (15, 1, True), (16, 1, False), (14, 3, True), (16, 15, False), (16, 16, True)],
)
def test_of_every_few_moves_the_last_position_is_stored(made: int, added: int, stored: bool) -> None:
    counting = [row(seq) for seq in range(1, made + 1)]
    found = positions_to_store(counting, [entry()] * added, "state")
    assert isinstance(found, positions.AddPosition) == stored
    assert (found is log.NOTHING) != stored


def test_an_undo_drops_the_positions_that_it_undoes() -> None:
    """Those up to the last move that counts stay."""
    counting = [row(1), row(2), row(4)]
    undo = entry("undo", log.undo_payload(4))
    assert positions_to_store(counting, [undo], "state") == positions.DropPositions(4)


def past(*rows: Row) -> PastGame:
    return PastGame(5, 9, tuple(rows), NamesOverTime({}))


def test_rows_of_a_past_game_are_found_by_their_numbers() -> None:
    game = past(row(1, "start"), row(2), row(5, "accept"), row(6))
    assert [game.row(seq) and game.row(seq).seq for seq in (0, 1, 3, 6, 7)] == [None, 1, None, 6, None]  # type: ignore[union-attr]
    assert [one.seq for one in game.between(1, 5)] == [2, 5]
    assert [one.seq for one in game.between(2, 6)] == [5, 6]
    assert [game.first(seq).seq for seq in (1, 2, 5, 6)] == [1, 1, 5, 5]


@pytest.mark.parametrize(
    ("most", "shown"),
    [(5, [1, 2, 3, 4]), (4, [1, 2, 3, 4]), (2, [2, 4]), (1, [4]), (0, []), (-1, []), (3, [1, 2, 4])],
)
def test_of_many_maps_as_many_as_fit_are_shown_at_equal_distances_with_the_last(
    most: int, shown: list[int]
) -> None:
    assert _thinned([1, 2, 3, 4], most) == shown


def test_where_worth_is_secret_now_a_chart_shows_none_of_before() -> None:
    """Once the game is over all of it is shown."""
    rounds = (moment(1), moment(2))
    whole: Any = some(rounds=rounds)
    for players, worths in ((("Ann",), [(1,), (2,), (3,)]), ((), [(), (), (3,)])):
        now = HistoryView("18AL", "", players, (), (moment(3),))
        assert [then.worth for then in chart(whole, now).moments] == worths


def moment(worth: int) -> MomentView:
    return MomentView(f"SR {worth}", (worth,), ())


# --- names -----------------------------------------------------------------------------------------------------------


def sat(player: str, name: str, since: int) -> Any:
    return some(player_id=player, display_name=name, since=since, role="holder")


def test_a_move_is_shown_with_the_names_of_its_time() -> None:
    names = NamesOverTime({"p1": "Ann", "p2": "Bob"}, (sat("p2", "Bert", 0), sat("p2", "Bob", 5)))
    assert names.at(5) == {"p1": "Ann", "p2": "Bert"}
    assert names.at(6) == {"p1": "Ann", "p2": "Bob"}
    assert named(new_game(), {"a": "Anna"}).name("a") == "Anna"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \n Lee ", "Ann Lee"),
        ("**Ann**", "Ann"),
        ("<@123>", "123"),
        ("x" * 40, "x" * LONGEST_NAME),
        ("\u0325\u0330\u0331\u0332x", "\u0325\u0330x"),
        ("-# +Ann.", "Ann"),
        ("***", NAMELESS),
        ("", NAMELESS),
        ("a\u0301\u0301\u0301\u0301", "\u00e1\u0301\u0301"),
        ("A\u200bn\u2800n", "Ann"),
        ("Ａｎｎ", "Ann"),
        ("A\ufe0fnn", "Ann"),
    ],
)
def test_a_display_name_is_visible_and_means_nothing_to_discord(name: str, shown: str) -> None:
    assert harmless(name) == shown


@pytest.mark.parametrize("other", ["ann", "ANN", "Ánn", "A nn", "Аnn", "A-n-n"])
def test_names_that_look_alike_have_numbers(other: str) -> None:
    assert look_alike_key(other) == look_alike_key("Ann")
    assert distinct_name("Ann", [other]) == "Ann (2)"
    assert distinct_name("Ann", [other, "Ann (2)"]) == "Ann (3)"
    assert distinct_name("Ann", ["Bob"]) == "Ann"


def test_signs_that_together_look_like_another_are_alike() -> None:
    assert look_alike_key("Cornell") == look_alike_key("Comell")
    assert look_alike_key("VVill") == look_alike_key("Will")
    assert look_alike_key("Bill") == look_alike_key("8i11") == look_alike_key("B!||")
    assert look_alike_key("Ann (2)") != look_alike_key("Ann 2")


# --- removal ---------------------------------------------------------------------------------------------------------

GONE = stored_people.Somebody(11, ("Ann", "A.B"), ("p1",))


def test_words_lose_a_users_name_and_number_and_no_others() -> None:
    assert anonymised("words", "<@11> and <@!11>: Ann, Anna, Joann, A.B, AxB, 11, 111", GONE) == (
        f"{FORMER} and {FORMER}: {FORMER}, Anna, Joann, {FORMER}, AxB, {FORMER}, 111"
    )
    notice = json.dumps({"text": "Ann bids.", "users": [11, 12], "by": 11, "role": 7, "Ann": {"x": ["Ann"]}})
    assert json.loads(anonymised("words", notice, GONE)) == {
        "text": f"{FORMER} bids.", "users": [12], "by": ANONYMISED, "role": 7, "Ann": {"x": [FORMER]},
    }  # fmt: skip
    assert anonymised("words", '{"text":"Bob bids."}', GONE) == '{"text":"Bob bids."}'


def test_a_position_loses_the_name_of_the_player_that_the_user_played() -> None:
    players = [["p1", "Ann"], ["p2", "Ann"], ["p1", "Bob"]]
    start = json.dumps({"players": players, "seed": 11})
    assert json.loads(anonymised("start", start, GONE)) == {
        "players": [["p1", FORMER], ["p2", "Ann"], ["p1", "Bob"]], "seed": 11,
    }  # fmt: skip
    held = [{"id": "p1", "name": "Ann", "cash": 5}, {"id": "p2", "name": "Ann", "cash": 7}]
    state = json.dumps({"players": players, "state": {"players": held, "bank": 3}})
    found = json.loads(anonymised("state", state, GONE))
    assert found["state"] == {"players": [held[0] | {"name": FORMER}, held[1]], "bank": 3}
    accept = json.dumps({"state": state, "why": "x"})
    accepted = json.loads(anonymised("accept", accept, GONE))
    assert accepted["why"] == "x"
    assert json.loads(accepted["state"]) == found


# --- redo ------------------------------------------------------------------------------------------------------------


def undo(seq: int, to: int, **more: object) -> Row:
    return row(seq, "undo", log.undo_payload(to, **more))


def move(seq: int, what: str) -> Row:
    return row(seq, payload=what)


def comes_back(*rows: Row) -> list[int] | None:
    """The moves that a redo would bring back."""
    last = Undone.of(rows).last()
    return None if last is None else [one.seq for one in last.rows]


START = row(1, "start")


def test_the_last_undo_is_redone_first_until_somebody_makes_another_move() -> None:
    moves = [move(2, "a"), move(3, "b"), move(4, "c")]
    assert comes_back(START, *moves) is None
    assert comes_back(START, *moves, undo(5, 3)) == [4]
    assert comes_back(START, *moves, undo(5, 3), undo(6, 2)) == [3]
    assert comes_back(START, *moves, undo(5, 2)) == [3, 4]
    assert comes_back(START, *moves, undo(5, 3), move(6, "d")) is None
    assert Undone.of([START, *moves, undo(5, 3), move(6, "d")]).since() == move(6, "d")


def test_what_was_undone_made_again_is_a_redo() -> None:
    moves = [move(2, "a"), move(3, "b"), move(4, "c")]
    taken = [START, *moves, undo(5, 3), undo(6, 2)]
    assert comes_back(*taken, move(7, "b")) == [4]
    both = [START, *moves, undo(5, 2)]
    assert comes_back(*both, move(6, "b")) is None
    assert Undone.of([*both, move(6, "b")]).since() == move(6, "b")
    assert comes_back(*both, move(6, "b"), undo(7, 2)) == [6], "a part made again by hand is a move"
    assert Undone.of([*both, move(6, "b"), move(7, "c")]).stack == []
    assert comes_back(*both, move(6, "x")) is None


def test_what_was_damaged_never_comes_back_and_an_accept_ends_it_all() -> None:
    moves = [move(2, "a"), move(3, "b")]
    assert comes_back(START, *moves, undo(4, 2, mends=True)) is None
    assert comes_back(START, *moves, undo(4, 2), row(5, "accept")) is None
    accepted = Undone.of([START, *moves, undo(4, 2), row(5, "accept"), move(6, "c"), undo(7, 5)])
    assert [(one.first, one.last) for one in accepted.struck] == [(6, 6)]


def test_what_was_taken_is_struck_with_who_agreed() -> None:
    found = Undone.of([START, move(2, "a"), move(3, "b"), undo(4, 1, agreed=["p2"])])
    (struck,) = found.struck
    assert (struck.moves, struck.agreed) == ("moves 2 to 3", ("p2",))
    last = found.last()
    assert last is not None
    assert last.agreed == ("p2",)
    assert moves_text([move(7, "a")]) == "move 7"
    assert Undone.of([START, move(2, "a"), undo(3, 1)]).struck[0].agreed == ()


def test_who_moves_in_anothers_name_is_noted_for_moves_alone() -> None:
    accepted = row(3, "accept", actor="")._replace(user_id=99)
    counting = [row(1, "start"), move(2, "a"), accepted, move(4, "b")._replace(user_id=88)]
    live: Any = some(seat_history=[some(player_id="p1", user_id=1)], counting=counting)
    assert in_anothers_name(live) == {4: 88}


def test_who_undid_a_move_is_named_with_who_agreed_and_whom_a_moderator_was() -> None:
    names: Any = some(at=lambda _: {"p1": "Ann", "p2": "Bob", "p3": "Cy"})
    kept = [START, move(2, "a")]

    def who(row: Row) -> str:
        return _whoever(Undone.of([*kept, row]).struck[0], names)

    assert who(undo(3, 1)) == "**Ann**"
    assert who(undo(3, 1, agreed=["p2"])) == "**Ann**, agreed to by **Bob**"
    assert who(undo(3, 1, agreed=["p2", "p3"])) == "**Ann**, agreed to by **Bob** and **Cy**"
    assert who(undo(3, 1)._replace(actor="", user_id=99)) == "<@99>, as a moderator"
    assert who(undo(3, 1)._replace(actor="", user_id=None)) == "somebody, as a moderator"
