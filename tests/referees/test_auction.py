"""The referee of 18Chesapeake's auction plays along: who is asked, at what prices, and who has what afterwards."""

from collections import Counter
from random import Random

import pytest

from engine.core.actions import Action, Bid
from engine.core.offers import Cursor, IntRange
from engine.core.state import Auction
from engine.game import Game
from engine.titles import TITLES
from tests.referees.auction_referee import AuctionRules
from tests.support.players.random_play import RandomPlayer

SPEC = TITLES["18chesapeake"].spec
AUCTIONS = 5
"""Auctions of one test: they are short."""


@pytest.mark.parametrize("players", SPEC.players)
def test_auctions_are_as_a_second_statement_has_them(players: int, game_seed: int) -> None:
    """R-CH-020, R-CH-022, R-CH-024, R-CH-025, R-CH-027, R-CH-028, R-CH-029."""
    seen: Counter[str] = Counter()
    for number in range(AUCTIONS):
        _follow(players, AUCTIONS * game_seed + number, seen)
    assert seen["turns"]


def _follow(players: int, seed: int, seen: Counter[str]) -> None:
    """One auction; in some of them nearly everybody passes."""
    game = Game("18chesapeake", [(f"p{n}", f"Player {n}") for n in range(1, players + 1)], seed)
    rules = AuctionRules(dict(SPEC.privates), [SPEC.players[players].cash] * players)
    player, chance = RandomPlayer(seed), Random(seed)
    lazy = chance.choice([0.0, 0.3, 0.8, 0.95])
    while not rules.over:
        step = game.step()
        assert step is not None
        if step.name != "par_due":
            assert _prices(game) == (game.players[rules.actor][0], rules.prices())
            seen["turns"] += 1
        action = _choose(game, player, chance.random() < lazy)
        _play(rules, action)
        game.apply(action)
        _compare(game, rules)
    while (step := game.step()) is not None and step.name == "par_due":
        game.apply(player.choose(game))
    assert game.table.state.priority == rules.priority


def _choose(game: Game, player: RandomPlayer, lazily: bool) -> Action:
    idle = next((offer for offer in game.offers() if offer.kind == "pass" and offer.blocking), None)
    return idle.fill() if lazily and idle is not None else player.choose(game)


def _play(rules: AuctionRules, action: Action) -> None:
    if isinstance(action, Bid):
        rules.bid(action.private, action.amount)
    elif action.kind == "pass":
        rules.decline()


def _prices(game: Game) -> tuple[str, dict[str, tuple[int, int]]]:
    (actor,) = game.actors()
    found = {}
    for offer in game.offers(actor):
        for choice in Cursor(offer).domain.choices() if offer.kind == "bid" else ():
            domain = Cursor(offer).pick(choice.value).domain
            values = [int(price.value) for price in domain.choices()]
            assert isinstance(domain, IntRange) or len(values) == 1
            found[str(choice.value)] = (values[0], values[-1])
    return actor, found


def _compare(game: Game, rules: AuctionRules) -> None:
    state = game.table.state
    if not isinstance(state.round, Auction):
        return
    seats = [seat.id for seat in state.players]
    assert [seat.cash for seat in state.players] == rules.cash
    assert {p.id: seats.index(p.owner) for p in state.privates.values() if p.owner} == rules.owner
    assert rules.over or state.priority == rules.priority
