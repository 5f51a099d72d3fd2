"""18NewEngland: companies and players that cannot pay for a train (11.7 to 11.9, 13)."""

from typing import Any

import pytest

from engine.core.ids import BANK
from engine.play.shares import holdings, selling
from engine.tell.narrate import sentences
from engine.tell.teller import teller_of
from engine.tell.turning_points import GameStory
from engine.tell.view_builders import score_view
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland


def trainless(profile: str = "rulebook", **money: int) -> NewEngland:
    position = NewEngland(profile=profile).minor("FRR", 50, "a", treasury=60).minor("PE", 60, "b", "3")
    return position.operating("FRR", "trains", operated=["PE"]).cash(**money)


def test_minor_without_a_train_is_liquidated() -> None:
    """Example 22: the bank takes its money, the owner gets nothing and loses twice its value. It has a name
    of its own, so that nobody gives a company up by a slip; where the owner can raise too little, it is
    automatic, and they play on (R-NE-103, R-NE-115, D-NE-17)."""
    game = trainless(a=150).game()
    bank, worth = game.table.cash(BANK), holdings.net_worth(game.table, game.table.state.player("a"))
    space = game.company("FRR").cell
    events = game.do("liquidate", "FRR")
    assert sentences(events, game)[0] == "FRR has no train and is liquidated; its $60 goes to the bank."
    assert game.table.cash(BANK) == bank + 60
    assert holdings.net_worth(game.table, game.table.state.player("a")) == worth - 100
    assert game.table.state.flipped == [space]
    assert game.table.map.slots("J3", 0) == (None,)
    assert "FRR" not in game.table.map.homes
    assert game.company("FRR").closed
    game = trainless(a=150).game()
    assert "must buy one now or be liquidated" in game.refused("11.9", "pass", "FRR")
    assert game.label(game.find("liquidate")) == "Liquidate FRR"
    game = trainless(a=10).trains("PE").major("CN", 100, b=20, a=10, market=50).game()
    assert game.company("FRR").closed
    assert game.table.company.id == "CN"
    assert not game.table.state.player("a").bankrupt
    assert game.company("CN").percent("a") == 10


@pytest.mark.parametrize(
    ("profile", "then"), [("rulebook", ["buy_train"]), ("18xx.games", ["buy_train", "liquidate"])]
)
def test_owner_may_sell_shares_for_a_minor(profile: str, then: list[str]) -> None:
    """Just enough, instead of liquidation (R-NE-103, R-NE-110, D-NE-23)."""
    game = trainless(profile, a=30).major("CN", 100, b=20, a=30).game()
    if profile == "rulebook":
        assert game.values("sell_shares", "a", "shares", company="CN") == [1]
    game.sell("a", "CN")
    assert [kind for kind in game.kinds() if kind != "sell_shares"] == then
    game.buy("FRR", "3", 180)
    assert game.cash()["a"] == 30 + 100 - 120


def poor_major(profile: str = "rulebook", players: int = 3, from_log: int = 0, **money: int) -> NewEngland:
    position = NewEngland(players, profile=profile, from_log=from_log).phase("8")
    position.major("CN", 100, a=20, b=10, treasury=20)
    return position.operating("CN", "trains", number=2, of=2, operated=["B&M"]).cash(**money)


def test_major_must_buy_without_a_route() -> None:
    """The president adds what is missing (R-NE-102, R-NE-110)."""
    game = poor_major(a=1000).game()
    assert game.kinds() == ["buy_train"]
    assert "must buy one" in game.refused("11.7", "pass", "CN")
    game.buy("CN", "8E", 800, "bank")
    assert (game.cash()["a"], game.company("CN").cash) == (220, 0)


@pytest.mark.parametrize(
    ("facts", "cash_", "held", "shares"),
    [
        ({}, 600, {"b": 20, "a": 40}, [1, 2]),
        ({}, 700, {"a": 30, "b": 20}, [1]),
        ({"profile": "18xx.games", "from_log": 99}, 700, {"a": 30, "b": 20}, [1, 2, 3]),
    ],
)
def test_just_enough_is_sold(
    facts: dict[str, Any], cash_: int, held: dict[str, Any], shares: list[int]
) -> None:
    """The last share of a block must be needed, but in a log (R-NE-110, R-NE-112, D-NE-7, D-NE-17)."""
    game = poor_major(**facts, a=cash_).major("CVT", 110, **held).game()
    assert game.values("sell_shares", "a", "shares", company="CVT") == shares
    if not facts:
        why = game.refused("11.8", "declare_bankruptcy", "CN")
        assert "only when CN must buy" in why


def test_presidency_of_operating_company_stays() -> None:
    """R-NE-110."""
    position = poor_major(a=760).major("CVT", 100, a=20, b=20)
    position.state.companies["CN"].shares.update(b=20)
    game = position.game()
    assert game.values("sell_shares", "a", "company") == ["CVT"]


