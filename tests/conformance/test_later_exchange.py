"""Games that were exported later: what 18xx.games does not take of them is refused, or written otherwise.

The games are not part of the project; without them nothing is tried here.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import ReplayDiverged
from engine.interchange import read_log, replay
from engine.interchange.log_reader import Raw
from engine.interchange.writer import refused_there
from tests.conformance.test_exchange import Verdict, some, verdicts, written_as_read

FOLDER = Path(__file__).parents[3] / "shared" / "exchange-2"
KNOWN = verdicts(FOLDER)
FAULT_THERE = "Pay or Withhold Dividends"
"""A bankruptcy before the dividend, after which that site asks the next company for it."""
MOVES = [verdict for verdict in KNOWN if verdict.stops and FAULT_THERE not in verdict.says]
OTHER_FORMS = [verdict for verdict in KNOWN if verdict not in MOVES]
absent = pytest.mark.skipif(not KNOWN, reason="these games are not part of the project")


def text_of(verdict: Verdict) -> str:
    """The exported game."""
    return (FOLDER / verdict.file).read_text("utf-8")


def owners(raws: list[Raw]) -> set[tuple[bool, str]]:
    """Of all issues: whether they name par as their price, and where the shares come from."""
    redeemed, found = set[str](), set[tuple[bool, str]]()
    for raw in raws:
        if raw["entity_type"] == "corporation" and raw["type"] in ("buy_shares", "sell_shares"):
            shares = set(raw["shares"])
            if raw["type"] == "buy_shares":
                redeemed |= shares
                continue
            places = {"treasury" if share in redeemed else "offering" for share in shares}
            found.add(("share_price" in raw, "-".join(sorted(places))))
            redeemed -= shares
    return found


@absent
@pytest.mark.parametrize("verdict", some(MOVES))
def test_move_refused_there_is_refused_here(verdict: Verdict) -> None:
    """At the same action, and nothing is refused in what is written up to there."""
    stopped = refused_there(text_of(verdict))
    assert isinstance(stopped, ReplayDiverged)
    assert (stopped.seq, stopped.reason is None) == (verdict.stops, False)
    read = replay(read_log(text_of(verdict)))
    assert refused_there(written_as_read(read)) is None


@absent
@pytest.mark.parametrize("verdict", some(OTHER_FORMS))
def test_later_game_is_written_as_taken_there(verdict: Verdict) -> None:
    """Sales of one owner each, no run before a bankruptcy without a dividend, and its word for the end."""
    read = replay(read_log(text_of(verdict)))
    log: dict[str, Any] = json.loads(written_as_read(read))
    raws: list[Raw] = log["actions"]
    assert refused_there(json.dumps(log)) is None
    assert owners(raws) <= {(True, "offering"), (False, "treasury")}
    assert ("run_routes", "bankrupt") not in {(before["type"], raw["type"]) for before, raw in pairwise(raws)}
    if log["status"] == "finished":
        assert log["game_end_reason"] == json.loads(text_of(verdict))["game_end_reason"].replace(
            "manually_ended", "dnf"
        )
    again = replay(read_log(json.dumps(log)))
    assert again.applied == read.applied
