"""A game written as a log of 18xx.games is the same game when it is read again."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core.actions import Answer, EndGame, Pass
from engine.core.errors import IllegalAction, ReplayDiverged
from engine.core.facts import fact
from engine.game import Game
from engine.interchange import read_log, replay
from engine.interchange.log_reader import PROFILE
from engine.interchange.writer import ShadowGame, refused_there, write_log
from engine.play.rules import Rules
from engine.record import Record, load_record, read_record
from engine.titles import TITLES
from tests.engine.interchange.logs import AUCTION, GRANITE, GRANITE_SEED, Raw, lays, passes
from tests.engine.interchange.test_new_england import SEED, minor

GOLDEN = Path(__file__).parents[2] / "golden"
THERE = sorted(
    path
    for path in GOLDEN.glob("*.json")
    if TITLES[path.stem.partition("-")[0].replace("_", "-")].spec.on_18xx_games
)


@cache
def golden(name: str) -> Record:
    """A golden game."""
    return read_record((GOLDEN / f"{name}.json").read_text("utf-8"))


def log_of(record: Record) -> str:
    """It as a log."""
    return write_log(record.begin(), record.actions)


@cache
def golden_log(name: str) -> str:
    """A golden game as a log."""
    return log_of(golden(name))


def raws(name: str, kind: str) -> list[Raw]:
    """The actions of a kind in a golden game, as the log has them."""
    actions: list[dict[str, Any]] = json.loads(golden_log(name))["actions"]
    return [action for action in actions if action["type"] == kind]


@pytest.mark.parametrize("path", THERE, ids=lambda path: path.stem)
def test_a_golden_game_survives_the_round_trip(path: Path) -> None:
    log = read_log(golden_log(path.stem))
    read = replay(log)
    assert read.problem is None
    assert read.game is not None
    assert read.game.fits(golden(path.stem).digest)
    assert read.matches(log)


def test_a_game_that_continues_is_not_ended_by_answers_after_its_last_action() -> None:
    """Where its player may still do what the answer would leave out."""
    whole = golden("18chesapeake-bank-4p")
    ends = [
        json.loads(log_of(replace(whole, actions=whole.actions[:moves])))["actions"][-1]
        for moves in range(60, 90, 4)
    ]
    assert not any(raw.get("asked_there") for raw in ends)


def test_every_title_of_that_site_has_a_golden_game() -> None:
    """Off the Rails is the variant of 18Chesapeake."""
    known = {known.id for known in TITLES.values() if known.spec.on_18xx_games}
    assert {golden(path.stem).title for path in THERE} == known - {"18chesapeake-off-the-rails"}


def test_a_running_game_continues_from_where_it_stood() -> None:
    """Read again after half of its moves, the rest leads to the recorded end."""
    record = golden("18chesapeake-bank-4p")
    half = len(record.actions) // 2
    read = replay(read_log(log_of(replace(record, actions=record.actions[:half])))).game
    assert read is not None
    read.apply_all(record.actions[half:])
    assert read.fits(record.digest)


def test_only_what_was_agreed_to_is_in_the_log() -> None:
    """A purchase that was refused happened nowhere; one that was agreed to is a purchase."""
    record = golden("18tn-bank-3p")
    refused = [action for action in record.actions if isinstance(action, Answer) and action.reply != "agree"]
    read = replay(read_log(golden_log("18tn-bank-3p"))).applied
    assert refused
    assert not [action for action in read if isinstance(action, Answer) and action.reply != "agree"]
    assert len(read) < len(record.actions)


def test_who_agreed_to_the_end_is_in_one_action() -> None:
    """That site ends a game at one player's word."""
    record = golden("18chesapeake-agreement-2p")
    votes = [action.actor for action in record.actions if isinstance(action, EndGame)]
    (ended,) = raws("18chesapeake-agreement-2p", "end_game")
    assert [ended["entity"], *ended["agreed"]] == votes


def test_the_fourth_3_train_of_18tn_has_another_name() -> None:
    """That site numbers trains whose sale begins another phase separately."""
    bought = [raw["train"] for raw in raws("18tn-bank-3p", "buy_train")]
    new = list(dict.fromkeys(train for train in bought if train.startswith("3")))
    assert new == ["3-0", "3-1", "3-2", "3'-0", "3'-1"]


