"""Lines that belong to no turn: each is a message, late ones are read together, and what was begun stays together."""

import json

import pytest

from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.thread.desired import line_posts, round_post
from bot.table.outbox.notices import LINE_KIND, RoundStart
from storage import Posting, parse_timestamp

NOW, LATELY, LATE = "2026-01-01T00:00:10+00:00", "2026-01-01T00:00:05.1+00:00", "2026-01-01T00:00:05+00:00"
FULL, HALF = MAX_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH // 2


def rows(*texts: str, at: str = LATELY, hexes: tuple[str, ...] = ()) -> list[Posting]:
    """Lines that wait since then, with numbers from 1 on."""
    lines = [json.dumps({"text": text, "hexes": list(hexes)}) for text in texts]
    return [Posting(number, 1, 1, LINE_KIND, line, at, 0, None) for number, line in enumerate(lines, 1)]


def keys(waiting: list[Posting], *begun: str, now: str | None = NOW) -> list[str]:
    """Which lines are together in a post."""
    return [post.key for post in line_posts(waiting, begun, None if now is None else parse_timestamp(now))]


def test_each_line_is_a_quiet_post() -> None:
    first, second = line_posts(rows("A.", " B. "), (), parse_timestamp(NOW))
    assert [(post.text, post.silent, post.view) for post in (first, second)] == [
        ("A.", True, None), ("B.", True, None),
    ]  # fmt: skip
    assert ([row.id for row in first.rows], first.pictures) == ([1], ())


@pytest.mark.parametrize(("at", "now"), [(LATE, NOW), (NOW, None)])
def test_late_lines_are_one_post(at: str, now: str | None) -> None:
    assert keys(rows("A.", "B.", "C.", at=at), now=now) == ["1,2,3"]
    assert line_posts(rows("A.", "B."))[0].text == "A.\nB."


@pytest.mark.parametrize(
    ("texts", "together"),
    [
        (("a" * HALF, "b" * (HALF - 1), "c", "d"), ["1,2", "3,4"]),
        (("a" * HALF, "b" * HALF, "c"), ["1", "2,3"]),
        (("a" * FULL, "b"), ["1", "2"]),
        (("a" * (FULL + 1), "b", "c"), ["1", "2,3"]),
    ],
)
def test_lines_a_post_takes(texts: tuple[str, ...], together: list[str]) -> None:
    assert keys(rows(*texts), now=None) == together


@pytest.mark.parametrize(
    ("begun", "late", "together"),
    [
        (["1,2"], False, ["1,2", "3", "4"]),
        (["1,2"], True, ["1,2", "3,4"]),
        (["2,3"], True, ["1", "2,3", "4"]),
        (["1"], True, ["1", "2,3,4"]),
        (["3,5", "7"], True, ["1,2", "3,4"]),
    ],
)
def test_lines_begun_together_stay_together(begun: list[str], late: bool, together: list[str]) -> None:
    """Whatever they say now."""
    assert keys(rows("A.", "B.", "C.", "D."), *begun, now=None if late else NOW) == together


def test_changed_hexes_are_shown_once() -> None:
    (post,) = line_posts(rows("A.", "B.", hexes=("F2", "G3")))
    assert [(one.name, one.hexes) for one in post.pictures or ()] == [("map:1,2", ("F2", "G3"))]


def test_last_of_several_rounds_is_shown() -> None:
    begun = [RoundStart(name).notice() for name in ("SR 1", "OR 1", "SR 2")]
    waiting = [Posting(n, 1, 1, row.kind, row.payload, NOW, 0, None) for n, row in enumerate(begun, 4)]
    post = round_post(waiting)
    assert (post.key, post.silent) == ("4,5,6", True)
    assert post.text == "**SR 1** begins.\n**OR 1** begins.\n**SR 2** begins."
    assert [one.name for one in post.pictures or ()] == ["table:6"]
