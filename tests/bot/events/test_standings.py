"""Standings of an event in words and for pictures."""

import pytest

from bot.table.events.event_standings import standings_text, standings_views
from tests.bot.events.seasons import season

TEXT = """\
-# Points (games played / games to play)
**Group A**
1\\. Ada 1: 40 (4 of 4)
2\\. Ben 1: 32 (4 of 4)
3\\. Cat 1: 25 (4 of 4)
4\\. Dan 1: 18 (4 of 4)
5\\. Eva 1: 13 (4 of 4)
6\\. Fay 1: 8 (4 of 4) ▼
7\\. Gus 1: 4 (4 of 4) ▼
**Group B**
1\\. Ada 2: 10 (1 of 4) ▲
2\\. Ben 2: 6 (1 of 4) ▲
3\\. Cat 2: 3 (1 of 4) ▲
4\\. Eva 2: 1 (1 of 4)
5\\. Dan 2: 0 (0 of 4)
5\\. Fay 2: 0 (0 of 4)
5\\. Gus 2: 0 (0 of 4)"""


def test_standings_in_words() -> None:
    """Two go up for the two who go down, and one more since Cat 1 has withdrawn."""
    assert standings_text(season(2, over=8, withdrawn=3)) == TEXT


@pytest.mark.parametrize(("groups", "size", "shown"), [(7, 7, 49), (30, 7, 30), (1, 210, 70)])
def test_standings_fit_a_message(groups: int, size: int, shown: int) -> None:
    """The first of each group, if there is no room for all."""
    text = standings_text(season(groups, size))
    assert len(text) <= 1800
    assert text.count("\\.") >= shown
    assert text.count("1\\. Ada") >= groups


@pytest.mark.parametrize(
    ("groups", "size", "rows"),
    [(7, 7, [[7] * 7]), (9, 7, [[7] * 8, [7]]), (4, 16, [[16] * 3, [16]]), (1, 60, [[28, 28], [4]])],
)
def test_picture_holds_eight_groups(groups: int, size: int, rows: list[list[int]]) -> None:
    pages = standings_views(season(groups, size))
    assert [[len(group.rows) for group in page.groups] for page in pages] == rows


def test_row_of_a_picture() -> None:
    (page,) = standings_views(season(1, over=2, withdrawn=3))
    row = page.groups[0].rows[2]
    assert (page.caption, page.groups[0].name) == (
        "2 of 7 games are over, deadline 28 February 2027",
        "Standings",
    )
    assert (row.rank, row.name, row.points, row.played, row.due, row.wins) == (3, "Cat 1", "9", 2, 4, 0)
    assert (row.mean_result_percent, row.move, row.has_withdrawn) == ("62.5", "", True)
