"""Lines that belong to no turn: each is a message, late ones are read together, and what is there is not said again."""

import json
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.pictures import Pictures
from bot.client.posts.line_posts import (
    close_up,
    post_lines,
    post_round,
    table_pictures,
)
from bot.table.outbox.notices import LINE, RoundBegun
from storage import Posting, parse_timestamp
from tests.bot.support.tables import Bench
from tests.bot.support.thread import Thread

NOW, LATELY, LATE = "2026-01-01T00:00:10+00:00", "2026-01-01T00:00:05.1+00:00", "2026-01-01T00:00:05+00:00"


def rows(*texts: str, at: str = NOW, hexes: tuple[str, ...] = ()) -> list[Posting]:
    """Lines that wait since then, with numbers from 1 on."""
    lines = [json.dumps({"text": text, "hexes": list(hexes)}) for text in texts]
    return [Posting(number, 1, 1, LINE, line, at, 0, None) for number, line in enumerate(lines, 1)]


class Lines:
    """A thread, and the lines that were ticked off there, with the number of their message."""

    def __init__(self, found: tuple[str, ...] = ()) -> None:
        self.thread, self.ticked = Thread(), list[tuple[list[int], int | None]]()
        self.tables: Any = None
        self.found: list[Any] = [SimpleNamespace(id=-n, content=text) for n, text in enumerate(found, 1)]

    async def post(self, postings: list[Posting], *, together: bool = False) -> list[str]:
        """What is said in the thread."""

        async def mark(postings: Sequence[Posting], message_id: int | None = None) -> None:
            self.ticked.append(([row.id for row in postings], message_id))

        thread: Any = self.thread
        now = None if together else parse_timestamp(NOW)
        draw = partial(close_up, self.tables, Pictures(), 1)
        await post_lines(thread, postings, mark, self.found, draw, now)
        return self.thread.said


async def test_each_line_is_a_quiet_message_of_its_own_and_ticked_off_with_it() -> None:
    lines = Lines()
    assert await lines.post(rows("A.", "B.", at=LATELY)) == ["A.", "B."]
    numbers = list(lines.thread.posts)
    assert lines.ticked == [([1], numbers[0]), ([2], numbers[1])]
    sent = [post.sent for post in lines.thread.posts.values()]
    assert sent == [{"files": [], "silent": True, "nonce": nonce} for nonce in ("1.0", "2.0")]


@pytest.mark.parametrize(("at", "together"), [(LATE, False), (NOW, True)])
async def test_lines_that_had_to_wait_are_one_message(at: str, together: bool) -> None:
    lines = Lines()
    assert await lines.post(rows("A.", "B.", "C.", at=at), together=together) == ["A.\nB.\nC."]
    assert lines.ticked == [([1, 2, 3], lines.thread.last.id)]
    assert lines.thread.last.sent["nonce"] == "1-3"


async def test_of_many_lines_as_many_are_together_as_a_message_takes() -> None:
    half = LONGEST_MESSAGE // 2
    whole = ["a" * half, "b" * (half - 1)]
    assert await Lines().post(rows(*whole, "c", "d"), together=True) == ["\n".join(whole), "c\nd"]
    more = ["a" * half, "b" * half]
    assert await Lines().post(rows(*more, "c"), together=True) == [more[0], f"{more[1]}\nc"]
    none_else = ["a" * LONGEST_MESSAGE, "b"]
    assert await Lines().post(rows(*none_else), together=True) == none_else


async def test_a_line_that_no_message_takes_is_alone_and_in_pieces() -> None:
    lines, longest = Lines(), "a" * LONGEST_MESSAGE
    assert await lines.post(rows(f"{longest}b", "C.", "D."), together=True) == [longest, "b", "C.\nD."]
    first = next(iter(lines.thread.posts))
    assert lines.ticked[0] == ([1], first), "what shows it begins there"
    assert [post.sent["nonce"] for post in lines.thread.posts.values()] == ["1.0", "1.1", "2-3"]


async def test_what_was_said_before_a_crash_is_ticked_off_and_not_said_again() -> None:
    lines = Lines(("talk", "A.\nB.", "A."))
    assert await lines.post(rows("A.", "B.", " C. ")) == ["C."]
    assert lines.ticked == [([1, 2], -2), ([3], lines.thread.last.id)]


async def test_what_was_said_twice_is_known_by_its_first_message() -> None:
    lines = Lines(("A.", "A."))
    assert await lines.post(rows("A.")) == []
    assert lines.ticked == [([1], -1)]


async def test_late_lines_are_together_up_to_those_that_were_said_before_a_crash() -> None:
    lines = Lines(("C.\nD.",))
    assert await lines.post(rows("A.", "B.", "C.", "D.", "E.", "F."), together=True) == ["A.\nB.", "E.\nF."]
    assert [ids for ids, _ in lines.ticked] == [[1, 2], [3, 4], [5, 6]]


async def test_of_pieces_those_that_are_missing_are_said() -> None:
    first = " " + "a" * (LONGEST_MESSAGE - 1)
    lines = Lines((first.strip(),))
    assert await lines.post(rows(f"A{first[1:]}b")) == ["A" + "a" * (LONGEST_MESSAGE - 1), "b"]
    same = Lines(("a" * LONGEST_MESSAGE,))
    assert await same.post(rows("a" * LONGEST_MESSAGE + "b")) == ["b"]
    assert same.ticked == [([1], -1)]


async def test_the_map_stands_with_the_last_piece_of_a_line_that_has_changed_it(
    bench: Bench, undrawn: None
) -> None:
    game, lines = await bench.game(), Lines()
    lines.tables = bench.tables
    await lines.post(rows("a" * LONGEST_MESSAGE + "b", hexes=("F2", "F2", "G3")))
    first, last = lines.thread.posts.values()
    assert (first.sent["files"], [file.filename for file in last.sent["files"]]) == ([], ["closeup.png"])
    assert last.sent["files"][0].description == "The map around F2, G3"
    assert await close_up(bench.tables, Pictures(), game, ()) == []
    bench.tables._damaged[game] = "It is damaged."
    bench.tables._live.forget(game)
    assert await close_up(bench.tables, Pictures(), game, ("F2",)) == []


async def test_of_several_rounds_the_last_is_shown_with_the_table_once(bench: Bench, undrawn: None) -> None:
    game, thread = await bench.game(), Thread()
    there: Any = thread
    draw = partial(table_pictures, bench.tables, Pictures(), game)
    begun = [RoundBegun(name).notice() for name in ("SR 1", "OR 1", "SR 2")]
    waiting = [
        Posting(number, game, 1, row.kind, row.payload, NOW, 0, None) for number, row in enumerate(begun, 4)
    ]
    talk: Any = SimpleNamespace(content="**SR 1**: the table.")
    await post_round(there, waiting, [talk], draw)
    assert (thread.said, thread.last.sent["silent"]) == (["**SR 2**: the table."], True)
    assert (thread.last.sent["nonce"], thread.last.files[0]) == ("table.6", "table.png")
    await post_round(there, waiting, [talk, there.last], draw)
    assert len(thread.said) == 1
