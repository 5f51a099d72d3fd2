"""What stops a log is a fact, put into words elsewhere."""

import json
from pathlib import Path

import pytest

from engine.core.actions import RunRoutes
from engine.core.errors import ReplayDiverged, Unreadable
from engine.core.facts import fact
from engine.interchange import read_log, replay
from engine.interchange.exporter import connections
from engine.interchange.log_reader import effective
from engine.interchange.log_replay import new_game
from engine.interchange.log_routes import _back, _chain, _may_chain, read_connections
from engine.record import load_game, read_record
from engine.routes.legal_routes import Route
from tests.engine.interchange.logs import Raw, buys, outcome, pars, passes
from tests.titles.builders import Position

GOLDEN = Path(__file__).parents[2] / "golden" / "18chesapeake-bank-4p.json"
UNTIL = 250
"""An action of it, before which many routes have been run."""


def test_what_stops_a_log_is_a_fact_with_its_action() -> None:
    """Number, kind and doer, the rule, and what would be legal."""
    found = outcome(pars(1, "N&W", 83)).problem
    assert isinstance(found, ReplayDiverged)
    assert found.seq == 8
    assert found.action == fact("log.action", kind="par", by=1)
    assert found.reason is not None
    assert found.allowed is not None


def test_a_log_that_stops_at_its_first_action_has_come_to_none() -> None:
    log = {"title": "18Chesapeake", "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]}
    found = replay(read_log(json.dumps({**log, "actions": [{"id": 1, **buys(2, "D&R", 20)}]})))
    assert isinstance(found.problem, ReplayDiverged)
    assert (found.problem.seq, found.actions, found.skipped_passes) == (1, 0, 0)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"type": "teleport", "entity": 1}, "log.kind_unknown"),
        ({"type": "bid", "entity": 1}, "log.values_unreadable"),
        ({"type": "buy_shares", "entity": 1, "shares": ["PRR_0"]}, "log.share_not_for_sale"),
    ],
)
def test_what_cannot_be_read_is_a_fact(action: Raw, reason: str) -> None:
    """An action no title has, values that are missing, a share that is nobody's to sell."""
    found = outcome(action).problem
    assert isinstance(found, ReplayDiverged)
    assert found.reason is not None
    assert found.reason.name == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "log.incomplete"),
        (b"PK\x03\x04\x9a\xe3", "log.not_text"),
        ("[]", "log.not_a_game"),
        ('{"title": "18AL", "players": []}', "log.field_missing"),
        ('{"title": "18AL", "players": [1], "actions": []}', "log.damaged"),
        ('{"title": "18AL", "players": [], "actions": [1]}', "log.no_action"),
        ('{"title": "18AL", "players": [], "actions": [{"auto_actions": [1]}]}', "log.no_action"),
        ('{"title": "18AL", "players": [], "actions": [{"auto_actions": {"1": 1}}]}', "log.no_action"),
    ],
)
def test_a_text_that_is_no_log_is_refused_by_a_fact(text: str | bytes, reason: str) -> None:
    """Cut off, an archive, something else, without actions, with players that are none."""
    with pytest.raises(Unreadable) as refused:
        read_log(text)
    assert refused.value.reason.name == reason


def test_an_undo_back_to_a_message_takes_away_what_came_after_it() -> None:
    kinds = ("bid", "message", "pass", "undo", "bid")
    log: list[Raw] = [{"id": number, "type": kind} for number, kind in enumerate(kinds, 1)]
    log[3]["action_id"] = 2
    assert [action["id"] for action in effective(list(enumerate(log, 1)))] == [1, 5]


def test_a_seed_of_any_size_is_what_chance_makes_of_it() -> None:
    log = {"title": "18AL", "players": [], "actions": [], "settings": {"seed": 2**31 * 10**30 + 7}}
    assert read_log(json.dumps(log)).seed == 7
    assert read_log(json.dumps({**log, "settings": {}, "id": "x" + "9" * 40})).seed < 2**31


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"format": "stationmaster 9"}, "log.newer_form"), ({"seed": 2**63}, "log.damaged")],
)
def test_a_file_of_ours_that_cannot_be_read_is_refused_by_a_fact(changed: Raw, reason: str) -> None:
    """Of another version, wherever in the file that stands, or with a seed that cannot be stored."""
    own = json.loads(GOLDEN.read_text("utf-8")) | {"actions": []} | changed
    with pytest.raises(Unreadable) as refused:
        load_game(json.dumps(dict(reversed(own.items()))))
    assert refused.value.reason.name == reason


