"""What is posted of a game in which order, and of one that cannot be shown: each part by what is made for it."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.features import lobby_messages, proposals
from bot.client.pictures import Pictures
from bot.client.poster import Poster
from bot.client.requests.permission_problems import POSTS, DeliveryProblems
from bot.client.thread.desired import Post
from bot.client.thread.doubts import Doubts
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, RoundBegun, ThreadPing, TurnChange
from storage import OutboxMessage, Posting, games
from storage.messages import ShownMessage
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.thread import Thread, refused
from tests.support.noted import noted


class Parts:
    """Whatever posts: it notes what is asked of it, and answers with the result that is set."""

    def __init__(self, done: list[Any], results: dict[str, Any]) -> None:
        self._done, self._results = done, results
        self.forums: Any = self

    def __getattr__(self, name: str) -> Any:
        async def part(*of: Any, **how: Any) -> Any:
            self._done.append((name, *of, *how.values()))
            result = self._results.get(name)
            if isinstance(result, Exception):
                raise result
            return result

        return part


class Posted:
    """A poster for a game that has just started; `done` is what its parts were asked for, in order."""

    def __init__(self, service: TableService, game: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service, self.game, self.thread = service, game, Thread()
        self.done: list[Any] = []
        self.posts: list[Post] = []
        self.results: dict[str, Any] = {"turn": [SimpleNamespace(kind="turn")], "of": self.thread}
        self.doubted: list[int] = []
        part = self._part
        self.troubles = DeliveryProblems()
        parts: Any = Parts(self.done, self.results)
        client: Any = SimpleNamespace(
            get_channel=lambda _: None,
            tables=service.tables,
            pictures=Pictures(),
            threads=parts,
            departed_members=parts,
            applier=self,
            turns=SimpleNamespace(show=part("turn"), remove=part("remove")),
            lost_threads=SimpleNamespace(ensure_thread=part("ensure_thread"), doubt=self.doubted.append),
            delivery_problems=self.troubles,
        )
        self.poster = Poster(client)
        verbs = {verb: part(f"boards {verb}") for verb in ("open", "pin")}
        boards: Any = SimpleNamespace(**verbs, begin=lambda *_: None, show=self._shown)
        self.poster._boards = boards
        monkeypatch.setattr(proposals, "post", part("proposal"))
        monkeypatch.setattr(lobby_messages, "close", part("close"))

    async def send(self, game_id: int, post: Post, doubts: Doubts, mark: Any) -> ShownMessage:
        """A post is sent: it is noted by its role."""
        self.posts.append(post)
        self.done.append((post.role, *post.rows))
        return await noted(self.service.db, game_id, post.role, len(self.posts), post.key)

    async def _shown(self, game_id: int, rows: Sequence[Posting] = ()) -> Sequence[Posting]:
        """The board is shown for the first of these; those that come later are found to be new each time."""
        self.done.append(("boards show", game_id, *rows))
        return rows[:1]

    def _part(self, name: str) -> Any:
        return getattr(Parts(self.done, self.results), name)

    async def deliver(self, *said: OutboxMessage) -> list[str]:
        """The names of what was asked for, and the kinds of what was ticked off."""
        game = await games.get_game(self.service.db, self.game)
        self.results["ensure_thread"] = self.results.get("row", game)
        rows = [
            Posting(number, self.game, 1, one.kind, one.payload, "2026-01-01T00:00:00+00:00", 0, None)
            for number, one in enumerate(said, 1)
        ]

        async def mark(postings: Sequence[Posting], *_: object) -> None:
            self.done.append(("mark", *(row.kind for row in postings)))

        self.done.clear()
        await self.poster.deliver(game, rows, mark)
        return [" ".join(one) if one[0] == "mark" else one[0] for one in self.done if one[0] != "of"]

    def of(self, name: str) -> Any:
        """With what one of them was asked."""
        return next(one[1:] for one in self.done if one[0] == name)


@pytest.fixture
async def posted(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Posted:
    return Posted(service, await service.game(), monkeypatch)


BEGINS, ENDS = ["ensure_thread", "boards open"], ["show_tags"]
MOVE, ALONE = Line("`2` A.").notice(), Line("The game pauses.").notice()
TURN, TABLE = TurnChange(("p1", "p2"), None).notice(), RoundBegun("OR 1").notice()


async def test_a_thread_is_opened_and_its_board_pinned(posted: Posted) -> None:
    assert await posted.deliver(notices.OPEN_NOTICE) == [*BEGINS, "boards pin", *ENDS, "mark open"]


async def test_words_come_in_their_order_and_moves_with_their_turn(posted: Posted) -> None:
    said = await posted.deliver(MOVE, ALONE, TABLE, TURN, notices.proposal(3))
    assert said == [*BEGINS, "line", "proposal", "turn", "look", *ENDS, "mark turn"]
    assert [row.payload for row in posted.of("line")] == [ALONE.payload]
    _, rows, *_ = posted.of("turn")
    assert [[row.kind for row in part] for part in (rows.turns, rows.lines, rows.rounds)] == [
        ["turn"], ["line"], ["table"],
    ]  # fmt: skip
    assert posted.of("look") == (posted.game, ["p1", "p2"])


async def test_without_a_turn_lines_of_moves_and_the_table_are_messages_of_their_own(posted: Posted) -> None:
    said = await posted.deliver(MOVE, TABLE)
    assert said == [*BEGINS, "line", "round", *ENDS]


async def test_a_turn_that_was_overtaken_waits_with_its_trouble(posted: Posted) -> None:
    posted.results["turn"] = None
    posted.troubles.note(posted.game, POSTS, "It is archived.")
    assert await posted.deliver(TURN) == [*BEGINS, "turn", *ENDS]
    posted.results["turn"] = [SimpleNamespace(kind="turn")]
    assert "close" in await posted.deliver(TURN)
    assert posted.of("close")[3] == "has started"


async def test_a_board_is_shown_until_it_was_drawn_for_every_row(posted: Posted) -> None:
    assert await posted.deliver(notices.board(), notices.board()) == [
        *BEGINS, "boards show", "boards show", *ENDS, "mark board board",
    ]  # fmt: skip


async def test_users_and_a_role_are_pinged(posted: Posted) -> None:
    await posted.deliver(
        ThreadPing((ANN, BOB), "Come here.", 9).notice(), ThreadPing((CY,), "You, too.").notice()
    )
    first, second = posted.posts
    assert (first.text, first.silent) == (f"<@{ANN}> <@{BOB}> <@&9>\nCome here.", False)
    assert [(one.users, one.roles) for one in (first, second)] == [((ANN, BOB), (9,)), ((CY,), ())]
    assert [[row.kind for row in one.rows] for one in (first, second)] == [["ping"], ["ping"]]


@pytest.mark.parametrize("status", ["abandoned", "running"])
async def test_of_a_game_that_cannot_be_shown_lines_are_and_its_buttons_go(
    posted: Posted, service: TableService, status: str
) -> None:
    if status == "abandoned":
        await service.db.write(lambda tx: tx.put("UPDATE games SET status = 'abandoned'"))
    else:
        service.tables._damaged[posted.game] = "It is damaged."
        service.tables._live.forget(posted.game)
    ends = ["end", "close"] if status == "abandoned" else []
    said = await posted.deliver(ALONE, TURN, notices.board())
    assert said == ["ensure_thread", "make", "line", "remove", *ends, *ENDS, "mark turn board"]
    await noted(service.db, posted.game, "board", 5)
    assert await posted.deliver(ALONE) == ["ensure_thread", "line", *ends, *ENDS]


async def test_nothing_is_posted_where_the_game_has_another_thread_now(posted: Posted) -> None:
    posted.results["row"] = None
    assert await posted.deliver(TURN) == ["ensure_thread"]


@pytest.mark.parametrize(("code", "doubted"), [(10003, True), (50013, False)])
async def test_a_lobby_says_why_there_is_no_thread_and_that_there_is_one_again(
    posted: Posted, service: TableService, code: int, doubted: bool
) -> None:
    posted.results["boards open"] = refused(code)
    with pytest.raises(discord.HTTPException):
        await posted.deliver(notices.OPEN_NOTICE)
    assert posted.doubted == ([posted.game] if doubted else [])
    _, row, people, fate = posted.of("close")
    assert (row.id, people) == (posted.game, ["Ann", "Bob", "Cy"])
    assert fate.startswith("has started, but its thread cannot be made yet. ")
    with pytest.raises(discord.HTTPException):
        await posted.deliver(notices.OPEN_NOTICE)
    assert "close" not in [one[0] for one in posted.done], "it says so already"
    posted.results.pop("boards open")
    await posted.deliver(notices.OPEN_NOTICE)
    assert posted.of("close")[3] == "has started"
    await posted.deliver(notices.OPEN_NOTICE)
    assert "close" not in [one[0] for one in posted.done]
    await noted(service.db, posted.game, "board", 5)
    posted.results["boards open"] = refused(code)
    with pytest.raises(discord.HTTPException):
        await posted.deliver(notices.OPEN_NOTICE)
    assert "close" not in [one[0] for one in posted.done], "there is a thread"


async def over(service: TableService, game: int) -> None:
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")


async def test_the_result_is_posted_once_and_the_papers_follow_it(
    posted: Posted, service: TableService
) -> None:
    assert await posted.deliver(notices.END_NOTICE) == [
        *BEGINS, "keep_open", "close", *ENDS, "mark end",
    ]  # fmt: skip
    await over(service, posted.game)
    woken = service.woken()
    said = await posted.deliver(notices.END_NOTICE)
    assert said == [*BEGINS, "end", "boards show", "end", "close", *ENDS, "mark end"]
    (result,) = posted.posts
    assert (result.users, result.silent, result.key) == ((ANN, BOB, CY), False, "4")
    assert [one.name for one in result.pictures or ()] == ["scores"]
    assert woken == [posted.game]
    for ended, more in ((False, ["boards show", "end"]), (True, [])):
        posted.results["ended"] = ended
        said = await posted.deliver(notices.END_NOTICE)
        assert said == [*BEGINS, "ended", *more, "close", *ENDS, "mark end"]
    assert woken == [posted.game], "what follows it waits already"


async def test_papers_are_posted_once_and_only_of_a_game_that_is_over(
    posted: Posted, service: TableService, undrawn: None, unfilmed: None
) -> None:
    assert await posted.deliver(notices.PAPERS_NOTICE) == [*BEGINS, *ENDS, "mark papers"]
    await over(service, posted.game)
    assert await posted.deliver(notices.PAPERS_NOTICE) == [*BEGINS, "papers", *ENDS, "mark papers"]
    (post,) = posted.posts
    assert (post.text or "").startswith("The game in pictures, and as files, after its move ")
    assert post.pictures is not None
    assert post.pictures[0].made is not None
    assert {"scores.csv", "game-1.json"} <= {file.filename for file in post.pictures[0].made()}
    assert await posted.deliver(notices.PAPERS_NOTICE) == [*BEGINS, *ENDS, "mark papers"]
