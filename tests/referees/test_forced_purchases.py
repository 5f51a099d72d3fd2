"""Forced train purchases played at random, every choice compared with a second statement of the rules.

`forced_purchase.py` and `share_sales.py` in `tests/support` are that statement; it shares no rule code with the engine.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.core.actions import Action, build_action
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Operating
from engine.game import Game
from engine.titles import TITLES
from tests.support.forced_purchase import Case, case
from tests.support.players.poor_presidents import BUYERS, emptied, forced_position
from tests.support.players.random_play import RandomPlayer
from tests.support.share_sales import ANY
from tests.titles.builders import train_deals

POSITIONS, FEW_POSITIONS = 60, 30
"""Tiny positions for each title and `--games`: in long runs, and otherwise."""
KINDS = {"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "pass"}
STEPS = 25
"""Train steps of a random game, for each title and `--games`."""
LONGEST = 40


class Episode:
    """One train step, played to its end; what was sold for the train is remembered here, not read from the game."""

    def __init__(self, game: Game, chance: Random, seen: Counter[str]) -> None:
        self.game, self.chance, self.seen = game, chance, seen
        buyer = _buyer(game)
        assert buyer is not None
        self.buyer = buyer
        self._forget()

    def play(self) -> None:
        """Compare, act, look at the money, until the step is over."""
        for _ in range(LONGEST):
            if self.game.table.state.proposal:
                self._answer()
            elif self.game.is_over or _buyer(self.game) != self.buyer:
                return
            else:
                now = case(self.game, self.smallest, self.before_last)
                compare(self.game, now)
                self._act(now)
        raise AssertionError("the step does not end")

    def _forget(self) -> None:
        self.smallest = ANY
        self.before_last: int | None = None
        self.kept = True

    def _answer(self) -> None:
        proposal = self.game.table.state.proposal
        assert proposal is not None
        reply = self.chance.choice(["agree", "refuse"])
        self.seen[reply] += 1
        before = self._purses()
        self.game.apply(build_action("answer", proposal.asked, proposal.asked, reply=reply))
        if reply == "refuse":
            assert self._purses() == before
        else:
            self._count(self.pending)

    def _act(self, now: Case) -> None:
        offers = [offer for offer in self.game.offers() if offer.kind in KINDS | {"buy_private"}]
        assert any(offer.blocking for offer in offers), "nobody has to do anything"
        kinds = sorted({offer.kind for offer in offers})
        kind = self.chance.choice(kinds)
        action = self._fill(self.chance.choice([offer for offer in offers if offer.kind == kind]))
        self.seen[kind] += 1
        self.seen["forced" if now.forced else "free"] += 1
        before = self._purses()
        self.sellers = {p.id: str(p.owner) for p in self.game.table.state.privates.values()}
        ends_well = action.kind != "sell_shares" or now.ends_well(action.company, action.shares)
        self.pending = (now, action, before, now.funds, ends_well)
        self.game.apply(action)
        if not self.game.table.state.proposal:
            self._count(self.pending)

    def _fill(self, offer: Offer) -> Action:
        cursor = OfferCursor(offer)
        while cursor.slot is not None:
            cursor = cursor.pick(self.chance.choice([choice.value for choice in cursor.domain.choices()]))
        return offer.fill(**cursor.chosen)

    def _purses(self) -> dict[str, int]:
        state = self.game.table.state
        players = {player.id: player.cash for player in state.players}
        return players | {company.id: company.cash for company in state.companies.values()}

    def _count(self, pending: Any) -> None:
        now, action, before, funds, ends_well = pending
        expected, price = dict(before), 0
        match action.kind:
            case "sell_shares":
                price = now.lines[action.company].prices[0]
                expected[now.president] += price * action.shares
                self.smallest = min(self.smallest, price)
                self.kept &= ends_well
                self.before_last = funds + price * (action.shares - 1)
                if now.deal and now.deal.price <= funds + price * action.shares:
                    self._pay(expected, now, now.deal.source, now.deal.price)
            case "sell_private":
                expected[now.president] += action.price
                expected[action.buyer] -= action.price
                self.smallest = min(self.smallest, action.price)
            case "declare_bankruptcy":
                expected[now.president] = 0
                self._sold_out(now)
            case "buy_private":
                expected[now.company] -= action.price
                expected[self.sellers[action.private]] += action.price
            case "buy_train" if self._deal():
                return
            case "buy_train":
                self._pay(expected, now, action.source, action.price)
            case _:
                return
        if _round(self.game) == self.buyer[:2]:  # else the next round has brought its income
            assert self._purses() == expected, (action, before)

    def _sold_out(self, now: Case) -> None:
        """The game is over, and the bankrupt president has only what they may not sell."""
        assert self.game.is_over
        for name, line in now.lines.items():
            most = max((shares for shares in range(1, 11) if line.after(now.president, shares)), default=0)
            held = dict(line.held)[now.president] - 10 * most
            assert self.game.table.state.companies[name].percent(now.president) == held, name

    def _deal(self) -> bool:
        return getattr(getattr(self.game.table.state.round, "turn", None), "deal", None) is not None

    def _pay(self, expected: dict[str, int], now: Case, source: str, price: int) -> None:
        """The treasury pays first; what was sold for the train was needed."""
        paid = min(expected[now.company], price)
        expected[now.company] -= paid
        expected[now.president] -= price - paid
        if source in self.game.table.state.companies:
            expected[source] += price
        if now.own_rule:
            assert self.before_last is None or price > self.before_last
        else:
            assert not self.kept or expected[now.president] < self.smallest
        self._forget()


def _round(game: Game) -> tuple[int, int]:
    found = game.table.state.round
    return (found.set, found.number) if isinstance(found, Operating) else (0, 0)


def _buyer(game: Game) -> tuple[int, int, str] | None:
    step, round_ = game.step(), game.table.state.round
    if step is None or step.name not in {"trains", "deal"} or not isinstance(round_, Operating):
        return None
    assert round_.turn is not None
    return *_round(game), round_.turn.company


def compare(game: Game, now: Case) -> None:
    """The offers of a train step are those of the second statement."""
    offers = [offer for offer in game.offers() if offer.kind in KINDS]
    by_kind = {kind: [offer for offer in offers if offer.kind == kind] for kind in KINDS}
    position = (now.describe(), [(o.kind, o.entity) for o in offers])
    sales = {
        (choice.value, number.value)
        for offer in by_kind["sell_shares"]
        for choice in OfferCursor(offer).domain.choices()
        for number in OfferCursor(offer).pick_all({"company": choice.value}).domain.choices()
    }
    assert sales == now.sales(), (sales ^ now.sales(), sales, position)
    assert bool(by_kind["declare_bankruptcy"]) == now.bankrupt(), position
    if now.must:
        deals = {
            (offer.entity, train, source, low, high)
            for offer in by_kind["buy_train"]
            for train, source, _, low, high in train_deals(game, offer.entity)
        }
        assert deals == now.purchases(), (deals, now.purchases(), position)
        assert not by_kind["pass"], position
    privates = {
        (name.value, buyer.value, price.value)
        for offer in by_kind["sell_private"]
        for name in OfferCursor(offer).domain.choices()
        for buyer in OfferCursor(offer).pick_all({"private": name.value}).domain.choices()
        for price in OfferCursor(offer)
        .pick_all({"private": name.value, "buyer": buyer.value})
        .domain.choices()
    }
    assert privates == now.private_sales(), (sorted(privates ^ now.private_sales()), len(privates), position)


# --- tiny positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", BUYERS)
def test_choices_in_tiny_forced_purchases(title: str, game_seed: int, whole_games: bool) -> None:
    seen: Counter[str] = Counter()
    for number in range(POSITIONS if whole_games else FEW_POSITIONS):
        chance = Random(f"{title} {game_seed} {number}")
        game = forced_position(title, chance)
        if _buyer(game) is not None:
            Episode(game, chance, seen).play()
    assert min(seen["sell_shares"], seen["buy_train"], seen["declare_bankruptcy"], seen["agree"]) > 0, seen


# --- positions of random games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", BUYERS)
def test_choices_of_poor_presidents(title: str, game_seed: int) -> None:
    """A random game; in copies of its train steps the company has lost its trains, and president and treasury money."""
    chance, seen = Random(f"{title} {game_seed}"), Counter[str]()
    players = sorted(TITLES[title].spec.players)[game_seed % 3]
    game = Game(title, [(f"p{seat}", f"P{seat}") for seat in range(players)], game_seed)
    player = RandomPlayer(game_seed)
    while not game.is_over and seen["steps"] < STEPS:
        if _begins_to_buy(game):
            seen["steps"] += 1
            copy = emptied(game, chance)
            must, copy = case(copy).must, Game.load(copy.dump())
            if _buyer(copy) == _buyer(game):
                Episode(copy, chance, seen).play()
            else:
                assert not must
        game.apply(player.choose(game))
    assert seen["forced"] > 0, seen


def _begins_to_buy(game: Game) -> bool:
    if _buyer(game) is None or game.table.state.proposal:
        return False
    turn = game.table.turn
    return not turn.bought and turn.smallest_sale is None and turn.deal is None
