"""What the client does when Discord says something, when a game has changed, and from its start to its end."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.client import component
from bot.client.app import RENAMED, Stationmaster
from bot.client.bot_client import FINISHING_SECONDS, TELLING_SECONDS, game_here
from bot.client.features import COMPONENTS, LOOPS
from bot.client.features.import_export import ClaimButton
from bot.table.errors import Refused
from bot.table.rate_limits import RateLimiter
from bot.workers.workers import Priority
from storage import WHOLE, OutboxMessage, ShardSet, outbox
from tests.bot.support.asked import Asked
from tests.bot.support.table_service import ANN, BOB, TableService


class Bot(Stationmaster):
    """A bot that is not connected, and notes what it would do in the background."""

    def __init__(self, service: TableService, share: ShardSet = WHOLE) -> None:
        self.jobs: list[str] = []
        super().__init__(service.db, share=share, rate_limiter=RateLimiter(1.0))

    def aside(self, job: Coroutine[Any, Any, Any]) -> Any:
        self.jobs.append(getattr(job, "__qualname__", ""))
        job.close()


@pytest.fixture
def bot(service: TableService) -> Bot:
    return Bot(service)


@pytest.fixture
def done(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`done(part, name)`: calls of a method of a part of the bot are noted in the list, in place of it."""
    calls: list[str] = []

    def note(part: Any, name: str, *, soon: bool = True, answer: Any = None) -> list[str]:
        def now(*values: Any, **named: Any) -> Any:
            calls.append(" ".join([name, *(str(value) for value in (*values, *named.values()))]))
            return answer

        async def later(*values: Any, **named: Any) -> Any:
            return now(*values, **named)

        monkeypatch.setattr(part, name, now if soon else later)
        return calls

    return note


async def test_a_change_of_a_game_wakes_all_that_follow_it_once(bot: Bot, done: Any) -> None:
    for part in (bot.sender, bot.tables.followers, bot.caretakers):
        done(part, "wake")
    calls = done(bot.proposals, "may_be_overtaken", answer=False)
    bot._changed(5)
    assert calls == ["wake 5"] * 3 + ["may_be_overtaken 5"]
    assert bot.jobs == []
    done(bot.proposals, "may_be_overtaken", answer=True)
    bot._changed(5)
    assert bot.jobs == ["expire_overtaken"]


async def test_when_it_is_connected_each_watch_begins_once(bot: Bot, done: Any) -> None:
    done(bot, "wait_until_ready", soon=False)
    calls = done(bot.sender, "run", soon=False)
    await bot._send()
    assert calls == ["wait_until_ready", "run"]
    assert bot.jobs == ["keep_looking"] * (len(LOOPS) + 2)


async def test_before_it_is_connected_its_tables_and_commands_are_there(bot: Bot, done: Any) -> None:
    done(bot.tables, "open", soon=False)
    done(bot.lobbies, "clear", soon=False)
    calls = done(bot, "_register", soon=False)
    await bot.setup_hook()
    await bot.setup_hook()
    assert calls == ["open", "clear", "_register"] * 2
    assert {"game", "pass", "status"} <= {command.name for command in bot.tree.get_commands()}
    assert (
        bot.jobs
        == [
            "Lag.watch",
            "Stationmaster._send",
            "Tables.review",
            "score_earlier",
        ]
        * 2
    )


async def test_at_its_start_what_was_posted_a_month_ago_is_forgotten(
    bot: Bot, service: TableService, done: Any
) -> None:
    done(bot, "_register", soon=False)
    game = await service.game()
    await service.db.write(lambda tx: tx.run("DELETE FROM outbox"))
    now = datetime.now(UTC)

    def direct_message(*values: object) -> Any:
        columns = "game_id, user_id, sent_at, text, notifications, created_at"
        insert = f"INSERT INTO direct_messages ({columns}) VALUES (?, ?, ?, 'Your turn.', '[]', '')"
        return lambda tx: tx.run(insert, *values)

    for seq, days in ((1, 31), (2, 29)):
        sent = (now - timedelta(days=days, hours=-12)).isoformat()
        await outbox.add_once(service.db, game, seq, OutboxMessage("line", "{}"), sent)
        (posting,) = [row for row in await outbox.of_game(service.db, game) if row.seq == seq]
        await outbox.mark_sent(service.db, posting.id, now=sent)
        await service.db.write(direct_message(game, seq, sent))
    await bot.setup_hook()
    assert await service.db.rows("SELECT seq FROM outbox") == [(2,)]
    assert await service.db.rows("SELECT user_id FROM direct_messages") == [(2,)]


async def test_one_share_of_the_servers_alone_registers_the_commands(
    service: TableService, done: Any
) -> None:
    for shards, registers in (((1,), []), ((0, 1), ["_register"])):
        bot = Bot(service, share=ShardSet(shards, 2))
        calls = done(bot, "_register", soon=False)
        await bot.setup_hook()
        assert calls == registers


def test_it_hears_of_servers_and_pings_nobody_by_itself(bot: Bot) -> None:
    """Neither members nor messages are held in memory."""
    assert bot.intents == discord.Intents(guilds=True)
    mentions: Any = bot.allowed_mentions
    assert mentions.to_dict() == {"parse": []}
    state = bot._connection
    assert state.member_cache_flags == discord.MemberCacheFlags.none()
    assert (state._chunk_guilds, state.max_messages) == (False, None)


