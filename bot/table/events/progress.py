"""Promotion and relegation between seasons, and qualification for the next round of a tournament."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.table.events.points import PlayedGame


@dataclass
class _Group:
    """One group's players after a season: those to be promoted, to stay and to be relegated, each list best first."""

    promoted: list[int]
    staying: list[int]
    relegated: list[int]


def next_season_groups(
    groups: Sequence[Sequence[int]],
    promoted_count: int,
    relegated_count: int,
    absent_entrants: Collection[int],
) -> tuple[tuple[int, ...], ...]:
    """The groups of the next season. `groups` are this season's, highest group and best player first.

    The first `promoted_count` of each group move up, and the last `relegated_count` move down; `absent_entrants` leave.
    All groups but the last keep their size. Gaps are filled with the best players of lower groups; a group that would
    become too large relegates more players. Empty groups are left out. In each new group, the relegated players are
    listed first and the promoted players last.
    """
    divided_groups = [
        _divide_group(
            group,
            promoted_count if number else 0,
            relegated_count if number < len(groups) - 1 else 0,
            absent_entrants,
        )
        for number, group in enumerate(groups)
    ]
    next_groups: list[tuple[int, ...]] = []
    relegated_players: list[int] = []
    for number, current_group in enumerate(divided_groups):
        lower_groups = divided_groups[number + 1 :]
        players = [*relegated_players, *current_group.staying]
        if lower_groups:
            places_for_promoted = max(len(groups[number]) - len(relegated_players), 0)
            promoted_players, unplaced_players = (
                lower_groups[0].promoted[:places_for_promoted],
                lower_groups[0].promoted[places_for_promoted:],
            )
            lower_groups[0].promoted, lower_groups[0].staying = [], unplaced_players + lower_groups[0].staying
            surplus = len(players) + len(promoted_players) - len(groups[number])
            more_relegated_players = current_group.staying[-surplus:] if surplus > 0 else []
            players = [
                *(player for player in players if player not in more_relegated_players),
                *promoted_players,
            ]
            current_group.relegated = more_relegated_players + current_group.relegated
            players += _best_players_of(lower_groups, -surplus)
            # If no one is left below, the best of those who would fall stay.
            missing_count = min(max(len(groups[number]) - len(players), 0), len(current_group.relegated))
            players, current_group.relegated = (
                players + current_group.relegated[:missing_count],
                current_group.relegated[missing_count:],
            )
        relegated_players = current_group.relegated
        next_groups.append(tuple(players))
    return tuple(group for group in next_groups if group)


def _divide_group(
    group: Sequence[int], promoted_count: int, relegated_count: int, absent_entrants: Collection[int]
) -> _Group:
    remaining_entrants = group[promoted_count:]
    staying_count = max(len(remaining_entrants) - relegated_count, 0)
    promoted_players, staying_players, relegated_players = (
        [player for player in players if player not in absent_entrants]
        for players in (
            group[:promoted_count],
            remaining_entrants[:staying_count],
            remaining_entrants[staying_count:],
        )
    )
    return _Group(promoted_players, staying_players, relegated_players)


def _best_players_of(groups: Iterable[_Group], count: int) -> list[int]:
    best_players: list[int] = []
    for group in groups:
        for players in (group.promoted, group.staying, group.relegated):
            chosen_players = players[: max(count - len(best_players), 0)]
            best_players += chosen_players
            del players[: len(chosen_players)]
    return best_players


def players_of_next_round(
    tables: Sequence[PlayedGame], winners_per_table: int, places: int, rank_by_entrant: Mapping[int, int]
) -> tuple[int, ...]:
    """Players of the next round, best first: the first `winners_per_table` of each table, and the best others.

    `places` is the number of players in the next round; if players tie for the last place, all of them are included.
    `rank_by_entrant` maps each player who may reach the next round to their rank in the standings.
    """
    ahead_counts_and_entrants = [
        (table.players_ahead_of(seat), seat.entrant_number) for table in tables for seat in table.seats
    ]
    table_winners = {
        entrant_number
        for ahead_count, entrant_number in ahead_counts_and_entrants
        if ahead_count < winners_per_table and entrant_number in rank_by_entrant
    }
    other_entrants = {
        entrant_number for _, entrant_number in ahead_counts_and_entrants if entrant_number in rank_by_entrant
    } - table_winners
    remaining_entrants = sorted(
        other_entrants, key=lambda entrant_number: (rank_by_entrant[entrant_number], entrant_number)
    )
    remaining_places = max(places - len(table_winners), 0)
    if remaining_places < len(remaining_entrants):
        lowest_rank = rank_by_entrant[remaining_entrants[remaining_places - 1]] if remaining_places else 0
        remaining_entrants = [
            entrant_number
            for entrant_number in remaining_entrants
            if rank_by_entrant[entrant_number] <= lowest_rank
        ]
    return (
        *sorted(table_winners, key=lambda entrant_number: (rank_by_entrant[entrant_number], entrant_number)),
        *remaining_entrants,
    )
