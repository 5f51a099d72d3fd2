"""Several processes share a database: each answers for its own servers, and notices what others have written."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import discord
import pytest

from bot.client.app import Stationmaster
from bot.sandbox.guild import seed
from bot.sandbox.redirect import pointed_at
from bot.sandbox.server import LoopbackServer
from bot.table.errors import NotStored, error_sentence
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.sender import MarkSent, Sender
from bot.table.rate_limits import RateLimiter
from bot.table.tables import Tables
from storage import (
    GUILDS,
    Database,
    GameRow,
    Ownership,
    Posting,
    ShardLost,
    ShardSet,
    games,
    log,
    open_database,
    outbox,
)
from tests.bot.support.sandbox_bot import AT_A_RUN, PATIENCE
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.support.own_postgres import Server

EVEN, ODD = ShardSet((0,), 2), ShardSet((1,), 2)
PLACES = {EVEN: 2 << 22, ODD: 3 << 22}
"""A server in each shard."""


@pytest.fixture
async def url(postgres: Server) -> AsyncIterator[str]:
    async with postgres.fresh() as url:
        yield url


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    async with await open_database(url) as opened:
        yield opened


@pytest.fixture
async def other(url: str) -> AsyncIterator[Database]:
    """The same database as another process has it."""
    async with await open_database(url) as opened:
        yield opened


async def game_in(db: Database, share: ShardSet) -> int:
    """A started game of Ann, Bob and Cy in a server of this share."""
    return await put(db, await TableService.on(db).game(), share)


async def put(db: Database, game: int, share: ShardSet) -> int:
    """Put a game into a server of this share."""
    await db.write(lambda tx: tx.run("UPDATE games SET guild_id = ? WHERE id = ?", PLACES[share], game))
    return game


async def taken_over(db: Database) -> None:
    """Another process owns all shards."""
    await db.write(lambda tx: tx.run("UPDATE shards SET epoch = epoch + 1"))


class Wall:
    """Where posts of a process appear."""

    def __init__(self) -> None:
        self.posted: set[int] = set()

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark: MarkSent) -> None:
        """Post these."""
        self.posted.add(game.id)
        await mark(postings, None, ())


def sender_of(db: Database, wall: Wall, share: ShardSet) -> Sender:
    """A sender for a share."""
    return Sender(
        db,
        wall.deliver,
        lambda: "2026-01-02T03:04:05",
        lambda error: True,
        CircuitBreaker(),
        ask=asyncio.Event().wait,
        share=share,
    )


async def emptied(db: Database, share: ShardSet) -> None:
    """Wait until everything of a share has been posted."""
    async with asyncio.timeout(PATIENCE):
        while await outbox.waiting(db, share):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.01)


async def test_each_process_posts_for_its_own_servers_only(db: Database, other: Database) -> None:
    even, odd = await game_in(db, EVEN), await game_in(db, ODD)
    wall = Wall()
    sending = asyncio.create_task(sender_of(db, wall, ODD).run())
    await emptied(other, ODD)
    assert wall.posted == {odd}
    assert await outbox.waiting(other) == [even]
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


async def test_a_live_game_is_read_again_when_another_process_has_moved(
    db: Database, other: Database
) -> None:
    mine, others = TableService.on(db), TableService.on(other)
    game = await mine.game()
    await mine.do(game, ANN, "pass")
    await others.do(game, BOB, "pass")
    await mine.do(game, CY, "pass", expected=3)
    assert await mine.digest(game) == await others.digest(game)
    assert await log.last_seq(db, game) == 4


async def test_where_a_game_is_shown_is_learned_from_the_other_process(db: Database, other: Database) -> None:
    mine, others = TableService.on(db), TableService.on(other)
    game = await mine.game()
    await mine.digest(game)
    await others.tables.show_in(game, 77)
    async with mine.tables.reading(game) as live:
        assert live.row.thread_id == 77


async def test_only_own_games_are_reviewed_and_own_lobbies_cleared(db: Database) -> None:
    lobbies = {share: await put(db, await TableService.on(db).lobby(), share) for share in PLACES}
    damaged = {share: await game_in(db, share) for share in PLACES}
    await db.write(lambda tx: tx.run("UPDATE seats SET player_id = 'p9' WHERE player_id = 'p1'"))
    await db.write(lambda tx: tx.run("DELETE FROM outbox"))
    process = TableService.of(Tables(db, share=ODD))
    await process.tables.review()
    await process.lobbies.clear()
    assert [row.id for row in await games.games_in(db, "lobby")] == [lobbies[EVEN]]
    assert await outbox.waiting(db) == [damaged[ODD]]
    assert await process.tables.damage(damaged[EVEN]) is not None
    assert await outbox.waiting(db) == [damaged[ODD]]


async def test_a_move_after_another_process_has_taken_over_is_refused_in_words(
    db: Database, other: Database
) -> None:
    game = await TableService.on(other).game()
    async with db.owning() as duty:
        late = TableService.on(duty.db)
        await late.do(game, ANN, "pass")
        await taken_over(other)
        with pytest.raises(NotStored) as refused:
            await late.do(game, BOB, "pass")
        assert error_sentence(refused.value) == (
            "This could not be stored, so nothing was changed: Another process of this bot has taken over. "
            "Please try again."
        )
        assert duty.lost.is_set()
        await TableService.on(other).do(game, BOB, "pass")
        async with late.tables.reading(game) as live:
            assert live.seq == 3


async def test_whatever_else_is_refused_then_says_so_too() -> None:
    assert error_sentence(ShardLost(3)) == (
        "Another process of this bot has taken over. Nothing was changed. Please try again."
    )


def _heard_by(client: Stationmaster) -> list[discord.Interaction]:
    """Whatever this bot is asked from now on."""
    heard: list[discord.Interaction] = []

    async def on_interaction(interaction: discord.Interaction) -> None:
        heard.append(interaction)

    client.event(on_interaction)
    return heard


async def connected(duty: Ownership, server: LoopbackServer) -> tuple[Stationmaster, asyncio.Task[None]]:
    """A running bot, connected."""
    share = duty.share
    client = Stationmaster(
        duty.db,
        share=share,
        shard_ids=list(share.shards),
        shard_count=share.shard_count,
        guild_ready_timeout=0.02,
        sync_always=True,
        rate_limiter=RateLimiter(AT_A_RUN),
    )
    await client.login(server.token)
    running = asyncio.create_task(client.connect())
    await asyncio.wait_for(client.wait_until_ready(), PATIENCE)
    return client, running


async def test_two_bots_divide_the_shards_and_each_server_has_one_of_them(
    db: Database, other: Database
) -> None:
    """The guild is in shard 0: that bot registers commands, hears of people, plays and posts."""
    async with (
        LoopbackServer(port=0) as server,
        db.owning(EVEN) as duty,
        other.owning(ODD) as duty_of_other,
    ):
        with pointed_at(server.url):
            away, going_away = await connected(duty_of_other, server)
            assert server.world.commands == {}
            here, going_here = await connected(duty, server)
            try:
                assert [guild.id for guild in here.guilds] == [seed.GUILD_ID]
                assert list(away.guilds) == []
                heard = _heard_by(away)
                ann = server.person("Ann")
                await ann.slash("table", "game new", title="18chesapeake")
                lobby = next(m for m in reversed(ann.messages("table")) if m.buttons)
                for name in ("Bob", "Cy"):
                    await server.person(name).press(lobby, "Join")
                await ann.press(lobby, "Start")
                await emptied(other, EVEN)
                (row,) = await games.games_in(other, "running")
                assert row.thread_id is not None
                assert any(m.buttons for m in server.world.history(row.thread_id))
                assert heard == []
            finally:
                for client, running in ((here, going_here), (away, going_away)):
                    await client.close()
                    await asyncio.wait_for(running, PATIENCE)
    assert await GUILDS.get(other, 0, "commands") is not None
