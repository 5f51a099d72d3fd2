"""The rules of a table in words: titles, profiles and options as typed, the topics of `/rules`, house rules."""

import json
import re
from copy import copy
from typing import Final

import pytest

from bot.table.errors import GameDamaged, Refused
from bot.table.settings.game_rules import (
    CHOSEN_RULES_TOPIC,
    MAX_PAGE_LENGTH,
    chosen_rules,
    differences_hint,
    house_rule_topics,
    house_rules_summary,
    house_rules_text,
    option_completions,
    option_names,
    options_of,
    read_options,
    read_profile,
    read_title,
    row_damage,
    rule_differences,
    rules_text,
    rules_topics_of_title,
    title_of,
)
from engine.core.spec import HouseRule
from engine.titles import TITLES, Title
from storage import GameRow

AL, TN = TITLES["18al"], TITLES["18tn"]
EVERY = pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
ENDS_TWICE: Final = re.compile(r".{0,30}(?<!\.)[.!?,;:] ?(?!\.\.)[.!?,;:](?!\.).{0,10}")
"""Two marks in a row; three full stops are an ellipsis."""


def row(title: str = "18al", profile: str = "rulebook", options: str = "[]") -> GameRow:
    return GameRow(5, 1, 2, None, None, None, title, profile, options, 1, "lobby", "2026-01-01", "Game")


# --- titles, profiles and options ------------------------------------------------------------------------------------


@EVERY
def test_title_is_read_by_id_and_name(title: Title) -> None:
    assert read_title(title.id) is read_title(title.name) is title


def test_title_and_profile_are_read_in_any_case() -> None:
    assert (read_title(" 18AL "), read_title(TN.name.upper())) == (AL, TN)
    assert read_profile(AL, " RuleBook ") == "rulebook"
    with pytest.raises(Refused, match="There is no title 18xx"):
        read_title("18xx")
    with pytest.raises(Refused, match="no profile house"):
        read_profile(AL, "house")


def test_options_are_read_in_the_titles_order() -> None:
    first, second, *_ = AL.rules.OPTIONS
    assert read_options(AL, [f" {second.upper()} ", AL.rules.OPTIONS[first].name]) == (first, second)
    assert read_options(AL, ["", first, first]) == (first,)
    names = ", ".join(option.name for option in AL.rules.OPTIONS.values())
    with pytest.raises(Refused) as refused:
        read_options(AL, ["x", first, "y"])
    assert str(refused.value) == f"{AL.name} has no option x, y. Options: {names}."
    with pytest.raises(Refused, match="Only one of Less cash, More cash"):
        read_options(TITLES["18c2c"], ["less_cash", "more_cash"])
    assert option_names(AL, [first, "unheard of"]) == f"{AL.rules.OPTIONS[first].name}, unheard of"


def test_further_option_is_completed() -> None:
    first, second, *_ = AL.rules.OPTIONS
    found = [text for _, text in option_completions(AL, f"{first}, ")]
    assert (f"{first}, {second}" in found, f"{first}, {first}" in found) == (True, False)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (row("18xx"), "no title '18xx'"),
        (row(options="x"), "'x' are not optional rules"),
        (row(options='["unheard of"]'), "are not optional rules of its title"),
        (row(profile="house"), "There is no profile 'house'."),
        *((damaged, f" '{'x' * 40}'") for damaged in (row("x" * 41), row(options="x" * 41), row("18al", "x" * 41))),
    ],
)  # fmt: skip
def test_damage_of_a_stored_game_is_said(game: GameRow, why: str) -> None:
    assert why in str(row_damage(game))


def test_stored_game_is_read() -> None:
    every = tuple(AL.rules.OPTIONS)
    assert (row_damage(row()), title_of(row())) == (None, AL)
    assert options_of(row(options=json.dumps(every))) == every
    with pytest.raises(GameDamaged):
        options_of(row(options='["unheard of"]'))


# --- the texts -------------------------------------------------------------------------------------------------------


@EVERY
def test_no_sentence_of_the_rules_ends_twice(title: Title) -> None:
    for profile in title.spec.profiles:
        texts = [
            rules_text(title, row(title.id, profile), topic)
            for topic in (None, *rules_topics_of_title(title))
        ]
        for options in ([], *([code] for code in title.rules.OPTIONS)):
            game = row(title.id, profile, json.dumps(options))
            texts += [
                chosen_rules(game) + differences_hint(game),
                rules_text(title, game, CHOSEN_RULES_TOPIC),
            ]
        assert [ENDS_TWICE.findall(text) for text in texts] == [[]] * len(texts)
        assert all(len(text) <= 4000 for text in texts), "as many signs as an answer takes"


def test_chosen_rules_are_explained() -> None:
    code = next(iter(AL.rules.OPTIONS))
    text = chosen_rules(row(options=f'["{code}"]'))
    assert text.startswith("Rules: **rulebook** (the printed rules).")
    assert f"\n- {AL.rules.OPTIONS[code].name}: " in text
    assert "No optional rules" not in text
    assert chosen_rules(row()) == "Rules: **rulebook** (the printed rules). No optional rules."
    assert "(no longer known)" in chosen_rules(row(profile="house"))
    variant = chosen_rules(row("18chesapeake-off-the-rails"))
    assert "(the printed rules). A variant, not checked against a rulebook." in variant


