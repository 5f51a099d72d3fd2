"""Points of a game and standings, against sums made by hand."""

import csv
from fractions import Fraction
from io import StringIO

import pytest

from bot.table.events.points import (
    DEFAULT_PLACE_POINTS,
    PlayedGame,
    PlayedSeat,
    Scoring,
    Standing,
    points_of_game,
    points_text,
    standings,
    standings_csv,
)

ANN, BOB, CY, DEE, EVE = range(1, 6)


def game(number: int, *results: tuple[int, int, int], group: int = 1) -> PlayedGame:
    """A game from user, place and total of each seat."""
    return PlayedGame(number, group, 1, tuple(PlayedSeat(*result) for result in results))


def ranking(*games: PlayedGame, scoring: Scoring = "places") -> list[tuple[int, int]]:
    """Rank and user of each of four players."""
    [rows] = standings(
        games, dict.fromkeys((ANN, BOB, CY, DEE), 1), scoring, DEFAULT_PLACE_POINTS, {}
    ).values()
    return [(row.rank, row.entrant_number) for row in rows]


@pytest.mark.parametrize(
    ("scoring", "results", "points"),
    [
        ("places", [(ANN, 1, 900), (BOB, 2, 800), (CY, 3, 700), (DEE, 4, 0)], ["10", "6", "3", "1"]),
        ("places", [(ANN, 1, 900), (BOB, 2, 800), (CY, 2, 800), (DEE, 4, 0)], ["10", "4.5", "4.5", "1"]),
        ("places", [(ANN, 1, 9), (BOB, 1, 9), (CY, 1, 9), (DEE, 4, 0)], ["6.33", "6.33", "6.33", "1"]),
        (
            "winner_share",
            [(ANN, 1, 900), (BOB, 2, 300), (CY, 3, 0), (DEE, 4, -50)],
            ["100", "33.33", "0", "0"],
        ),
        ("table_share", [(ANN, 1, 500), (BOB, 2, 300), (CY, 3, 200), (DEE, 4, -50)], ["50", "30", "20", "0"]),
        ("table_share", [(ANN, 1, 0), (BOB, 1, 0)], ["0", "0"]),
        ("winner_share", [(ANN, 1, -1), (BOB, 2, -2)], ["0", "0"]),
    ],
)
def test_points_of_a_game(scoring: Scoring, results: list[tuple[int, int, int]], points: list[str]) -> None:
    """Ties share the points of their places, and debts count nothing."""
    of_users = points_of_game(game(1, *results), scoring, DEFAULT_PLACE_POINTS)
    assert [points_text(of_users[user]) for user, _, _ in results] == points


def test_every_table_has_points_that_fall() -> None:
    for players, points in DEFAULT_PLACE_POINTS.items():
        assert len(points) == players
        assert list(points) == sorted(set(points), reverse=True)


@pytest.mark.parametrize(
    ("points", "text"),
    [("0", "0"), ("10", "10"), ("100", "100"), ("15/2", "7.5"), ("200/3", "66.67"), ("1/200", "0.01")],
)
def test_points_have_two_decimals_at_most(points: str, text: str) -> None:
    assert points_text(Fraction(points)) == text


@pytest.mark.parametrize(
    ("better", "worse", "points"),
    [
        ([(1, 50), (4, 10)], [(2, 50), (2, 50)], (9, 5, 2, 1)),
        ([(2, 50), (4, 10)], [(3, 50), (3, 50)], (9, 4, 2, 0)),
        ([(3, 50), (4, 10)], [(4, 50), (4, 50)], (9, 4, 1, 1)),
        ([(4, 60), (4, 50)], [(4, 50), (4, 50)], (9, 4, 1, 1)),
    ],
    ids=["wins", "seconds", "thirds", "mean share"],
)
def test_ties_are_broken_in_order(
    better: list[tuple[int, int]], worse: list[tuple[int, int]], points: tuple[int, ...]
) -> None:
    """Equal points are decided by the first of these in which two players differ."""
    games = [
        game(number, (user, place, total), *((9, other, 100) for other in range(1, 5) if other != place))
        for user, results in ((BOB, worse), (ANN, better))
        for number, (place, total) in enumerate(results, 10 * user)
    ]
    [rows] = standings(games, {BOB: 1, ANN: 1}, "places", {4: points}, {}).values()
    assert rows[0].points == rows[1].points
    assert [(row.rank, row.entrant_number) for row in rows] == [(1, ANN), (2, BOB)]


