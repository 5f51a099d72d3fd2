"""Tiny positions of 18NewEngland: minors on their spaces, majors, and merger rounds."""

from typing import Any, Self

from engine.core.state import Company, Merger
from tests.titles.builders import Position


class NewEngland(Position):
    """All fifteen minors are available, and the phase is 3 unless another one is named."""

    def __init__(self, players: int = 3, profile: str = "rulebook", phase: str = "3", **facts: Any) -> None:
        super().__init__(players, profile=profile, title="18newengland", **facts)
        for company in self.state.companies.values():
            company.waiting = False
        self.phase(phase)

    def minor(
        self, name: str, value: int, owner: str, *trains: str, treasury: int = 0, space: int = 0
    ) -> Self:
        """A player's minor on a space (0: the upper one) with its home on the map."""
        found = self.state.companies[name]
        found.par, found.certificate_holder, found.floated = value, owner, True
        cells = {(price, row): (row, column) for price, (row, column) in self.t.grid.spaces()}
        self.t.enter_market(found, cells[value, space])
        self._home(found)
        return self.trains(name, *trains).treasury(name, treasury)

    def major(self, name: str, par: int, *, price: int | None = None, treasury: int = 0, **held: int) -> Self:
        """A major that has operated, with percents of players (president first) and of the market."""
        row = [square.price if square else 0 for square in self.t.grid.rows[-1]]
        self.start(name, par, at=(3, row.index(price or par) + 1), **held)
        found = self.state.companies[name]
        found.floated = found.operated = True
        return self.treasury(name, treasury)

    def merging(self, *, number: int = 1) -> Self:
        """In the merger round after the first (or second) operating round of a set."""
        self.state.round = Merger(set=2, number=number, of=2)
        return self

    def _home(self, company: Company) -> None:
        if company.id in self.t.map.homes:
            super()._home(company)
        company.operated = True
