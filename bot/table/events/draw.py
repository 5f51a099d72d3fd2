"""Draws of an event: which entrants play together at which table, and in which seats.

In a good draw, all pairs of entrants meet equally often. A draw is measured by squaring each pair's number of meetings
and adding these squares; a lower sum is better. The sum is least if the numbers of meetings of any two pairs differ by
at most one.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, permutations, product
from math import gcd
from random import Random
from typing import Final, TypeAlias

Table: TypeAlias = tuple[int, ...]
"""The entrants at a table (in one game), by number, in seat order."""
LeastAndMost: TypeAlias = tuple[int, int]
_TableLists: TypeAlias = list[list[int]]
"""Tables during the search: each is a list of entrants, by index."""
_Block: TypeAlias = tuple[int, int]
"""Some of an entrant's games: (entrant, block number). A block has as many games as a table has seats."""

MAX_SEARCH_SWAPS: Final = 250_000
"""Maximum number of random swaps in each search. It ends earlier at the theoretical optimum."""
SWAPS_BETWEEN_COMPARISONS: Final = 1_000
"""Number of swaps after which the search compares its tables with the best ones so far."""
MAX_BASE_TABLE_SETS: Final = 120
"""Maximum number of random sets of base tables that are tried; see `_cyclic_tables`."""
MAX_BASE_TABLE_CHANGES: Final = 250
"""Maximum number of random changes to improve one set of base tables; see `_base_tables`."""
_SEARCH_SEED: Final = 7
"""Fixed random seed of the search, so that the same entrants always give an equally good draw.

With this seed, the search finds the known optimal designs of 16 players at tables of 6 and of 57 at tables of 8.
"""


class DrawImpossible(ValueError):  # noqa: N818 - an error is named after what is wrong
    """Raised when these entrants cannot be distributed over tables; `str()` is the sentence for the user."""


@dataclass(frozen=True)
class Draw:
    """A finished draw: tables, and measures of how even they are."""

    tables: tuple[Table, ...]

    @property
    def games(self) -> LeastAndMost:
        """The fewest and most games that any entrant plays."""
        return _least_and_most(Counter(chain.from_iterable(self.tables)).values())

    @property
    def meetings(self) -> LeastAndMost:
        """The fewest and most meetings (games together) of any two entrants."""
        earlier_meetings = meetings_of(self.tables)
        return _least_and_most(
            earlier_meetings[frozenset(pair)] for pair in combinations(self._entrants(), 2)
        )

    @property
    def seats(self) -> LeastAndMost:
        """The fewest and most games that any entrant plays in the same seat."""
        sat = Counter((entrant, seat) for table in self.tables for seat, entrant in enumerate(table))
        seats = range(max(map(len, self.tables), default=0))
        return _least_and_most(sat[both] for both in product(self._entrants(), seats))

    def quality_text(self) -> str:
        """The quality of the draw: `7 games, 4 each; every two meet twice; everybody sits in every seat once.`"""
        count, (least, most) = len(self.tables), self.meetings
        meetings = "any two players meet" if least == most else "two players meet"
        return (
            f"{count} game{'' if count == 1 else 's'}, {_range_text(self.games)} each;"
            f" {meetings} {_frequency_text(self.meetings)}; everybody sits in every seat {_frequency_text(self.seats)}."
        )

    def _entrants(self) -> list[int]:
        return sorted(set(chain.from_iterable(self.tables)))


