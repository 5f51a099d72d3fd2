"""The story of a game: what it says stands in its events, and what did not happen is not in it."""

import pytest

from engine.core import events as e
from engine.game import Game
from engine.tell.teller import teller_of
from engine.tell.turning_points import GameStory
from tests.engine.tell.followed import followed
from tests.golden.positions import golden_at


def said(name: str) -> list[str]:
    game = followed(name).game
    return [teller_of(game).say(point) for point in followed(name).story]


STORIES = {
    "18chesapeake-bank-4p": [
        "Cy wins, $351 ahead of Bob.",
        "Biggest run: $760 by PRR in OR 7.3, under Cy.",
        "Costliest forced purchase: Bob paid $880 out of pocket for a D-train of C&A in OR 7.2.",
        "Best bargain: Dee bought B&S for $50 and sold it to LV for $100 in OR 3.1.",
        "The bank is broken in OR 7.3, the last round.",
    ],
    "18al-bankruptcy-3p": [
        "Bob wins, $461 ahead of Ann.",
        "Biggest run: $320 by WRA in OR 12.2, under Ann.",
        "Costliest forced purchase: Cy paid $299 out of pocket for a 4-train of ATN in OR 12.1.",
        "Presidencies changed 11 times, 5 of them because the president sold; the costliest was ATN "
        "in SR 12: Cy then had to pay $299 for its trains.",
        "Best bargain: Ann bought NDY for $1 and sold it to M&O for $60 in OR 8.2.",
        "Bankrupt: Ann with WRA in OR 14.1.",
    ],
    "18al-price-3p": [
        "Cy wins, $277 ahead of Ann.",
        "Biggest run: $600 by WRA in OR 13.2, under Ann.",
        "Costliest forced purchase: Bob paid $790 out of pocket for a 4D-train of ABC in OR 12.2.",
        "Best bargain: Ann bought NDY for $120 and sold it to M&O for $170 in OR 10.2.",
        "A share price reached the end of the market in OR 13.3, the last round.",
    ],
    "18chesapeake-agreement-2p": [
        "Ann wins, $446 ahead of Bob.",
        "Biggest run: $90 by B&O in OR 5.1, under Ann.",
    ],
}


@pytest.mark.parametrize("name", STORIES)
def test_story_in_words(name: str) -> None:
    assert said(name) == STORIES[name]


def test_story_of_endings_and_presidencies() -> None:
    """A game that went on says how long, one that runs has no ending. Before the first move everybody has as
    much: nobody is ahead, and the place is shared."""
    half = golden_at("18chesapeake-bank-4p", 150)
    story = GameStory.starting_at(half)
    story.add_events(half, [e.EndTriggered("bank", "operating", "round", 1)], 151)
    over = followed("18chesapeake-bank-4p").game
    then, last = teller_of(half).round_name(), teller_of(over).round_name()
    end = teller_of(over).say(story.turning_points(over)[-1])
    assert end == f"The bank is broken in {then}; the game continued to {last}."
    half, story = golden_at("18chesapeake-bank-4p", 150), GameStory()
    story.add_events(half, [e.EndTriggered("bank", "operating", "round", 1)], 151)
    assert not [point for point in story.turning_points(half) if point.name.startswith("story.ended")]
    game, story = golden_at("18chesapeake-bank-4p", 150), GameStory()
    story.add_events(
        game, [e.SharesSold("p1", "PRR", 2, 90, 90, 80), e.PresidentChanged("PRR", "p1", "p2")], 151
    )
    story.add_events(game, [e.PresidentChanged("B&O", "p1", "p2")], 152)
    [counted] = [point for point in story.turning_points(game) if point.name == "story.presidencies"]
    line = teller_of(game).say(counted)
    assert line == "Presidencies changed 2 times, 1 of them because the president sold."
    game = Game("18chesapeake", [("a", "Ann"), ("b", "Bob")], 0)
    assert [point.name for point in GameStory.starting_at(game).turning_points(game)] == ["story.shared"]
