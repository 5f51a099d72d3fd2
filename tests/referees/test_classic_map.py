"""The second statement of the maps of the classic titles looks at random games: lays, stations and best runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from random import Random

import pytest

from engine.caretaker import choose_move
from engine.core.events import Event
from engine.core.events.company_events import StepSkipped, TileLaid
from engine.core.offers import OfferCursor
from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from tests.referees.classic.land import Land
from tests.referees.classic.revenue import best_run
from tests.referees.classic.stations import (
    founding_homes,
    home_choices,
    legal_stations,
    movable,
    neutral_stations,
    power_stations,
)
from tests.referees.classic.track import PAID, lay_cost, legal_lays, power_lays
from tests.referees.newengland.reach import Lay, TooManyTrailsError
from tests.support.legal_values import filled
from tests.support.players.random_play import RandomPlayer

MAX_ACTIONS = 4000
BUILDER = "Conductor"
"""The strength of a player whose companies build track and buy trains that chance seldom does."""
COMPARED, OFTEN = 0.25, 0.5
"""Shares of the lays and best runs that are compared, in short and in long runs; stations are all compared."""
KINDS = ("lay_tile", "place_token", "run", "paid", "token passed over")
Values = tuple[object, ...]


class Onlooker:
    """A game, and the second statement of its map."""

    def __init__(self, game: Game, seed: int, share: float, *, built: bool = False) -> None:
        """`built`: the first player builds sensibly."""
        self.game = game
        self.built = built
        self.share = share
        self.chance = Random(seed)
        self.seen: Counter[str] = Counter()
        self.second = False
        """True if the company in turn has laid a tile."""

    def follow(self, actions: int) -> None:
        player = RandomPlayer(self.game.seed)
        while not self.game.is_over and self.game.seq < actions:
            self.look()
            before = Land.of(self.game)
            self.second = self._turn is not None and bool(self._turn.laid)
            builds = self.built and self.game.actors()[0] == "p0"
            action = (
                choose_move(self.game, "p0", self.game.seed, BUILDER) if builds else player.choose(self.game)
            )
            self.note(before, self.game.apply(action))

    def note(self, before: Land, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, TileLaid):
                self._paid(before, event)
            elif isinstance(event, StepSkipped):
                self._skipped(event)

    def look(self) -> None:
        step, turn = self.game.step(), self._turn
        if step is None or self.game.proposal is not None:
            return
        land = Land.of(self.game)
        if turn is not None:
            company = turn.company
            match step.name:
                case "track":
                    self._compare("lay_tile", company, partial(self._lays, land, turn))
                case "token":
                    self._compare("place_token", company, partial(legal_stations, land, company))
                    if land.title == "1882":
                        self._compare("place_token", "CN", partial(neutral_stations, land, company))
                case "home_choice":
                    owner, coord = self._home_due(turn)
                    self._compare("place_token", "", partial(home_choices, land, owner, coord))
                case "run":
                    self._compare_run(land, company)
        elif step.name == "founding_home":
            self._compare("place_token", "SC", partial(founding_homes, land))
            self._compare(
                "place_token", "CN", lambda: {(coord, end - 6) for coord, end in land.stations("CN")}
            )
        self._compare_powers(land, "" if turn is None else turn.company)

    @property
    def _turn(self) -> CompanyTurn | None:
        here = self.game.table.state.round
        return here.turn if isinstance(here, Operating) else None

    def _home_due(self, turn: CompanyTurn) -> tuple[str, str]:
        """The company whose token needs a city, and the hex."""
        if turn.home_due is None:
            return turn.taken_up[0]
        home = self.game.rules.spec.companies[turn.home_due].home
        assert home is not None
        return turn.home_due, home.hex

    def _lays(self, land: Land, turn: CompanyTurn) -> set[Lay]:
        first = "double_yellow_first_or" in self.game.options or land.title == "18ms"
        two_yellow = land.title == "1882" or (turn.first and first)
        return legal_lays(land, turn.company, laid=turn.laid, two_yellow=two_yellow)

    def _compare_powers(self, land: Land, company: str) -> None:
        """Whatever is offered for a private is all that may be done with it."""
        rules: dict[str, Callable[[Land, str, str], Set[Values]]]
        rules = {"lay_tile": power_lays, "place_token": power_stations, "return_token": _movable}
        for kind, private in {(offer.kind, offer.entity) for offer in self.game.offers()}:
            if kind in rules and private not in self.game.table.state.companies:
                self._compare(kind, private, partial(rules[kind], land, company, private))

    def _compare(self, kind: str, entity: str, legal: Callable[[], Set[Values]]) -> None:
        if kind == "lay_tile" and self.chance.random() > self.share:
            return
        name = kind if not entity or entity in self.game.table.state.companies else f"{kind} by {entity}"
        try:
            expected = legal()
        except TooManyTrailsError:
            self.seen[f"{name} left open"] += 1
            return
        found = set(self._offered(kind, entity))
        more, less = found - expected, expected - found
        assert found == expected, (name, entity, "only the engine", more, "only the rules", less)
        self.seen[name] += 1
        self.seen[f"{kind} values"] += len(found)

    def _offered(self, kind: str, entity: str) -> Iterator[Values]:
        for offer in self.game.offers(kind=kind):
            if not entity or offer.entity == entity:
                yield from (tuple(walk.chosen.values()) for walk in filled(OfferCursor(offer)))

    def _compare_run(self, land: Land, company: str) -> None:
        if self.chance.random() > self.share:
            return
        found = self.game.best_run()
        try:
            most = best_run(land, company)
        except TooManyTrailsError:
            self.seen["run left open"] += 1
            return
        assert found.revenue <= most <= found.upper_bound, (company, found, most)
        self.seen["run" if found.revenue == found.upper_bound else "run not proven"] += 1

    def _paid(self, land: Land, event: TileLaid) -> None:
        """A lay costs what the second statement says; most powers are free."""
        lay, second = (event.hex, event.tile, event.rotation), self.second and event.private is None
        pays = event.private is None or event.private in PAID
        assert event.cost == (lay_cost(land, event.company, lay, second=second) if pays else 0), event
        self.seen["paid"] += 1

    def _skipped(self, event: StepSkipped) -> None:
        """A step on the map that was passed over left nothing to do."""
        if event.step not in ("track", "token", "run"):
            return
        if event.step == "track" and self.chance.random() > self.share:
            return
        land = Land.of(self.game)
        try:
            match event.step:
                case "track":
                    left: object = legal_lays(land, event.company)
                case "token":
                    left = legal_stations(land, event.company)
                case _:
                    left = best_run(land, event.company)
        except TooManyTrailsError:
            self.seen[f"{event.step} passed over, left open"] += 1
            return
        assert not left, (event, left)
        self.seen[f"{event.step} passed over"] += 1


def _movable(land: Land, company: str, private: str) -> Set[Values]:
    del private
    return movable(land, company)


@pytest.mark.parametrize("title", ["1830", "1882", "1889", "18ga", "18ms"])
def test_maps_of_classic_titles(title: str, game_seed: int, whole_games: bool) -> None:
    """Lays and their cost, stations, powers of privates on the map, best runs, and steps that were passed over."""
    seen = Counter[str]()
    for players in (3, 4 if title == "18ms" else 5):
        seats = [(f"p{number}", f"Player {number}") for number in range(players)]
        share = OFTEN if whole_games else COMPARED
        onlooker = Onlooker(Game(title, seats, game_seed), game_seed, share, built=whole_games)
        onlooker.follow(MAX_ACTIONS)
        seen += onlooker.seen
    assert all(seen[kind] for kind in KINDS), seen
