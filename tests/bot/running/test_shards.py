"""Several processes share a database: each answers for its own servers, and notices what others have written."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest

from bot.client.app import Stationmaster
from bot.sandbox.guild import seed
from bot.sandbox.redirect import discord_redirected_to
from bot.sandbox.server import LoopbackServer
from bot.table.errors import NotStored, error_sentence
from bot.table.live import LiveGame
from bot.table.rate_limits import RateLimiter
from bot.table.tables import Tables
from storage import (
    GUILD_SETTINGS,
    Database,
    Ownership,
    ShardLost,
    ShardSet,
    games,
    outbox,
)
from tests.bot.support.sandbox_bot import AT_A_RUN, PATIENCE
from tests.bot.support.table_service import ANN, BOB, CY, TableService

EVEN, ODD = ShardSet((0,), 2), ShardSet((1,), 2)
PLACES = {EVEN: 2 << 22, ODD: 3 << 22}
"""A server in each shard."""


async def put(db: Database, game: int, share: ShardSet) -> int:
    """Put a game into a server of this share."""
    await db.write(lambda tx: tx.run("UPDATE games SET guild_id = ? WHERE id = ?", PLACES[share], game))
    return game


async def emptied(db: Database, share: ShardSet) -> None:
    """Wait until everything of a share has been posted."""
    async with asyncio.timeout(PATIENCE):
        while await outbox.games_with_unposted_notices(db, share):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.01)


async def test_game_is_read_again(db: Database, other: Database) -> None:
    """Moves anybody may have made; seats and places are changed by the process of the server, and read by others."""
    here, there = TableService.on(db), TableService.of(Tables(other, shards=ODD))
    game = await put(db, await here.game(), EVEN)

    async def live(at: TableService) -> LiveGame:
        async with at.tables.reading(game) as found:
            return found

    ours, theirs = await live(here), await live(there)
    assert (await live(here), await live(there)) == (ours, theirs)
    await db.write(lambda tx: tx.run("UPDATE seats SET display_name = 'Anna' WHERE user_id = ?", ANN))
    await here.tables.record_thread_of_game(game, 77)
    assert await live(here) is ours
    theirs = await live(there)
    assert ([seat.display_name for seat in theirs.seats], theirs.row.thread_id) == (["Anna", "Bob", "Cy"], 77)
    await here.do(game, ANN, "pass")
    await there.do(game, BOB, "pass")
    await here.do(game, CY, "pass", expected=3)
    assert await here.digest(game) == await there.digest(game)
    assert ((await live(here)).seq, (await live(there)).seq) == (4, 4)


async def test_only_own_games_are_reviewed(db: Database) -> None:
    """And own lobbies cleared."""
    service = TableService.on(db)
    lobbies = {share: await put(db, await service.lobby(), share) for share in PLACES}
    damaged = {share: await put(db, await service.game(), share) for share in PLACES}
    await db.write(lambda tx: tx.run("UPDATE seats SET player_id = 'p9' WHERE player_id = 'p1'"))
    await db.write(lambda tx: tx.run("DELETE FROM outbox"))
    process = TableService.of(Tables(db, shards=ODD))
    await process.tables.check_running_games()
    await process.lobbies.abandon_unposted_lobbies()
    assert [row.id for row in await games.games_with_status(db, "lobby")] == [lobbies[EVEN]]
    assert await outbox.games_with_unposted_notices(db) == [damaged[ODD]]
    assert await process.tables.damage(damaged[EVEN]) is not None
    assert await outbox.games_with_unposted_notices(db) == [damaged[ODD]]


async def test_move_after_a_takeover_is_refused(db: Database, other: Database) -> None:
    game = await TableService.on(other).game()
    async with db.own_shards() as duty:
        late = TableService.on(duty.db)
        await late.do(game, ANN, "pass")
        await other.write(lambda tx: tx.run("UPDATE shards SET epoch = epoch + 1"))
        with pytest.raises(NotStored) as refused:
            await late.do(game, BOB, "pass")
        assert error_sentence(refused.value) == (
            "Nothing was changed, because the bot could not store it: Another process of this bot "
            "has taken over. Please try again."
        )
        assert duty.shard_lost.is_set()
        await TableService.on(other).do(game, BOB, "pass")
        async with late.tables.reading(game) as live:
            assert live.seq == 3
    assert error_sentence(ShardLost(3)) == (
        "Another process of this bot has taken over. Nothing was changed. Please try again."
    )


@asynccontextmanager
async def connected(duty: Ownership, server: LoopbackServer) -> AsyncIterator[Stationmaster]:
    """A running bot, connected."""
    client = Stationmaster(
        duty.db,
        shards=duty.shards,
        shard_ids=list(duty.shards.shards),
        shard_count=duty.shards.shard_count,
        guild_ready_timeout=0.02,
        sync_always=True,
        rate_limiter=RateLimiter(AT_A_RUN),
    )
    await client.login(server.token)
    running = asyncio.create_task(client.connect())
    try:
        await asyncio.wait_for(client.wait_until_ready(), PATIENCE)
        yield client
    finally:
        await client.close()
        await asyncio.wait_for(running, PATIENCE)


async def test_process_posts_for_its_own_servers(db: Database, other: Database) -> None:
    """It knows no channel of either game, but tries to post in one alone."""
    even, odd = [await put(db, await TableService.on(db).game(), share) for share in (EVEN, ODD)]

    async def tried(game: int) -> bool:
        return any(row.attempts for row in await outbox.unposted_notices_of_game(other, game))

    async with LoopbackServer(port=0) as server, db.own_shards(ODD) as duty:
        with discord_redirected_to(server.url):
            async with connected(duty, server), asyncio.timeout(PATIENCE):
                while not await tried(odd):  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(0.01)
    assert not await tried(even)


async def test_two_bots_divide_the_shards(db: Database, other: Database) -> None:
    """The guild is in shard 0: that bot registers commands, hears of people, plays and posts."""
    async with (
        LoopbackServer(port=0) as server,
        db.own_shards(EVEN) as duty,
        other.own_shards(ODD) as duty_of_other,
    ):
        with discord_redirected_to(server.url):
            async with connected(duty_of_other, server) as away:
                assert server.world.commands == {}
                async with connected(duty, server) as here:
                    assert [guild.id for guild in here.guilds] == [seed.GUILD_ID]
                    assert list(away.guilds) == []
                    heard: list[discord.Interaction] = []

                    @away.event
                    async def on_interaction(interaction: discord.Interaction) -> None:
                        heard.append(interaction)

                    ann = server.person("Ann")
                    await ann.slash("table", "game new", title="18chesapeake")
                    lobby = next(m for m in reversed(ann.messages("table")) if m.buttons)
                    for name in ("Bob", "Cy"):
                        await server.person(name).press(lobby, "Join")
                    await ann.press(lobby, "Start")
                    await emptied(other, EVEN)
                    (row,) = await games.games_with_status(other, "running")
                    assert row.thread_id is not None
                    assert any(m.buttons for m in server.world.history(row.thread_id))
                    assert heard == []
    assert await GUILD_SETTINGS.get(other, 0, "commands") is not None
