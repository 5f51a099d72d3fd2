"""Tiny positions of a title, set directly instead of played, and short ways to act in them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import pytest

from engine.core.actions import build_action
from engine.core.errors import IllegalAction
from engine.core.events import Event
from engine.core.ids import MARKET, OFFERING, REMOVED, Cell
from engine.core.offers import Cursor, Domain, Offer, Suggestion
from engine.core.state import Company, CompanyTurn, Operating, Player, Stock
from engine.game import Game
from engine.play.rounds import OperatingRound
from engine.play.steps.base import CompanyStep, Request
from engine.tell.teller import Teller
from tests.support.legal_values import legal_values

TITLE = "18chesapeake"
NAMES = {"a": "Ann", "b": "Bob", "c": "Cy", "d": "Dee", "e": "Eve", "f": "Fay"}

SEED_OF_LINKED = {"PLE": 0, "C&A": 1, "B&O": 2, "PRR": 3, "LV": 4, "SRR": 5, "N&W": 6, "C&O": 7}
"""The seed that ties Vanderbilt's private to each company."""


def new_game(
    players: int = 3,
    seed: int = 0,
    profile: str = "rulebook",
    title: str = TITLE,
    options: Iterable[str] = (),
    from_log: int = 0,
) -> Game:
    """A game before its first action; seats a, b, c, ..."""
    return Game(title, list(NAMES.items())[:players], seed, profile, frozenset(options), from_log=from_log)


class Position:
    """Builds a position step by step; `game()` hands it over, settled. The privates nobody is given are closed."""

    def __init__(
        self,
        players: int = 3,
        linked: str = "PLE",
        profile: str = "rulebook",
        title: str = TITLE,
        options: Iterable[str] = (),
        from_log: int = 0,
    ) -> None:
        self._game = new_game(players, SEED_OF_LINKED[linked], profile, title, options, from_log)
        self.t = self._game.table
        self.state = self.t.state
        self.state.auction = None
        for private in self.state.privates.values():
            private.closed = True
        self._used: list[str] = []
        self.stock()

    # --- where the game stands --------------------------------------------------------------------------------

    def stock(self, turn: str = "a", number: int = 2, **facts: Any) -> Self:
        """In a stock round, this player's turn."""
        self.state.priority = self.state.seat(turn)
        self.state.round = Stock(number=number, turn=self.state.seat(turn), **facts)
        return self

    def operating(
        self, company: str, step: str = "track", *, number: int = 1, of: int = 1, **facts: Any
    ) -> Self:
        """In this company's turn, at this step; companies named in `operated` have had their turn."""
        had, sets = facts.pop("operated", []), facts.pop("set", 2)
        names = [one.name for one in turn_steps(self._game)]
        turn = CompanyTurn(company, done=names[: names.index(step)], **facts)
        self.state.round = Operating(set=sets, number=number, of=of, done=had, turn=turn)
        self._home(self.state.companies[company])
        return self

    def phase(self, name: str) -> Self:
        """Just after the first train of the phase was sold; earlier kinds are sold out."""
        phase = self.t.spec.phase(name)
        if phase.train is not None:
            names = list(self.state.depot)
            for earlier in names[: names.index(phase.train)]:
                self.state.depot[earlier] = 0
            left = self.state.depot[phase.train]
            self.state.depot[phase.train] = left - phase.nth if left is not None else left
        self.state.phase = name
        return self

    def depot(self, **left: int) -> Self:
        """New trains left in the bank, as `t4=2`."""
        self.state.depot.update({name[1:]: count for name, count in left.items()})
        return self

    def pool(self, *trains: str) -> Self:
        """Trains in the bank pool."""
        self.state.pool = list(trains)
        return self

    # --- who has what -----------------------------------------------------------------------------------------

    def cash(self, **amounts: int) -> Self:
        """Players' cash; the bank has the rest."""
        for player, amount in amounts.items():
            self._set_cash(self.state.player(player), amount)
        return self

    def treasury(self, company: str, amount: int) -> Self:
        """A company's cash; the bank has the rest."""
        self._set_cash(self.state.companies[company], amount)
        return self

    def bank(self, amount: int) -> Self:
        self.state.bank = amount
        return self

    def owns(self, owner: str, *privates: str, used: bool = False) -> Self:
        """A player or company owns open privates."""
        for name in privates:
            private = self.state.privates[name]
            private.owner, private.closed, private.power_used = owner, False, used
        return self

    def start(
        self,
        company: str,
        par: int,
        *,
        at: Cell | None = None,
        market: int = 0,
        removed: int = 0,
        **percents: int,
    ) -> Self:
        """A started company: percent held by each player, president first; `at` is (row, column) from 1."""
        found = self.state.companies[company]
        president = next(iter(percents))
        percents[president] -= found.certificate
        found.certificate_holder = president
        given = {**percents, MARKET: market, REMOVED: removed}
        found.shares = {holder: percent for holder, percent in given.items() if percent}
        left = 100 - found.certificate - sum(given.values())
        if left:
            found.shares[OFFERING] = left
        found.par = par
        self.t.enter_market(found, (at[0] - 1, at[1] - 1) if at else dict(self.t.grid.pars())[par])
        if left <= 40:
            found.floated = True
            self._set_cash(found, 10 * par)
            if len(self.state.players) == 2 and left:
                found.shares[MARKET] = found.shares.pop(OFFERING) + market
        return self

    def share_of(self, company: str, holder: str, percent: int = 10) -> Self:
        """A share of a company that is not started, as the private of the B&O brings it."""
        found = self.state.companies[company]
        found.shares[OFFERING] -= percent
        found.shares[holder] = percent
        return self

    def trains(self, company: str, *trains: str) -> Self:
        """A company's trains."""
        found = self.state.companies[company]
        found.trains = list(trains)
        found.trains_bought = len(trains)
        return self

    # --- the map ----------------------------------------------------------------------------------------------

    def tile(self, coord: str, tile: str, rotation: int = 0) -> Self:
        """A tile on the map."""
        self.t.map.lay(coord, tile, rotation)
        return self

    def token(self, company: str, coord: str, city: int = 0) -> Self:
        """A further token of a company, the cheapest left on its charter."""
        found = self.state.companies[company]
        self._home(found)
        found.tokens.pop(0)
        self.t.map.place_token(coord, city, company)
        return self

    def operated(self, *companies: str) -> Self:
        """Companies that have placed their home token."""
        for company in companies:
            self._home(self.state.companies[company])
        return self

    def game(self) -> Game:
        """The game in this position."""
        self._game._settle()
        return self._game

    def _home(self, company: Company) -> None:
        if not company.operated:
            company.operated = True
            company.tokens.pop(0)
            self.t.map.place_token(*self.t.map.homes[company.id], company.id)

    def _set_cash(self, holder: Player | Company, amount: int) -> None:
        self.state.bank += holder.cash - amount
        holder.cash = amount


