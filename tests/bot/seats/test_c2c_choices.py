"""Optional rules that clash: 18C2C has some of which a game takes one."""

import pytest

from bot.table.errors import Refused
from bot.table.settings.game_rules import read_options
from engine.titles import TITLES


def test_options_that_clash_are_refused() -> None:
    title = TITLES["18c2c"]
    codes = [(one, other) for one in title.rules.OPTIONS for other in title.rules.OPTIONS if one < other]
    clashing = [pair for pair in codes if title.spec.clash(pair)]
    assert clashing
    with pytest.raises(Refused, match="Only one of"):
        read_options(title, clashing[0])
