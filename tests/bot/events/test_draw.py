"""Draws: known designs, tables of a round, titles and groups."""

from collections import Counter

import pytest

from bot.table.events.draw import (
    Draw,
    DrawImpossible,
    divide_into_groups,
    draw_group,
    draw_round,
    games_per_entrant_for_full_tables,
    meetings_of,
    titles_of_tables,
)


@pytest.mark.parametrize(
    ("entrants", "size", "games", "quality"),
    [
        (7, 4, 4, "7 games, 4 each; any two players meet twice; everybody sits in every seat once."),
        (13, 4, 4, "13 games, 4 each; any two players meet once; everybody sits in every seat once."),
        (9, 3, 4, "12 games, 4 each; any two players meet once; everybody sits in every seat 1 to 2 times."),
        (16, 6, 6, "16 games, 6 each; any two players meet twice; everybody sits in every seat once."),
        (16, 4, 5, "20 games, 5 each; any two players meet once; everybody sits in every seat 1 to 2 times."),
        (8, 4, 4, "8 games, 4 each; two players meet 1 to 2 times; everybody sits in every seat once."),
        (
            8,
            4,
            7,
            "14 games, 7 each; any two players meet 3 times; everybody sits in every seat 1 to 2 times.",
        ),
        (3, 4, 3, "3 games, 3 each; any two players meet 3 times; everybody sits in every seat once."),
        (2, 2, 1, "1 game, 1 each; any two players meet once; everybody sits in every seat 0 to 1 times."),
    ],
)
@pytest.mark.parametrize("seed", [1, 1830])
def test_known_designs_are_found(entrants: int, size: int, games: int, quality: str, seed: int) -> None:
    """Complements of the Fano plane's lines, a projective plane, affine planes, a biplane, and others."""
    draw = draw_group(range(100, 100 + entrants), size, games, seed)
    assert draw.quality_text() == quality
    assert {user for table in draw.tables for user in table} == set(range(100, 100 + entrants))


def test_games_rise_until_tables_are_full() -> None:
    assert [games_per_entrant_for_full_tables(entrants, 4, 3) for entrants in (6, 7, 8)] == [4, 4, 3]


def test_a_seed_settles_the_draw() -> None:
    """However the entrants are listed."""
    first, again, other = (
        draw_group(users, 4, 4, seed) for users, seed in ((range(7), 5), (range(6, -1, -1), 5), (range(7), 6))
    )
    assert first == again != other
    rounds = [draw_round(range(11), 4, {3, 4}, {}, seed) for seed in (5, 5, 6)]
    assert rounds[0] == rounds[1] != rounds[2]


@pytest.mark.parametrize(
    ("entrants", "sizes", "tables"),
    [
        (12, {3, 4, 5}, [4, 4, 4]),
        (11, {3, 4, 5}, [3, 4, 4]),
        (9, {3, 4}, [3, 3, 3]),
        (9, {3, 4, 5}, [4, 5]),
        (13, {4, 5}, [4, 4, 5]),
        (6, {3, 4, 5}, [3, 3]),
        (10, {5}, [5, 5]),
    ],
)
def test_a_round_fills_tables_of_four_first(entrants: int, sizes: set[int], tables: list[int]) -> None:
    draw = draw_round(range(entrants), 4, sizes, {}, 7)
    assert sorted(map(len, draw.tables)) == tables
    assert draw.games_range == (1, 1)


def test_a_round_avoids_earlier_meetings() -> None:
    """Sixteen players at tables of four can meet anew in five rounds; a search finds three of them."""
    earlier_meetings: Counter[frozenset[int]] = Counter()
    for seed in range(3):
        earlier_meetings += meetings_of(draw_round(range(16), 4, {4}, earlier_meetings, seed).tables)
    assert max(earlier_meetings.values()) == 1


def test_the_best_seeds_sit_apart() -> None:
    """Even if that makes others meet again; seeds beyond the number of tables sit anywhere."""
    seeds = [99, 3, 11, 7, 5]
    draw = draw_round(range(12), 4, {4}, {frozenset((a, b)): 2 for a in range(4) for b in range(4)}, 1, seeds)
    assert sorted(len({3, 11, 7} & set(table)) for table in draw.tables) == [1, 1, 1]


def test_seats_of_a_draw_are_counted() -> None:
    draw = Draw(((1, 2, 3), (1, 3, 2), (2, 1, 4)))
    assert (draw.games_range, draw.meetings_range, draw.seats_range) == ((1, 3), (0, 3), (0, 2))
    assert draw.quality_text() == (
        "3 games, 1 to 3 each; two players meet 0 to 3 times; everybody sits in every seat 0 to 2 times."
    )


@pytest.mark.parametrize(
    ("entrants", "sizes", "sentence"),
    [
        (range(5), {3, 4}, "5 players cannot be divided into tables of 3 or 4."),
        (range(8), {2}, "None of the chosen titles can be played by 4 players."),
        ([1], {4}, "A draw needs 2 or more players."),
        ([1, 2, 1, 4], {4}, "A player can enter only once."),
    ],
)
def test_impossible_rounds_say_why(entrants: list[int], sizes: set[int], sentence: str) -> None:
    with pytest.raises(DrawImpossible) as problem:
        draw_round(entrants, 4, sizes, {}, 1)
    assert str(problem.value) == sentence


def test_titles_are_spread_evenly() -> None:
    titles = titles_of_tables(8, ["a", "b", "c"], 4)
    assert sorted(Counter(titles).values()) == [2, 3, 3]
    assert titles == titles_of_tables(8, ["a", "b", "c"], 4)


@pytest.mark.parametrize(
    ("entrants", "sizes"), [(14, [7, 7]), (15, [7, 8]), (10, [5, 5]), (9, [9]), (20, [6, 7, 7]), (5, [5])]
)
def test_groups_are_about_as_large(entrants: int, sizes: list[int]) -> None:
    groups = divide_into_groups(range(entrants), 7, 5)
    assert [len(group) for group in groups] == sizes
    assert [user for group in groups for user in group] == list(range(entrants))


def test_a_group_is_not_too_small() -> None:
    assert [len(group) for group in divide_into_groups(range(10), 7, 6)] == [10]
    with pytest.raises(DrawImpossible):
        divide_into_groups(range(4), 7, 5)
