"""The caretaker in auctions of privates: their worth, and the bids that it considers."""

from collections.abc import Callable

import pytest

from engine.caretaker import auctions
from engine.caretaker.privates import private_worth
from engine.game import Game
from tests.engine.caretaker.test_worths import worths
from tests.titles.builders import do, new_game, passes


@pytest.mark.parametrize(
    ("title", "players", "private", "worth"),
    [
        ("18chesapeake", 3, "D&R", 24),  # four incomes of $5, then sold for $40: half counts, discounted
        ("18chesapeake", 3, "B&OR", 129),  # no income, but a share at the middle par of $80
        ("18chesapeake", 3, "CV", 216),  # two shares at $95 and one income: it closes with the first train
        ("18chesapeake", 6, "CV", 201),  # nobody can float at $95: face value and a dollar
        ("18tn", 4, "LNR", 180),  # two shares at $90; it closes at once and is sold to no company
        ("18ms", 4, "AGS", 77),  # companies may buy it early
        ("18ga", 3, "OSR", 120),  # with a train
        ("18al", 3, "TR", 21),  # face value and a dollar at least
        ("1889", 4, "UTF", 166),  # kept to the end of the game
    ],
)
def test_private_is_worth_what_it_earns(title: str, players: int, private: str, worth: int) -> None:
    assert round(private_worth(new_game(players, title=title).table, "a", private)) == worth


def poor_rivals() -> Game:
    game = new_game(3)
    for rival in ("b", "c"):
        game.table.state.player(rival).cash = 100
    return game


def contest(*raises: int) -> Game:
    """18Chesapeake: Ann and Bob compete for the C-P, worth $58, and begin at $45 and $50."""
    game = new_game(3)
    do(game, "bid", "a", private="C-P", amount=45)
    do(game, "bid", "b", private="C-P", amount=50)
    do(game, "bid", "c", private="D&R", amount=20)
    for player, amount in zip("ab", raises, strict=False):
        do(game, "bid", player, private="C-P", amount=amount)
    return game


def after_bid(title: str, private: str, amount: int, first: str) -> Game:
    """Ann has bid, Bob has bought the first private for $20, and the others have passed."""
    game = new_game(4, title=title)
    do(game, "bid", "a", private=private, amount=amount)
    do(game, "bid", "b", private=first, amount=20)
    passes(game, "c", "d")
    return game


def after_passes(title: str, players: int, *passed: str) -> Game:
    game = new_game(players, title=title)
    passes(game, *passed)
    return game


@pytest.mark.parametrize(
    ("game", "bids"),
    [
        # 1889: of $420 five shares at $65 take $325, and the first private $20
        (lambda: after_passes("1889", 4), "TE 20, MF 35, ER 45, SMR 55, DR 65"),
        # one share fewer for each pass: four shares take $260; and in the end only two, $130
        (lambda: after_passes("1889", 4, *"a"), "TE 20, MF 35, ER 45, SMR 55, DR 65, SIR 85"),
        (lambda: after_passes("1889", 4, *"abc"), "TE 20, MF 35, ER 45, SMR 55, DR 65, SIR 85, UTF 155"),
        (lambda: after_bid("1889", "DR", 65, "TE"), "MF 30, ER 45, SMR 55, SIR 85"),  # the bid is not raised
        # 18Chesapeake: of $400 six shares at $70 would take $420, and five take $350
        (lambda: after_passes("18chesapeake", 6), ""),
        (lambda: after_passes("18chesapeake", 6, *"a"), "D&R 20"),
        # Vanderbilt's private brings two of the six shares
        (lambda: new_game(4), "D&R 20, C-P 45, B&S 55, C&OC 85, B&OR 105, CV 205"),
        (lambda: after_bid("18chesapeake", "CV", 205, "D&R"), "C-P 40, B&S 55, C&OC 85, B&OR 105"),
        (poor_rivals, "D&R 20, C-P 45, B&S 55, C&OC 85"),  # nobody else can pay for the others
        (contest, "C-P 55"),
        (lambda: contest(55), ""),  # $60 is above its worth
    ],
)
def test_bids_are_needed_and_affordable(game: Callable[[], Game], bids: str) -> None:
    """The lowest bids below a private's worth that leave money for a company; none that wins anyway."""
    position = game()
    found = worths(auctions.weigh_bids, position, "bid", position.actors()[0])
    assert ", ".join(f"{private} {amount}" for private, amount in found) == bids
