"""The token spaces of all stops, the tokens in them, and the tokens that take no space."""

from collections.abc import Sequence
from typing import Self

from engine.core.ids import CompanyId, Coord


class TokenSpaces:
    """The tokens on a map by stop. A stop is a hex and the index of the stop in the hex."""

    def __init__(self) -> None:
        self._companies_by_stop: dict[tuple[Coord, int], list[CompanyId | None]] = {}
        self._spaceless_companies_by_stop: dict[tuple[Coord, int], list[CompanyId]] = {}
        self._clear_cached_positions()

    def _clear_cached_positions(self) -> None:
        self._stops_by_company: dict[CompanyId, list[tuple[Coord, int]]] = {}
        self._full_stops: list[tuple[Coord, int]] | None = None

    def copy(self) -> Self:
        """An independent copy of the tokens."""
        copied = type(self)()
        copied._companies_by_stop = {
            stop: list(companies) for stop, companies in self._companies_by_stop.items()
        }
        copied._spaceless_companies_by_stop = {
            stop: list(companies) for stop, companies in self._spaceless_companies_by_stop.items()
        }
        return copied

    def token_spaces_at(self, stop: tuple[Coord, int]) -> Sequence[CompanyId | None]:
        """The token spaces of a stop (None: empty). Raises KeyError if there is no such stop."""
        return self._companies_by_stop[stop]

    def tokens_without_space_at(self, stop: tuple[Coord, int]) -> Sequence[CompanyId]:
        """Companies that have a token at the stop that takes no token space."""
        return self._spaceless_companies_by_stop.get(stop, [])

    def has_token(self, company: CompanyId, stop: tuple[Coord, int]) -> bool:
        """True if the company has a token at the stop, in a token space or without one."""
        return company in self._companies_by_stop[stop] or company in self._spaceless_companies_by_stop.get(
            stop, ()
        )

    def stops_with_token_of(self, company: CompanyId) -> list[tuple[Coord, int]]:
        """The stops where the company has a token, in order of their coordinates."""
        token_stops = self._stops_by_company.get(company)
        if token_stops is None:
            stops_with_space = [
                stop for stop, companies in self._companies_by_stop.items() if company in companies
            ]
            stops_without_space = [
                stop for stop, companies in self._spaceless_companies_by_stop.items() if company in companies
            ]
            token_stops = self._stops_by_company[company] = sorted({*stops_with_space, *stops_without_space})
        return list(token_stops)

    def full_stops_without_token_of(self, *companies: CompanyId) -> list[tuple[Coord, int]]:
        """Stops that have no free token space and no token of the given companies."""
        if self._full_stops is None:
            self._full_stops = [
                stop
                for stop, companies in self._companies_by_stop.items()
                if companies and None not in companies
            ]
        full_stops = self._full_stops
        for company in companies:
            full_stops = [stop for stop in full_stops if not self.has_token(company, stop)]
        return full_stops

    def add_spaces(self, stop: tuple[Coord, int], count: int) -> None:
        """Add `count` empty token spaces to a stop."""
        self._clear_cached_positions()
        self._companies_by_stop.setdefault(stop, []).extend([None] * count)

    def set_tokens(self, stop: tuple[Coord, int], tokens: Sequence[CompanyId | None]) -> None:
        """Set the tokens of a stop: the company in each token space (None: empty)."""
        self._clear_cached_positions()
        self._companies_by_stop[stop][:] = tokens

    def put_token(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Place a token in the first free space of the stop. Raises ValueError if there is none."""
        spaces = self._companies_by_stop[stop]
        if None not in spaces:
            raise ValueError(f"no vacant space for {company} in {stop[0]}, stop {stop[1]}")
        self._clear_cached_positions()
        spaces[spaces.index(None)] = company

    def put_token_without_space(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Place a token that takes no token space."""
        self._clear_cached_positions()
        self._spaceless_companies_by_stop.setdefault(stop, []).append(company)

    def take_token(self, stop: tuple[Coord, int], company: CompanyId) -> None:
        """Remove a company's token, preferably one without a token space. Raises ValueError if there is none."""
        self._clear_cached_positions()
        if company in self.tokens_without_space_at(stop):
            self._spaceless_companies_by_stop[stop].remove(company)
        else:
            spaces = self._companies_by_stop[stop]
            spaces[spaces.index(company)] = None

    def replace_token(self, stop: tuple[Coord, int], old_company: CompanyId, new_company: CompanyId) -> None:
        """Replace a company's token with another company's, in the same place. Raises ValueError if there is none."""
        self._clear_cached_positions()
        if old_company in self._companies_by_stop[stop]:
            self._companies_by_stop[stop][self._companies_by_stop[stop].index(old_company)] = new_company
        else:
            self._spaceless_companies_by_stop[stop][self.tokens_without_space_at(stop).index(old_company)] = (
                new_company
            )

    def move_to_new_stops(self, coord: Coord, new_stops: Sequence[int], space_counts: Sequence[int]) -> None:
        """Move the tokens of a hex to the stops of its new tile.

        `new_stops` has the new index of each old stop; `space_counts` has the number of token spaces of each new stop.
        """
        if not new_stops and not space_counts:
            return
        self._clear_cached_positions()
        old_spaces = [self._companies_by_stop.pop((coord, old_stop)) for old_stop in range(len(new_stops))]
        old_spaceless_companies = [
            self._spaceless_companies_by_stop.pop((coord, old_stop), []) for old_stop in range(len(new_stops))
        ]
        for new_stop, count in enumerate(space_counts):
            self._companies_by_stop[coord, new_stop] = [None] * count
        for old_stop, new_stop in enumerate(new_stops):
            for company in old_spaceless_companies[old_stop]:
                self.put_token_without_space((coord, new_stop), company)
            _move_tokens(old_spaces[old_stop], self._companies_by_stop[coord, new_stop])

    def occupied_stops(self) -> list[tuple[Coord, int, list[CompanyId | None]]]:
        """(hex, index of the stop, company in each token space) for each stop with a token in a space."""
        return [
            (*stop, list(companies))
            for stop, companies in sorted(self._companies_by_stop.items())
            if any(companies)
        ]

    def tokens_without_space(self) -> list[tuple[Coord, int, list[CompanyId]]]:
        """(hex, index of the stop, companies) for each stop with tokens that take no space."""
        return [
            (*stop, list(companies))
            for stop, companies in sorted(self._spaceless_companies_by_stop.items())
            if companies
        ]


def _move_tokens(old_spaces: Sequence[CompanyId | None], new_spaces: list[CompanyId | None]) -> None:
    """Move each token to the same space of the new stop if that is free, else to the first free space."""
    for index, company in enumerate(old_spaces):
        if company is not None:
            can_stay = index < len(new_spaces) and new_spaces[index] is None
            new_spaces[index if can_stay else new_spaces.index(None)] = company
