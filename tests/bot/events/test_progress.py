"""Promotion and relegation, and who reaches the next round."""

import pytest

from bot.table.events.points import PlayedGame, PlayedSeat
from bot.table.events.progress import next_season_groups, players_of_next_round

HIGH, MIDDLE, LOW = (11, 12, 13, 14, 15), (21, 22, 23, 24, 25), (31, 32, 33, 34, 35)


@pytest.mark.parametrize(
    ("up", "down", "away", "groups"),
    [
        (1, 1, (), [(11, 12, 13, 14, 21), (15, 22, 23, 24, 31), (25, 32, 33, 34, 35)]),
        (1, 2, (), [(11, 12, 13, 21, 22), (14, 15, 23, 31, 32), (24, 25, 33, 34, 35)]),
        (2, 1, (), [(11, 12, 13, 21, 22), (14, 15, 23, 31, 32), (24, 25, 33, 34, 35)]),
        (1, 1, (12,), [(11, 13, 14, 21, 22), (15, 23, 24, 31, 32), (25, 33, 34, 35)]),
        (1, 1, (15, 21, 31), [(11, 12, 13, 14, 22), (23, 24, 32, 33, 34), (25, 35)]),
        (0, 0, (24,), [HIGH, (21, 22, 23, 25, 31), (32, 33, 34, 35)]),
        (1, 1, HIGH, [(*MIDDLE[:4], 25), LOW]),
        (1, 1, (*MIDDLE, *LOW), [HIGH]),
    ],
)
def test_groups_keep_their_sizes(
    up: int, down: int, away: tuple[int, ...], groups: list[tuple[int, ...]]
) -> None:
    """The next best fill gaps, and the last group takes the difference."""
    assert list(next_season_groups((HIGH, MIDDLE, LOW), up, down, away)) == groups


@pytest.mark.parametrize(
    ("before", "up", "down", "after"),
    [
        ([(1, 2), (3, 4, 5), (6,)], 2, 2, [(3, 4), (1, 2, 6), (5,)]),
        ([(1, 2, 3), (4, 5, 6, 7)], 3, 2, [(4, 5, 6), (1, 2, 3, 7)]),
        ([(1, 2, 3), (4, 5), (6, 7)], 1, 2, [(1, 4, 5), (2, 3), (6, 7)]),
        ([(1, 2, 3), (4,)], 1, 3, [(4, 1, 2), (3,)]),
        ([(1, 2, 3)], 1, 2, [(1, 2, 3)]),
        ([], 1, 1, []),
    ],
)
def test_small_groups_move_as_far_as_they_can(
    before: list[tuple[int, ...]], up: int, down: int, after: list[tuple[int, ...]]
) -> None:
    assert list(next_season_groups(before, up, down, ())) == after


def table(number: int, *places: tuple[int, int]) -> PlayedGame:
    """A game from user and place of each seat."""
    return PlayedGame(number, 1, 1, tuple(PlayedSeat(user, place, 0) for user, place in places))


CLEAR = table(1, (1, 1), (2, 2), (3, 3), (4, 4))
OTHER = table(2, (5, 1), (6, 2), (7, 3), (8, 4))
TIED = table(2, (5, 1), (6, 1), (7, 3), (8, 4))
BY_NUMBER = {user: user for user in range(1, 9)}


@pytest.mark.parametrize(
    ("tables", "winners", "places", "rank", "following"),
    [
        ((CLEAR, OTHER), 1, 4, BY_NUMBER, (1, 5, 2, 3)),
        ((CLEAR, TIED), 1, 4, BY_NUMBER, (1, 5, 6, 2)),
        ((CLEAR, TIED), 1, 2, BY_NUMBER, (1, 5, 6)),
        ((CLEAR, OTHER), 2, 4, BY_NUMBER, (1, 2, 5, 6)),
        ((CLEAR, OTHER), 1, 3, {**BY_NUMBER, 3: 2, 6: 2}, (1, 5, 2, 3, 6)),
        ((CLEAR, OTHER), 1, 3, {**BY_NUMBER, 5: 0, 8: 1}, (5, 1, 8)),
        ((CLEAR, OTHER), 1, 3, {user: user for user in range(2, 9)}, (5, 2, 3)),
        ((CLEAR, OTHER), 1, 20, BY_NUMBER, (1, 5, 2, 3, 4, 6, 7, 8)),
    ],
    ids=[
        "clear",
        "tie for a win",
        "more wins than places",
        "two of each",
        "tie for a wild card",
        "by rank",
        "a winner who may not",
        "more places than players",
    ],
)
def test_winners_and_the_best_of_the_rest_go_on(
    tables: tuple[PlayedGame, ...],
    winners: int,
    places: int,
    rank: dict[int, int],
    following: tuple[int, ...],
) -> None:
    """All who tie go on: for a win with one wild card fewer, for the last wild card in addition."""
    assert players_of_next_round(tables, winners, places, rank) == following
