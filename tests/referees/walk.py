"""The walk that all referees share: a random game is opened, and a second statement of its rules follows it."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Set
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from engine.core.actions import Action
from engine.core.ids import MARKET, OFFERING
from engine.core.offers import OfferCursor
from engine.core.state import Company, Operating
from engine.game import Game
from tests.support.legal_values import filled

Position = dict[str, Any]
Turn = TypeVar("Turn")


class RandomPlayer(Protocol):
    def choose(self, game: Game) -> Action: ...


class Referee:
    """A random game, and what is legal in it before every action, and its position after it."""

    def __init__(self, title: str, players: int, player: RandomPlayer, seed: int, option: str = "") -> None:
        seats = [(f"p{n}", f"Player {n}") for n in range(1, players + 1)]
        self.game = Game(title, seats, seed, options=frozenset({option} - {""}))
        self.player = player
        self.chance = Random(seed)
        self.seen: Counter[str] = Counter()
        self.proposed: Any = ()

    @property
    def state(self) -> Any:
        return self.game.table.state

    @property
    def step(self) -> str:
        step = self.game.step()
        return "" if step is None else step.name

    def follow(self, actions: int, *awaited: str) -> None:
        """Play to the end, or this far, and on until all that is awaited has been seen."""
        self.compare()
        while not self.game.is_over and (self.game.seq < actions or not all(map(self.seen.get, awaited))):
            if not self.state.proposal:
                self.look()
            action = self.player.choose(self.game)
            self.seen[action.kind] += 1
            self.act(action)
            self.compare()
        if self.game.is_over:
            scores = self.game.scores()
            result = self.state.ending.reason, [scores[player] for player, _ in self.game.players]
            assert result == self.result()

    @abstractmethod
    def look(self) -> None:
        """Compare what may be done."""

    @abstractmethod
    def act(self, action: Action) -> None:
        """Do it on both sides."""

    @abstractmethod
    def compare(self) -> None:
        """Compare the positions."""

    @abstractmethod
    def result(self) -> tuple[str, list[int]]:
        """How the game ended, and the scores."""

    def compare_sets(self, found: Set[Any], legal: Set[Any], where: object) -> None:
        """What the engine offers is what the second statement allows."""
        assert found == legal, (where, "only the engine", found - legal, "only the rules", legal - found)

    def lower_limits(self, by: int) -> int:
        """The certificate limit bites in some games; returns what it is then."""
        table, count = self.game.table, len(self.game.players)
        row = table.spec.players[count]
        lower = {
            **table.spec.players,
            count: row.model_copy(update={"certificate_limit": row.certificate_limit - by}),
        }
        table.spec = self.game.rules.spec = table.spec.model_copy(update={"players": lower})
        return table.spec.players[count].certificate_limit

    def asked(self, step: tuple[int, int, str, str]) -> bool:
        """The engine waits in this step: set, round, company and name."""
        here = self.state.round
        if self.game.is_over or not isinstance(here, Operating) or here.turn is None:
            return False
        return step == (here.set, here.number, here.turn.company, self.step)

    @property
    def company_due(self) -> str:
        """The company in turn, or the one that must discard a train."""
        if self.step == "discard":
            return next(offer.entity for offer in self.game.offers() if offer.blocking)
        return "" if self.state.round.turn is None else str(self.state.round.turn.company)

    def actor(self) -> int:
        """The seat of the one player who must act."""
        (actor,) = self.game.actors()
        return [player for player, _ in self.game.players].index(actor)


class Turns(Generic[Turn]):
    """An operating round of a second statement: one turn after another."""

    turn: Turn | None

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def now(self) -> Turn:
        assert self.turn is not None
        return self.turn


def compare_positions(found: Position, expected: Position) -> None:
    other = {name: (found.get(name), expected.get(name)) for name in found.keys() | expected.keys()}
    other = {name: pair for name, pair in other.items() if pair[0] != pair[1]}
    assert not other, f"engine, rules: {other}"


def fillings(game: Game, *kinds: str, entity: str = "") -> Iterator[tuple[Any, ...]]:
    """The values of every way to fill these offers, of one entity or of all."""
    for offer in (offer for kind in kinds for offer in game.offers(kind=kind)):
        if entity in ("", offer.entity):
            yield from (tuple(walk.chosen.values()) for walk in filled(OfferCursor(offer)))


# --- the engine's position --------------------------------------------------------------------------------------------


def table_seen(game: Game) -> Position:
    """What all titles have."""
    state = game.table.state
    return {
        "cash": [player.cash for player in state.players],
        "bank": state.bank,
        "phase": state.phase,
        "depot": state.depot,
        "junk": sorted(state.pool),
        "priority": state.priority,
    }


def table_said(world: Any) -> Position:
    """The same by a second statement."""
    return {
        "cash": [seat.cash for seat in world.seats],
        "bank": world.bank,
        "phase": world.phase,
        "depot": world.depot,
        "junk": sorted(world.junk),
        "priority": world.priority,
    }


def shares_seen(game: Game, company: Company) -> Position:
    """Where the shares of a company are, and who presides over it."""
    seats = {player.id: number for number, player in enumerate(game.table.state.players)}
    held = {number: company.percent(player) // company.share for player, number in seats.items()}
    return {
        "president": seats[company.president] if company.president else None,
        "shares": {player: shares for player, shares in held.items() if shares},
        "offering": company.percent(OFFERING) // company.share,
        "pool": company.percent(MARKET) // company.share,
        "cash": company.cash,
        "stands": stands(game, company.id),
    }


def shares_said(corporation: Any) -> Position:
    """The same by a second statement."""
    return {
        "president": corporation.president,
        "shares": {player: shares for player, shares in sorted(corporation.shares.items()) if shares},
        "offering": corporation.offering,
        "pool": corporation.pool,
        "cash": corporation.cash,
        "stands": sorted(corporation.stands),
    }


def stands(game: Game, company: str) -> list[str]:
    return sorted({coord for coord, _ in game.table.map.token_stops_of(company)})


def stacks(places: Iterator[tuple[Any, str]]) -> dict[Any, list[str]]:
    """Companies by their place on the market, in their order there."""
    found: dict[Any, list[str]] = {}
    for place, name in places:
        found.setdefault(place, []).append(name)
    return found