def test_two_companies_become_one_by_two_actions() -> None:
    """First the partner, then the company to be formed; a conversion says so first."""
    record = golden("18newengland-bank-3p")
    formed = {action.major for action in record.actions if action.kind in ("merge", "convert")}
    named = {raw["corporation"] for raw in raws("18newengland-bank-3p", "merge")}
    assert formed <= named
    assert len(raws("18newengland-bank-3p", "convert")) == sum(
        action.kind == "convert" for action in record.actions
    )


def test_a_run_says_where_it_stops_and_what_it_earns() -> None:
    (run, *_) = raws("18chesapeake-bank-4p", "run_routes")
    (route,) = run["routes"]
    assert len(route["nodes"]) == len(route["hexes"]) == len(route["connections"]) + 1
    assert route["revenue"] > 0
    assert (run["extra_revenue"], run["subsidy"]) == (0, 0)


def test_a_game_by_the_printed_rules_says_where_that_site_would_stop() -> None:
    """What was read from a log of that site is read there; where rules differ, an action may be refused."""
    log = {
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3},
        "actions": [{"id": number, **action} for number, action in enumerate(AUCTION, 1)],
    }
    assert refused_there(log_of(load_record(json.dumps(log)))) is None
    stopped = refused_there(golden_log("18tn-bankruptcy-3p"))
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.reason != fact("log.ends_otherwise")


def test_a_log_that_ends_otherwise_there_says_so() -> None:
    """After its last action, with other scores."""
    votes = [EndGame(actor=player, entity=player) for player in "123"]
    log = write_log(Game("18tn", [(player, player) for player in "123"], 1, PROFILE), votes)
    assert json.loads(log)["actions"][0]["id"] == 1
    assert refused_there(log) is None
    stopped = refused_there(json.dumps(json.loads(log) | {"result": {"1": 0, "2": 0, "3": 0}}))
    assert isinstance(stopped, ReplayDiverged)
    assert (stopped.seq, stopped.reason) == (1, fact("log.ends_otherwise"))


def test_a_train_that_a_private_brings_is_its_companys_after_the_turn() -> None:
    """18AL: the Nashville, Decatur & Y. may buy in what is the last step of a turn."""
    record = golden("18al-bankruptcy-3p")
    assert [raw for raw in raws("18al-bankruptcy-3p", "buy_train") if raw["entity_type"] == "company"]
    read = replay(read_log(golden_log("18al-bankruptcy-3p"))).game
    assert read is not None
    assert read.fits(record.digest)


def test_players_are_named_by_their_numbers() -> None:
    """A number is written as one; other ids as they are."""
    begun = Game("18tn", (("7", "Ann"), ("8", "Bob"), ("c", "Cy")), 1)
    players = json.loads(write_log(begun, ()))["players"]
    assert [player["id"] for player in players] == [7, 8, "c"]


@pytest.mark.parametrize("name", ["18newengland-last_player-2p", "18newengland-bank-3p"])
def test_an_answer_that_only_that_site_asks_for_is_written_and_passed_over_here(name: str) -> None:
    """That site asks where nothing can be done; our own reading has as many actions as were made."""
    log = golden_log(name)
    written = json.loads(log)["actions"]
    asked = [action for action in written if action.get("asked_there")]
    assert asked
    assert len(read_log(log).actions) == len(written) - len(asked)


def there(*raws: Raw, seed: int = GRANITE_SEED) -> ShadowGame:
    """18NewEngland on that site, after these actions of a log."""
    seats = [(str(number), f"Player {number}") for number in (1, 2, 3)]
    along = ShadowGame(Game("18newengland", seats, seed))
    for raw in raws:
        along.questions(raw)
    return along


def test_a_company_that_had_a_route_once_is_asked_for_its_run() -> None:
    """The GR can run in its home until its first tile there: that site does not forget it."""
    asked = there(*GRANITE, lays("GR", "L7", "6-0", 0)).questions(passes("GR"))
    run = {"type": "run_routes", "entity": "GR", "entity_type": "corporation", "asked_there": True}
    assert asked == [{**run, "routes": [], "extra_revenue": 0, "subsidy": 0}]


