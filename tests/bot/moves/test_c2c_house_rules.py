"""House rules in words: in the first message of a game, and by topic."""

from bot.table.markdown import heading
from bot.table.settings.game_rules import FIXED, OPEN_TO_OWNERS, house_summary, house_text, house_topics
from engine.titles import TITLES

TITLE = TITLES["18c2c"]


def test_every_house_rule_is_listed_with_its_reason() -> None:
    """By `/rules`, in as many topics as posts are needed."""
    text = "\n".join(house_text(TITLE, topic) for topic in house_topics(TITLE))
    assert all(f"`{name}`" in text and rule.reason in text for name, rule in TITLE.spec.house.items())


def test_what_a_table_may_decide_otherwise_comes_first() -> None:
    """In the topic `house` itself."""
    first = house_text(TITLE, "house")
    assert all(f"`{name}`" in first for name, rule in TITLE.spec.house.items() if rule.options)


def test_what_cannot_be_changed_is_said_to_be_so() -> None:
    """A rule with one permitted value stands under its heading; one with others names them."""
    text = "\n".join(house_text(TITLE, topic) for topic in house_topics(TITLE))
    corrected, fixed = text.index(heading(OPEN_TO_OWNERS)), text.index(heading(FIXED))
    for name, rule in TITLE.spec.house.items():
        place = text.index(f"- `{name}`")
        assert (place > fixed) == rule.is_fixed
        assert (place < corrected) == bool(rule.options)
    assert "`packet_discount_scope` top: " in text
    assert "so that the packet always moves on. Or: first." in text


def test_the_first_message_says_what_the_table_agreed_on() -> None:
    """R-C2C-021: the value that holds in this game."""
    assert "`eliminations` 6:" in house_summary(TITLE.spec, ())
    assert "`eliminations` 2:" in house_summary(TITLE.spec, ("two_eliminations",))
    assert len(house_summary(TITLE.spec, ())) < 1500


def test_titles_with_their_rulebook_have_none() -> None:
    """Nothing is said of house rules there."""
    assert house_topics(TITLES["18al"]) == {}
    assert house_summary(TITLES["18al"].spec, ()) == ""
