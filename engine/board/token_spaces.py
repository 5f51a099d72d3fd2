"""Token spaces of all stops, the tokens in them, and the tokens that take no space."""

from collections.abc import Sequence
from typing import Self

from engine.core.ids import CompanyId, Coord


class TokenSpaces:
    """The tokens on a map by stop; a stop is a hex and the index of the stop in it."""

    def __init__(self) -> None:
        self._within: dict[tuple[Coord, int], list[CompanyId | None]] = {}
        self._spaceless: dict[tuple[Coord, int], list[CompanyId]] = {}
        self._forget_positions()

    def _forget_positions(self) -> None:
        """Forget cached positions of tokens; called before each change."""
        self._of: dict[CompanyId, list[tuple[Coord, int]]] = {}
        self._full: list[tuple[Coord, int]] | None = None

    def copy(self) -> Self:
        """An independent copy of the tokens."""
        copied = type(self)()
        copied._within = {stop: list(companies) for stop, companies in self._within.items()}
        copied._spaceless = {stop: list(companies) for stop, companies in self._spaceless.items()}
        return copied

    def spaces_of(self, stop: tuple[Coord, int]) -> Sequence[CompanyId | None]:
        """The spaces of a stop. Raises KeyError if there is no such stop."""
        return self._within[stop]

    def without_space_at(self, stop: tuple[Coord, int]) -> Sequence[CompanyId]:
        """Companies with a token at the stop that takes no space."""
        return self._spaceless.get(stop, [])

    def has_token(self, company: CompanyId, stop: tuple[Coord, int]) -> bool:
        """True if the company has a token at the stop, in a space or without one."""
        return company in self._within[stop] or company in self._spaceless.get(stop, ())

    def stops_of(self, company: CompanyId) -> list[tuple[Coord, int]]:
        """The stops where the company has a token, in order of their coordinates."""
        tokens = self._of.get(company)
        if tokens is None:
            stops_with_space = [stop for stop, companies in self._within.items() if company in companies]
            stops_without_space = [
                stop for stop, companies in self._spaceless.items() if company in companies
            ]
            tokens = self._of[company] = sorted({*stops_with_space, *stops_without_space})
        return list(tokens)

    def full_stops_without(self, *companies: CompanyId) -> list[tuple[Coord, int]]:
        """The stops whose spaces are all taken and where none of these companies has a token."""
        if self._full is None:
            self._full = [
                stop for stop, companies in self._within.items() if companies and None not in companies
            ]
        full_stops = self._full
        for company in companies:
            full_stops = [stop for stop in full_stops if not self.has_token(company, stop)]
        return full_stops

    def add_spaces(self, stop: tuple[Coord, int], count: int) -> None:
        """Add empty spaces to a stop."""
        self._forget_positions()
        self._within.setdefault(stop, []).extend([None] * count)

    def set_tokens(self, stop: tuple[Coord, int], tokens: Sequence[CompanyId | None]) -> None:
        """Set the tokens of a stop: one company for each space; None: empty."""
        self._forget_positions()
        self._within[stop][:] = tokens

    def put_token(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Place a token in the first free space. Raises ValueError if there is none."""
        spaces = self._within[stop]
        if None not in spaces:
            raise ValueError(f"no vacant space for {company} in {stop[0]}, stop {stop[1]}")
        self._forget_positions()
        spaces[spaces.index(None)] = company

    def put_without_space(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Place a token that takes no space."""
        self._forget_positions()
        self._spaceless.setdefault(stop, []).append(company)

    def take_token(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Remove a token, preferably one without a space. Raises ValueError if the company has none there."""
        self._forget_positions()
        if company in self.without_space_at(stop):
            self._spaceless[stop].remove(company)
        else:
            spaces = self._within[stop]
            spaces[spaces.index(company)] = None

    def replace_token(self, stop: tuple[Coord, int], old: CompanyId, new: CompanyId) -> None:
        """Replace a token with another company's, in its space or without one. Raises ValueError if there is none."""
        self._forget_positions()
        if old in self._within[stop]:
            self._within[stop][self._within[stop].index(old)] = new
        else:
            self._spaceless[stop][self.without_space_at(stop).index(old)] = new

    def move_to_new_stops(self, coord: Coord, new_stops: Sequence[int], space_counts: Sequence[int]) -> None:
        """Move the tokens of a hex to its new stops: `new_stops` has the new index of each old stop, `space_counts` the
        number of spaces of each new stop.
        """
        if not new_stops and not space_counts:
            return
        self._forget_positions()
        old_spaces = [self._within.pop((coord, old)) for old in range(len(new_stops))]
        old_spaceless = [self._spaceless.pop((coord, old), []) for old in range(len(new_stops))]
        for new, count in enumerate(space_counts):
            self._within[coord, new] = [None] * count
        for old, new in enumerate(new_stops):
            for company in old_spaceless[old]:
                self.put_without_space((coord, new), company)
            _move_tokens(old_spaces[old], self._within[coord, new])

    def occupied_stops(self) -> list[tuple[Coord, int, list[CompanyId | None]]]:
        """The spaces of each stop with at least one token in them."""
        return [
            (*stop, list(companies)) for stop, companies in sorted(self._within.items()) if any(companies)
        ]

    def without_space(self) -> list[tuple[Coord, int, list[CompanyId]]]:
        """The tokens without a space, by stop."""
        return [(*stop, list(companies)) for stop, companies in sorted(self._spaceless.items()) if companies]


def _move_tokens(old: Sequence[CompanyId | None], new: list[CompanyId | None]) -> None:
    """Move each token to the same space of the new stop if it is free, else to the first free space."""
    for index, company in enumerate(old):
        if company is not None:
            can_stay = index < len(new) and new[index] is None
            new[index if can_stay else new.index(None)] = company
