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
MinAndMax: TypeAlias = tuple[int, int]
_TableLists: TypeAlias = list[list[int]]
"""Tables during the search: each is a list of entrants, by index."""
_GamesBlock: TypeAlias = tuple[int, int]
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
    def games_range(self) -> MinAndMax:
        """The fewest and most games that any entrant plays."""
        return _min_and_max(Counter(chain.from_iterable(self.tables)).values())

    @property
    def meetings_range(self) -> MinAndMax:
        """The fewest and most meetings (games together) of any two entrants."""
        meeting_counts = meetings_of(self.tables)
        return _min_and_max(meeting_counts[frozenset(pair)] for pair in combinations(self._entrants(), 2))

    @property
    def seats_range(self) -> MinAndMax:
        """The fewest and most games that any entrant plays in the same seat."""
        seat_counts = Counter((entrant, seat) for table in self.tables for seat, entrant in enumerate(table))
        seats = range(max(map(len, self.tables), default=0))
        return _min_and_max(
            seat_counts[entrant_and_seat] for entrant_and_seat in product(self._entrants(), seats)
        )

    def quality_text(self) -> str:
        """The quality of the draw: `7 games, 4 each; every two meet twice; everybody sits in every seat once.`"""
        count, (fewest_meetings, most_meetings) = len(self.tables), self.meetings_range
        meetings = "any two players meet" if fewest_meetings == most_meetings else "two players meet"
        return (
            f"{count} game{'' if count == 1 else 's'}, {_range_text(self.games_range)} each;"
            f" {meetings} {_frequency_text(self.meetings_range)};"
            f" everybody sits in every seat {_frequency_text(self.seats_range)}."
        )

    def _entrants(self) -> list[int]:
        return sorted(set(chain.from_iterable(self.tables)))


