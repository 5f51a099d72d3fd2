"""What is read of a log: the game it is of, and the actions that count."""

import json
from typing import Any

import pytest

from engine.core.actions import RunRoutes
from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import fact
from engine.interchange import read_log, replay
from engine.interchange.exporter import connections
from engine.interchange.log_reader import PROFILE_OF_18XX_GAMES, Log
from engine.interchange.log_replay import new_game
from engine.interchange.log_routes import route_from_connections
from engine.routes.legal_routes import Route
from tests.engine.interchange.logs import RawAction, buys, by, log_of, outcome, pars, passes, stopped
from tests.engine.interchange.test_written_logs import golden_log
from tests.golden.positions import golden

PASS = passes(1)


def text(*actions: RawAction, **more: Any) -> str:
    """A log of two players with these actions, and whatever else it holds."""
    players = [{"id": 1, "name": "Ann"}, {"name": "Bob"}]
    return json.dumps({"title": "18AL", "players": players, "actions": list(actions), **more})


def read(*actions: RawAction, until: int | None = None, **more: Any) -> Log:
    return read_log(text(*actions, **more), until)


def numbered(*ids: int) -> list[RawAction]:
    return [PASS | {"id": number} for number in ids]


def refusal(*actions: RawAction, until: int | None = None, **more: Any) -> Any:
    with pytest.raises(IllegalAction) as refused:
        read(*actions, until=until, **more)
    return refused.value.reason


def test_shortest_and_finished_log() -> None:
    """A player without an id is known by the name; what is empty says nothing."""
    assert read() == Log("18AL", (("1", "Ann"), ("Bob", "Bob")), 0, frozenset(), (), {}, None)
    assert (read().profile, read().from_log) == (PROFILE_OF_18XX_GAMES, None)
    assert read(settings=None, result=None, stationmaster=None) == read()
    found = read(result={"1": 700, "Bob": "650"}, game_end_reason="bank")
    assert (found.result, found.end_reason) == ({"1": 700, "Bob": 650}, "bank")


@pytest.mark.parametrize(
    ("log", "seed"),
    [
        ({"id": 23}, 23),
        ({"id": "hotseat_17"}, 17),
        ({"id": "none"}, 0),
        ({"id": 23, "settings": {"seed": 5}}, 5),
        ({"id": 23, "settings": {"seed": 0}}, 0),
        ({"id": 87, "settings": {"seed": None, "optional_rules": None}}, 87),
        ({"id": 87, "settings": {"seed": ""}}, 87),
        ({"settings": {"seed": 2**31 * 10**30 + 7}}, 7),
        ({"id": "x" + "9" * 40}, int("9" * 40) % 2**31),
    ],
)
def test_seed_of_a_log(log: RawAction, seed: int) -> None:
    """Its own, or the number in its id; of any size."""
    assert read(**log).seed == seed


def test_options_of_both_sites() -> None:
    own = {"options": ["open"], "profile": "rulebook", "from_log": 3}
    found = read(settings={"optional_rules": ["salvage_3"]}, stationmaster=own)
    assert found.options == {"salvage_3", "open"}
    assert (found.profile, found.from_log) == ("rulebook", 3)


@pytest.mark.parametrize(("until", "ids"), [(7, [2, 4, 7]), (6, [2, 4]), (9, [2, 4]), (0, [])])
def test_log_is_read_up_to_an_id(until: int, ids: list[int]) -> None:
    """As the game stood then: an undo that comes later is not known yet."""
    log = [*numbered(2, 4, 7), {"type": "undo", "id": 9}]
    assert [action["id"] for action in read(*log, until=until).actions] == ids


def test_actions_without_ids_are_numbered() -> None:
    log = ({**PASS, "entity": number} for number in (1, 2, 3))
    assert [action["entity"] for action in read(*log, until=2).actions] == [1, 2]


@pytest.mark.parametrize(
    ("actions", "more", "why"),
    [
        (numbered(2, 4), {"until": 5}, fact("log.ends_before", last=4, wanted=5)),
        ([], {"until": 1}, fact("log.ends_before", last=0, wanted=1)),
        (numbered(1, 1), {}, fact("log.ids_out_of_order", number=1, before=1)),
        (numbered(1, 3, 2), {}, fact("log.ids_out_of_order", number=2, before=3)),
        *(
            ([PASS, damaged], {}, fact("log.no_action", number=2))
            for damaged in (1, "pass", {"auto_actions": 3}, {"auto_actions": [PASS, 1]})
        ),
        *(
            ([], {field: other}, fact("log.field_missing", field=field))
            for field, other in {"title": 18, "players": "Ann", "actions": {}}.items()
        ),
    ],
)
def test_log_refusals(actions: list[Any], more: RawAction, why: object) -> None:
    assert refusal(*actions, **more) == why


