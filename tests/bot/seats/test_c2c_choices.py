"""Optional rules that clash, and house rules: 18C2C has both."""

import pytest

from bot.table.errors import Refused
from bot.table.settings.game_rules import house_text, read_options, rules_text
from engine.titles import TITLES

C2C = TITLES["18c2c"]


def test_options_may_clash() -> None:
    known = C2C.rules.OPTIONS
    clashing = [(a, b) for a in known for b in known if a < b and C2C.spec.clash((a, b))]
    assert clashing
    with pytest.raises(Refused, match="Only one of"):
        read_options(C2C, clashing[0])


def test_house_rules_are_a_topic() -> None:
    assert rules_text(C2C, None, "house") == house_text(C2C, "house")
