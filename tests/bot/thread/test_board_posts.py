"""The board post: posted once, edited where something else is to be seen, with no picture uploaded that it has."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.client.pictures import Pictures
from bot.client.places.messages import KeptFile
from bot.client.requests import old_edits
from bot.client.requests.old_edits import OldEdits
from bot.client.thread import apply, preparations
from bot.client.thread.apply import Applier
from bot.client.thread.board_post import Boards
from bot.table.outbox import notices
from bot.table.outbox.sender import NotYet
from storage import Posting, games, messages
from storage.messages import ShownMessage
from tests.bot.support.table_service import ANN, TableService
from tests.bot.support.thread import Thread, refused


class _Threads(Thread):
    """A thread that notes when it is made and opened, and what is found in it."""

    tables: Any

    def __init__(self) -> None:
        super().__init__()
        self.made = self.opened = 0
        self.found: list[Any] = []
        self.fails: list[Exception] = []
        """What the next edits meet."""

    async def make(self, row: games.GameRow) -> Any:
        self.made += 1
        await self.tables.show_in(row.id, self.id)
        return self

    async def open(self, thread: Any) -> None:
        assert thread is self
        self.opened += 1

    async def ours(self, row: games.GameRow, after: int) -> list[Any]:
        return self.found

    def get_partial_message(self, number: int) -> Any:
        if self.fails:
            return _Failing(super().get_partial_message(number), self.fails)
        return super().get_partial_message(number)


class _Failing:
    def __init__(self, post: Any, fails: list[Exception]) -> None:
        self.id, self.post, self.fails, self.pin = post.id, post, fails, post.pin

    async def edit(self, **parts: Any) -> Any:
        if self.fails:
            raise self.fails.pop(0)
        return await self.post.edit(**parts)


class Board:
    """A game that has just started, with no board post yet, and what is drawn of it."""

    def __init__(self, service: TableService, game: int, drawn: list[bytes]) -> None:
        self.service, self.game, self.drawn, self.threads = service, game, drawn, _Threads()
        self.threads.tables = service.tables
        self.started()

    def started(self) -> None:
        """A process begins."""
        threads: Any = self.threads
        applier = Applier(self.service.tables, threads, Pictures(), OldEdits())
        self.boards = Boards(self.service.tables, threads, Pictures(), applier)

    async def row(self) -> games.GameRow:
        return await games.get_game(self.service.db, self.game)

    async def begun(self) -> Any:
        """It is posted."""
        await self.boards.open(await self.row())
        return self.threads.last

    async def noted(self) -> ShownMessage:
        """What is noted of it."""
        found = await messages.of_role(self.service.db, self.game, "board")
        assert found is not None
        return found

    async def shown(self, *, again: bool = False) -> dict[str, Any] | None:
        """With what the post is edited after another move, None where it is not."""
        self.threads.done.clear()
        await self.boards.show(self.game, self.rows(again=again))
        edits = [parts for kind, _, parts in self.threads.done if kind == "edit"]
        assert len(edits) <= 1
        return edits[0] if edits else None

    def rows(self, *, again: bool) -> list[Posting]:
        """A row of the outbox for it."""
        payload = notices.board(again=again).payload
        return [Posting(1, self.game, 1, notices.BOARD, payload, "2026-01-01T00:00:00+00:00", 0, None)]

    async def moved(self) -> None:
        await self.service.pass_on(self.game)

    async def undone(self) -> None:
        await self.service.undo(self.game, ANN)


@pytest.fixture
async def board(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Board:
    drawn = [b"map", b"market"]

    found = Board(service, await service.game(), drawn)

    async def draws(*_: object) -> list[bytes]:
        return list(drawn)

    monkeypatch.setattr(Pictures, "_all_drawn", draws)
    return found


async def test_a_board_is_posted_quietly_and_pinned_once(board: Board) -> None:
    post = await board.begun()
    assert (board.threads.made, [kind for kind, *_ in board.threads.done]) == (1, ["send", "pin"])
    assert (post.sent["silent"], (await board.row()).board_message_id) == (True, post.id)
    assert post.files == ["map.png", "market.png"]
    assert "After move 1 " in post.content
    await board.boards.open(await board.row())
    await board.boards.pin(board.game)
    assert board.threads.made == 1, "nobody looks for it any more"
    assert len(board.threads.done) == 2


async def test_a_board_posted_before_a_crash_is_found(board: Board) -> None:
    """By its two pictures, and not by its words."""
    begun = ShownMessage(0, board.game, "board", "", None, "", "[]", "2026-01-01T00:00:00+00:00")
    await messages.put(board.service.db, begun)
    talk = await board.threads.send("Talk.")
    found = await board.threads.send("Words of another version.", embeds=[discord.Embed(), discord.Embed()])
    for one in (talk, found):
        one.raw_mentions = []
    board.threads.found = [talk, found]
    await board.boards.open(await board.row())
    assert len(board.threads.posts) == 2
    assert (found.pinned, (await board.row()).board_message_id) == (True, found.id)
    assert await board.shown() is not None, "it is edited, since nobody knows what it shows"


@pytest.mark.parametrize(("code", "pinned"), [(30003, True), (50013, True), (10008, False)])
async def test_a_board_that_cannot_be_pinned_stays(board: Board, code: int, pinned: bool) -> None:
    board.threads.pins = refused(code, discord.Forbidden if code == 50013 else discord.HTTPException)
    if pinned:
        await board.begun()
    else:
        with pytest.raises(discord.HTTPException):
            await board.begun()
    assert ((await board.noted()).key == "pinned") is pinned
    board.threads.pins = None
    await board.shown(again=True)
    assert board.threads.last.pinned is not pinned, "it is pinned later, unless that is refused"


async def test_where_nothing_else_is_to_be_seen_the_board_is_not_edited(board: Board) -> None:
    await board.begun()
    assert await board.shown() is None, "after the same move"
    await board.moved()
    await board.undone()
    assert await board.shown() is None, "Ann acts, as before"
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
    new, kept = edit["attachments"]
    assert (kept.id, new.filename) == (post.attachments[1].id, "map.png")
    assert on_market.id not in [file.id for file in post.attachments]


async def test_two_changed_pictures_are_uploaded_at_once(board: Board) -> None:
    await board.begun()
    await board.moved()
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


async def test_after_a_start_both_are_uploaded_once(board: Board) -> None:
    post = await board.begun()
    board.started()
    edit = await board.shown()
    assert edit is not None
    assert [file.filename for file in edit["attachments"]] == ["map.png", "market.png"]
    assert post.files == ["map.png", "market.png"]
    assert await board.shown() is None


@pytest.mark.parametrize("files", [[KeptFile(1), None], [KeptFile(7), KeptFile(2)], []])
async def test_a_file_lost_by_an_edit_is_uploaded_by_another(
    board: Board, files: list[KeptFile | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of a file may be missing, or say another number."""
    post = await board.begun()
    await board.moved()
    board.drawn[1] = b"another market"
    monkeypatch.setattr(apply, "files_shown", lambda _: files)
    monkeypatch.setattr(apply, "files_of", lambda _: ())
    board.threads.done.clear()
    await board.boards.show(board.game)
    assert [kind for kind, *_ in board.threads.done] == ["edit", "edit"]
    assert post.files == ["map.png", "market.png"]


