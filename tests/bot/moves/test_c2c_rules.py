"""House rules and options of 18C2C in words: in the first message of a game, by topic, and as they are typed."""

import pytest

from bot.table.errors import Refused
from bot.table.markdown import heading
from bot.table.settings.game_rules import (
    FIXED_RULES_HEADING,
    OWNERS_HEADING,
    house_summary,
    house_text,
    house_topics,
    read_options,
    rules_text,
)
from engine.titles import TITLES

TITLE = TITLES["18c2c"]


def test_house_rules_have_reasons() -> None:
    """By `/rules`, in as many topics as posts are needed."""
    text = "\n".join(house_text(TITLE, topic) for topic in house_topics(TITLE))
    assert all(f"`{name}`" in text and rule.reason in text for name, rule in TITLE.spec.house.items())


def test_open_house_rules_come_first() -> None:
    """In the topic `house` itself."""
    first = house_text(TITLE, "house")
    assert rules_text(TITLE, None, "house") == first
    assert all(f"`{name}`" in first for name, rule in TITLE.spec.house.items() if rule.options)


def test_fixed_house_rules() -> None:
    """A rule with one permitted value stands under its heading; one with others names them."""
    text = "\n".join(house_text(TITLE, topic) for topic in house_topics(TITLE))
    corrected, fixed = text.index(heading(OWNERS_HEADING)), text.index(heading(FIXED_RULES_HEADING))
    for name, rule in TITLE.spec.house.items():
        place = text.index(f"- `{name}`")
        assert (place > fixed) == rule.is_fixed
        assert (place < corrected) == bool(rule.options)
    assert "`packet_discount_scope` top: " in text
    assert "so that the packet is always sold in the end. Or: first." in text


def test_house_rules_in_the_first_message() -> None:
    """R-C2C-021: the value that holds in this game."""
    assert "`eliminations` 6:" in house_summary(TITLE.spec, ())
    assert "`eliminations` 2:" in house_summary(TITLE.spec, ("two_eliminations",))
    assert len(house_summary(TITLE.spec, ())) < 1500


def test_options_by_name() -> None:
    typed = ["No mergers", "more cash", "no_nationals"]
    assert read_options(TITLE, typed) == ("more_cash", "no_mergers", "no_nationals")
    with pytest.raises(Refused, match="Only one of Less cash, More cash"):
        read_options(TITLE, ["less_cash", "more_cash"])
