"""The board post: posted once, edited where something else is to be seen, with no picture uploaded that it has."""

from typing import Any

import discord
import pytest

from bot.client.pictures import Pictures
from bot.client.places import messages
from bot.client.places.messages import KeptFile
from bot.client.posts import board_posts
from bot.client.posts.board_posts import Boards
from bot.client.requests.request_limits import OldEdits
from storage import games
from tests.bot.support.tables import ANN, Bench
from tests.bot.support.thread import Thread, gone, refused

UNSURE = True


class _Threads(Thread):
    """A thread that notes when it is made and opened, and finds the board post that is there."""

    def __init__(self) -> None:
        super().__init__()
        self.made = self.opened = 0
        self.found: Any = None
        self.fails: list[Exception] = []
        """What the next edits meet."""

    async def make(self, row: games.Game) -> Any:
        self.made += 1
        return self

    async def open(self, thread: Any) -> None:
        assert thread is self
        self.opened += 1

    async def board(self, thread: Any, title: str) -> Any:
        assert (thread, title) == (self, "18Chesapeake, game 1")
        return self.found

    def get_partial_message(self, number: int) -> Any:
        if self.fails:
            return _Failing(super().get_partial_message(number), self.fails)
        return super().get_partial_message(number)


class _Failing:
    def __init__(self, post: Any, fails: list[Exception]) -> None:
        self.id, self.channel, self.post, self.fails = post.id, post.channel, post, fails

    async def edit(self, **parts: Any) -> Any:
        if self.fails:
            raise self.fails.pop(0)
        return await self.post.edit(**parts)


class Board:
    """A game that has just started, with no board post yet, and what is drawn of it."""

    def __init__(self, bench: Bench, game: int, drawn: list[bytes]) -> None:
        self.bench, self.game, self.drawn, self.threads = bench, game, drawn, _Threads()
        self.times = 0
        threads: Any = self.threads
        self.boards = Boards(bench.tables, threads, Pictures(), OldEdits())

    async def row(self) -> games.Game:
        return await games.get_game(self.bench.db, self.game)

    async def begun(self) -> Any:
        """It is posted."""
        await self.boards.open(await self.row(), not UNSURE)
        return self.threads.last

    async def shown(self, *, again: bool = False) -> dict[str, Any] | None:
        """With what the post is edited after another move, None where it is not."""
        self.threads.done.clear()
        await self.boards.show(self.game, not UNSURE, again=again)
        edits = [parts for kind, _, parts in self.threads.done if kind == "edit"]
        assert len(edits) <= 1
        return edits[0] if edits else None

    async def moved(self) -> None:
        await self.bench.pass_on(self.game)

    async def undone(self) -> None:
        await self.bench.undo(self.game, ANN)