def test_the_total_breaks_the_last_tie() -> None:
    """A winner's share is 100 % in both games; two who are equal in everything share their rank."""
    games = [
        game(1, (ANN, 1, 900), (CY, 2, 450)),
        game(2, (BOB, 1, 1000), (DEE, 2, 500)),
    ]
    assert ranking(*games) == [(1, BOB), (2, ANN), (3, DEE), (4, CY)]
    assert ranking(games[0], game(2, (BOB, 1, 900), (DEE, 2, 450))) == [(1, ANN), (1, BOB), (3, CY), (3, DEE)]
    assert ranking() == [(1, ANN), (1, BOB), (1, CY), (1, DEE)]


GAMES = (
    game(12, (ANN, 1, 6000), (BOB, 2, 4500), (CY, 3, 3000), (DEE, 4, 0)),
    game(13, (BOB, 1, 5000), (ANN, 2, 4000), (EVE, 2, 4000), (CY, 4, 1000)),
    game(14, (DEE, 1, 8000), (EVE, 2, 7000), group=2),
)
ENTRANTS = {ANN: 1, BOB: 1, CY: 1, DEE: 1, EVE: 2}


def test_standings_agree_with_a_sum_by_hand() -> None:
    """A substitute's games in another group count for nobody."""
    rows = standings(GAMES, ENTRANTS, "places", DEFAULT_PLACE_POINTS, {}, {ANN: 4})
    assert [row.entrant_number for row in rows[1]] == [BOB, ANN, CY, DEE]
    assert rows[1][1] == Standing(
        entrant_number=ANN,
        group=1,
        rank=2,
        points=Fraction("14.5"),
        games_played=2,
        games_due=4,
        wins=1,
        second_places=1,
        third_places=0,
        mean_result_percent=Fraction(90),
        total=10000,
        games=((12, 1, Fraction(10)), (13, 2, Fraction("4.5"))),
    )
    assert [(row.entrant_number, row.points, row.games_due) for row in rows[2]] == [(EVE, Fraction(1), 1)]


def test_a_withdrawal_keeps_or_loses_points() -> None:
    """Who loses them stands last, below players without points; the others keep what they won."""
    kept, lost = (
        standings(GAMES, ENTRANTS, "places", DEFAULT_PLACE_POINTS, {BOB: rule})[1]
        for rule in ("keeps", "loses")
    )
    assert [(row.entrant_number, row.points) for row in kept][:2] == [(BOB, 16), (ANN, Fraction("14.5"))]
    assert [(row.rank, row.entrant_number, row.points) for row in lost] == [
        (1, ANN, Fraction("14.5")),
        (2, CY, 4),
        (3, DEE, 1),
        (4, BOB, 0),
    ]


def test_the_file_lists_every_game() -> None:
    names = {ANN: "Ann", BOB: "=Bob", CY: "Cy, Jr.", DEE: "Dee", EVE: "Eve"}
    text = standings_csv(standings(GAMES, ENTRANTS, "places", DEFAULT_PLACE_POINTS, {}), names)
    rows = list(csv.DictReader(StringIO(text)))
    assert text.splitlines()[0] == (
        "rank,group,player,points,games,wins,seconds,thirds,mean share,total,"
        "game 12: place/points,game 13: place/points,game 14: place/points"
    )
    assert text.splitlines()[1] == "1,1,'=Bob,16,2,1,1,0,87.5,9500,2nd/6,1st/10,"
    assert rows[2]["player"] == "Cy, Jr."
    assert rows[-1]["game 14: place/points"] == "2nd/1"