def ruined(profile: str = "rulebook", players: int = 3) -> TitleGame:
    """Example 23: Ann has $10 and 20 % of B&M at 110, which Bob presides over, and two companies of her own."""
    position = poor_major(profile, players, a=10).major("B&M", 110, b=40, a=20)
    return position.minor("PE", 50, "a", "3", treasury=35).major("P&W", 120, a=20, treasury=70).game()


def test_bankrupt_player_is_out() -> None:
    """Example 23: what can be sold is sold, what she presides over closes; on that site no sale, the share is
    kept, and she plays on (R-NE-112, D-NE-2)."""
    game = ruined()
    money = sum(game.table.cash(holder) for holder in ("a", BANK, "CN", "PE", "P&W"))
    assert "declare_bankruptcy" in game.kinds()
    game.do("declare_bankruptcy", "CN")
    assert game.table.state.player("a").bankrupt
    assert game.company("B&M").percent("market") == 20
    assert game.price("B&M") == 110
    assert all(game.company(name).closed for name in ("CN", "PE", "P&W"))
    assert not game.company("B&M").closed
    assert game.table.cash(BANK) == money
    assert game.scores()["a"] == 0
    game = ruined("18xx.games")
    game.do("declare_bankruptcy", "CN")
    assert not game.table.state.player("a").bankrupt
    assert game.company("B&M").percent("a") == 20
    assert (game.cash()["a"], game.scores()["a"]) == (0, 220)
    assert all(game.company(name).closed for name in ("CN", "PE", "P&W"))


@pytest.mark.parametrize("step", ["track", "trains"])
def test_bankruptcy_for_a_minor_is_refused(step: str) -> None:
    """In every step of its turn (R-NE-103, D-NE-17)."""
    position = NewEngland().phase("3").minor("FRR", 50, "a").treasury("FRR", 60).cash(a=400)
    why = position.operating("FRR", step).game().refused("11.9", "declare_bankruptcy", "FRR")
    assert "without a train it is liquidated" in why


def test_others_play_on_without_the_bankrupt() -> None:
    """They take no turn, and the priority deal passes them by; shares they could not sell stay with them
    (R-NE-113)."""
    game = ruined()
    game.table.state.priority = 0
    game.do("declare_bankruptcy", "CN")
    assert game.round_name() == "SR 3"
    assert game.table.state.players[game.table.state.priority].id == "b"
    turns = []
    for _ in range(2):
        turns.append(game.on_turn())
        game.passes(turns[-1])
    assert turns == ["b", "c"]
    assert game.round_name() == "OR 3.1"
    game = ruined()
    table = game.table
    game.do("declare_bankruptcy", "CN")
    holdings.give_shares(game.company("B&M"), "market", "a", 20)  # as if the market had been full
    game.company("B&M").shares["a"] = 60
    assert selling.next_president(table, game.company("B&M")) is None
    assert [player.id for player in table.state.players_in_game()] == ["b", "c"]


def test_last_player_left_wins_at_once() -> None:
    """With two players; unsold shares are worth nothing. Even with $0 they come before the bankrupt players,
    on the score sheet, too; the richest of the others wins, and the same totals rank alike (13, R-NE-113,
    R-NE-132, R-NE-133, R-NE-140)."""
    game = ruined(players=2)
    game.do("declare_bankruptcy", "CN")
    assert game.is_over
    assert game.table.state.ending is not None
    assert (game.table.state.ending.reason, game.table.state.ending.by) == ("last_player", "b")
    assert list(game.scores()) == ["b", "a"]
    game = poor_major(a=10).major("B&M", 110, b=40, market=50, a=10).game()
    game.do("declare_bankruptcy", "CN")
    assert game.company("B&M").percent("a") == 10
    row = next(row for row in score_view(game).rows if row.player == "a")
    assert (row.cash, row.shares, row.privates, row.total) == (0, (), 0, 0)
    position = poor_major(a=10, b=0, c=0)
    position.state.player("b").bankrupt = True
    game = position.game()
    game.do("declare_bankruptcy", "CN")
    assert game.scores() == {"a": 0, "b": 0, "c": 0}
    assert game.ranks() == {"c": 1, "a": 2, "b": 2}
    assert [(row.player, row.rank) for row in score_view(game).rows] == [("c", 1), ("a", 2), ("b", 2)]
    won = teller_of(game).say(GameStory().turning_points(game)[0])
    assert won == "Cy wins, the last player who is not bankrupt."
    game = NewEngland(players=4).cash(a=0, b=50, c=0, d=50).game()
    for name in "ac":
        game.table.state.player(name).bankrupt = True
    assert game.ranks() == {"b": 1, "d": 1, "a": 3, "c": 3}


def test_dead_end_ends_the_game() -> None:
    position = NewEngland().cash(a=99, b=0, c=100).minor("FRR", 50, "a")
    position.operating("FRR", "trains", number=2, of=2)
    for name in ("CN", "PE"):
        position.state.companies[name].closed = True
    game = position.minor("GR", 50, "b", space=1).game()
    while not game.is_over:
        game.do("pass", game.find("pass").entity) if game.offered("pass") else game.do("liquidate", "GR")
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "standstill"
    assert game.scores() == {"c": 100, "a": 99, "b": 0}
