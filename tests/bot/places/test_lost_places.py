"""Which games have lost their thread or channel: by what Discord tells, and by a comparison after the start."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.utils import snowflake_time, time_snowflake

from bot.client.features import deleted_threads
from bot.client.features.deleted_threads import fell_asleep
from bot.client.places.lost_threads import (
    LAST,
    ROOM,
    LostThreads,
    missing_post_advice,
    missing_thread_advice,
    without_channel,
)
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.outbox.notices import Line
from storage import games
from tests.bot.support.table_service import ANN, CHANNEL, GUILD, TableService
from tests.support.noted import noted

THREAD, BOARD, SHARD = 77, 78, 0
SENT = time_snowflake(datetime.fromisoformat("2026-01-01T00:00:00+00:00"))


def refused(status: int) -> Any:
    """What Discord answers."""
    kind = discord.NotFound if status == 404 else discord.HTTPException
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": 10003, "message": ""})


class Server:
    """A client with one server, whose channel and thread are there or not; and what is done about those gone."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self.noted: list[str] = []
        self.channels: dict[int, Any] = {CHANNEL: object()}
        self.threads: dict[int, Any] = {}
        self.fetched: Any = refused(404)
        self.posts: Exception | None = None
        self.guild: Any = SimpleNamespace(
            shard_id=SHARD, get_channel=self.channels.get, get_thread=self.threads.get
        )
        self.client: Any = SimpleNamespace(
            get_guild=lambda number: self.guild if number == GUILD else None,
            get_channel=self.channels.get,
            get_partial_messageable=self._messageable,
            fetch_channel=self._fetch,
        )
        threads: Any = SimpleNamespace(ask=self._ask, forums=SimpleNamespace(forum_of=lambda _: self.forum))
        homes: Any = SimpleNamespace(
            nowhere=lambda row: self.noted.append(f"nowhere {row.id}"),
            lost=lambda row: self.noted.append(f"lost {row.id}"),
        )
        self.forum: object | None = None
        self.client.tables, self.client.lobbies, self.client.threads = (
            service.tables,
            service.lobbies,
            threads,
        )
        self.client.lost_threads = homes

    def _messageable(self, number: int, guild_id: int) -> Any:
        assert (number, guild_id) == (CHANNEL, GUILD)

        async def send(text: str, *, silent: bool) -> None:
            if self.posts is not None:
                raise self.posts
            assert silent
            self.noted.append(text)

        return SimpleNamespace(send=send)

    async def _fetch(self, number: int) -> Any:
        assert number == THREAD
        if isinstance(self.fetched, Exception):
            raise self.fetched
        return self.fetched

    async def _ask(self, number: int) -> bool:
        if self.posts is not None:
            raise self.posts
        self.noted.append(f"opened {number}")
        return True

    async def game(self) -> int:
        """A running game that is shown in its thread."""
        number = await self.service.game()
        await self.service.tables.show_in(number, THREAD)
        await noted(self.service.db, number, "board", BOARD)
        await self.service.tables.reread(number)
        return number

    async def status(self, number: int) -> str:
        return (await games.get_game(self.service.db, number)).status


@pytest.fixture
def server(service: TableService) -> Server:
    return Server(service)


def said(number: int) -> str:
    return f"**Game {number}: 18Chesapeake** {missing_thread_advice(number)}"


async def test_a_deleted_thread_of_a_running_game_is_said_once_in_its_channel(server: Server) -> None:
    game = await server.game()
    await deleted_threads.thread_deleted(server.client, THREAD + 1)
    assert server.noted == []
    await deleted_threads.thread_deleted(server.client, THREAD)
    await deleted_threads.thread_deleted(server.client, THREAD)
    assert server.noted == [f"lost {game}", said(game), f"lost {game}"]


async def test_what_could_not_be_said_is_said_with_the_next_look(server: Server) -> None:
    game = await server.game()
    server.posts = refused(500)
    await deleted_threads.thread_deleted(server.client, THREAD)
    server.posts = None
    await deleted_threads.thread_deleted(server.client, THREAD)
    assert server.noted == [f"lost {game}", f"lost {game}", said(game)]


async def test_a_forum_takes_no_words_and_a_channel_that_is_gone_has_none(server: Server) -> None:
    game = await server.game()
    server.forum = object()
    await deleted_threads.thread_deleted(server.client, THREAD)
    server.forum = None
    server.channels.clear()
    await deleted_threads.thread_deleted(server.client, THREAD)
    assert server.noted == [f"lost {game}", f"nowhere {game}"]


async def test_the_deleted_thread_of_a_game_that_is_over_is_missed_by_nobody(server: Server) -> None:
    game = await server.game()
    await games.abandon(server.service.db, game)
    await deleted_threads.thread_deleted(server.client, THREAD)
    assert server.noted == []


