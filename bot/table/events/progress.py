"""Promotion and relegation between seasons, and the next round of a tournament."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.table.events.points import PlayedGame


@dataclass
class _Group:
    """Players of a group who play again, by where they go, each list best first."""

    rising: list[int]
    staying: list[int]
    falling: list[int]


def promoted(
    groups: Sequence[Sequence[int]], up: int, down: int, away: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """The groups of the next season; `groups` are those of this season, highest group and best player first.

    The first `up` of each group rise and the last `down` fall; players who are `away` leave gaps. All groups but the
    last keep their sizes: the next best from below fill gaps, and more players fall if too many rise. Empty groups are
    left out. In a new group, players who fell come first and players who rose last.
    """
    ladder = [
        _divided(group, up if number else 0, down if number < len(groups) - 1 else 0, away)
        for number, group in enumerate(groups)
    ]
    following: list[tuple[int, ...]] = []
    fallen: list[int] = []
    for number, current in enumerate(ladder):
        below = ladder[number + 1 :]
        players = [*fallen, *current.staying]
        if below:
            room = max(len(groups[number]) - len(fallen), 0)
            risers, without_room = below[0].rising[:room], below[0].rising[room:]
            below[0].rising, below[0].staying = [], without_room + below[0].staying
            surplus = len(players) + len(risers) - len(groups[number])
            more_fall = current.staying[-surplus:] if surplus > 0 else []
            players = [*(player for player in players if player not in more_fall), *risers]
            current.falling = more_fall + current.falling
            players += _best_of(below, -surplus)
            # If no one is left below, the best of those who would fall stay.
            missing = min(max(len(groups[number]) - len(players), 0), len(current.falling))
            players, current.falling = players + current.falling[:missing], current.falling[missing:]
        fallen = current.falling
        following.append(tuple(players))
    return tuple(group for group in following if group)


def _divided(group: Sequence[int], up: int, down: int, away: Collection[int]) -> _Group:
    rest = group[up:]
    kept = max(len(rest) - down, 0)
    rising, staying, falling = (
        [player for player in part if player not in away] for part in (group[:up], rest[:kept], rest[kept:])
    )
    return _Group(rising, staying, falling)


def _best_of(groups: Iterable[_Group], count: int) -> list[int]:
    """Remove up to `count` players from the groups, best first, and return them."""
    taken: list[int] = []
    for group in groups:
        for players in (group.rising, group.staying, group.falling):
            chosen = players[: max(count - len(taken), 0)]
            taken += chosen
            del players[: len(chosen)]
    return taken


def go_on(
    tables: Sequence[PlayedGame], winners: int, places: int, rank: Mapping[int, int]
) -> tuple[int, ...]:
    """Players of the next round, best first: the first `winners` of each table, then the best others, `places` in all.

    `rank` has the rank of each player who can go on. All who tie for a qualifying place at their table, or for the last
    of the other places, go on, so there may be more than `places`.
    """
    seats = [(table.players_ahead_of(seat), seat.user_id) for table in tables for seat in table.seats]
    winning = {user_id for ahead, user_id in seats if ahead < winners and user_id in rank}
    others = {user_id for _, user_id in seats if user_id in rank} - winning
    rest = sorted(others, key=lambda user_id: (rank[user_id], user_id))
    wild_cards = max(places - len(winning), 0)
    if wild_cards < len(rest):
        last = rank[rest[wild_cards - 1]] if wild_cards else 0
        rest = [user_id for user_id in rest if rank[user_id] <= last]
    return (*sorted(winning, key=lambda user_id: (rank[user_id], user_id)), *rest)