# --- acting ------------------------------------------------------------------------------------------------------


def do(game: Game, kind: str, entity: str, *, actor: str | None = None, **chosen: Any) -> tuple[Event, ...]:
    """Do something that must be legal; the actor is the player who decides for the entity."""
    return game.apply(build_action(kind, actor or game.table.controlling_player(entity), entity, **chosen))


def passes(game: Game, *entities: str) -> None:
    """These pass, one after the other."""
    for entity in entities:
        do(game, "pass", entity)


def bid(game: Game, player: str, private: str, amount: int) -> None:
    """Bid, or buy the cheapest."""
    do(game, "bid", player, private=private, amount=amount)


def sell(game: Game, player: str, name: str, shares: int = 1) -> tuple[Event, ...]:
    """Sell shares together."""
    return do(game, "sell_shares", player, company=name, shares=shares)


def lay(game: Game, entity: str, hex: str, tile: str, rotation: int | None = None) -> tuple[Event, ...]:
    """Lay a tile, turned in the first legal way unless one is named."""
    found = rotations(game, entity, hex, tile)[0] if rotation is None else rotation
    return do(game, "lay_tile", entity, hex=hex, tile=tile, rotation=found)


def buy(
    game: Game, entity: str, train: str, price: int, source: str = "bank", trade_in: str = ""
) -> tuple[Event, ...]:
    """Buy a train."""
    deal: dict[str, Any] = {"train": train, "source": source, "trade_in": trade_in, "price": price}
    return do(game, "buy_train", entity, **deal)


def no_deal(
    game: Game, section: str, entity: str, train: str, price: int, source: str = "bank", trade_in: str = ""
) -> str:
    """Try to buy a train: it is refused."""
    deal: dict[str, Any] = {"train": train, "source": source, "trade_in": trade_in, "price": price}
    return refused(game, section, "buy_train", entity, **deal)