async def test_with_a_channel_its_lobbies_are_closed_and_its_games_wait(server: Server) -> None:
    lobby, game = await server.service.lobby(((ANN, "Ann"),)), await server.game()
    await deleted_threads.channel_deleted(server.client, GUILD, CHANNEL + 1)
    await deleted_threads.channel_deleted(server.client, GUILD + 1, CHANNEL)
    assert (await server.status(lobby), server.noted) == ("lobby", [])
    await deleted_threads.channel_deleted(server.client, GUILD, CHANNEL)
    assert [await server.status(number) for number in (lobby, game)] == ["abandoned", "running"]
    assert server.noted == [f"nowhere {game}"]


async def test_a_lobby_that_has_started_as_its_channel_went_is_not_closed(server: Server) -> None:
    row = await games.get_game(server.service.db, await server.service.lobby())
    await server.service.lobbies.start(row.id, ANN)
    await deleted_threads._left_over(server.client, row)
    assert await server.status(row.id) == "running"


# --- after the start -------------------------------------------------------------------------------------------------


async def test_what_discord_lists_needs_no_question(server: Server) -> None:
    await server.game()
    server.threads[THREAD] = object()
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == []


async def test_a_thread_that_discord_does_not_list_is_asked_for(server: Server) -> None:
    game = await server.game()
    server.fetched = refused(500)
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == [], "nobody knows"
    server.fetched = object()
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == []
    server.fetched = refused(404)
    await deleted_threads.look_over(server.client, SHARD + 1)
    assert server.noted == [], "of another shard"
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == [f"lost {game}", said(game)]


async def test_a_game_whose_thread_is_being_made_has_lost_none(server: Server) -> None:
    number = await server.service.game()
    await server.service.tables.show_in(number, THREAD)
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == []
    server.channels.clear()
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == [f"nowhere {number}"]


async def test_a_game_of_a_server_that_is_not_there_waits_for_it(server: Server) -> None:
    await server.game()
    server.channels.clear()
    server.service.tables.forget(1)
    server.client.get_guild = lambda _: None
    await deleted_threads.look_over(server.client, SHARD)
    assert server.noted == []


# --- threads that fall asleep ----------------------------------------------------------------------------------------


def asleep(idle: int = 60, minutes: int = 60, *, archived: bool = True, locked: bool = False) -> Any:
    """A thread that was archived `idle` minutes after its last message; left alone, it would be after `minutes`."""
    at = snowflake_time(SENT) + timedelta(minutes=idle)
    return {
        "id": str(THREAD),
        "last_message_id": str(SENT),
        "thread_metadata": {
            "archived": archived,
            "locked": locked,
            "archive_timestamp": at.isoformat(),
            "auto_archive_duration": minutes,
        },
    }


def test_a_thread_falls_asleep_for_want_of_messages_and_is_closed_sooner() -> None:
    assert fell_asleep(asleep())
    assert fell_asleep(asleep(61))
    assert not fell_asleep(asleep(59)), "somebody has closed it"
    assert not fell_asleep(asleep(archived=False))
    assert not fell_asleep(asleep(locked=True))
    silent = asleep()
    silent["id"], silent["last_message_id"] = str(SENT), None
    assert fell_asleep(silent), "nobody has written there since it was made"


@pytest.mark.parametrize(
    ("idle", "archived", "locked", "opened"),
    [(60, True, False, True), (59, True, False, False), (60, False, False, False), (60, True, True, False)],
)
async def test_a_thread_that_has_fallen_asleep_while_the_bot_was_away_is_opened(
    server: Server, idle: int, archived: bool, locked: bool, opened: bool
) -> None:
    await server.game()
    edits: list[dict[str, bool]] = []

    class Found(discord.Thread):
        def __init__(self) -> None:
            self.id, self.last_message_id = THREAD, SENT
            self.archived, self.locked = archived, locked
            self.archive_timestamp = snowflake_time(SENT) + timedelta(minutes=idle)
            self.auto_archive_duration = 60

        async def edit(self, **parts: Any) -> Any:
            edits.append(parts)

    server.fetched = Found()
    await deleted_threads.look_over(server.client, SHARD)
    assert edits == ([{"archived": False}] if opened else [])
    assert server.noted == []


async def test_a_thread_of_a_running_game_that_falls_asleep_is_opened_again(server: Server) -> None:
    await deleted_threads.thread_changed(server.client, asleep())
    assert server.noted == [], "no game is played there"
    game = await server.game()
    await deleted_threads.thread_changed(server.client, asleep(59))
    assert server.noted == []
    server.posts = refused(500)
    await deleted_threads.thread_changed(server.client, asleep())
    server.posts = None
    await deleted_threads.thread_changed(server.client, asleep())
    assert server.noted == [f"opened {THREAD}"]
    await games.abandon(server.service.db, game)
    await deleted_threads.thread_changed(server.client, asleep())
    assert server.noted == [f"opened {THREAD}"]