@pytest.mark.parametrize(
    "more", [{"players": [None]}, {"settings": [1]}, {"result": {"1": "many"}}, {"players": [1]}]
)
def test_values_of_other_kinds_are_damage(more: RawAction) -> None:
    assert refusal(**more).name == "log.damaged"
    with pytest.raises(Unreadable):
        read({"type": "pass", "id": "first"})


def test_automatic_actions_follow_their_cause() -> None:
    """Numbered among themselves; none, and an empty list, are the same."""
    automatic = [PASS | {"entity": number} for number in (2, 3)]
    caused, without = PASS | {"auto_actions": automatic}, PASS | {"auto_actions": None}
    steps = read(PASS, caused, without).numbered_actions()
    assert [(number, sub) for number, sub, _ in steps] == [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0)]
    assert [raw["entity"] for _, _, raw in steps] == [1, 1, 2, 3, 1]


def test_answers_count_in_logs_of_theirs() -> None:
    """18xx.games keeps the actions of a log it was given, and nothing that it does not know."""
    own = json.loads(golden_log("18newengland-last_player-2p"))
    written = len(own["actions"])
    assert len(read_log(json.dumps(own)).actions) < written
    del own["stationmaster"]
    assert len(read_log(json.dumps(own)).actions) == written


# --- what stops a log ------------------------------------------------------------------------------------------


def test_log_stops_at_an_illegal_action() -> None:
    """Number, kind and doer, the rule, and what would be legal."""
    found = stopped(pars(1, "N&W", 83))
    assert (found.seq, found.action) == (8, fact("log.action", kind="par", by=1))
    assert found.reason is not None
    assert found.allowed is not None
    first = replay(read_log(log_of(buys(2, "D&R", 20))))
    assert (getattr(first.problem, "seq", None), first.last_action_number, first.skipped_passes) == (1, 0, 0)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (by("teleport", 1), "log.kind_unknown"),
        (by("bid", 1), "log.values_unreadable"),
        (by("buy_shares", 1, shares=["PRR_0"]), "log.share_not_for_sale"),
    ],
)
def test_unreadable_action_stops_a_log(action: RawAction, reason: str) -> None:
    found = stopped(action).reason
    assert found is not None
    assert found.name == reason


def test_stopping_action_is_shown() -> None:
    assert stopped(by("teleport", [1])).action == fact("log.action", kind="teleport", by="[1]")  # type: ignore[arg-type]
    automatic = [by("program_disable", 1), by("teleport", 1)]
    found = stopped(PASS | {"auto_actions": automatic}).action
    assert found == fact("log.automatic_action", kind="teleport", by=1, number=2)


def test_unpaid_bid_stops_a_log() -> None:
    """D-CH-1: the player has $800, and all but the bidder have passed: that site goes no further."""
    bids = (buys(1, "C-P", 605), buys(2, "C-P", 610), passes(3), buys(1, "C-P", 1000))
    found = replay(read_log(log_of(*bids, buys(2, "D&R", 20), passes(2)))).problem
    assert getattr(found, "seq", None) == 6
    why = fact("auction.unpaid", player="1", private="C-P", amount=1000, free=800)
    assert getattr(found, "reason", None) == why


def test_leniency_ends_with_the_log() -> None:
    """A log of ours says itself how many of its actions were read so."""
    game = outcome().game
    assert game is not None
    assert game.from_log == game.seq + 1
    own = json.loads(log_of()) | {"stationmaster": {"from_log": 0}}
    assert new_game(read_log(json.dumps(own))).from_log == 0


# --- routes ----------------------------------------------------------------------------------------------------


def test_senseless_connections_are_refused() -> None:
    """A train that goes to and fro, and ones that run every track of a map, once or thrice."""
    record, until = golden("18chesapeake-bank-4p"), 250
    board = record.play(until).table.map
    routes = [text for run in record.actions[:until] if isinstance(run, RunRoutes) for text in run.routes]
    found = [link for text in routes for link in connections(Route.read(text))]
    every = [link for number, link in enumerate(found) if link not in found[:number]]
    for many in ([every[0]] * 30 + [every[-1]], every, every * 3):
        with pytest.raises(Unreadable):
            route_from_connections(board, "5", many)
