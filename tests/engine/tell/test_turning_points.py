"""The story of a game: what it says stands in its events, and what did not happen is not in it."""

import pytest

from engine.core import events as e
from engine.core.facts import Fact
from engine.game import Game
from engine.tell.teller import teller_of
from engine.tell.turning_points import Story
from tests.engine.tell.followed import ALL, followed
from tests.golden.positions import golden_at


def turning_point(name: str, fact: str) -> Fact | None:
    """What is said of one kind."""
    return next((point for point in followed(name).story if point.name == f"story.{fact}"), None)


def said(name: str) -> list[str]:
    """The story in words."""
    game = followed(name).game
    return [teller_of(game).say(point) for point in followed(name).story]


@pytest.mark.parametrize("name", ALL)
def test_the_winner_and_the_margin_are_those_of_the_scores(name: str) -> None:
    game = followed(name).game
    first, second, *_ = sorted(game.scores().items(), key=lambda score: -score[1])
    won = turning_point(name, "won")
    assert won is not None
    assert (won.values["player"], won.values["margin"]) == (first[0], first[1] - second[1])
    assert won.values["second"] == (second[0],)


@pytest.mark.parametrize("name", ALL)
def test_no_run_was_bigger_than_the_biggest(name: str) -> None:
    runs = [(event.revenue, event.company) for _, event in followed(name).events if isinstance(event, e.Ran)]
    best = turning_point(name, "best_run")
    assert best is not None
    assert best.values["revenue"] == max(runs)[0]
    assert (best.values["revenue"], best.values["company"]) in runs


@pytest.mark.parametrize("name", ALL)
def test_the_highest_priced_forced_purchase_is_in_it_where_a_president_had_to_help(name: str) -> None:
    helped = [
        event for _, event in followed(name).events if isinstance(event, e.TrainBought) and event.contribution
    ]
    costliest = turning_point(name, "costliest_train")
    assert (costliest is None) == (not helped)
    if costliest is not None:
        assert costliest.values["amount"] == max(event.contribution for event in helped)


@pytest.mark.parametrize("name", ALL)
def test_presidencies_that_changed_are_counted(name: str) -> None:
    changes = [event for _, event in followed(name).events if isinstance(event, e.PresidentChanged)]
    counted = turning_point(name, "presidencies")
    assert (counted is None) == (not changes)
    if counted is not None:
        assert counted.values["changes"] == len(changes)
        assert (
            0 <= (counted.values["dumped"].values["count"] if counted.values["dumped"] else 0) <= len(changes)
        )


@pytest.mark.parametrize("name", ALL)
def test_the_end_is_in_it_with_the_round_in_which_it_became_certain(name: str) -> None:
    """Bankruptcies and agreements end a game without a trigger before."""
    triggered = [(now, event) for now, event in followed(name).events if isinstance(event, e.EndTriggered)]
    point = turning_point(name, "ended_at_once") or turning_point(name, "ended_later")
    assert (point is None) == (not triggered)
    if point is not None:
        assert point.values["reason"].name == f"ending.{triggered[0][1].reason}"


@pytest.mark.parametrize("name", ALL)
def test_bankruptcies_and_nationals_are_in_it_where_there_were_any(name: str) -> None:
    ruined = [event.player for _, event in followed(name).events if isinstance(event, e.WentBankrupt)]
    formed = [event.company for _, event in followed(name).events if isinstance(event, e.NationalFormed)]
    bankrupt, nationals = turning_point(name, "bankruptcies"), turning_point(name, "nationals")
    assert [one.values["player"] for one in bankrupt.values["players"]] == ruined if bankrupt else not ruined
    assert (
        [one.values["company"] for one in nationals.values["formed"]] == formed if nationals else not formed
    )


@pytest.mark.parametrize("name", ALL)
def test_a_story_is_a_few_lines_in_words(name: str) -> None:
    assert 2 <= len(said(name)) <= 8
    assert all(line.endswith(".") for line in said(name))


def test_a_story_says_who_won_what_was_most_and_how_it_ended() -> None:
    assert said("18chesapeake-bank-4p") == [
        "Cy wins, $351 ahead of Bob.",
        "Biggest run: $760 by PRR in OR 7.3, under Cy.",
        "Costliest forced purchase: Bob paid $880 out of pocket for a D-train of C&A in OR 7.2.",
        "Best bargain: Dee bought B&S for $50 and sold it to LV for $100 in OR 3.1.",
        "The bank is broken in OR 7.3, the last round.",
    ]


def test_a_story_of_a_bankruptcy_is_complete() -> None:
    assert said("18al-bankruptcy-3p") == [
        "Bob wins, $461 ahead of Ann.",
        "Biggest run: $320 by WRA in OR 12.2, under Ann.",
        "Costliest forced purchase: Cy paid $299 out of pocket for a 4-train of ATN in OR 12.1.",
        "Presidencies changed 11 times, 5 of them because the president sold; the costliest was ATN "
        "in SR 12: Cy then paid $299 for its trains.",
        "Best bargain: Ann bought NDY for $1 and sold it to M&O for $60 in OR 8.2.",
        "Bankrupt: Ann with WRA in OR 14.1.",
    ]


def test_the_round_in_which_a_price_reached_the_end_was_the_last() -> None:
    last = said("18al-price-3p")[-1]
    assert last == "A share price reached the end of the market in OR 13.3, the last round."


def test_a_game_that_went_on_after_its_end_became_certain_says_how_long() -> None:
    half = golden_at("18chesapeake-bank-4p", 150)
    story = Story.at(half)
    story.follow(half, [e.EndTriggered("bank", "operating", "round", 1)], 151)
    over = followed("18chesapeake-bank-4p").game
    then, last = teller_of(half).round_name(), teller_of(over).round_name()
    end = teller_of(over).say(story.turning_points(over)[-1])
    assert end == f"The bank is broken in {then}; the game went on to {last}."


def test_while_a_game_continues_its_end_is_not_posted() -> None:
    half, story = golden_at("18chesapeake-bank-4p", 150), Story()
    story.follow(half, [e.EndTriggered("bank", "operating", "round", 1)], 151)
    assert not [point for point in story.turning_points(half) if point.name.startswith("story.ended")]


def test_who_sold_out_has_left_the_presidency_and_who_was_outbought_has_lost_it() -> None:
    game, story = golden_at("18chesapeake-bank-4p", 150), Story()
    story.follow(game, [e.SharesSold("p1", "PRR", 2, 90, 90, 80), e.PresidentChanged("PRR", "p1", "p2")], 151)
    story.follow(game, [e.PresidentChanged("B&O", "p1", "p2")], 152)
    [counted] = [point for point in story.turning_points(game) if point.name == "story.presidencies"]
    assert (
        teller_of(game).say(counted) == "Presidencies changed 2 times, 1 of them because the president sold."
    )


def test_the_story_of_a_short_game_has_what_happened_in_it() -> None:
    assert said("18chesapeake-agreement-2p") == [
        "Ann wins, $446 ahead of Bob.",
        "Biggest run: $90 by B&O in OR 5.1, under Ann.",
    ]


def test_before_the_first_move_nothing_has_happened() -> None:
    """Everybody has as much: nobody is ahead, and the place is shared."""
    game = Game("18chesapeake", [("a", "Ann"), ("b", "Bob")], 0)
    assert [point.name for point in Story.at(game).turning_points(game)] == ["story.shared"]