# --- another thread --------------------------------------------------------------------------------------------------


class Asked:
    """Threads of which each question is noted, and that are there or not."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, int]] = []
        self.there = True

    async def ask(self, thread_id: int) -> bool:
        self.notes.append(("ask", thread_id))
        return self.there

    async def ready(self, thread_id: int) -> bool:
        self.notes.append(("ready", thread_id))
        return self.there

    async def repost(self, row: games.GameRow, channel_id: int) -> int:
        self.notes.append(("repost", channel_id))
        return THREAD + 10


class Lost:
    """Where the games of a bench are shown."""

    def __init__(self, server: Server) -> None:
        self.db, self.asked, self.problems = server.service.db, Asked(), DeliveryProblems()
        threads: Any = self.asked
        client: Any = SimpleNamespace(get_channel=lambda _: server.forum)
        self.threads = LostThreads(client, server.service.tables, threads, self.problems)

    async def ensured(self, game_id: int) -> games.GameRow | None:
        """Ensure that a game has its thread."""
        return await self.threads.ensure_thread(await games.get_game(self.db, game_id))


@pytest.fixture
def lost(server: Server) -> Lost:
    return Lost(server)


async def test_a_thread_is_asked_for_where_discord_has_refused_it_and_opened_where_its_game_runs(
    server: Server, lost: Lost
) -> None:
    game = await server.game()
    assert await lost.ensured(game) == await games.get_game(server.service.db, game)
    lost.threads.doubt(game)
    await lost.ensured(game)
    await lost.ensured(game)
    assert lost.asked.notes == [("ready", THREAD), ("ask", THREAD), ("ready", THREAD)]
    await games.abandon(server.service.db, game)
    lost.asked.notes.clear()
    await lost.ensured(game)
    assert lost.asked.notes == [], "it is archived on purpose"
    lost.threads.doubt(game)
    await lost.ensured(game)
    assert lost.asked.notes == [("ask", THREAD)]


async def test_a_thread_that_is_only_being_made_is_not_asked_for(server: Server, lost: Lost) -> None:
    number = await server.service.game()
    await server.service.tables.show_in(number, THREAD)
    assert await lost.ensured(number) is not None
    assert lost.asked.notes == []


async def test_where_the_thread_is_gone_the_game_continues_in_another_and_nothing_is_wrong_any_more(
    server: Server, lost: Lost
) -> None:
    game = await server.game()
    lost.threads.lost(await games.get_game(server.service.db, game))
    assert lost.problems.of(game) == missing_thread_advice(game)
    assert server.service.tables.places.lost_in(CHANNEL)
    lost.asked.there = False
    woken = server.service.woken()
    assert await lost.ensured(game) is None
    assert lost.asked.notes == [("ready", THREAD), ("repost", CHANNEL)]
    row = await games.get_game(server.service.db, game)
    assert (row.thread_id, server.service.tables.game_in(THREAD)) == (THREAD + 10, None)
    assert server.service.tables.game_in(THREAD + 10) == game
    assert lost.problems.of(game) is None
    assert not server.service.tables.places.lost_in(CHANNEL)
    assert woken == [game]


async def test_what_can_be_done_depends_on_what_is_gone(server: Server, lost: Lost) -> None:
    row = await games.get_game(server.service.db, await server.game())
    server.forum = object.__new__(discord.ForumChannel)
    lost.threads.lost(row)
    assert lost.problems.of(row.id) == missing_post_advice(row.id)
    lost.threads.nowhere(row)
    assert lost.problems.of(row.id) == without_channel(row.id)
    assert not server.service.tables.places.lost_in(CHANNEL)


async def test_the_newest_lines_that_fit_are_posted_again(
    lost: Lost, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[Any] = []

    async def of_kind(*_: object) -> list[Any]:
        return posted

    def put(*lines: Line, message: int | None = 5) -> None:
        posted.extend(SimpleNamespace(message_id=message, payload=one.notice().payload) for one in lines)

    monkeypatch.setattr("bot.client.places.lost_threads.outbox.of_kind", of_kind)
    assert await lost.threads._newest_lines(1, "Why.") == "Why."
    put(*(Line(f"line {number}") for number in range(LAST + 2)), Line("quiet", silent=True))
    put(Line("waits"), message=None)
    kept = [f"line {number}" for number in range(2, LAST + 2)]
    assert (await lost.threads._newest_lines(1, "Why.")).split("\n") == ["Why.", "What happened last:", *kept]
    half = "x" * (ROOM // 2)
    put(Line(half), Line(half))
    assert (await lost.threads._newest_lines(1, "Why.")).split("\n")[2:] == [half, half]
    put(Line("y"))
    assert (await lost.threads._newest_lines(1, "Why.")).split("\n")[2:] == [half, "y"]
