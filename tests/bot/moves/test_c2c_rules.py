"""The many options of 18C2C, typed and read."""

import pytest

from bot.table.errors import Refused
from bot.table.settings.game_rules import longer_options, read_options, rules_text
from engine.titles import TITLES


def test_an_option_is_read_by_its_name_too() -> None:
    title = TITLES["18c2c"]
    typed = ["No mergers", "more cash", "no_nationals"]
    assert read_options(title, typed) == ("more_cash", "no_mergers", "no_nationals")
    with pytest.raises(Refused, match="Only one of Less cash, More cash"):
        read_options(title, ["less_cash", "more_cash"])


def test_options_offered_while_typing_bear_their_names_and_keep_what_is_stored() -> None:
    [(label, text)] = longer_options(TITLES["18c2c"], "less_cash, nationals")
    assert label == "Less cash, No nationals: Neither Amtrak nor Conrail forms."
    assert text == "less_cash, no_nationals"
    assert rules_text(TITLES["18c2c"], None, "agreed").count("Less cash: Players begin") == 1