def test_connections_that_make_no_route_are_refused_though_they_could_be_tried_in_any_order() -> None:
    """A train that goes to and fro, and ones that run every track of a map, once or thrice."""
    record = read_record(GOLDEN.read_text("utf-8"))
    board = record.play(UNTIL).table.map
    runs = [
        Route.read(text)
        for run in record.actions[:UNTIL]
        if isinstance(run, RunRoutes)
        for text in run.routes
    ]
    found = [link for route in runs for link in connections(route)]
    every = [link for number, link in enumerate(found) if link not in found[:number]]
    for many in ([every[0]] * 30 + [every[-1]], every, every * 3):
        with pytest.raises(Unreadable):
            read_connections(board, "5", many)


def test_connections_continue_at_the_stop_where_the_one_before_ends_and_lead_to_another() -> None:
    """From city to city, however they are given; not from the other city of a hex, nor back where the train was."""
    first = [("A", 6, 1), ("B", 4, 6)]
    onward, home = [("B", 6, 2), ("C", 5, 0), ("D", 3, 7)], [("B", 6, 2), ("C", 5, 0), ("A", 3, 6)]
    last, other = [("D", 7, 1), ("E", 4, 6)], [("B", 6, 2), ("C", 5, 0), ("D", 3, 6)]
    assert _chain(first, []) == first
    for link in (onward, _back(onward)):
        assert _chain(first, [[link]]) == first + onward
        assert _chain(first, [[last], [link]]) == first + onward + last
        assert _chain(first, [[other, link], [last]]) == first + onward + last
    assert _chain(first, [[home]]) is None
    assert _chain(first, [[[*home[:2], ("A", 3, 7)]]]) == [*first, *home[:2], ("A", 3, 7)]
    assert _chain(first, [[[("B", 7, 2), *onward[1:]]]]) is None
    assert _chain(first, [[last], [other]]) is None


def test_a_stop_has_no_more_ends_of_connections_than_a_way_in_and_a_way_out() -> None:
    """Easton is one, Baltimore two; hexes between two stops count for nothing, and which end it is neither."""
    board = Position().t.map
    homes = [coord for coord in board.spec.map.hexes if board.topology(coord).stops]
    for there, most in (("J2", 2), ("H6", 4)):
        ends = [coord for coord in homes if coord not in ("J2", "H6", "D2")]
        out = [[there, "D2", end] for end in ends]
        back = [link[::-1] for link in out]
        for links in (out, back, [[f"{there} 0.1"], *out[1:]]):
            assert _may_chain(board, links[: most - ("." in links[0][0])])
            assert not _may_chain(board, links[: most + 1 - ("." in links[0][0])])


def test_a_bid_that_cannot_be_paid_stops_a_log() -> None:
    """D-CH-1: the player has $800, and all but the bidder have passed: that site goes no further."""
    bids = (
        buys(1, "C-P", 605),
        buys(2, "C-P", 610),
        passes(3),
        buys(1, "C-P", 1000),
        buys(2, "D&R", 20),
        passes(2),
    )
    log = {
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3},
        "actions": [{"id": number, **action} for number, action in enumerate(bids, 1)],
    }
    stopped = replay(read_log(json.dumps(log))).problem
    assert isinstance(stopped, ReplayDiverged)
    assert stopped.seq == len(bids)
    assert stopped.reason == fact("auction.unpaid", player="1", private="C-P", amount=1000, free=800)


def test_an_action_that_stops_a_log_is_shown_whatever_its_values_are() -> None:
    """An automatic one with its number."""
    found = outcome({"type": "teleport", "entity": [1]}).problem
    assert isinstance(found, ReplayDiverged)
    assert found.action == fact("log.action", kind="teleport", by="[1]")
    automatic = [{"type": "program_disable", "entity": 1}, {"type": "teleport", "entity": 1}]
    found = outcome({"type": "pass", "entity": 1, "auto_actions": automatic}).problem
    assert isinstance(found, ReplayDiverged)
    assert found.action == fact("log.automatic_action", kind="teleport", by=1, number=2)


def test_a_log_is_read_with_leniency_and_so_is_the_position_that_it_leads_to() -> None:
    """What is played from there on is not; a log of ours says itself how many of its actions were read so."""
    game = outcome().game
    assert game is not None
    assert game.from_log == game.seq + 1
    text = json.dumps(
        {"title": "18Chesapeake", "players": [{"name": "Ann"}, {"name": "Bob"}], "actions": []}
        | {"stationmaster": {"from_log": 0}}
    )
    assert new_game(read_log(text)).from_log == 0
