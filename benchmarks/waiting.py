"""Simulation of how long an asynchronous game waits for its players, with and without standing orders.

`python -m benchmarks.waiting [--title T...] [--players N] [--games N]` plays whole games with caretakers (computer
players), standing orders and forced moves. A player who passes in a stock round keeps passing until something concerns
them. A player who pays out for a company lets it run and pay out from then on. Each decision is then timed by a model
of people (`benchmarks/people.py`): once with these orders, and once as if every move had been made by hand. The private
auction is played separately, by players with a maximum for each private: openly by minimum raises, openly by jump bids,
and with sealed bids. All hours are simulated.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import mean
from typing import Final, Literal, NamedTuple

from benchmarks.people import Person
from engine.caretaker import choose_move
from engine.caretaker.privates import private_worth
from engine.core.actions import Action, Dividend, Pass
from engine.core.events import Event
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import IntRange, OfferCursor
from engine.core.state import Stock
from engine.game import Game
from engine.orders import AutomaticMove, Order, StandingOrder, forced_move, next_order_move, stopped_orders
from engine.orders.auction_orders import unsold_auction_privates
from engine.orders.new_orders import pass_stock_order, run_best_order, seal_bids_order
from engine.seat import SeatedPlayer
from engine.titles import TITLES

SEATS: Final = "abcdefgh"
FOUR: Final = ("18chesapeake", "18al", "18tn", "18newengland")
MOST: Final = 6_000
"""Number of moves after which a game is left unfinished."""
HEAD: Final = (
    *("title", "games", "decisions by hand", "with orders", "forced moves", "moves by orders"),
    *("days", "days with orders", "auction: decisions by least raises", "by jumps", "sealed"),
    *("auction: hours by least raises", "by jumps", "sealed", "days with orders and sealed"),
)
By = Literal["hand", "order", "forced"]
"""Origin of a move: the player by hand, their standing order, or nobody, since the move was forced."""


class Made(NamedTuple):
    """A move: player, what made it, and `selling`, which is true while privates are on sale."""

    player: PlayerId
    by: By
    selling: bool


@dataclass(frozen=True)
class Waited:
    """Numbers of decisions in one game, and simulated hours."""

    moves: int
    orders: int
    """Number of decisions with standing orders: moves by hand, and orders given."""
    forced: int
    ordered: int
    hours: tuple[float, float]
    """Simulated hours of the game without and with standing orders."""
    auction: tuple[int, ...]
    """Numbers of decisions in the private auction by minimum raises, by jump bids, and with sealed bids.

    Empty if the title has no private auction.
    """
    auction_hours: tuple[float, ...]
    open_hours: float
    """Simulated hours of the private auction in the whole game."""


class Table:
    """A game whose players give standing orders by a simple policy, and a record of its moves."""

    def __init__(self, title: str, players: int, seed: int) -> None:
        self.game = Game(title, [(SEATS[n], SEATS[n].upper()) for n in range(players)], seed)
        self.seed = seed
        self.made: list[Made] = []
        self.orders: list[StandingOrder] = []
        self._given = 0

    def play(self, maximum: int) -> None:
        """Play to the end of the game, or up to `maximum` moves."""
        while not self.game.is_over and self.game.seq < maximum:
            player = self.game.actors()[0]
            action = choose_move(self.game, player, self.seed)
            wanted = self._order(player, action)
            if wanted is not None and self.give(player, wanted):
                continue
            self.by_hand(action)

    def by_hand(self, action: Action) -> None:
        """Make a move by hand, then the automatic moves that follow."""
        self._note(action.actor, "hand")
        self.follow(self.game.apply(action))

    def give(self, player: PlayerId, wanted: Order) -> bool:
        """Give a standing order and make its moves; if it would not act at once, drop it and return False."""
        self._given += 1
        standing = StandingOrder(self._given, player, wanted, self.game.seq)
        outcome = next_order_move(self.game, player, [*self.orders, standing])
        if not isinstance(outcome, AutomaticMove) or outcome.order_number != standing.number:
            return False
        self.orders.append(standing)
        # Giving an order is a decision, and the order does what would have been done by hand.
        self._note(player, "hand")
        self.follow(self.game.apply_cursor(outcome.cursor))
        return True

    def follow(self, events: Sequence[Event]) -> None:
        """End the orders that these events stop, and make the automatic moves that follow."""
        self._stop(events)
        while (move := self._next()) is not None:
            self._note(move.cursor.offer.actor, "forced" if move.order_number is None else "order")
            self._stop(self.game.apply_cursor(move.cursor))

    def _next(self) -> AutomaticMove | None:
        for player in self.game.actors():
            while (move := next_order_move(self.game, player, self.orders)) is not None:
                if isinstance(move, AutomaticMove):
                    return move
                self.orders = [order for order in self.orders if order.number != move.order_number]
        return forced_move(self.game)

    def _stop(self, events: Sequence[Event]) -> None:
        ended = {one.order_number for one in stopped_orders(self.game, self.orders, events)}
        self.orders = [order for order in self.orders if order.number not in ended]

    def _note(self, player: PlayerId, by: By) -> None:
        self.made.append(Made(player, by, self.game.table.is_selling_privates))

    def _order(self, player: PlayerId, action: Action) -> Order | None:
        """The standing order that a player gives instead of this move; None to move by hand."""
        now = self.game.table.state.round
        idle = isinstance(now, Stock) and not now.acted and not self.game.table.is_selling_privates
        if isinstance(action, Pass) and idle:
            return pass_stock_order(self.game, "concerned")
        if isinstance(action, Dividend) and action.option == "pay":
            return run_best_order(self.game, action.entity, "pay")
        return None


def hours_until_last(
    people: Mapping[PlayerId, Person], decided: Iterable[PlayerId], begins: float = 0.0
) -> float:
    """The simulated hour of the last of these decisions; consecutive ones of one player take no extra time."""
    now, last = begins, None
    for player in decided:
        if player != last:
            now, last = people[player].answer_hour(now), player
    return now


def waited(title: str, players: int, seed: int, maximum: int = MOST) -> Waited:
    """Play one game of at most `maximum` moves and its private auction, and time both."""
    table = Table(title, players, seed)
    table.play(maximum)
    made = table.made
    by_hand = [move.player for move in made if move.by == "hand"]
    selling = [move.player for move in made if move.by == "hand" and move.selling]
    auctions = _auctions(title, players, seed)
    return Waited(
        moves=len(made),
        orders=len(by_hand),
        forced=sum(move.by == "forced" for move in made),
        ordered=sum(move.by == "order" for move in made),
        hours=(
            hours_until_last(_people(players, seed), [move.player for move in made]),
            hours_until_last(_people(players, seed), by_hand),
        ),
        auction=tuple(len(auction.decided) + auction.at_once for auction in auctions),
        auction_hours=tuple(_auction_hours(players, seed, auction) for auction in auctions),
        open_hours=hours_until_last(_people(players, seed), selling),
    )


class Auction(NamedTuple):
    """A played auction: `decided` lists the players in the order of their decisions.

    Before these decisions, `at_once` players were asked for sealed bids at the same time.
    """

    decided: list[PlayerId]
    at_once: int = 0


def _auctions(title: str, players: int, seed: int) -> list[Auction]:
    """The private auction by minimum raises, by jump bids, and with sealed bids; empty if the title has none."""
    tables = [Table(title, players, seed) for _ in range(3)]
    least, jumps, sealed = tables
    if not least.game.table.is_selling_privates or not unsold_auction_privates(least.game.table):
        return []
    maxima = _maxima(least.game, seed)
    sealed.orders = [
        StandingOrder(n, who, seal_bids_order(sealed.game, most), 0)
        for n, (who, most) in enumerate(maxima.items(), start=1)
    ]
    sealed.follow(())
    for table in tables:
        bold = Random(seed) if table is jumps else None
        while _bids(table):
            table.by_hand(_bid(table.game, maxima[table.game.actors()[0]], bold))
    return [Auction(_decided(least)), Auction(_decided(jumps)), Auction(_decided(sealed), players)]


def _decided(table: Table) -> list[PlayerId]:
    return [move.player for move in table.made if move.by == "hand"]


def _bids(table: Table) -> bool:
    return not table.game.is_over and table.game.table.is_selling_privates and len(table.made) < MOST


def _auction_hours(players: int, seed: int, auction: Auction) -> float:
    """Simulated hours of an auction: open bids follow each other, sealed bids wait for the slowest player."""
    people = _people(players, seed)
    begins = max(person.answer_hour(0.0) for person in people.values()) if auction.at_once else 0.0
    return hours_until_last(people, auction.decided, begins)


def _maxima(game: Game, seed: int) -> dict[PlayerId, dict[PrivateId, int]]:
    """Each player's maximum bid for each private: its estimated value, varied at random."""
    random, t = Random(seed), game.table
    return {
        player: {
            p: int(private_worth(t, player, p) * random.uniform(0.85, 1.15))
            for p in unsold_auction_privates(t)
        }
        for player in game.players_in_game()
    }