def meetings_of(tables: Iterable[Sequence[int]]) -> Counter[frozenset[int]]:
    """The number of meetings (games together) of each pair of entrants."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def games_per_entrant_for_full_tables(entrant_count: int, table_size: int, games_each: int) -> int:
    """The smallest number of games per entrant, at least `games_each`, with which all tables are full."""
    step = table_size // gcd(entrant_count, table_size)
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
    rng, shuffled_entrants = Random(seed), sorted(entrants)
    rng.shuffle(shuffled_entrants)
    size = min(table_size, len(shuffled_entrants))
    tables = _group_tables(
        len(shuffled_entrants),
        size,
        games_per_entrant_for_full_tables(len(shuffled_entrants), size, games_each),
    )
    rng.shuffle(tables)
    return Draw(_with_even_seats([[shuffled_entrants[index] for index in table] for table in tables]))


def draw_round(
    entrants: Sequence[int],
    table_size: int,
    allowed_sizes: Collection[int],
    earlier_meetings: Mapping[frozenset[int], int],
    seed: int,
    entrants_apart: Sequence[int] = (),
) -> Draw:
    """Draw one round of a tournament, in which each entrant plays once; raises DrawImpossible.

    Most tables have `table_size` players; the others have one player less or more, if `allowed_sizes` contains that
    number. Entrants who have met before (`earlier_meetings`) are kept apart where possible. `entrants_apart` are
    entrants who sit at different tables, best first; if they are more than the tables, the last ones sit anywhere.
    Seats are random.
    """
    _require_distinct(entrants)
    rng, shuffled_entrants = Random(seed), sorted(entrants)
    rng.shuffle(shuffled_entrants)
    table_sizes_in_order = _sizes_of_round(len(shuffled_entrants), table_size, allowed_sizes)
    rng.shuffle(table_sizes_in_order)
    entrants_to_separate = [
        candidate for candidate in dict.fromkeys(entrants_apart) if candidate in shuffled_entrants
    ][: len(table_sizes_in_order)]
    shuffled_entrants = [
        *entrants_to_separate,
        *(entrant for entrant in shuffled_entrants if entrant not in entrants_to_separate),
    ]
    meeting_counts = [
        [
            earlier_meetings.get(frozenset((first_entrant, second_entrant)), 0)
            for second_entrant in shuffled_entrants
        ]
        for first_entrant in shuffled_entrants
    ]
    sum_without_repeats = _sum_of_squares(meeting_counts) + sum(
        size * (size - 1) // 2 for size in table_sizes_in_order
    )
    search = _TableSearch(
        _deal_seats(len(entrants_to_separate), table_sizes_in_order),
        meeting_counts,
        fixed_table_count=len(entrants_to_separate),
    )
    search.run(sum_without_repeats, rng)
    tables = [
        tuple(shuffled_entrants[index] for index in rng.sample(table, len(table)))
        for table in search.best_tables
    ]
    return Draw(tuple(rng.sample(tables, len(tables))))


def titles_of_tables(count: int, titles: Sequence[str], seed: int) -> tuple[str, ...]:
    """A random title for each of `count` tables; titles are used about equally often.

    Raises DrawImpossible if `titles` is empty.
    """
    if not titles:
        raise DrawImpossible("Choose at least one title.")
    rng = Random(seed)
    shuffled_titles = rng.sample(titles, len(titles))
    return tuple(rng.sample([shuffled_titles[table % len(shuffled_titles)] for table in range(count)], count))


def divide_into_groups(
    entrants: Sequence[int], group_size: int, min_group_size: int
) -> tuple[tuple[int, ...], ...]:
    """Divide entrants, best first, into groups of about `group_size`; raises DrawImpossible.

    Group sizes differ by at most one; the larger groups come last. Each group has at least `min_group_size` entrants.
    """
    _require_distinct(entrants)
    count = len(entrants)
    if count < min_group_size:
        raise DrawImpossible(f"A group needs at least {min_group_size} players; there are only {count}.")
    group_count = min(
        range(1, count // max(min_group_size, 1) + 1),
        key=lambda group_count: abs(Fraction(count, group_count) - group_size),
    )
    smaller_group_size, larger_group_count = divmod(count, group_count)
    remaining_entrants = iter(entrants)
    return tuple(
        tuple(islice(remaining_entrants, smaller_group_size + (number >= group_count - larger_group_count)))
        for number in range(group_count)
    )


def _require_distinct(entrants: Sequence[int]) -> None:
    if len(entrants) < 2:
        raise DrawImpossible("A draw needs 2 or more players.")
    if len(set(entrants)) < len(entrants):
        raise DrawImpossible("A player can enter only once.")


def _min_and_max(numbers: Iterable[int]) -> MinAndMax:
    values = list(numbers)
    return min(values, default=0), max(values, default=0)


def _range_text(min_and_max: MinAndMax) -> str:
    return (
        str(min_and_max[0]) if min_and_max[0] == min_and_max[1] else f"{min_and_max[0]} to {min_and_max[1]}"
    )


def _frequency_text(min_and_max: MinAndMax) -> str:
    return {(1, 1): "once", (2, 2): "twice"}.get(min_and_max, f"{_range_text(min_and_max)} times")


def _sizes_of_round(count: int, table_size: int, allowed_sizes: Collection[int]) -> list[int]:
    possible_sizes = [size for size in range(max(table_size - 1, 2), table_size + 2) if size in allowed_sizes]
    if not possible_sizes:
        raise DrawImpossible(f"None of the chosen titles can be played by {table_size} players.")
    max_full_tables = count // table_size if table_size in possible_sizes else 0
    for full_table_count, other_size in product(
        range(max_full_tables, -1, -1), (table_size - 1, table_size + 1)
    ):
        remaining_count = count - full_table_count * table_size
        if not remaining_count or (other_size in possible_sizes and remaining_count % other_size == 0):
            return [table_size] * full_table_count + [other_size] * (
                remaining_count // other_size if remaining_count else 0
            )
    raise DrawImpossible(
        f"{count} players cannot be divided into tables of {' or '.join(map(str, possible_sizes))}."
    )


def _deal_seats(apart_count: int, sizes: Sequence[int]) -> _TableLists:
    others = iter(range(apart_count, sum(sizes)))
    tables = [[number] if number < apart_count else [next(others)] for number in range(len(sizes))]
    for table, size in zip(tables, sizes, strict=True):
        table += [next(others) for _ in range(size - 1)]
    return tables


def _group_tables(entrant_count: int, size: int, games_each: int) -> _TableLists:
    rng = Random(_SEARCH_SEED)
    lowest_sum = _lowest_sum_of_squares(
        entrant_count * games_each * (size - 1) // 2, entrant_count * (entrant_count - 1) // 2
    )
    searches: list[_TableSearch] = []
    for base_table_count in sorted({games_each // size, 0}, reverse=True):
        first_tables = _cyclic_tables(entrant_count, size, base_table_count, rng) + _random_tables(
            entrant_count, size, games_each - base_table_count * size, rng
        )
        search = _TableSearch(first_tables, [[0] * entrant_count for _ in range(entrant_count)])
        search.run(lowest_sum, rng)
        searches.append(search)
        if search.sum_of_squares == lowest_sum:
            break
    return min(searches, key=lambda search: search.quality).best_tables


def _lowest_sum_of_squares(total: int, count: int) -> int:
    """The least possible sum of squares of `count` whole numbers that add up to `total`."""
    quotient, remainder = divmod(total, count)
    return (count - remainder) * quotient**2 + remainder * (quotient + 1) ** 2


def _sum_of_squares(meeting_counts: Sequence[Sequence[int]]) -> int:
    return sum(meeting_count**2 for row in meeting_counts for meeting_count in row) // 2


def _random_tables(entrant_count: int, size: int, games_each: int, rng: Random) -> _TableLists:
    games_to_assign = [games_each] * entrant_count
    tables: _TableLists = []
    for _ in range(entrant_count * games_each // size):
        table = sorted(range(entrant_count), key=lambda entrant: (-games_to_assign[entrant], rng.random()))[
            :size
        ]
        for entrant in table:
            games_to_assign[entrant] -= 1
        tables.append(table)
    return tables


def _cyclic_tables(entrant_count: int, size: int, base_table_count: int, rng: Random) -> _TableLists:
    """Tables made from base tables by adding 1, 2, 3 and so on to each member, modulo the number of entrants.

    All pairs of entrants whose numbers have the same difference meet equally often.
    """
    base_tables = _base_tables(entrant_count, size, base_table_count, rng) if base_table_count else []
    return [
        [(member + shift) % entrant_count for member in base_table]
        for base_table in base_tables
        for shift in range(entrant_count)
    ]


def _base_tables(entrant_count: int, size: int, count: int, rng: Random) -> _TableLists:
    """Base tables for `_cyclic_tables`, in which the differences between members occur about equally often.

    Differences are modulo `entrant_count`.
    """
    lowest_sum = _lowest_sum_of_squares(count * size * (size - 1), entrant_count - 1)
    candidates: list[tuple[int, _TableLists]] = []
    for _ in range(MAX_BASE_TABLE_SETS):
        base_tables = [rng.sample(range(entrant_count), size) for _ in range(count)]
        candidates.append((_even_out_differences(base_tables, entrant_count, lowest_sum, rng), base_tables))
        if candidates[-1][0] == lowest_sum:
            break
    return min(candidates)[1]


def _even_out_differences(base_tables: _TableLists, entrant_count: int, lowest_sum: int, rng: Random) -> int:
    difference_counts = [0] * entrant_count
    for base_table in base_tables:
        for member, other_member in permutations(base_table, 2):
            difference_counts[(member - other_member) % entrant_count] += 1
    current_sum = sum(difference_count**2 for difference_count in difference_counts)
    for _ in range(MAX_BASE_TABLE_CHANGES):
        if current_sum == lowest_sum:
            break
        base_table = base_tables[int(rng.random() * len(base_tables))]
        member_index, new_member = int(rng.random() * len(base_table)), int(rng.random() * entrant_count)
        if new_member in base_table:
            continue
        new_counts, old_member = difference_counts[:], base_table[member_index]
        for other_member in base_table:
            if other_member != old_member:
                # A negative index counts from the end, so this is the difference modulo `entrants`.
                new_counts[old_member - other_member] -= 1
                new_counts[other_member - old_member] -= 1
                new_counts[new_member - other_member] += 1
                new_counts[other_member - new_member] += 1
        if (
            new_sum := sum([difference_count * difference_count for difference_count in new_counts])
        ) <= current_sum:
            base_table[member_index], difference_counts, current_sum = new_member, new_counts, new_sum
    return current_sum


class _TableSearch:
    """A search that makes tables more even by swapping entrants between tables.

    `meeting_counts` are each pair's earlier meetings; the constructor adds the meetings at these tables. The first
    entrant of each of the first `fixed_table_count` tables is never moved. A swap that leaves the sum of squares
    unchanged is accepted, since further swaps may then lower it.
    """

    def __init__(self, tables: _TableLists, meeting_counts: _TableLists, fixed_table_count: int = 0) -> None:
        self.best_tables = tables
        self._tables = [list(table) for table in tables]
        self._members = [set(table) for table in tables]
        self._meeting_counts = meeting_counts
        for entrant, other_entrant in chain.from_iterable(permutations(table, 2) for table in tables):
            meeting_counts[entrant][other_entrant] += 1
        self.sum_of_squares = _sum_of_squares(meeting_counts)
        self._movable_seats = [
            (table_index, seat)
            for table_index, table in enumerate(tables)
            for seat in range(len(table))
            if seat or table_index >= fixed_table_count
        ]
        self.quality = self._quality()

    def run(self, lowest_sum: int, rng: Random) -> None:
        movable_seats, count = self._movable_seats, len(self._movable_seats)
        for step in range(1, 1 + (MAX_SEARCH_SWAPS if len(self._tables) > 1 else 0)):
            if self.sum_of_squares <= lowest_sum:
                break
            self._try_swap(
                *movable_seats[int(rng.random() * count)], *movable_seats[int(rng.random() * count)]
            )
            if step % SWAPS_BETWEEN_COMPARISONS == 0:
                self._keep_best_tables()
        self._keep_best_tables()

    def _quality(self) -> tuple[int, int]:
        counts_of_pairs = [
            meeting_count
            for entrant, row in enumerate(self._meeting_counts)
            for meeting_count in row[:entrant]
        ]
        return self.sum_of_squares, max(counts_of_pairs) - min(counts_of_pairs)

    def _keep_best_tables(self) -> None:
        if (quality := self._quality()) < self.quality:
            self.quality, self.best_tables = quality, [list(table) for table in self._tables]

    def _try_swap(self, table_index: int, seat: int, other_table_index: int, other_seat: int) -> None:
        entrant, other_entrant = self._tables[table_index][seat], self._tables[other_table_index][other_seat]
        members, other_members = self._members[table_index], self._members[other_table_index]
        # An entrant at both tables (or a swap within one table) leaves all meetings as they are.
        if entrant in other_members or other_entrant in members:
            return
        earlier_meetings, other_entrants_meetings = (
            self._meeting_counts[entrant],
            self._meeting_counts[other_entrant],
        )
        half_sum_change = (
            len(members)
            + len(other_members)
            - 2
            - 2 * len(members & other_members)
            - 2 * earlier_meetings[other_entrant]
        )
        for member in members:
            half_sum_change += other_entrants_meetings[member] - earlier_meetings[member]
        for member in other_members:
            half_sum_change += earlier_meetings[member] - other_entrants_meetings[member]
        if half_sum_change > 0:
            return
        self.sum_of_squares += 2 * half_sum_change
        for member in members - {entrant}:
            self._count_meeting(entrant, member, -1)
            self._count_meeting(other_entrant, member, 1)
        for member in other_members - {other_entrant}:
            self._count_meeting(other_entrant, member, -1)
            self._count_meeting(entrant, member, 1)
        self._tables[table_index][seat], self._tables[other_table_index][other_seat] = other_entrant, entrant
        self._members[table_index] = members - {entrant} | {other_entrant}
        self._members[other_table_index] = other_members - {other_entrant} | {entrant}

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
    game_counts: Counter[int] = Counter()
    seating = _SeatAssignment()
    for table_index, table in enumerate(tables):
        for entrant in table:
            seating.give_seat((entrant, game_counts[entrant] // size), table_index, size)
            game_counts[entrant] += 1
    return tuple(
        tuple(seating.block_by_seat[table_index, seat][0] for seat in range(size))
        for table_index in range(len(tables))
    )


class _SeatAssignment:
    def __init__(self) -> None:
        self.block_by_seat: dict[tuple[int, int], _GamesBlock] = {}
        """The entrant's block of games that has each seat, by (table number, seat)."""
        self._table_by_block_and_seat: dict[tuple[_GamesBlock, int], int] = {}
        """The number of the table at which an entrant's block of games has a seat, by (block, seat)."""

    def give_seat(self, games_block: _GamesBlock, table_index: int, size: int) -> None:
        seat = next(seat for seat in range(size) if (table_index, seat) not in self.block_by_seat)
        other_seat = next(
            seat for seat in range(size) if (games_block, seat) not in self._table_by_block_and_seat
        )
        path = list(self._seat_exchanges(games_block, seat, other_seat))
        for displaced_games_block, displaced_table_index, old_seat, _ in path:
            del (
                self.block_by_seat[displaced_table_index, old_seat],
                self._table_by_block_and_seat[displaced_games_block, old_seat],
            )
        for displaced_games_block, displaced_table_index, _, new_seat in [
            *path,
            (games_block, table_index, -1, seat),
        ]:
            (
                self.block_by_seat[displaced_table_index, new_seat],
                self._table_by_block_and_seat[displaced_games_block, new_seat],
            ) = displaced_games_block, displaced_table_index

    def _seat_exchanges(
        self, games_block: _GamesBlock, seat: int, other_seat: int
    ) -> Iterator[tuple[_GamesBlock, int, int, int]]:
        """Yield the exchanges that free a seat for `games_block`, each as (block, table number, old seat, new seat)."""
        while (
            seat != other_seat
            and (table_index := self._table_by_block_and_seat.get((games_block, seat))) is not None
        ):
            yield games_block, table_index, seat, other_seat
            if (neighbour := self.block_by_seat.get((table_index, other_seat))) is None:
                break
            games_block = neighbour
            yield games_block, table_index, other_seat, seat
