"""Commands are registered where the bot is started for, and nowhere else; never more often than they change."""

from pathlib import Path

from bot.client.app import Stationmaster
from bot.sandbox.guild.seed import EVERYWHERE, GUILD_ID
from bot.sandbox.redirect import discord_pointed_at
from bot.sandbox.server import LoopbackServer
from bot.table.rate_limits import RateLimiter
from storage import open_database


async def _started(server: LoopbackServer, database: Path, guild: int | None = None) -> None:
    """Start the bot once, for one server or for all, and stop it."""
    async with (
        await open_database(database) as db,
        Stationmaster(db, rate_limiter=RateLimiter(), guild=guild, guild_ready_timeout=0.02) as bot,
    ):
        await bot.login(server.token)


async def test_commands_are_registered_once(tmp_path: Path) -> None:
    """And leave where they were: else everybody on that server would see each twice."""
    async with LoopbackServer() as server:
        with discord_pointed_at(server.url):
            commands, database = server.world.commands, tmp_path / "games.db"
            await _started(server, database, GUILD_ID)
            assert commands[GUILD_ID]
            await _started(server, database)
            assert commands[EVERYWHERE]
            assert not commands[GUILD_ID]
            commands[EVERYWHERE] = []
            await _started(server, database)
            assert not commands[EVERYWHERE], "they were sent once more"
