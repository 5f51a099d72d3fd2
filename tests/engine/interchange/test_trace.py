"""What a game is compared with after each action of a recorded one."""

from typing import Any

import pytest

from engine.core.facts import Fact, fact
from engine.game import Game
from engine.interchange import ReplayResult, read_log, replay
from engine.interchange.log_replay import (
    Difference,
    ReplayWatcher,
    first_difference,
    revenue_values,
    trace_watcher,
)
from tests.engine.interchange.logs import AUCTION, GRANITE, GRANITE_SEED, RawAction, by, log_of, passes, runs
from tests.titles.builders import Position, do, find, new_game
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def test_run_that_ends_the_turn() -> None:
    """With one company in play its next turn begins at once: the GR runs in Quincy, from the city to the town."""
    actions = (*GRANITE, passes("GR"), runs("GR", ["L7"]))
    game = replay(read_log(log_of(*actions, title="18NewEngland", seed=GRANITE_SEED))).game
    assert game is not None
    assert game.table.turn.runs == ()
    line = by("run_routes", "GR", revenue=40)
    assert list(revenue_values(game.table, line)) == [("revenue", 40, 40)]
    assert list(revenue_values(game.table, {**line, "revenue": 50})) == [("revenue", 40, 50)]
    for other in ({"entity": "BL"}, {"type": "pass"}):
        assert list(revenue_values(game.table, {**line, **other})) == []
    assert list(revenue_values(game.table, by("run_routes", "GR"))) == []


# --- one operating company ----------------------------------------------------------------------------------------


def begun(price: int, row: int, column: int, **facts: Any) -> RawAction:
    started = {"ipoed": True, "floated": True, "price": price, "opar": price, "cell": [row, column]}
    return {"trains": [], "tokens": [], "privates": [], "market": 0, **started, **facts}


def waiting(*tokens: int) -> RawAction:
    none = dict.fromkeys(("president", "price", "cell", "opar"))
    empty: RawAction = {"trains": [], "tokens": [], "privates": [], "cash": 0, "ipo": 100, "market": 0}
    return {"ipoed": False, "floated": False, "tokens_left": list(tokens), **none, **empty}


def position() -> Position:
    """PRR, of whose bank's 2-trains one is in the pool, is to lay track; LV has not operated; Cy has nothing."""
    place = Position(linked="C&A").phase("3").cash(a=500, b=300, c=100)
    place.start("PRR", 80, a=60, b=10, market=10).start("LV", 95, b=60)
    place.trains("PRR", "2", "3").treasury("PRR", 123).owns("a", "D&R").owns("PRR", "C-P").pool("2")
    return place.tile("J2", "57", 1).operating("PRR", number=2, of=2)


def seat(cash: int, value: int, certs: int, *privates: str, **shares: int) -> RawAction:
    return {"cash": cash, "value": value, "certs": certs, "privates": list(privates), "shares": shares}


def line() -> RawAction:
    return {
        "type": "lay_tile",
        "entity": "PRR",
        "phase": "3",
        "round": "OR 2.2",
        "active": ["PRR"],
        "bank": 6027,
        "closed_privates": ["CV", "B&S", "C&OC", "B&OR"],
        "depot": {"3": 3, "3'": 2, "4": 5, "5": 3, "6": 2, "D": 1},
        "discard": ["2"],
        "map": {"J2": ["57", 1]},
        "players": {
            "a": seat(500, 1000, 6, "D&R", PRR=60),
            "b": seat(300, 950, 6, PRR=10, LV=60),
            "c": seat(100, 100, 0),
        },
        "corps": {
            "PRR": begun(80, 3, 3, president="a", cash=123, ipo=20, tokens_left=[40, 60, 80])
            | {"trains": ["3'", "2"], "tokens": ["F2"], "privates": ["C-P"], "market": 10},
            "LV": begun(95, 2, 4, president="b", cash=950, ipo=40, tokens_left=[0, 40]),
            "PLE": waiting(0, 40, 60),
            "SRR": waiting(0, 40),
            "B&O": waiting(0, 40, 60),
            "C&O": waiting(0, 40, 60, 80),
            "C&A": waiting(0, 40),
            "N&W": waiting(0, 40, 60),
        },
    }


def differs(game: Game, recorded: RawAction) -> str | None:
    found = first_difference(game, recorded)
    return None if found is None else found.value_name


def falsified(recorded: RawAction, *path: str, value: Any) -> RawAction:
    place = recorded
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return recorded


def test_equal_line_has_no_difference() -> None:
    """Trains of a type that starts another phase are `3'` there; a type without limit has one train."""
    assert first_difference(position().game(), line()) is None