def test_that_site_has_no_new_england_for_two() -> None:
    """D-NE-1: the number is named."""
    stopped = refused_there(golden_log("18newengland-last_player-2p"))
    assert isinstance(stopped, IllegalAction)
    assert stopped.reason == fact("log.players_not_there", title="18NewEngland", count=2, fewest=3)


def test_an_optional_rule_that_site_does_not_know_is_named() -> None:
    """18TN 8: it has the three yellow tiles of a first turn, and not the two others."""
    for option, known in (("triple_yellow_first_or", True), ("salvage_3", False)):
        begun = Game(
            "18tn",
            [(str(number), f"Player {number}") for number in (1, 2, 3)],
            1,
            PROFILE,
            frozenset({option}),
        )
        stopped = refused_there(write_log(begun, ()))
        unknown = fact("log.options_not_there", options=(option,))
        assert stopped is None if known else isinstance(stopped, IllegalAction) and stopped.reason == unknown


def in_order(hexes: list[str]) -> list[str]:
    """As they are."""
    return hexes


@pytest.mark.parametrize("order", [in_order, sorted])
@pytest.mark.parametrize("name", ["18chesapeake-bank-4p", "18tn-bank-3p"])
def test_a_route_may_be_a_list_of_hexes(name: str, order: Callable[[list[str]], list[str]]) -> None:
    """Logs of 2020 have no connections, and the hexes of a route in any order."""
    log = json.loads(golden_log(name))
    for raw in log["actions"]:
        for route in raw.get("routes", ()):
            passed = (word.partition(" ")[0] for way in route.pop("connections") for word in way)
            route["hexes"] = order(list(dict.fromkeys(passed)))
    old = read_log(json.dumps(log))
    assert replay(old).matches(old)


def test_a_list_of_hexes_without_track_is_no_route() -> None:
    """The first one is Baltimore, where no track leads to Washington yet."""
    log = json.loads(golden_log("18chesapeake-bank-4p"))
    run = next(raw for raw in log["actions"] if raw.get("routes"))
    run["routes"] = [{"train": run["routes"][0]["train"], "hexes": ["H6", "J4"]}]
    stopped = replay(read_log(json.dumps(log))).problem
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.reason == fact("log.no_route", connections=("H6-J4",))


def test_an_issue_from_two_places_is_two_sales() -> None:
    """18NewEngland 11.10: that site takes shares of one owner at a time; here it is one action again."""
    written = json.loads(golden_log("18newengland-bank-3p"))["actions"]
    first = next(
        number for number, raw in enumerate(written) if raw["type"] == "sell_shares" and "here" in raw
    )
    offering, treasury = written[first : first + 2]
    assert [len(raw["shares"]) for raw in (offering, treasury)] == [1, 2]
    assert ["share_price" in raw for raw in (offering, treasury)] == [True, False]
    assert offering["entity"] == treasury["entity"]
    issues = [
        action
        for action in read_log(golden_log("18newengland-bank-3p")).actions
        if action == offering["here"][0]
    ]
    assert [len(raw["shares"]) for raw in issues] == [3]


def test_what_a_log_says_of_its_game_and_of_each_action() -> None:
    """Ids are numbers from 1 on, one action is one line; a game that runs has neither scores nor ending."""
    options = frozenset({"triple_yellow_first_or", "best_run_required"})
    begun = Game("18tn", [("1", "Ann"), ("2", "Bob"), ("3", "Cy")], 7, options=options)
    text = write_log(begun, [Pass(actor="1", entity="1"), Pass(actor="2", entity="2")])
    passed = [{"type": "pass", "entity": number, "entity_type": "player"} for number in (1, 2)]
    assert json.loads(text) == {
        **{"id": "stationmaster", "description": "", "user": {"id": 0, "name": "Stationmaster"}},
        **{"title": "18TN", "min_players": 3, "max_players": 3, "user_settings": None},
        "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "Cy"}],
        "settings": {
            **{"seed": 7, "is_async": True, "unlisted": True, "auto_routing": True},
            **{"player_order": [1, 2, 3], "optional_rules": ["triple_yellow_first_or"]},
        },
        **{"status": "active", "loaded": True, "acting": [3]},
        "stationmaster": {"profile": "rulebook", "from_log": 0, "options": ["best_run_required"]},
        "actions": [{"id": number, **raw} for number, raw in enumerate(passed, 1)],
    }
    assert text.startswith('{\n "id": "stationmaster",\n "description": "",\n')
    first, second = (json.dumps({"id": number, **raw}) for number, raw in enumerate(passed, 1))
    assert text.endswith(f' }},\n "actions": [\n{first},\n{second}\n]}}\n')