def _bid(game: Game, maxima: Mapping[PrivateId, int], bold: Random | None) -> Action:
    """A player's move in an open auction: the bid with the largest gain, or else a pass.

    If the player cannot bid, the move is the caretaker's. With `bold`, the bid jumps by a random amount.
    """
    here = SeatedPlayer(game, game.actors()[0])
    offer, declined = here.offer_of_kind("bid"), here.pass_move()
    if offer is None:
        return choose_move(game, here.player, 0) if declined is None else declined.action()
    walks = [
        cursor
        for _, further in OfferCursor(offer).choices_and_cursors()
        for _, cursor in islice(further.choices_and_cursors(), 1)
    ]
    bids = [cursor for cursor in walks if _worth(game, cursor, maxima) >= 0]
    best = max(bids, key=lambda cursor: _worth(game, cursor, maxima), default=None)
    if best is not None:
        return (best if bold is None else _jump(best, maxima, bold)).action()
    return (declined or walks[0]).action()


def _jump(cursor: OfferCursor, maxima: Mapping[PrivateId, int], bold: Random) -> OfferCursor:
    """The bid raised to a random amount up to the player's maximum."""
    private = cursor.chosen["private"]
    open_ = OfferCursor(cursor.offer).pick_all({"private": private})
    amounts = open_.domain if open_.slot is not None else None
    if not isinstance(amounts, IntRange):
        return cursor
    most = min(maxima[private], amounts.high)
    steps = int((most - amounts.low) // amounts.step * bold.random())
    return open_.pick(amounts.low + steps * amounts.step)


def _worth(game: Game, cursor: OfferCursor, maxima: Mapping[PrivateId, int]) -> int:
    """Dollars by which a bid is below the player's maximum; -1 if the player's own bid is already the highest."""
    private, amount = cursor.chosen["private"], int(cursor.chosen["amount"])
    bids = game.table.auction.bids.get(private, {})
    own = bids and max(bids, key=lambda who: bids[who]) == cursor.offer.actor
    return -1 if own else maxima.get(private, 0) - amount


def _people(players: int, seed: int) -> dict[PlayerId, Person]:
    random = Random(seed)
    return {SEATS[n]: Person(Random(random.random())) for n in range(players)}


def _row(title: str, games: Sequence[Waited]) -> Iterator[str]:
    yield title
    yield str(len(games))
    yield f"{mean(game.moves for game in games):.0f}"
    yield f"{mean(game.orders for game in games):.0f}"
    yield f"{mean(game.forced for game in games):.0f}"
    yield f"{mean(game.ordered for game in games):.0f}"
    yield from (f"{mean(game.hours[n] for game in games) / 24:.0f}" for n in (0, 1))
    sold = [game for game in games if game.auction]
    if not sold:
        yield from "-" * 7
        return
    yield from (f"{mean(game.auction[n] for game in sold):.0f}" for n in range(3))
    yield from (f"{mean(game.auction_hours[n] for game in sold):.0f}" for n in range(3))
    both = [game.hours[1] - game.open_hours + game.auction_hours[2] for game in sold]
    yield f"{mean(both) / 24:.0f}"


def main() -> int:
    """Run the simulation and print a table."""
    parser = argparse.ArgumentParser(prog="benchmarks.waiting", description=__doc__)
    parser.add_argument("--title", nargs="+", default=FOUR, choices=list(TITLES), help="titles")
    parser.add_argument("--players", type=int, default=4, help="players of each game")
    parser.add_argument("--games", type=int, default=5, help="games of each title")
    parser.add_argument("--most", type=int, default=MOST, help="moves of each game at most")
    options = parser.parse_args()
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|", flush=True)
    for title in options.title:
        games = [waited(title, options.players, seed, options.most) for seed in range(options.games)]
        print("| " + " | ".join(_row(title, games)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