@pytest.mark.parametrize(
    ("what", "path", "value"),
    [
        ("phase", ("phase",), "4"),
        ("round", ("round",), "OR 2.1"),
        ("active", ("active",), ["LV"]),
        ("over", ("end",), True),
        ("bank", ("bank",), 6026),
        ("closed privates", ("closed_privates",), ["CV", "B&S", "C&OC"]),
        ("trains in the bank", ("depot", "3"), 2),
        ("trains in the bank", ("depot", "D"), 2),
        ("trains in the pool", ("discard",), []),
        ("cash of a", ("players", "a", "cash"), 501),
        ("shares of a", ("players", "a", "shares"), {"PRR": 50}),
        ("shares of c", ("players", "c", "shares"), {"PRR": 10}),
        ("privates of a", ("players", "a", "privates"), ["C-P"]),
        ("net worth of a", ("players", "a", "value"), 1001),
        ("certificates of a", ("players", "a", "certs"), 7),
        *(
            (f"{name} of PRR", ("corps", "PRR", name), value)
            for name, value in {
                "ipoed": False,
                "floated": False,
                "president": "b",
                "cash": 124,
                "price": 85,
                "cell": [3, 4],
                "opar": 85,
                "trains": ["2"],
                "tokens": ["F4"],
                "tokens_left": [40, 60],
                "privates": [],
                "ipo": 30,
                "market": 0,
            }.items()
        ),
        ("markers of PRR", ("corps", "PRR", "abil"), ["civil_war"]),
        ("cell of PLE", ("corps", "PLE", "cell"), []),
        ("price of PLE", ("corps", "PLE", "price"), 0),
        ("tile in J2", ("map", "J2"), ["57", 2]),
        ("tile in J2", ("map", "J2"), ["5", 1]),
    ],
)
def test_differing_value_is_named(what: str, path: tuple[str, ...], value: Any) -> None:
    assert differs(position().game(), falsified(line(), *path, value=value)) == what


def test_equal_positions_recorded_otherwise() -> None:
    """A straight tile upside down; a closed company may be left out; Baltimore has two cities, Easton one."""
    assert differs(position().game(), falsified(line(), "map", "J2", value=["57", 4])) is None
    place = position()
    place.state.companies["PLE"].closed = True
    game, recorded = place.game(), line()
    assert differs(game, falsified(line(), "corps", "PLE", "cash", value=5)) == "cash of PLE"
    del recorded["corps"]["PLE"]
    assert differs(game, recorded) is None
    place.state.companies["PLE"].closed = False
    with pytest.raises(KeyError):
        first_difference(game, recorded)
    recorded = line()
    recorded["corps"]["LV"] |= {"tokens": ["H6:0", "J2"], "tokens_left": []}
    assert differs(position().token("LV", "H6").game(), recorded) is None


def test_game_that_is_over_has_no_round() -> None:
    votes = new_game(2)
    for player in ("a", "b"):
        do(votes, "end_game", player)
    recorded = {"phase": "2", "round": "", "active": [], "bank": 0}
    with pytest.raises(KeyError, match="players"):
        first_difference(votes, {**recorded, "end": True})
    assert differs(votes, recorded) == "over"


# --- rounds and who is active ----------------------------------------------------------------------------------------


def stands(game: Game, name: str, *active: str) -> bool:
    recorded = {"phase": game.table.state.phase, "round": name, "active": list(active), "end": True}
    return first_difference(game, recorded) == Difference("over", False, True)


def minors() -> NewEngland:
    """Two of them, Bob's at the higher value."""
    return NewEngland().minor("CV", 60, "a", "2").minor("ER", 70, "b", "2")


def discarding() -> Game:
    place = Position().phase("5").start("LV", 95, a=60).start("PRR", 95, b=60).operated("LV", "PRR")
    game = place.trains("LV", "4", "4", "5").trains("PRR", "5").operating("PRR").game()
    assert find(game, "discard_train").entity == "LV"
    return game


def laid(private: str, coord: str, tile: str, rotation: int) -> Game:
    """The LV, which owns it, has to place its token or second tile."""
    game = Position().phase("3").start("LV", 95, a=60).owns("LV", private).operating("LV").game()
    do(game, "lay_tile", private, hex=coord, tile=tile, rotation=rotation)
    return game


@pytest.mark.parametrize(
    ("game", "name", "active"),
    [
        (new_game(), "AUCTION", "a"),
        (Position().stock("b", number=4).start("LV", 95, a=60).game(), "SR 4", "b"),
        (new_game(title="18newengland"), "ISR", "a"),
        (minors().merging(number=1).game(), "MR 2.1", "ER"),  # companies are active
        (discarding(), "OR 2.1", "LV"),  # before the one that operates
        (laid("C&OC", "D2", "57", 1), "OR 2.1", "C&OC"),
        (laid("B&S", "F4", "9", 2), "OR 2.1", "B&S"),
    ],
)
def test_round_and_who_is_active(game: Game, name: str, active: str) -> None:
    assert stands(game, name, active)


# --- a certificate whose par price is due --------------------------------------------------------------------------