def test_a_move_that_is_refused_is_named_by_its_number_as_it_is_written() -> None:
    begun = Game("18tn", [(player, player) for player in "123"], 7)
    with pytest.raises(ReplayDiverged) as stopped:
        write_log(begun, [Pass(actor="1", entity="1"), Pass(actor="1", entity="1")])
    assert stopped.value.seq == 2


def test_that_site_is_asked_with_the_step_that_waits_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bankruptcy is declared in the same one there."""
    found = []

    def asked(there: ShadowGame, raw: Raw, step: str) -> list[Raw]:
        found.append((raw["entity"], step))
        return []

    monkeypatch.setattr(ShadowGame, "questions", asked)
    moves = [Pass(actor=player, entity=player) for player in "12"]
    write_log(Game("18tn", [(player, player) for player in "123"], 7), moves)
    assert found == [(1, "bid"), (2, "bid")]


def runs(company: str, *connections: list[str]) -> Raw:
    """A run of a company's first train; none without connections."""
    routes = [{"train": "2-0", "connections": [*connections]}] if connections else []
    return {"type": "run_routes", "entity": company, "routes": routes}


def test_a_run_comes_after_an_answer_to_each_step_before_it() -> None:
    """The GR may still lay track; where the run itself is asked for, nothing comes before it."""
    along = there(*GRANITE)
    asked = along.questions(runs("GR", ["L7"]))
    assert [(raw["type"], raw["entity"]) for raw in asked] == [("pass", "GR")]


def test_an_empty_run_of_a_company_that_has_had_its_run_answers_nothing() -> None:
    """The ER may buy a train: that is asked after it as before it."""
    started = (minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"), minor(2, "ER"))
    along = there(*started, passes(1), passes(2), passes(3), passes("ER"), runs("ER"), seed=SEED)
    assert along.questions(runs("ER")) == []
    assert [raw["entity"] for raw in along.questions(passes("BL"))] == ["ER"]


def test_once_a_game_is_over_there_nothing_is_asked() -> None:
    """Whatever comes after its end."""
    along = there({"type": "end_game", "entity": 1})
    assert along.questions({"type": "bankrupt", "entity": "GR"}, "track") == []


def test_that_site_is_asked_what_it_refuses_by_its_rules_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is played: what only old logs have is in none that is written now."""
    played: list[Rules] = []
    monkeypatch.setattr(Rules, "as_played_today", lambda rules: played.append(rules))
    votes = [EndGame(actor=player, entity=player) for player in "123"]
    log = write_log(Game("18tn", [(player, player) for player in "123"], 1, PROFILE), votes)
    played.clear()
    assert refused_there(log) is None
    assert len(played) == 1


def test_that_site_is_asked_for_answers_with_the_step_that_waited_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is written is what it would have asked before each action, and after the last one."""
    steps: list[str] = []
    answer: Raw = {"type": "pass", "entity": 1}

    def questions(_: ShadowGame, raw: Raw, step: str) -> list[Raw]:
        steps.append(step)
        return [answer] if raw["type"] == "end_game" else []

    monkeypatch.setattr(ShadowGame, "questions", questions)
    monkeypatch.setattr(ShadowGame, "last_questions", lambda _: [answer, answer])
    game = Game("18chesapeake", [(player, player) for player in "123"], 1)
    ends = [EndGame(actor=player, entity=player) for player in "123"]
    written = json.loads(write_log(game, [Pass(actor="1", entity="1"), *ends]))["actions"]
    assert steps == ["bid", "bid"]
    assert [raw["type"] for raw in written] == ["pass", "pass", "end_game", "pass", "pass"]
    running = Game("18chesapeake", [(player, player) for player in "123"], 1)
    assert len(json.loads(write_log(running, [Pass(actor="1", entity="1")]))["actions"]) == 1
