"""Draws: which entrants play together, and in which seats.

In a good draw all pairs of entrants meet equally often. Draws are compared by the sum of squares of the meetings of all
pairs, which is least if no two pairs differ by more than one.
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
"""The numbers of the entrants of one game, in seat order."""
LeastAndMost: TypeAlias = tuple[int, int]
_Places: TypeAlias = list[list[int]]
"""Tables during the search, as indexes of entrants."""
_Part: TypeAlias = tuple[int, int]
"""An entrant and the number of one part of their games; see `_with_even_seats`."""

SEARCH_STEPS: Final = 250_000
"""Swaps tried from each start, unless the least possible sum is reached earlier."""
COMPARED_STEPS: Final = 1_000
"""Swaps between two comparisons with the best tables so far."""
BASE_STARTS: Final = 120
"""Random base tables from which a cyclic draw is tried."""
BASE_STEPS: Final = 250
"""Changes tried on each set of base tables to make its differences even."""
_SEARCH_SEED: Final = 7
"""The seed of the search.

It does not depend on the draw's seed, so every draw reaches the same quality. With this one the search finds the known
designs of 16 players at tables of 6 and of 57 at tables of 8.
"""


class DrawImpossible(ValueError):  # noqa: N818 - an error is named after what is wrong
    """No tables are possible; `str()` is the sentence for the user."""


@dataclass(frozen=True)
class Draw:
    """The tables of a draw, with measures of how even they are."""

    tables: tuple[Table, ...]

    @property
    def games(self) -> LeastAndMost:
        """The least and most games of an entrant."""
        return _least_and_most(Counter(chain.from_iterable(self.tables)).values())

    @property
    def meetings(self) -> LeastAndMost:
        """The least and most games that two entrants play together."""
        earlier_meetings = meetings_of(self.tables)
        return _least_and_most(
            earlier_meetings[frozenset(pair)] for pair in combinations(self._entrants(), 2)
        )

    @property
    def seats(self) -> LeastAndMost:
        """The least and most games that an entrant plays in the same seat."""
        sat = Counter((entrant, seat) for table in self.tables for seat, entrant in enumerate(table))
        seats = range(max(map(len, self.tables), default=0))
        return _least_and_most(sat[both] for both in product(self._entrants(), seats))

    def quality_text(self) -> str:
        """The quality in words: `7 games, 4 each; any two players meet twice; everybody sits in every seat once.`"""
        count, (least, most) = len(self.tables), self.meetings
        meetings = "any two players meet" if least == most else "two players meet"
        return (
            f"{count} game{'' if count == 1 else 's'}, {_range_text(self.games)} each;"
            f" {meetings} {_times_text(self.meetings)}; everybody sits in every seat {_times_text(self.seats)}."
        )

    def _entrants(self) -> list[int]:
        return sorted(set(chain.from_iterable(self.tables)))


def meetings_of(tables: Iterable[Sequence[int]]) -> Counter[frozenset[int]]:
    """The number of games in which each pair of entrants meets."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def games_each_for_full_tables(entrants: int, table_size: int, games_each: int) -> int:
    """The smallest number of games for each, from `games_each` on, with which all tables are full."""
    step = table_size // gcd(entrants, table_size)
    return -(-games_each // step) * step


def draw_group(entrants: Sequence[int], table_size: int, games_each: int, seed: int) -> Draw:
    """Draw the games of a group, in which everybody plays equally often; raises NoDraw.

    Everybody plays more than `games_each` games if tables would not be full otherwise. Tables are smaller than
    `table_size` if the group is. Everybody sits in every seat equally often, or once more.
    """
    _require_distinct(entrants)
    if table_size < 2 or games_each < 1:
        raise DrawImpossible(
            "A group needs tables of 2 or more players, and 1 or more games for each player."
        )
    chance, labels = Random(seed), sorted(entrants)
    chance.shuffle(labels)
    size = min(table_size, len(labels))
    tables = _group_tables(len(labels), size, games_each_for_full_tables(len(labels), size, games_each))
    chance.shuffle(tables)
    return Draw(_with_even_seats([[labels[index] for index in table] for table in tables]))


def draw_round(
    entrants: Sequence[int],
    table_size: int,
    sizes: Collection[int],
    earlier_meetings: Mapping[frozenset[int], int],
    seed: int,
    seeds_apart: Sequence[int] = (),
) -> Draw:
    """Draw one round of a tournament, in which everybody plays once; raises NoDraw.

    As many tables as possible have `table_size` players; the others have one player less, or else one more, as `sizes`
    allow. Entrants who `earlier_meetings` before meet as little as possible. The first of `seeds_apart`, the best ones,
    sit at different tables. Seats are random.
    """
    _require_distinct(entrants)
    chance, labels = Random(seed), sorted(entrants)
    chance.shuffle(labels)
    sizes_in_order = _sizes_of_round(len(labels), table_size, sizes)
    chance.shuffle(sizes_in_order)
    apart_count = [head for head in dict.fromkeys(seeds_apart) if head in labels][: len(sizes_in_order)]
    labels = [*apart_count, *(label for label in labels if label not in apart_count)]
    meeting_counts = [
        [earlier_meetings.get(frozenset((one, other)), 0) for other in labels] for one in labels
    ]
    without_repeats = _sum_of_squares(meeting_counts) + sum(size * (size - 1) // 2 for size in sizes_in_order)
    search = _Search(_deal_seats(len(apart_count), sizes_in_order), meeting_counts, fixed=len(apart_count))
    search.run(without_repeats, chance)
    tables = [tuple(labels[index] for index in chance.sample(table, len(table))) for table in search.best]
    return Draw(tuple(chance.sample(tables, len(tables))))


def title_of_tables(count: int, titles: Sequence[str], seed: int) -> tuple[str, ...]:
    """A title for each of `count` tables, all titles about equally often; raises NoDraw without titles."""
    if not titles:
        raise DrawImpossible("Choose at least one title.")
    chance = Random(seed)
    order = chance.sample(titles, len(titles))
    return tuple(chance.sample([order[table % len(order)] for table in range(count)], count))


def divided_into_groups(
    entrants: Sequence[int], group_size: int, smallest: int
) -> tuple[tuple[int, ...], ...]:
    """Divide entrants, best first, into groups of about `group_size`; raises NoDraw.

    Sizes differ by at most one; the larger groups come last, and none has fewer than `smallest` entrants.
    """
    _require_distinct(entrants)
    count = len(entrants)
    if count < smallest:
        raise DrawImpossible(f"A group needs at least {smallest} players; there are only {count}.")
    groups = min(
        range(1, count // max(smallest, 1) + 1), key=lambda groups: abs(Fraction(count, groups) - group_size)
    )
    each, larger = divmod(count, groups)
    following = iter(entrants)
    return tuple(tuple(islice(following, each + (number >= groups - larger))) for number in range(groups))


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


def _times_text(least_and_most: LeastAndMost) -> str:
    return {(1, 1): "once", (2, 2): "twice"}.get(least_and_most, f"{_range_text(least_and_most)} times")


def _sizes_of_round(count: int, table_size: int, sizes: Collection[int]) -> list[int]:
    possible = [size for size in range(max(table_size - 1, 2), table_size + 2) if size in sizes]
    if not possible:
        raise DrawImpossible(f"None of the chosen titles can be played by {table_size} players.")
    most_full = count // table_size if table_size in possible else 0
    for full, other in product(range(most_full, -1, -1), (table_size - 1, table_size + 1)):
        left = count - full * table_size
        if not left or (other in possible and left % other == 0):
            return [table_size] * full + [other] * (left // other if left else 0)
    raise DrawImpossible(
        f"{count} players cannot be divided into tables of {' or '.join(map(str, possible))}."
    )


def _deal_seats(apart_count: int, sizes: Sequence[int]) -> _Places:
    """Indexes of entrants at tables of these sizes; the first `apart_count` of them sit at different tables."""
    others = iter(range(apart_count, sum(sizes)))
    tables = [[number] if number < apart_count else [next(others)] for number in range(len(sizes))]
    for table, size in zip(tables, sizes, strict=True):
        table += [next(others) for _ in range(size - 1)]
    return tables


def _group_tables(entrants: int, size: int, games: int) -> _Places:
    """The best tables found, from a cyclic start if possible, or else from a random one."""
    chance = Random(_SEARCH_SEED)
    lowest = _least_squares(entrants * games * (size - 1) // 2, entrants * (entrants - 1) // 2)
    searches: list[_Search] = []
    for turns in sorted({games // size, 0}, reverse=True):
        start = _cyclic_tables(entrants, size, turns, chance) + _random_tables(
            entrants, size, games - turns * size, chance
        )
        search = _Search(start, [[0] * entrants for _ in range(entrants)])
        search.run(lowest, chance)
        searches.append(search)
        if search.squares == lowest:
            break
    return min(searches, key=lambda search: search.quality).best


def _least_squares(total: int, count: int) -> int:
    """The least sum of squares of `count` whole numbers whose sum is `total`."""
    each, more = divmod(total, count)
    return (count - more) * each**2 + more * (each + 1) ** 2


def _sum_of_squares(meeting_counts: Sequence[Sequence[int]]) -> int:
    return sum(times**2 for row in meeting_counts for times in row) // 2


def _random_tables(entrants: int, size: int, games: int, chance: Random) -> _Places:
    """Random tables; entrants with the most games left are seated first, so all get the same number."""
    games_left = [games] * entrants
    tables: _Places = []
    for _ in range(entrants * games // size):
        table = sorted(range(entrants), key=lambda entrant: (-games_left[entrant], chance.random()))[:size]
        for entrant in table:
            games_left[entrant] -= 1
        tables.append(table)
    return tables


def _cyclic_tables(entrants: int, size: int, turns: int, chance: Random) -> _Places:
    """Tables made from base tables by adding 1, 2, ... to all members, modulo the entrants.

    Entrants at the same distance then meet equally often.
    """
    bases = _base_tables(entrants, size, turns, chance) if turns else []
    return [[(member + turn) % entrants for member in base] for base in bases for turn in range(entrants)]


def _base_tables(entrants: int, size: int, count: int, chance: Random) -> _Places:
    """Base tables whose differences between members, modulo the entrants, are as even as the search can make them."""
    lowest = _least_squares(count * size * (size - 1), entrants - 1)
    candidates: list[tuple[int, _Places]] = []
    for _ in range(BASE_STARTS):
        bases = [chance.sample(range(entrants), size) for _ in range(count)]
        candidates.append((_even_out_differences(bases, entrants, lowest, chance), bases))
        if candidates[-1][0] == lowest:
            break
    return min(candidates)[1]


def _even_out_differences(bases: _Places, entrants: int, lowest: int, chance: Random) -> int:
    """Make the differences in base tables more even by changing members; return their sum of squares."""
    differences = [0] * entrants
    for base in bases:
        for one, other in permutations(base, 2):
            differences[(one - other) % entrants] += 1
    squares = sum(times**2 for times in differences)
    for _ in range(BASE_STEPS):
        if squares == lowest:
            break
        base = bases[int(chance.random() * len(bases))]
        place, new = int(chance.random() * len(base)), int(chance.random() * entrants)
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


class _Search:
    """Makes tables more even by swapping entrants between tables.

    `meeting_counts` counts earlier meetings; those at these tables are added. The first entrants of the first `fixed`
    tables stay. Swaps that do not change the sum are made as well, since they lead out of dead ends.
    """

    def __init__(self, tables: _Places, meeting_counts: _Places, fixed: int = 0) -> None:
        self.best = tables
        """The best tables so far: by the sum of squares, then by the spread of meetings."""
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

    def run(self, lowest: int, chance: Random) -> None:
        """Swap until the sum of squares is `lowest`, or for SEARCH_STEPS."""
        movable, count = self._movable, len(self._movable)
        for step in range(1, 1 + (SEARCH_STEPS if len(self._tables) > 1 else 0)):
            if self.squares <= lowest:
                break
            self._try_swap(*movable[int(chance.random() * count)], *movable[int(chance.random() * count)])
            if step % COMPARED_STEPS == 0:
                self._keep_best()
        self._keep_best()

    def _quality(self) -> tuple[int, int]:
        of_pairs = [times for number, row in enumerate(self._meeting_counts) for times in row[:number]]
        return self.squares, max(of_pairs) - min(of_pairs)

    def _keep_best(self) -> None:
        if (quality := self._quality()) < self.quality:
            self.quality, self.best = quality, [list(table) for table in self._tables]

    def _try_swap(self, number: int, place: int, other_number: int, other_place: int) -> None:
        entrant, other_entrant = self._tables[number][place], self._tables[other_number][other_place]
        members, other_members = self._members[number], self._members[other_number]
        # An entrant at both tables (or a swap within one table) leaves all meetings as they are.
        if entrant in other_members or other_entrant in members:
            return
        earlier_meetings, other_met = self._meeting_counts[entrant], self._meeting_counts[other_entrant]
        rise = (
            len(members)
            + len(other_members)
            - 2
            - 2 * len(members & other_members)
            - 2 * earlier_meetings[other_entrant]
        )
        for member in members:
            rise += other_met[member] - earlier_meetings[member]
        for member in other_members:
            rise += earlier_meetings[member] - other_met[member]
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
    """Tables with seats, so that everybody sits in every seat equally often, or once more; all tables must be full.

    This colours the edges between entrants and tables with seats. An entrant's games are divided into parts of `size`
    games (the last part may have fewer). By Koenig's theorem the edges of each table and each part can all get
    different seats. If no seat is free at both ends of an edge, two seats are exchanged along a path.
    """
    size = len(tables[0])
    played: Counter[int] = Counter()
    seating = _Seating()
    for number, table in enumerate(tables):
        for entrant in table:
            seating.give_seat((entrant, played[entrant] // size), number, size)
            played[entrant] += 1
    return tuple(
        tuple(seating.part_by_seat[number, seat][0] for seat in range(size)) for number in range(len(tables))
    )


class _Seating:
    def __init__(self) -> None:
        self.part_by_seat: dict[tuple[int, int], _Part] = {}
        """The part seated at each table and seat."""
        self._table: dict[tuple[_Part, int], int] = {}
        """The table at which each part has each seat."""

    def give_seat(self, part: _Part, number: int, size: int) -> None:
        """Give a part a seat at table `number`, exchanging other seats if needed."""
        seat = next(seat for seat in range(size) if (number, seat) not in self.part_by_seat)
        other_seat = next(seat for seat in range(size) if (part, seat) not in self._table)
        path = list(self._seat_exchanges(part, seat, other_seat))
        for displaced_part, at, old, _ in path:
            del self.part_by_seat[at, old], self._table[displaced_part, old]
        for displaced_part, at, _, new in [*path, (part, number, -1, seat)]:
            self.part_by_seat[at, new], self._table[displaced_part, new] = displaced_part, at

    def _seat_exchanges(
        self, part: _Part, seat: int, other_seat: int
    ) -> Iterator[tuple[_Part, int, int, int]]:
        """The seats to exchange so that `give_seat` becomes free for a part: (part, table, old seat, new seat)."""
        while seat != other_seat and (number := self._table.get((part, seat))) is not None:
            yield part, number, seat, other_seat
            if (neighbour := self.part_by_seat.get((number, other_seat))) is None:
                break
            part = neighbour
            yield part, number, other_seat, seat
