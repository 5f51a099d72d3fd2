"""Promotion and relegation between seasons, and the next round of a tournament."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.table.events.points import PlayedGame


@dataclass
class _Group:
    """Players of a group who play again, by where they go, each list best first."""

    promoted: list[int]
    staying: list[int]
    relegated: list[int]


def next_season_groups(
    groups: Sequence[Sequence[int]],
    promoted_count: int,
    relegated_count: int,
    absent_entrants: Collection[int],
) -> tuple[tuple[int, ...], ...]:
    """The groups of the next season; `groups` are those of this season, highest group and best player first.

    The first `promoted_count` of each group rise and the last `relegated_count` fall; players who are `absent_entrants`
    leave gaps. All groups but the last keep their sizes: the next best from below fill gaps, and more players fall if
    too many rise. Empty groups are left out. In a new group, players who fell come first and players who rose last.
    """
    ladder = [
        _divided_group(
            group,
            promoted_count if number else 0,
            relegated_count if number < len(groups) - 1 else 0,
            absent_entrants,
        )
        for number, group in enumerate(groups)
    ]
    following: list[tuple[int, ...]] = []
    fallen: list[int] = []
    for number, current in enumerate(ladder):
        below = ladder[number + 1 :]
        players = [*fallen, *current.staying]
        if below:
            room = max(len(groups[number]) - len(fallen), 0)
            risers, without_room = below[0].promoted[:room], below[0].promoted[room:]
            below[0].promoted, below[0].staying = [], without_room + below[0].staying
            surplus = len(players) + len(risers) - len(groups[number])
            more_fall = current.staying[-surplus:] if surplus > 0 else []
            players = [*(player for player in players if player not in more_fall), *risers]
            current.relegated = more_fall + current.relegated
            players += _best_of(below, -surplus)
            # If no one is left below, the best of those who would fall stay.
            missing = min(max(len(groups[number]) - len(players), 0), len(current.relegated))
            players, current.relegated = players + current.relegated[:missing], current.relegated[missing:]
        fallen = current.relegated
        following.append(tuple(players))
    return tuple(group for group in following if group)


def _divided_group(
    group: Sequence[int], promoted_count: int, relegated_count: int, absent_entrants: Collection[int]
) -> _Group:
    remaining_entrants = group[promoted_count:]
    kept = max(len(remaining_entrants) - relegated_count, 0)
    rising, staying, falling = (
        [player for player in part if player not in absent_entrants]
        for part in (group[:promoted_count], remaining_entrants[:kept], remaining_entrants[kept:])
    )
    return _Group(rising, staying, falling)


def _best_of(groups: Iterable[_Group], count: int) -> list[int]:
    """Remove up to `count` players from the groups, best first, and return them."""
    taken: list[int] = []
    for group in groups:
        for players in (group.promoted, group.staying, group.relegated):
            chosen = players[: max(count - len(taken), 0)]
            taken += chosen
            del players[: len(chosen)]
    return taken


def players_of_next_round(
    tables: Sequence[PlayedGame], winners: int, places: int, rank: Mapping[int, int]
) -> tuple[int, ...]:
    """Players of the next round, best first: the first `winners` of each table, then the best others, `places` in all.

    `rank` has the rank of each player who can go on. All who tie for a qualifying place at their table, or for the last
    of the other places, go on, so there may be more than `places`.
    """
    seats = [(table.players_ahead_of(seat), seat.entrant_number) for table in tables for seat in table.seats]
    winning = {
        entrant_number for ahead, entrant_number in seats if ahead < winners and entrant_number in rank
    }
    others = {entrant_number for _, entrant_number in seats if entrant_number in rank} - winning
    remaining_entrants = sorted(others, key=lambda entrant_number: (rank[entrant_number], entrant_number))
    wild_cards = max(places - len(winning), 0)
    if wild_cards < len(remaining_entrants):
        lowest_rank = rank[remaining_entrants[wild_cards - 1]] if wild_cards else 0
        remaining_entrants = [
            entrant_number for entrant_number in remaining_entrants if rank[entrant_number] <= lowest_rank
        ]
    return (
        *sorted(winning, key=lambda entrant_number: (rank[entrant_number], entrant_number)),
        *remaining_entrants,
    )