def meetings_of(tables: Iterable[Sequence[int]]) -> Counter[frozenset[int]]:
    """The number of meetings (games together) of each pair of entrants."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def games_per_entrant_for_full_tables(entrants: int, table_size: int, games_each: int) -> int:
    """The smallest number of games per entrant, at least `games_each`, with which all tables are full."""
    step = table_size // gcd(entrants, table_size)
    return -(-games_each // step) * step


def draw_group(entrants: Sequence[int], table_size: int, games_each: int, seed: int) -> Draw:
    """Draw the games of a season's group; raises DrawImpossible.

    All entrants play the same number of games: `games_each`, or more if tables would not be full otherwise. A group
    smaller than `table_size` plays at one smaller table. Each entrant's games are spread evenly over the seats.
    """
    _require_distinct(entrants)
    if table_size < 2 or games_each < 1:
        raise DrawImpossible(
            "A group needs tables of 2 or more players, and 1 or more games for each player."
        )
    rng, labels = Random(seed), sorted(entrants)
    rng.shuffle(labels)
    size = min(table_size, len(labels))
    tables = _group_tables(
        len(labels), size, games_per_entrant_for_full_tables(len(labels), size, games_each)
    )
    rng.shuffle(tables)
    return Draw(_with_even_seats([[labels[index] for index in table] for table in tables]))


def draw_round(
    entrants: Sequence[int],
    table_size: int,
    sizes: Collection[int],
    earlier_meetings: Mapping[frozenset[int], int],
    seed: int,
    seeds_apart: Sequence[int] = (),
) -> Draw:
    """Draw one round of a tournament, in which each entrant plays once; raises DrawImpossible.

    Most tables have `table_size` players; the others have one player less or more, if `sizes` contains that number.
    Entrants who have met before (`earlier_meetings`) are kept apart where possible. `seeds_apart` are entrants, best
    first: as many of them as there are tables sit at different tables. Seats are random.
    """
    _require_distinct(entrants)
    rng, labels = Random(seed), sorted(entrants)
    rng.shuffle(labels)
    table_sizes_in_order = _sizes_of_round(len(labels), table_size, sizes)
    rng.shuffle(table_sizes_in_order)
    heads_apart = [head for head in dict.fromkeys(seeds_apart) if head in labels][: len(table_sizes_in_order)]
    labels = [*heads_apart, *(label for label in labels if label not in heads_apart)]
    meeting_counts = [
        [earlier_meetings.get(frozenset((one, other)), 0) for other in labels] for one in labels
    ]
    sum_without_repeats = _sum_of_squares(meeting_counts) + sum(
        size * (size - 1) // 2 for size in table_sizes_in_order
    )
    search = _TableSearch(
        _deal_seats(len(heads_apart), table_sizes_in_order), meeting_counts, fixed=len(heads_apart)
    )
    search.run(sum_without_repeats, rng)
    tables = [tuple(labels[index] for index in rng.sample(table, len(table))) for table in search.best]
    return Draw(tuple(rng.sample(tables, len(tables))))


def titles_of_tables(count: int, titles: Sequence[str], seed: int) -> tuple[str, ...]:
    """A random title for each of `count` tables; titles are used about equally often.

    Raises DrawImpossible if `titles` is empty.
    """
    if not titles:
        raise DrawImpossible("Choose at least one title.")
    rng = Random(seed)
    order = rng.sample(titles, len(titles))
    return tuple(rng.sample([order[table % len(order)] for table in range(count)], count))


def divided_into_groups(
    entrants: Sequence[int], group_size: int, smallest: int
) -> tuple[tuple[int, ...], ...]:
    """Divide entrants, best first, into groups of about `group_size`; raises DrawImpossible.

    Group sizes differ by at most one; the larger groups come last. Each group has at least `smallest` entrants.
    """
    _require_distinct(entrants)
    count = len(entrants)
    if count < smallest:
        raise DrawImpossible(f"A group needs at least {smallest} players; there are only {count}.")
    groups = min(
        range(1, count // max(smallest, 1) + 1), key=lambda groups: abs(Fraction(count, groups) - group_size)
    )
    each, larger = divmod(count, groups)
    remaining_entrants = iter(entrants)
    return tuple(
        tuple(islice(remaining_entrants, each + (number >= groups - larger))) for number in range(groups)
    )


def _require_distinct(entrants: Sequence[int]) -> None:
    if len(entrants) < 2:
        raise DrawImpossible("A draw needs 2 or more players.")
    if len(set(entrants)) < len(entrants):
        raise DrawImpossible("A player can enter only once.")


def _least_and_most(numbers: Iterable[int]) -> LeastAndMost:
    known = list(numbers)
    return min(known, default=0), max(known, default=0)


def _range_text(least_and_most: LeastAndMost) -> str:
    return (
        str(least_and_most[0])
        if least_and_most[0] == least_and_most[1]
        else f"{least_and_most[0]} to {least_and_most[1]}"
    )


def _frequency_text(least_and_most: LeastAndMost) -> str:
    return {(1, 1): "once", (2, 2): "twice"}.get(least_and_most, f"{_range_text(least_and_most)} times")


def _sizes_of_round(count: int, table_size: int, sizes: Collection[int]) -> list[int]:
    possible = [size for size in range(max(table_size - 1, 2), table_size + 2) if size in sizes]
    if not possible:
        raise DrawImpossible(f"None of the chosen titles can be played by {table_size} players.")
    max_full_tables = count // table_size if table_size in possible else 0
    for full, other in product(range(max_full_tables, -1, -1), (table_size - 1, table_size + 1)):
        left = count - full * table_size
        if not left or (other in possible and left % other == 0):
            return [table_size] * full + [other] * (left // other if left else 0)
    raise DrawImpossible(
        f"{count} players cannot be divided into tables of {' or '.join(map(str, possible))}."
    )


def _deal_seats(apart_count: int, sizes: Sequence[int]) -> _TableLists:
    others = iter(range(apart_count, sum(sizes)))
    tables = [[number] if number < apart_count else [next(others)] for number in range(len(sizes))]
    for table, size in zip(tables, sizes, strict=True):
        table += [next(others) for _ in range(size - 1)]
    return tables


def _group_tables(entrants: int, size: int, games: int) -> _TableLists:
    rng = Random(_SEARCH_SEED)
    lowest_sum = _lowest_sum_of_squares(entrants * games * (size - 1) // 2, entrants * (entrants - 1) // 2)
    searches: list[_TableSearch] = []
    for turns in sorted({games // size, 0}, reverse=True):
        start = _cyclic_tables(entrants, size, turns, rng) + _random_tables(
            entrants, size, games - turns * size, rng
        )
        search = _TableSearch(start, [[0] * entrants for _ in range(entrants)])
        search.run(lowest_sum, rng)
        searches.append(search)
        if search.squares == lowest_sum:
            break
    return min(searches, key=lambda search: search.quality).best


def _lowest_sum_of_squares(total: int, count: int) -> int:
    """The least possible sum of squares of `count` whole numbers that add up to `total`."""
    each, more = divmod(total, count)
    return (count - more) * each**2 + more * (each + 1) ** 2


def _sum_of_squares(meeting_counts: Sequence[Sequence[int]]) -> int:
    return sum(times**2 for row in meeting_counts for times in row) // 2


def _random_tables(entrants: int, size: int, games: int, rng: Random) -> _TableLists:
    games_to_assign = [games] * entrants
    tables: _TableLists = []
    for _ in range(entrants * games // size):
        table = sorted(range(entrants), key=lambda entrant: (-games_to_assign[entrant], rng.random()))[:size]
        for entrant in table:
            games_to_assign[entrant] -= 1
        tables.append(table)
    return tables


def _cyclic_tables(entrants: int, size: int, turns: int, rng: Random) -> _TableLists:
    """Tables made from base tables by adding 1, 2, 3 and so on to each member, modulo the number of entrants.

    All pairs of entrants whose numbers have the same difference meet equally often.
    """
    base_tables = _base_tables(entrants, size, turns, rng) if turns else []
    return [
        [(member + turn) % entrants for member in base] for base in base_tables for turn in range(entrants)
    ]


def _base_tables(entrants: int, size: int, count: int, rng: Random) -> _TableLists:
    """Base tables for `_cyclic_tables`, in which the differences between members occur about equally often.

    Differences are modulo `entrants`.
    """
    lowest_sum = _lowest_sum_of_squares(count * size * (size - 1), entrants - 1)
    candidates: list[tuple[int, _TableLists]] = []
    for _ in range(MAX_BASE_TABLE_SETS):
        base_tables = [rng.sample(range(entrants), size) for _ in range(count)]
        candidates.append((_even_out_differences(base_tables, entrants, lowest_sum, rng), base_tables))
        if candidates[-1][0] == lowest_sum:
            break
    return min(candidates)[1]


def _even_out_differences(base_tables: _TableLists, entrants: int, lowest_sum: int, rng: Random) -> int:
    differences = [0] * entrants
    for base in base_tables:
        for one, other in permutations(base, 2):
            differences[(one - other) % entrants] += 1
    squares = sum(times**2 for times in differences)
    for _ in range(MAX_BASE_TABLE_CHANGES):
        if squares == lowest_sum:
            break
        base = base_tables[int(rng.random() * len(base_tables))]
        place, new = int(rng.random() * len(base)), int(rng.random() * entrants)
        if new in base:
            continue
        changed, old = differences[:], base[place]
        for other in base:
            if other != old:
                # A negative index counts from the end, so this is the difference modulo `entrants`.
                changed[old - other] -= 1
                changed[other - old] -= 1
                changed[new - other] += 1
                changed[other - new] += 1
        if (squares_after := sum([times * times for times in changed])) <= squares:
            base[place], differences, squares = new, changed, squares_after
    return squares


class _TableSearch:
    """A search that makes tables more even by swapping entrants between tables.

    `meeting_counts` are each pair's earlier meetings; the constructor adds the meetings at these tables. The first
    entrant of each of the first `fixed` tables is never moved. A swap that leaves the sum of squares unchanged is
    accepted, since further swaps may then lower it.
    """

    def __init__(self, tables: _TableLists, meeting_counts: _TableLists, fixed: int = 0) -> None:
        self.best = tables
        self._tables = [list(table) for table in tables]
        self._members = [set(table) for table in tables]
        self._meeting_counts = meeting_counts
        for entrant, other_entrant in chain.from_iterable(permutations(table, 2) for table in tables):
            meeting_counts[entrant][other_entrant] += 1
        self.squares = _sum_of_squares(meeting_counts)
        self._movable = [
            (number, place)
            for number, table in enumerate(tables)
            for place in range(len(table))
            if place or number >= fixed
        ]
        self.quality = self._quality()

    def run(self, lowest_sum: int, rng: Random) -> None:
        movable, count = self._movable, len(self._movable)
        for step in range(1, 1 + (MAX_SEARCH_SWAPS if len(self._tables) > 1 else 0)):
            if self.squares <= lowest_sum:
                break
            self._try_swap(*movable[int(rng.random() * count)], *movable[int(rng.random() * count)])
            if step % SWAPS_BETWEEN_COMPARISONS == 0:
                self._keep_best_tables()
        self._keep_best_tables()

    def _quality(self) -> tuple[int, int]:
        of_pairs = [times for number, row in enumerate(self._meeting_counts) for times in row[:number]]
        return self.squares, max(of_pairs) - min(of_pairs)

    def _keep_best_tables(self) -> None:
        if (quality := self._quality()) < self.quality:
            self.quality, self.best = quality, [list(table) for table in self._tables]

    def _try_swap(self, number: int, place: int, other_number: int, other_place: int) -> None:
        entrant, other_entrant = self._tables[number][place], self._tables[other_number][other_place]
        members, other_members = self._members[number], self._members[other_number]
        # An entrant at both tables (or a swap within one table) leaves all meetings as they are.
        if entrant in other_members or other_entrant in members:
            return
        earlier_meetings, other_entrants_meetings = (
            self._meeting_counts[entrant],
            self._meeting_counts[other_entrant],
        )
        rise = (
            len(members)
            + len(other_members)
            - 2
            - 2 * len(members & other_members)
            - 2 * earlier_meetings[other_entrant]
        )
        for member in members:
            rise += other_entrants_meetings[member] - earlier_meetings[member]
        for member in other_members:
            rise += earlier_meetings[member] - other_entrants_meetings[member]
        if rise > 0:
            return
        self.squares += 2 * rise
        for member in members - {entrant}:
            self._count_meeting(entrant, member, -1)
            self._count_meeting(other_entrant, member, 1)
        for member in other_members - {other_entrant}:
            self._count_meeting(other_entrant, member, -1)
            self._count_meeting(entrant, member, 1)
        self._tables[number][place], self._tables[other_number][other_place] = other_entrant, entrant
        self._members[number] = members - {entrant} | {other_entrant}
        self._members[other_number] = other_members - {other_entrant} | {entrant}

    def _count_meeting(self, entrant: int, other_entrant: int, change: int) -> None:
        self._meeting_counts[entrant][other_entrant] += change
        self._meeting_counts[other_entrant][entrant] += change


def _with_even_seats(tables: Sequence[Sequence[int]]) -> tuple[Table, ...]:
    """The tables in seat order, with each entrant's games spread evenly over the seats; all tables must be full.

    This is an edge colouring: tables and entrants are nodes, seats are colours. Each entrant's games are divided into
    blocks of as many games as a table has seats (the last block may be shorter). By Koenig's theorem, each table and
    each block can have every seat at most once. If table and block have no free seat in common, two seats are exchanged
    along a path.
    """
    size = len(tables[0])
    played: Counter[int] = Counter()
    seating = _SeatAssignment()
    for number, table in enumerate(tables):
        for entrant in table:
            seating.give_seat((entrant, played[entrant] // size), number, size)
            played[entrant] += 1
    return tuple(
        tuple(seating.block_by_seat[number, seat][0] for seat in range(size)) for number in range(len(tables))
    )


class _SeatAssignment:
    def __init__(self) -> None:
        self.block_by_seat: dict[tuple[int, int], _Block] = {}
        """The entrant's block of games that has each seat, by (table number, seat)."""
        self._table: dict[tuple[_Block, int], int] = {}
        """The number of the table at which an entrant's block of games has a seat, by (block, seat)."""

    def give_seat(self, games_block: _Block, number: int, size: int) -> None:
        seat = next(seat for seat in range(size) if (number, seat) not in self.block_by_seat)
        other_seat = next(seat for seat in range(size) if (games_block, seat) not in self._table)
        path = list(self._seat_exchanges(games_block, seat, other_seat))
        for displaced_games_block, at, old, _ in path:
            del self.block_by_seat[at, old], self._table[displaced_games_block, old]
        for displaced_games_block, at, _, new in [*path, (games_block, number, -1, seat)]:
            self.block_by_seat[at, new], self._table[displaced_games_block, new] = displaced_games_block, at

    def _seat_exchanges(
        self, games_block: _Block, seat: int, other_seat: int
    ) -> Iterator[tuple[_Block, int, int, int]]:
        """Yield the exchanges that free a seat for `games_block`, each as (block, table number, old seat, new seat)."""
        while seat != other_seat and (number := self._table.get((games_block, seat))) is not None:
            yield games_block, number, seat, other_seat
            if (neighbour := self.block_by_seat.get((number, other_seat))) is None:
                break
            games_block = neighbour
            yield games_block, number, other_seat, seat
