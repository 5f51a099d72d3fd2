"""What stops a log is a fact, told in words elsewhere."""

import pytest

from engine.core.errors import ReplayDiverged, Unreadable
from engine.core.facts import fact
from engine.interchange import read_log
from tests.engine.interchange.logs import Raw, outcome, pars


def test_what_stops_a_log_is_a_fact_with_its_action() -> None:
    """Number, kind and doer, the rule, and what would be legal."""
    found = outcome(pars(1, "N&W", 83)).problem
    assert isinstance(found, ReplayDiverged)
    assert found.seq == 8
    assert found.action == fact("log.action", kind="par", by=1)
    assert found.reason is not None
    assert found.allowed is not None


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
        ("[]", "log.not_a_game"),
        ('{"title": "18AL", "players": []}', "log.field_missing"),
        ('{"title": "18AL", "players": [1], "actions": []}', "log.damaged"),
    ],
)
def test_a_text_that_is_no_log_is_refused_by_a_fact(text: str, reason: str) -> None:
    """Cut off, something else, without actions, with players that are none."""
    with pytest.raises(Unreadable) as refused:
        read_log(text)
    assert refused.value.reason.name == reason