async def test_an_old_board_waits_for_its_turn_and_then_shows_the_position(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game has other posts meanwhile."""
    post = await board.begun()
    monkeypatch.setattr(old_edits, "OLD", timedelta.min)
    for number in range(old_edits.OLD_EDITS):
        await board.moved()
        board.drawn[1] = b"market %d" % number
        assert await board.shown() is not None
    await board.moved()
    board.drawn[1] = b"the last market"
    with pytest.raises(NotYet):
        await board.shown()
    await board.moved()
    monkeypatch.setattr(old_edits, "OLD", timedelta(1))
    assert await board.shown() is not None
    assert "After move 5 " in post.content


async def test_what_is_drawn_holds_up_nobody_and_is_shown_all_the_same(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the game has moved on meanwhile: the rows of later moves wait for another board."""
    post = await board.begun()
    drawn, draws = asyncio.Event(), Pictures.board

    async def slow(*what: Any) -> Any:
        await drawn.wait()
        return await draws(*what)

    monkeypatch.setattr(Pictures, "board", slow)
    monkeypatch.setattr(preparations, "PATIENCE", 0.01)
    await board.moved()
    first = board.rows(again=False)
    with pytest.raises(NotYet) as waits:
        await board.boards.show(board.game, first)
    over = asyncio.Event()
    waits.value.then(lambda *_: over.set())
    await board.moved()
    drawn.set()
    await over.wait()
    later = [*first, replace(first[0], id=2)]
    assert list(await board.boards.show(board.game, later)) == first
    assert "After move 2 " in post.content
    assert list(await board.boards.show(board.game, later[1:])) == later[1:]
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


async def test_a_board_that_is_gone_is_posted_again(board: Board) -> None:
    """But not in a thread that is gone."""
    post = await board.begun()
    await post.delete()
    await board.shown(again=True)
    assert (await board.row()).board_message_id == board.threads.last.id != post.id
    assert board.threads.last.sent["nonce"] != post.sent["nonce"], "else Discord would take it for the same"
    posted = len(board.threads.posts)
    board.threads.fails = [refused(10003, discord.NotFound)]
    with pytest.raises(discord.NotFound):
        await board.shown(again=True)
    assert len(board.threads.posts) == posted