def auction(count: int, watch: ReplayWatcher | None = None) -> ReplayResult:
    """18Chesapeake after N of the actions in which everybody buys privates at their face value."""
    return replay(read_log(log_of(*AUCTION[:count])), watcher=watch)


def of_the_auction(count: int) -> Game:
    game = auction(count).game
    assert game is not None
    return game


def after_the_auction() -> RawAction:
    """Player 3 has the CV, and with it the certificate of the PRR, whose par price is due; player 2 a B&O share."""
    homes = {"B&O": (0, 40, 60), "C&O": (0, 40, 60, 80), "N&W": (0, 40, 60), "PLE": (0, 40, 60)}
    others = {"C&A": (0, 40), "LV": (0, 40), "SRR": (0, 40), "PRR": (0, 40, 60, 80)}
    corps = {name: waiting(*tokens) for name, tokens in {**homes, **others}.items()}
    corps["B&O"]["ipo"] = 90
    return {
        "type": "bid",
        "entity": 3,
        "phase": "2",
        "round": "AUCTION",
        "active": [3],
        "bank": 6090,
        "closed_privates": [],
        "depot": {"2": 7, "3": 4, "3'": 2, "4": 5, "5": 3, "6": 2, "D": 1},
        "discard": [],
        "players": {
            "1": seat(700, 800, 2, "D&R", "C&OC"),
            "2": seat(660, 800, 3, "C-P", "B&OR", **{"B&O": 10}),
            "3": seat(550, 800, 2, "B&S", "CV"),
        },
        "corps": corps,
    }


def test_certificate_without_par() -> None:
    """Among the shares and certificates of nobody, and of no other company; its president is recorded by
    number."""
    assert first_difference(of_the_auction(6), after_the_auction()) is None
    recorded = after_the_auction() | {"type": "par", "round": "SR 1", "active": [1]}
    recorded["players"]["3"] |= {"shares": {"PRR": 20}, "certs": 3, "value": 960}
    recorded["corps"]["PRR"] |= {"ipoed": True, "ipo": 80, "price": 80, "opar": 80, "cell": [3, 3]}
    named = falsified(recorded, "corps", "PRR", "president", value=3)
    assert first_difference(of_the_auction(7), named) is None


# --- markers -------------------------------------------------------------------------------------------------------


BIRMINGHAM = ("G4", "441a", 5)
"""The objective of the L&N: "assign_hexes" there, until it is reached."""


def louisville() -> Alabama:
    """Ann presides over the L&N, at $60, which is the first company of the trace."""
    return Alabama().start("L&N", 60, a=60)


@pytest.mark.parametrize(
    ("place", "markers"),
    [
        (louisville(), ["assign_hexes", "free_tiles"]),  # other abilities are no markers
        (louisville().marker("L&N", "Warrior Coal Field"), ["assign_hexes", "hexes_bonus"]),
        (louisville().marker("L&N", "Pan American"), ["assign_hexes", "mobile_nashville"]),
        (louisville().marker("L&N", "Robert E. Lee"), ["assign_hexes", "atlanta_birmingham"]),
        (louisville().marker("L&N", "civil war"), ["assign_hexes", "civil_war"]),
        (louisville().operated("L&N"), ["assign_hexes"]),
        (louisville().tile(*BIRMINGHAM).token("L&N", "G4"), []),
        # the SNAR of its own brings another token there
        (louisville().tile(*BIRMINGHAM).token("L&N", "G4").owns("L&N", "SNAR"), ["assign_hexes"]),
        (louisville().tile(*BIRMINGHAM).token("L&N", "G4").owns("L&N", "SNAR", used=True), []),
        (louisville().tile(*BIRMINGHAM).token("L&N", "G4").owns("M&O", "SNAR"), []),
    ],
)
def test_markers_of_a_trace(place: Alabama, markers: list[str]) -> None:
    game = place.stock("a").game()
    players = {"a": seat(600, 960, 5, **{"L&N": 60}), "b": seat(600, 600, 0), "c": seat(600, 600, 0)}
    state = {"phase": game.table.state.phase, "round": "SR 2", "active": ["a"], "players": players}
    for recorded, fits in (
        (markers, True),
        ([*markers, "open_bonus"], True),
        ([*markers, "civil_war"], False),
    ):
        same = fits or "civil_war" in markers
        found = differs(game, {**state, "corps": {"L&N": {"abil": recorded}}})
        assert found == ("ipoed of L&N" if same else "markers of L&N")


# --- a whole replay ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            {(1, 0): after_the_auction() | {"active": [1]}},
            fact("log.differs", what="active", ours=["2"], recorded=["1"]),
        ),
        ({}, fact("log.not_in_trace")),
    ],
)
def test_replay_stops_at_a_difference(lines: dict[tuple[int, int], RawAction], why: Fact) -> None:
    """Player 2 is to bid after player 1; or the action is not in the trace."""
    found = auction(6, trace_watcher(lines))
    assert found.last_action_number == 1
    assert getattr(found.problem, "reason", None) == why
