"""The referee of stock turns plays along: the legal set before every action, the state after it, who is next."""

import json
from collections import Counter
from random import Random

import pytest

from engine.core.actions import Action, Answer, BuyShare, Par, SellShares
from engine.core.offers import Cursor
from engine.core.state import Stock
from engine.game import Game
from engine.titles import TITLES
from tests.referees.stock_referee import SALES, StockRules, Turn, offered
from tests.support.players.random_play import RandomPlayer

PROFILES = ("rulebook", "18xx.games")
TABLES = [
    pytest.param(name, count, profile, marks=pytest.mark.long if (count + place) % 2 else [])
    for name in ("18chesapeake", "18al", "18tn")
    for count in TITLES[name].spec.players
    for place, profile in enumerate(PROFILES)
    if (name, count, profile) != ("18chesapeake", 2, "18xx.games")
]
"""Every number of players, by turns under either profile; in long runs under both.

With two players of 18Chesapeake, shares of the pool leave the game in ways of its own there (D-CH-9, D-CH-10).
"""
MOST_ACTIONS = 400


@pytest.mark.parametrize(("title", "players", "profile"), TABLES)
def test_stock_turns_are_as_a_second_statement_has_them(
    title: str, players: int, profile: str, game_seed: int
) -> None:
    """R-CH-040, R-CH-041, R-CH-057; R-AL-041, R-AL-049, R-AL-063; R-TN-040, R-TN-047, R-TN-064."""
    witness = Witness(title, players, profile, game_seed)
    witness.follow()
    assert witness.seen["turns"], "no stock turn was seen"


class Hoarder(RandomPlayer):
    """Buys most of all what it has most of."""

    def choose(self, game: Game) -> Action:
        """A random action, more often than not a share of the company it has most of."""
        offer = next((o for o in game.offers() if o.kind == "buy_share" and o.blocking), None)
        if offer is None or self._random.random() < 0.3:
            return super().choose(game)
        companies = game.table.state.companies
        names = [str(choice.value) for choice in Cursor(offer).domain.choices()]
        name = max(names, key=lambda name: companies[name].percent(offer.actor))
        source = next(Cursor(offer).pick(name).domain.choices()).value
        return offer.fill(company=name, source=source)


class Witness:
    """One random game, with low limits and prices tossed about so that the limits bite."""

    def __init__(self, title: str, players: int, profile: str, seed: int) -> None:
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game(title, seats, seed, profile)
        self._lower_limits(4 * (seed % 4))
        self.player = Hoarder(seed)
        self.chance = Random(seed)
        self.seen: Counter[str] = Counter()
        self.turn = Turn()
        self.round: Stock | None = None
        self.passes = 0

    def _lower_limits(self, by: int) -> None:
        table = self.game.table
        players = {
            count: row.model_copy(update={"certificates": row.certificates - min(by, row.certificates // 2)})
            for count, row in table.spec.players.items()
        }
        table.spec = self.game.rules.spec = table.spec.model_copy(update={"players": players})

    def follow(self) -> None:
        """To the end, or far enough; a long auction beforehand counts for nothing."""
        while not self.game.over and (self.game.seq < MOST_ACTIONS or not self.seen["turns"]):
            step = self.game.step()
            assert step is not None
            if step.name == "trade":
                self._look()
            action = self.player.choose(self.game)
            if isinstance(self.game.table.state.round, Stock) and step.name in {"trade", "consent"}:
                self._act(action)
            else:
                self._toss(action)
                self.game.apply(action)

    def _look(self) -> None:
        here, (player,) = self.game.table.state.round, self.game.actors()
        assert isinstance(here, Stock)
        if self.round is not here:
            self.round, self.passes, self.turn = here, here.passes, Turn()
        rules = StockRules(self.game, player, self.turn)
        assert offered(self.game, player) == rules.moves(), (player, self.turn)
        self.seen["turns"] += 1
        self.seen["over a limit"] += rules.over()

    def _act(self, action: Action) -> None:
        state, seat = self.game.table.state, self.game.table.stock.turn
        player, proposal = state.players[seat].id, state.proposal
        expected = None
        if isinstance(action, Par | BuyShare | SellShares):
            expected = StockRules(self.game, player, self.turn).outcome(action)
            self._note(action.kind, player, action.company)
        self.game.apply(action)
        if isinstance(action, Answer) and action.reply == "agree":
            assert proposal is not None
            self._note(json.loads(proposal.action)["kind"], player, "")
        if expected is not None and isinstance(action, Par | BuyShare | SellShares):
            self._compare(player, action.company, expected)
        if state.proposal is None:
            self._next(action, seat)

    def _note(self, kind: str, player: str, company: str) -> None:
        self.turn.done.append(kind)
        if kind in SALES and company:
            self.turn.sold.add((player, company))

    def _compare(self, player: str, name: str, expected: dict[str, object]) -> None:
        state = self.game.table.state
        company = state.companies[name]
        found = {
            "cash": state.player(player).cash,
            "held": company.percent(player),
            "pool": company.percent("market"),
            "president": company.president,
            "cell": company.cell,
        }
        if state.round is self.round:
            floats = len(state.players) == 2 and company.floated  # 18Chesapeake 14.2: more goes to the pool
            loose = {"pool"} if floats and expected["pool"] != found["pool"] else set()
            assert {k: v for k, v in found.items() if k in expected.keys() - loose} == {
                k: v for k, v in expected.items() if k not in loose
            }
            self.seen["outcomes"] += 1

    def _next(self, action: Action, seat: int) -> None:
        """The turn stays as long as anything is left in it; then the next player who can do anything is on turn."""
        players = self.game.table.state.players
        if action.kind != "pass" and self._left(seat):
            assert self._on_turn() == seat, "the turn ended although something was left"
            return
        if action.kind != "pass" and not self.turn.done:
            return  # an answer that led to nothing
        self.passes = 0 if self.turn.done else self.passes + 1
        self.turn.done = []
        self.seen["ends by itself"] += action.kind != "pass"
        for further in range(1, len(players) + 1):
            if self.passes == len(players):
                assert self.game.table.state.round is not self.round or self.game.over
                return
            following = (seat + further) % len(players)
            if self._left(following):
                assert self._on_turn() == following, "another player is next"
                return
            self.passes += 1
            self.seen["passed over"] += 1
        assert self.game.table.state.round is not self.round or self.game.over

    def _left(self, seat: int) -> bool:
        if self.game.table.state.round is not self.round:
            return False
        rules = StockRules(self.game, self.game.players[seat][0], self.turn)
        return next(rules.actions(), None) is not None

    def _on_turn(self) -> int | None:
        return self.round.turn if self.round is self.game.table.state.round else None

    def _toss(self, action: Action) -> None:
        """Toss a price: cheap before even sets, where anything may be bought, dear before odd ones."""
        t = self.game.table
        started = [company for company in t.state.companies.values() if company.started]
        if action.kind not in {"lay_tile", "run_routes"} or not started:
            return
        company = self.chance.choice(started)
        cells = [
            (row, column)
            for row, words in enumerate(t.spec.market.rows)
            for column, word in enumerate(words.split())
            if (word[-1] in "yg") == (t.operating.set % 3 == 1) and word[-1] != "e"
        ]
        company.cell = self.chance.choice(cells[-40:])
