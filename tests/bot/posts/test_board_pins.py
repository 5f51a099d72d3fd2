"""The board post is pinned, once; after a crash it is seen to."""

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.pictures import Pictures
from bot.client.posts.board_posts import Boards
from bot.client.requests.request_limits import OldEdits
from storage import games
from tests.bot.support.tables import Bench

BOARD = 9


class Post:
    """A board post that is pinned or not; it counts how often it is."""

    def __init__(self, *, pinned: bool, refused: int = 0) -> None:
        self.id, self.pinned, self.refused, self.pins = BOARD, pinned, refused, 0
        self.channel = SimpleNamespace(id=3)

    async def pin(self) -> None:
        self.pins += 1
        if self.refused:
            response: Any = SimpleNamespace(status=400, reason="")
            raise discord.HTTPException(response, {"code": self.refused, "message": "no"})


@pytest.fixture
async def boards(bench: Bench) -> Boards:
    threads: Any = SimpleNamespace(of=None)
    await bench.tables.posted(await bench.game(), board=BOARD)
    return Boards(bench.tables, threads, Pictures(), OldEdits())


@pytest.mark.parametrize(
    ("post", "known", "pins"),
    [
        (Post(pinned=False), False, 1),
        (Post(pinned=True), False, 0),
        (Post(pinned=False), True, 0),
        (None, False, 0),
    ],
)
async def test_a_board_post_that_a_crash_has_left_unpinned_is_pinned_with_its_first_edit(
    bench: Bench, boards: Boards, monkeypatch: pytest.MonkeyPatch, post: Any, known: bool, pins: int
) -> None:
    shown: Any = object()

    async def opened(*_: object) -> Any:
        return post, shown

    monkeypatch.setattr(boards, "_opened", opened)
    row = await games.get_game(bench.db, 1)
    if known:
        boards._shown[row.id] = shown
    thread: Any = SimpleNamespace(get_partial_message=lambda number: post)
    await boards._edit(thread, row, unsure=False)
    assert (post.pins if post is not None else 0) == pins
    assert boards._shown.get(row.id) is shown


async def test_a_board_post_is_pinned_unless_this_process_has_seen_to_it(boards: Boards) -> None:
    post = Post(pinned=False)

    async def of(_: int) -> Any:
        return SimpleNamespace(get_partial_message=lambda number: post)

    threads: Any = SimpleNamespace(of=of)
    boards._threads = threads
    await boards.pin(1)
    assert post.pins == 1
    shown: Any = object()
    boards._shown[1] = shown
    await boards.pin(1)
    assert post.pins == 1


async def test_where_no_more_can_be_pinned_the_board_stays_as_it_is(
    boards: Boards, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def pinned(post: Post) -> None:
        async def of(_: int) -> Any:
            return SimpleNamespace(get_partial_message=lambda number: post)

        threads: Any = SimpleNamespace(of=of)
        boards._threads = threads
        await boards.pin(1)

    await pinned(Post(pinned=False, refused=30003))
    assert "the board post in 3 is not pinned: no more can be pinned there" in caplog.text
    with pytest.raises(discord.HTTPException):
        await pinned(Post(pinned=False, refused=10008))
