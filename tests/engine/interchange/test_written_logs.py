"""A game written as a log of 18xx.games is the same game when it is read again."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from engine.core.actions import EndGame, Pass, build_action
from engine.core.errors import IllegalAction, ReplayDiverged
from engine.core.facts import fact
from engine.core.state import Ending
from engine.game import Game
from engine.interchange import ReplayResult, read_log, replay
from engine.interchange.log_reader import PROFILE_OF_18XX_GAMES
from engine.interchange.log_replay import recorded_ending
from engine.interchange.writer import refusal_on_18xx_games, write_log
from engine.record import Record, load_record
from engine.titles import TITLES
from tests.engine.interchange.logs import AUCTION, log_of
from tests.golden.positions import FOLDER, golden
from tests.support.long_runs import VARIED_GAMES, some_named
from tests.titles.builders import Position, new_game

WRITTEN = {
    "1830-bank-3p": "3e62e6456a4d",
    "1830-bankruptcy-3p": "ceb10dbaa91e",
    "1846-all_closed-3p": "6341904e4742",
    "1846-bank-3p": "15707d656b55",
    "1846-bank-4p": "6185b5c23cc5",
    "1846-last_player-3p": "aca9d4e680b9",
    "1882-bank-2p": "fffd24f45a7a",
    "1882-bankruptcy-3p": "cb6f765e7cf0",
    "1882-price-3p": "08a6dbc5da3c",
    "1889-bank-3p": "0e7445eb00fa",
    "1889-bankruptcy-3p": "f38c9fac4806",
    "18al-bankruptcy-3p": "04fdf90fbe8a",
    "18al-price-3p": "09405eeddb95",
    "18chesapeake-agreement-2p": "de10eba7a9cb",
    "18chesapeake-bank-4p": "7dc5dc985c12",
    "18chesapeake-bankruptcy-3p": "2bc146b57cae",
    "18ga-bank-3p": "d3ac02d89241",
    "18ga-bankruptcy-3p": "817207f6aa18",
    "18ga-price-3p": "ea5af254690d",
    "18ms-last_round-2p": "aea312539bae",
    "18ms-last_round-3p": "d5d118d11c46",
    "18newengland-bank-3p": "860827fd8bb4",
    "18newengland-last_player-2p": "fd672bf40f7a",
    "18tn-bank-3p": "0623dedf916e",
    "18tn-bankruptcy-3p": "0b7279d51280",
}
"""Golden games of titles that site has, and the fingerprints of their logs: each word was tried there, or is one
of its own games.
"""


def written(record: Record) -> str:
    return write_log(record.initial_game(), record.actions)


@cache
def golden_log(name: str) -> str:
    return written(golden(name))


def three(title: str = "18tn", profile: str = PROFILE_OF_18XX_GAMES, *options: str) -> Game:
    return Game(title, [(player, player) for player in "123"], 7, profile, frozenset(options))


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, WRITTEN))
def test_golden_game_survives_the_round_trip(name: str) -> None:
    text = golden_log(name)
    log = read_log(text)
    read = replay(log)
    assert read.problem is None
    assert read.game is not None
    assert read.game.matches_digest(golden(name).digest)
    assert read.matches_record(log)
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == WRITTEN[name]


def test_every_shared_title_has_a_golden_log() -> None:
    """Off the Rails is the variant of 18Chesapeake."""
    known = {known.id for known in TITLES.values() if known.spec.is_on_18xx_games}
    assert {golden(name).title for name in WRITTEN} == known - {"18chesapeake-off-the-rails"}
    assert {path.stem for path in FOLDER.glob("*.json") if golden(path.stem).title in known} == set(WRITTEN)


def test_running_game_continues_where_it_stood() -> None:
    """Read again after half of its moves, the rest leads to the recorded end."""
    record = golden("18chesapeake-bank-4p")
    half = len(record.actions) // 2
    text = written(replace(record, actions=record.actions[:half]))
    assert not json.loads(text)["actions"][-1].get("asked_there"), "its player may still do something else"
    read = replay(read_log(text)).game
    assert read is not None
    read.apply_all(record.actions[half:])
    assert read.matches_digest(record.digest)


@pytest.mark.parametrize("order", [list, sorted])
@pytest.mark.parametrize("name", ["18chesapeake-bank-4p", "18tn-bank-3p"])
def test_route_may_be_a_list_of_hexes(name: str, order: Callable[[list[str]], list[str]]) -> None:
    """Logs of 2020 have no connections, and the hexes of a route in any order."""
    log = json.loads(golden_log(name))
    for raw in log["actions"]:
        for route in raw.get("routes", ()):
            passed = (word.partition(" ")[0] for way in route.pop("connections") for word in way)
            route["hexes"] = order(list(dict.fromkeys(passed)))
    old = read_log(json.dumps(log))
    assert replay(old).matches_record(old)


def test_hexes_without_track_are_no_route() -> None:
    """The first one is Baltimore, where no track leads to Washington yet."""
    log = json.loads(golden_log("18chesapeake-bank-4p"))
    run = next(raw for raw in log["actions"] if raw.get("routes"))
    run["routes"] = [{"train": run["routes"][0]["train"], "hexes": ["H6", "J4"]}]
    stopped = replay(read_log(json.dumps(log))).problem
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.reason == fact("log.no_route", connections=("H6-J4",))


# --- what that site would refuse ---------------------------------------------------------------------------------


def test_log_says_where_that_site_would_stop() -> None:
    """Or end otherwise."""
    assert refusal_on_18xx_games(written(load_record(log_of(*AUCTION)))) is None
    stopped = refusal_on_18xx_games(golden_log("18tn-bankruptcy-3p"))
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.reason != fact("log.ends_otherwise")
    log = write_log(three(), [EndGame(actor=player, entity=player) for player in "123"])
    assert json.loads(log)["actions"][0]["id"] == 1
    assert refusal_on_18xx_games(log) is None
    stopped = refusal_on_18xx_games(json.dumps(json.loads(log) | {"result": {"1": 0, "2": 0, "3": 0}}))
    assert isinstance(stopped, ReplayDiverged)
    assert (stopped.seq, stopped.reason) == (1, fact("log.ends_otherwise"))


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (
            golden_log("18newengland-last_player-2p"),  # D-NE-1
            fact("log.players_not_there", title="18NewEngland", count=2, fewest=3),
        ),
        (write_log(three("18tn", PROFILE_OF_18XX_GAMES, "triple_yellow_first_or"), ()), None),
        (  # 18TN 8: the three yellow tiles of a first turn are known there, the two others not
            write_log(three("18tn", PROFILE_OF_18XX_GAMES, "salvage_3"), ()),
            fact("log.options_not_there", options=("salvage_3",)),
        ),
    ],
)
def test_games_that_site_does_not_take(log: str, why: object) -> None:
    stopped = refusal_on_18xx_games(log)
    assert stopped is None if why is None else isinstance(stopped, IllegalAction) and stopped.reason == why


# --- what is said of a game ------------------------------------------------------------------------------------


def test_log_says_everything_of_its_game() -> None:
    """Ids are numbers from 1 on, one action is one line; a game that runs has neither scores nor ending."""
    options = frozenset({"triple_yellow_first_or", "best_run_required"})
    begun = Game("18tn", [("1", "Ann"), ("2", "Bob"), ("c", "Cy")], 7, options=options)
    text = write_log(begun, [Pass(actor="1", entity="1"), Pass(actor="2", entity="2")])
    passed = [{"type": "pass", "entity": number, "entity_type": "player"} for number in (1, 2)]
    assert json.loads(text) == {
        **{"id": "stationmaster", "description": "", "user": {"id": 0, "name": "Stationmaster"}},
        **{"title": "18TN", "min_players": 3, "max_players": 3, "user_settings": None},
        "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}, {"id": "c", "name": "Cy"}],
        "settings": {
            **{"seed": 7, "is_async": True, "unlisted": True, "auto_routing": True},
            **{"player_order": [1, 2, "c"], "optional_rules": ["triple_yellow_first_or"]},
        },
        **{"status": "active", "loaded": True, "acting": ["c"]},
        "stationmaster": {"profile": "rulebook", "from_log": 0, "options": ["best_run_required"]},
        "actions": [{"id": number, **raw} for number, raw in enumerate(passed, 1)],
    }
    assert text.startswith('{\n "id": "stationmaster",\n "description": "",\n')
    first, second = (json.dumps({"id": number, **raw}) for number, raw in enumerate(passed, 1))
    assert text.endswith(f' }},\n "actions": [\n{first},\n{second}\n]}}\n')


def test_refused_move_is_named_by_its_number() -> None:
    with pytest.raises(ReplayDiverged) as stopped:
        write_log(three(), [Pass(actor="1", entity="1"), Pass(actor="1", entity="1")])
    assert stopped.value.seq == 2


def votes(count: int) -> str:
    """N of two players agree to the end."""
    return write_log(new_game(2), [build_action("end_game", player, player) for player in "ab"[:count]])


def test_log_says_how_a_game_ended() -> None:
    going, ended = json.loads(votes(1)), json.loads(votes(2))
    assert (going["status"], going["acting"], "result" in going) == ("active", ["a"], False)
    assert (ended["status"], ended["acting"]) == ("finished", [])
    assert (ended["result"], ended["game_end_reason"]) == ({"a": 1200, "b": 1200}, "manually_ended")
    log = read_log(votes(2))
    played = replay(log)
    for changed, fits in (
        ({}, True),
        ({"result": {"a": 1, "b": 2}}, False),
        ({"end_reason": "bank"}, False),
        ({"end_reason": None, "result": {}}, True),  # nothing is recorded
    ):
        assert played.matches_record(replace(log, **changed)) is fits
    stopped = replace(played, problem=ReplayDiverged(2, fact("log.damaged", detail="")))
    assert not stopped.matches_record(log), "not all of it was accepted"
    begun = replay(read_log(votes(0)))
    assert begun.game is not None
    assert not begun.matches_record(replace(log, end_reason=None, result=begun.game.scores())), (
        "it still runs"
    )
    assert begun.matches_record(replace(log, end_reason=None, result={}))


def test_standstill_has_that_sites_word() -> None:
    """Earlier logs of ours have the word for an end by hand. A game that runs has none: the bank is broken,
    the rounds of the set are still played."""
    game = new_game(2)
    game.table.state.ending, game.table.state.over = Ending("standstill"), True
    log = json.loads(write_log(game, ()))
    assert log["game_end_reason"] == "dnf"
    for word, fits in (("dnf", True), ("manually_ended", True), ("bank", False)):
        assert (
            ReplayResult(game, 0).matches_record(read_log(json.dumps(log | {"game_end_reason": word})))
            is fits
        )
    place = Position().start("LV", 80, a=60).operating("LV", of=2)
    place.state.ending = Ending("bank")
    game = place.game()
    assert not game.is_over
    assert recorded_ending(game) is None


def test_leniency_of_old_logs() -> None:
    """A new one of theirs is played by their rules of today."""
    log = replace(read_log(votes(0)), profile="18xx.games", from_log=None)
    old, new = replay(log).game, replay(log, under_current_rules=True).game
    assert old is not None
    assert new is not None
    only_old = {name for name in old.rules.flags if old.rules.FLAGS[name].is_for_old_logs}
    assert only_old
    assert new.rules.flags == old.rules.flags - only_old