def refused(
    game: Game, section: str, kind: str, entity: str, *, actor: str | None = None, **chosen: Any
) -> str:
    """Try something illegal: it is refused with a sentence that names the section, and changes nothing.

    The section is left empty where no rule is needed, for things that do not exist.
    """
    action = build_action(kind, actor or game.table.controlling_player(entity), entity, **chosen)
    before, played = game.digest(), game.seq
    why = game.obstacle(Request(kind, action.actor, entity, chosen))
    assert why is not None, f"{action!r} is legal"
    with pytest.raises(IllegalAction) as caught:
        game.apply(action)
    sentence = tell(game).refusal(caught.value)
    assert sentence == tell(game).refusal(why)
    assert (game.digest(), game.seq) == (before, played)
    assert not section or f"({section})" in sentence or f"section {section}" in sentence, sentence
    return sentence


def tell(game: Game) -> Teller:
    return Teller(game.rules.spec, game.table.state)


def round_name(game: Game) -> str:
    """`SR 2`, `OR 2.1`."""
    return tell(game).round_name()


def label(game: Game, offer: Offer | Suggestion) -> str:
    """The label of an offer, or of a ready filling of one."""
    return tell(game).say(offer.label)


def labels(game: Game, found: Domain) -> list[str]:
    """The labels of the choices of a domain."""
    return [tell(game).say(choice.label) for choice in found.choices()]


def turn_steps(game: Game) -> Sequence[CompanyStep]:
    """The steps of a company's turn, in order."""
    operating = game.rules.ROUNDS["operating"]
    assert isinstance(operating, OperatingRound)
    return operating.turn


def kinds(game: Game, player: str | None = None) -> list[str]:
    """The kinds of blocking offers, of one player or all."""
    return [offer.kind for offer in game.offers(player) if offer.blocking]


def find(game: Game, kind: str, entity: str | None = None) -> Offer:
    """The offer of this kind (for this entity)."""
    found = [o for o in game.offers() if o.kind == kind and entity in {None, o.entity}]
    assert found, f"no offer to {kind} for {entity}; there are {[(o.kind, o.entity) for o in game.offers()]}"
    return found[0]


def offered(game: Game, kind: str, entity: str | None = None) -> bool:
    return any(o.kind == kind and entity in {None, o.entity} for o in game.offers())


def domain(game: Game, kind: str, entity: str, slot: str, **chosen: Any) -> Domain:
    """The domain of a slot of an offer, given earlier picks."""
    cursor = Cursor(find(game, kind, entity)).take(chosen)
    assert cursor.slot is not None
    assert cursor.slot.name == slot
    return cursor.domain


def values(game: Game, kind: str, entity: str, slot: str, **chosen: Any) -> list[Any]:
    """All legal values of a slot of an offer, given earlier picks."""
    return list(legal_values(domain(game, kind, entity, slot, **chosen)))


def train_deals(game: Game, company: str) -> Iterator[tuple[str, str, str, int, int]]:
    """Every train the company may buy: train, seller, train handed in, lowest and highest price."""
    offer = find(game, "buy_train", company)
    for train in values(game, "buy_train", company, "train"):
        for source in values(game, "buy_train", company, "source", train=train):
            for handed in values(game, "buy_train", company, "trade_in", train=train, source=source):
                price = Cursor(offer).take({"train": train, "source": source, "trade_in": handed}).domain
                prices = [choice.value for choice in price.choices() if isinstance(choice.value, int)]
                yield train, source, handed, prices[0], prices[-1]


def tiles_in(game: Game, entity: str, hex: str) -> list[str]:
    """Tiles on offer for a hex."""
    return values(game, "lay_tile", entity, "tile", hex=hex)


def rotations(game: Game, entity: str, hex: str, tile: str) -> list[int]:
    """In which ways a tile may be laid."""
    return values(game, "lay_tile", entity, "rotation", hex=hex, tile=tile)


def cash(game: Game) -> dict[str, int]:
    """Cash of every player."""
    return {player.id: player.cash for player in game.table.state.players}


def company(game: Game, name: str) -> Company:
    """A company's state."""
    return game.table.state.companies[name]


def price(game: Game, name: str) -> int:
    """The share price of a company."""
    return game.table.price(company(game, name))


def owner(game: Game, private: str) -> str | None:
    return game.table.state.privates[private].owner


def step(game: Game) -> str:
    """The name of the step that waits."""
    found = game.step()
    assert found is not None
    return found.name


def on_turn(game: Game) -> str:
    """The one player who has to act."""
    (player,) = game.actors()
    return player