def test_agreed_topic_is_of_a_game_or_of_all() -> None:
    agreed, possible = rules_text(AL, row(), CHOSEN_RULES_TOPIC), rules_text(AL, None, CHOSEN_RULES_TOPIC)
    assert ("Rules: **" in agreed, "__Optional rules__" in agreed) == (True, False)
    assert ("Rules: **" in possible, "__Optional rules__" in possible) == (False, True)
    assert "Differences of the profile" not in agreed
    assert "Differences of the profile 18xx.games" in possible
    assert "Differences of the profile rulebook" not in possible


def test_differences_are_listed_by_a_command() -> None:
    assert f"/rules title:{AL.name} topic:{CHOSEN_RULES_TOPIC}" in differences_hint(row(profile="18xx.games"))
    assert differences_hint(row()) == differences_hint(row(profile="house")) == ""
    flags = [AL.rules.FLAGS[name] for name in AL.spec.profiles["18xx.games"]]
    assert rule_differences(AL, "18xx.games") == [
        flag.explanation for flag in flags if flag.purpose == "rule"
    ]
    assert any(flag.purpose == "log" for flag in flags)


def test_topics_are_found_by_name_and_heading() -> None:
    contents = rules_text(AL, None)
    for name, about in rules_topics_of_title(AL).items():
        assert f"- `{name}`: {about}" in contents
        assert rules_text(AL, None, f" {name.upper()} ") == rules_text(AL, None, about)
    assert "Rules: **rulebook**" in rules_text(AL, row())
    assert "Rules: " not in contents
    with pytest.raises(Refused, match="no topic weather"):
        rules_text(AL, None, "weather")


def test_privates_name_the_command_of_each_power() -> None:
    titles = [title for title in TITLES.values() if "privates" in title.topics]
    lines = [line for title in titles for line in rules_text(title, None, "privates").split("\n")]
    hints = " ".join(line for line in lines if line.startswith("-# "))
    in_menu = ("close-private details:", "exchange details:", "marker`", "buy-marker`")
    for command in ("lay private:", "buy-train private:", *(f"move move:{power}" for power in in_menu)):
        assert f"`/{command}" in hints
    assert "\n-# " not in rules_text(AL, None, next(name for name in AL.topics if name != "privates"))


# --- house rules -----------------------------------------------------------------------------------------------------


def housed(**rules: HouseRule) -> Title:
    """A title with these house rules, and no others."""
    title = copy(AL)
    vars(title)["spec"] = AL.spec.model_copy(update={"house": rules})
    return title


AGREEABLE = HouseRule(value=3, reason="Three.", value_by_option={"four": 4})
CORRECTABLE = HouseRule(value="at_once", reason="At once.", choices=("at_once", "later"))
FIXED = HouseRule(value=True, reason="So it is.", choices=(True,))
AGREE = "__Players can agree on another value in the lobby__"
CORRECT = "__Please correct these if you own the printed game__"
ONE_READING = "__How this bot reads unclear rules; players cannot change this__"


def pages(title: Title) -> list[list[str]]:
    """Each topic of the house rules, below its heading."""
    return [house_rules_text(title, topic).split("\n")[1:] for topic in house_rule_topics(title)]


def test_house_rules_stand_by_who_may_change_them() -> None:
    title = housed(fixed=FIXED, correctable=CORRECTABLE, agreeable=AGREEABLE)
    assert house_rules_text(title, "house").split("\n") == [
        "**18AL: Decided without the rulebook, part 1 of 1**",
        AGREE, "- `agreeable` 3: Three.",
        CORRECT, "- `correctable` at once: At once. Or: later.",
        ONE_READING, "- `fixed` yes: So it is.",
    ]  # fmt: skip
    assert house_rule_topics(housed()) == {}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (HouseRule(value={"yellow": "green"}, reason="As printed."), "\n- `x`: As printed."),
        (HouseRule(value=3, reason="Three.", value_by_option={"four": 4}, choices=(3, 4)), "- `x` 3: Three."),
    ],
)
def test_house_rule_is_one_line(rule: HouseRule, said: str) -> None:
    assert house_rules_text(housed(x=rule), "house").endswith(said)


def test_long_house_rules_fill_several_topics() -> None:
    size = len(house_rules_text(housed(agreeable=AGREEABLE, fixed=FIXED), "house").partition("\n")[2])
    for more, topics in ((0, ["house"]), (1, ["house", "house 2"])):
        # Line ends are not counted.
        long = FIXED.model_copy(
            update={"reason": "x" * (MAX_PAGE_LENGTH - size + 3 + len(FIXED.reason) + more)}
        )
        title = housed(agreeable=AGREEABLE, fixed=long)
        assert list(house_rule_topics(title)) == topics
    assert [page[0] for page in pages(title)] == [AGREE, f"{ONE_READING[:-2]} (continued)__"]


def test_game_begins_with_agreeable_house_rules() -> None:
    spec = housed(fixed=FIXED, correctable=CORRECTABLE, agreeable=AGREEABLE).spec
    above = "__Decided without the rulebook (full list: `/rules topic:house`)__"
    assert house_rules_summary(spec, ()).split("\n") == ["", above, "- `agreeable` 3: Three."]
    assert house_rules_summary(spec, ("four",)).endswith("- `agreeable` 4: Three.")
    assert house_rules_summary(housed(fixed=FIXED).spec, ()) == ""
