"""Tiny positions of a title, set directly instead of played, and games in which they are played on."""

from collections.abc import Iterable
from typing import Any, Self

from engine.core.ids import MARKET, OFFERING, REMOVED, Cell
from engine.core.state import Company, CompanyTurn, Operating, Player, Stock
from engine.game import Game
from tests.titles import playing

TITLE = "18chesapeake"
NAMES = {"a": "Ann", "b": "Bob", "c": "Cy", "d": "Dee", "e": "Eve", "f": "Fay"}

SEED_OF_LINKED = {"PLE": 0, "C&A": 1, "B&O": 2, "PRR": 3, "LV": 4, "SRR": 5, "N&W": 6, "C&O": 7}
"""The seed that ties Vanderbilt's private to each company."""


class TitleGame(Game):
    """A game that is acted in and asked by its methods: `game.sell("a", "PRR")`, `game.price("PRR")`."""

    do = playing.do
    passes = playing.passes
    bid = playing.bid
    sell = playing.sell
    lay = playing.lay
    buy = playing.buy
    no_deal = playing.no_deal
    refused = playing.refused
    tell = playing.tell
    round_name = playing.round_name
    label = playing.label
    labels = playing.labels
    kinds = playing.kinds
    find = playing.find
    offered = playing.offered
    domain = playing.domain
    values = playing.values
    train_deals = playing.train_deals
    tiles_in = playing.tiles_in
    rotations = playing.rotations
    cash = playing.cash
    company = playing.company
    price = playing.price
    owner = playing.owner
    step_name = playing.step
    on_turn = playing.on_turn


def new_game(
    players: int = 3,
    seed: int = 0,
    profile: str = "",
    title: str = TITLE,
    options: Iterable[str] = (),
    from_log: int = 0,
) -> TitleGame:
    """A game before its first action; seats a, b, c, ..."""
    return TitleGame(
        title, list(NAMES.items())[:players], seed, profile, frozenset(options), from_log=from_log
    )


class Position:
    """Builds a position step by step; `game()` hands it over, settled. The privates nobody is given are closed."""

    def __init__(
        self,
        players: int = 3,
        linked: str = "PLE",
        profile: str = "",
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
        names = [one.name for one in playing.turn_steps(self._game)]
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
            for face in self.t.spec.faces(phase.train):
                self.state.depot[face] = left - phase.train_number if left is not None else left
        self.state.phase = name
        return self

    def depot(self, **left: int) -> Self:
        """New trains left in the bank, as `t4=2`."""
        self.state.depot.update({name[1:]: count for name, count in left.items()})
        return self

    def pool(self, *trains: str) -> Self:
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
        found = self.state.companies[company]
        found.trains = list(trains)
        found.trains_bought = len(trains)
        return self

    # --- the map ----------------------------------------------------------------------------------------------

    def tile(self, coord: str, tile: str, rotation: int = 0) -> Self:
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

    def game(self) -> TitleGame:
        self._game._skip_idle_steps()
        return self._game

    def _home(self, company: Company) -> None:
        if not company.operated:
            company.operated = True
            if not self.t.map.token_stops_of(company.id):
                company.tokens.pop(0)
                self.t.map.place_token(*self.t.map.homes[company.id], company.id)

    def _set_cash(self, holder: Player | Company, amount: int) -> None:
        self.state.bank += holder.cash - amount
        holder.cash = amount


do, passes, find, kinds, offered = playing.do, playing.passes, playing.find, playing.kinds, playing.offered
cash, company, values, train_deals = playing.cash, playing.company, playing.values, playing.train_deals
on_turn, round_name, tell, turn_steps = playing.on_turn, playing.round_name, playing.tell, playing.turn_steps
"""The same for games of any making."""