async def test_the_end_lets_requests_finish_then_questions_and_then_nothing_more(
    bot: Bot, done: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(bot.admission, "close", soon=False)
    done(bot.tables, "drain", soon=False)
    calls: list[str] = done(bot.tables.workers, "close", soon=False)

    async def parted(_: object) -> None:
        calls.append("disconnected")

    monkeypatch.setattr(discord.AutoShardedClient, "close", parted)
    cancelled: list[int] = []
    job: Any = asyncio.get_running_loop().create_future()
    job.add_done_callback(lambda one: cancelled.append(one.cancelled()))
    bot._jobs.add(job)
    await bot.close()
    assert calls == [
        f"close {FINISHING_SECONDS}",
        f"close {Priority.QUESTION}",
        f"close {TELLING_SECONDS}",
        "drain",
        "disconnected",
        "close",
    ]
    assert cancelled == [True]


async def test_a_game_is_read_for_completions_unless_it_is_in_memory(service: TableService) -> None:
    bot = Stationmaster(service.db, rate_limiter=RateLimiter(1.0))
    game = await service.game()
    assert bot.tables.cached(game) is None
    live = await bot.live_soon(game)
    assert live is not None
    assert await bot.live_soon(game) is live
    assert await bot.live_soon(404) is None
    job = bot.aside(asyncio.sleep(0))
    assert job in bot._jobs, "it is stopped at the end, should it last that long"
    await job
    await asyncio.sleep(0)
    assert bot._jobs == set(), "jobs that are done are forgotten"


def test_where_no_game_is_shown_the_refusal_says_what_leads_to_one(bot: Bot) -> None:
    asked: Any = Asked(ANN, "Ann", thread=None)
    asked.client = bot
    for lost, why in (
        (
            [],
            "This is not the thread of a game. `/mine` lists your games, `/game list` those of this server.",
        ),
        (
            [1, 2],
            "Several games of this channel have lost their thread: `/game repair number:1` and "
            "`/game repair number:2` give them others.",
        ),
    ):
        bot.tables.places.lost_in = lambda _, lost=lost: lost  # type: ignore[method-assign, misc]
        with pytest.raises(Refused) as refused:
            game_here(asked)
        assert str(refused.value) == why
    bot.tables.game_in = lambda _: 5  # type: ignore[assignment]
    assert game_here(asked) == 5


# --- commands and components -----------------------------------------------------------------------------------------


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a user is answered to an error."""
    found: list[str] = []

    async def report(_: object, error: BaseException) -> None:
        found.append(str(error))

    monkeypatch.setattr("bot.client.app.report_error", report)
    monkeypatch.setattr(component, "report_error", report)
    return found


async def test_a_command_that_is_not_known_any_more_names_its_new_name_or_asks_for_patience(
    bot: Bot, reported: list[str]
) -> None:
    old, new = next(iter(RENAMED.items()))
    *parents, name = old.split(" ")
    asked: Any = Asked(ANN, "Ann")
    chat = discord.AppCommandType.chat_input
    await bot.tree.on_error(asked, app_commands.CommandNotFound(name, parents, chat))
    await bot.tree.on_error(asked, app_commands.CommandNotFound("nothing", [], chat))
    command: Any = SimpleNamespace(name="x")
    await bot.tree.on_error(asked, app_commands.CommandInvokeError(command, OSError("the disk")))
    await bot.tree.on_error(asked, app_commands.AppCommandError("else"))
    assert reported == [
        f"`/{old}` is now `/{new}`.",
        "This command has changed. Wait a moment, and type it again.",
        "the disk",
        "else",
    ]


@pytest.mark.parametrize("kind", COMPONENTS)
async def test_who_uses_a_component_of_a_game_is_seen_there_and_hears_of_ended_orders(
    monkeypatch: pytest.MonkeyPatch, kind: type[component.Component]
) -> None:
    """Of no game are those for a user's data, and for games that are to be imported."""
    of_no_game = "?P<game>" not in kind.template
    needed: list[tuple[str, int]] = []

    async def require(_: object, right: str, game: int) -> None:
        needed.append((right, game))

    async def acts(_: object, asked: Any) -> None:
        asked.answers.append("acts")

    async def tell_ended(asked: Any, game: int) -> None:
        asked.answers.append(f"ended {game}")

    monkeypatch.setattr(component, "require", require)
    monkeypatch.setattr(component, "tell_ended_orders", tell_ended)
    monkeypatch.setattr(kind, "act", acts)
    used: Any = object.__new__(kind)
    used._data = {"values": ["x"]}
    if not of_no_game:
        used.game = 5
    asked: Any = Asked(BOB, "Bob")
    asked.client = SimpleNamespace(acts=lambda game, user: asked.answers.append(f"seen {game} {user}"))
    await used._enter(asked)
    assert needed == [(kind.right, 0 if of_no_game else 5)]
    assert asked.answers == (["acts"] if of_no_game else [f"seen 5 {BOB}", "acts", "ended 5"])


async def test_a_component_that_fails_or_is_not_admitted_is_acknowledged_all_the_same(
    bot: Bot, reported: list[str], done: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: Any = object.__new__(ClaimButton)
    calls = done(used, "_enter", soon=False)
    for admits in (True, False):
        asked: Any = Asked(ANN, "Ann")
        asked.client = bot
        done(bot.admission, "admits", soon=False, answer=admits)
        await used.used(asked)
        assert asked.deferred
    assert [call.partition(" ")[0] for call in calls] == ["admits", "_enter", "admits"]

    async def fails(_: object) -> None:
        raise OSError("the disk")

    done(bot.admission, "admits", soon=False, answer=True)
    monkeypatch.setattr(used, "_enter", fails)
    failing: Any = Asked(ANN, "Ann")
    failing.client = bot
    await used.used(failing)
    assert (reported, failing.deferred) == (["the disk"], True)