@pytest.fixture
async def board(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Board:
    drawn = [b"map", b"market"]

    found = Board(bench, await bench.game(), drawn)

    async def draws(*_: object) -> list[bytes]:
        found.times += 1
        return list(drawn)

    monkeypatch.setattr(Pictures, "_all_drawn", draws)
    return found


async def test_a_board_is_posted_quietly_and_pinned_once(board: Board) -> None:
    before = await board.row()
    board.threads.found = object()  # after a crash alone it is looked for
    post = await board.begun()
    await board.boards.open(before, not UNSURE)
    assert (board.threads.made, [kind for kind, *_ in board.threads.done]) == (1, ["send", "pin"])
    assert (post.sent["silent"], post.sent["nonce"], (await board.row()).board_message_id) == (
        True,
        f"b{board.game}",
        post.id,
    )
    assert post.files == ["map.png", "market.png"]
    assert "After move 1 " in post.content
    await board.boards.open(await board.row(), not UNSURE)
    assert board.threads.made == 1, "nobody looks for it any more"


async def test_a_board_that_was_posted_before_a_crash_is_pinned_and_no_other_is_posted(board: Board) -> None:
    board.threads.found = found = await board.threads.send("The board.", nonce="b")
    await board.boards.open(await board.row(), UNSURE)
    assert len(board.threads.posts) == 1
    assert (found.pinned, (await board.row()).board_message_id) == (True, found.id)


async def test_where_nothing_else_is_to_be_seen_the_board_is_not_edited(board: Board) -> None:
    await board.begun()
    assert await board.shown() is None, "after the same move"
    await board.moved()
    await board.undone()
    for drawn in (1, 1):
        assert await board.shown() is None, "Ann acts, as before"
        assert board.times == drawn + 1, "it is looked at once for each move"
    again = await board.shown(again=True)
    assert again is not None
    assert [type(file) for file in again["attachments"]] == [discord.File] * 2


async def test_a_picture_that_has_changed_is_uploaded_alone(board: Board) -> None:
    post = await board.begun()
    on_map, on_market = post.attachments
    await board.moved()
    board.drawn[1] = b"another market"
    edit = await board.shown()
    assert edit is not None
    kept, new = edit["attachments"]
    assert (kept, new.filename, new.fp.read()) == (KeptFile(on_map.id), "market.png", b"another market")
    assert post.content == edit["content"]
    assert "After move 2 " in post.content
    assert post.files == ["map.png", "market.png"]
    await board.moved()
    board.drawn[0] = b"another map"
    edit = await board.shown()
    assert edit is not None
    kept, new = edit["attachments"]
    assert (kept.id, new.filename) == (post.attachments[0].id, "map.png")
    assert on_market.id not in [file.id for file in post.attachments]


async def test_where_both_pictures_have_changed_both_are_uploaded(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, though their addresses may say no numbers."""
    await board.begun()
    await board.moved()
    monkeypatch.setattr(board_posts, "files_shown", lambda _: [None, None])
    board.drawn[:] = b"another map", b"another market"
    edit = await board.shown()
    assert edit is not None
    assert [file.filename for file in edit["attachments"]] == ["map.png", "market.png"]


async def test_the_next_turn_is_said_with_the_pictures_as_they_are(board: Board) -> None:
    post = await board.begun()
    assert "It is **Ann**'s turn." in post.content
    await board.moved()
    edit = await board.shown()
    assert edit is not None
    assert list(edit) == ["content"]
    assert "It is **Bob**'s turn. After move 2 " in edit["content"]
    assert await board.shown() is None


@pytest.mark.parametrize("lost", ["one is not known", "all are not known", "one was not kept"])
async def test_where_the_other_file_is_not_known_both_are_uploaded(
    board: Board, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = await board.begun()
    shown = board.boards._shown[board.game]
    if lost == "one is not known":
        board.boards._shown[board.game] = shown._replace(files=(None, shown.files[1]))
    elif lost == "all are not known":
        board.boards._shown[board.game] = shown._replace(files=())
    else:
        first, *_ = made = [[KeptFile(1), KeptFile(2)], [KeptFile(3), KeptFile(4)]]
        monkeypatch.setattr(board_posts, "files_shown", lambda _: made.pop(0) if made else first)
    await board.moved()
    board.drawn[1] = b"another market"
    board.threads.done.clear()
    await board.boards.show(board.game, not UNSURE)
    edits = [parts["attachments"] for kind, _, parts in board.threads.done if kind == "edit"]
    assert len(edits) == (2 if lost == "one was not kept" else 1)
    assert [file.filename for file in edits[-1]] == ["map.png", "market.png"]
    assert [file.filename for file in post.attachments] == ["map.png", "market.png"]


@pytest.mark.parametrize("files", [[KeptFile(1), None], [KeptFile(7), KeptFile(2)]])
async def test_what_an_edit_has_lost_is_uploaded_by_another(
    board: Board, files: list[KeptFile | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of a file may be missing, or say another number."""
    post = await board.begun()
    await board.moved()
    board.drawn[1] = b"another market"
    kept = board.boards._shown[board.game].files[0]
    assert kept is not None
    said = [kept if file == KeptFile(1) else file for file in files]
    monkeypatch.setattr(board_posts, "files_shown", lambda _: said)
    board.threads.done.clear()
    await board.boards.show(board.game, not UNSURE)
    assert [kind for kind, *_ in board.threads.done] == ["edit", "edit"]
    assert board.boards._shown[board.game].files == tuple(said)
    assert post.files == ["map.png", "market.png"]


async def test_an_old_board_shows_the_position_of_the_moment_at_which_its_edit_may_be_made(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = await board.begun()
    looked: list[int] = []
    whole = messages.board_of

    async def board_of(*of: Any) -> Any:
        looked.append(1)
        return await whole(*of)

    monkeypatch.setattr(board_posts, "board_of", board_of)
    for old, looks in ((False, 1), (True, 3)):
        monkeypatch.setattr(board_posts, "is_old", lambda _, old=old: old)
        await board.moved()
        board.drawn[1] += b", changed"
        assert await board.shown() is not None
        assert len(looked) == looks
    assert "After move 3 " in post.content


async def test_an_archived_thread_is_opened_for_the_edit(board: Board) -> None:
    await board.begun()
    await board.moved()
    board.drawn[0] = b"another map"
    board.threads.fails = [refused(50083)]
    assert await board.shown() is not None
    assert board.threads.opened == 1
    board.threads.fails = [refused(50013)]
    with pytest.raises(discord.HTTPException):
        await board.shown(again=True)
    assert board.threads.opened == 1


async def test_a_board_that_is_gone_is_posted_again_but_not_in_a_thread_that_is_gone(board: Board) -> None:
    post = await board.begun()
    await post.delete()
    await board.boards.show(board.game, not UNSURE, again=True)
    assert board.threads.last.sent["nonce"] == f"b{post.id}"
    assert (await board.row()).board_message_id == board.threads.last.id != post.id
    posted = len(board.threads.posts)
    board.threads.fails = [refused(10003, discord.NotFound)]
    with pytest.raises(discord.NotFound):
        await board.boards.show(board.game, not UNSURE, again=True)
    assert len(board.threads.posts) == posted
    found = board.threads.found = await board.threads.send("The board.", nonce="b")
    board.threads.fails = [gone()]
    await board.boards.show(board.game, UNSURE, again=True)
    assert (await board.row()).board_message_id == found.id
