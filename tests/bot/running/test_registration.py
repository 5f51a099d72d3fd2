"""Commands are registered where the bot is started for, and nowhere else; never more often than they change."""

from pathlib import Path

from bot.client.app import Stationmaster
from bot.sandbox.guild.seed import EVERYWHERE, GUILD_ID
from bot.sandbox.redirect import pointed_at
from bot.table.rate_limits import RateLimiter
from storage import open_database
from tests.bot.sandbox.faults import FaultyServer


async def _started(server: FaultyServer, database: Path, guild: int | None = None) -> None:
    """Start the bot once, for one server or for all, and stop it."""
    async with (
        await open_database(database) as db,
        Stationmaster(db, rate_limiter=RateLimiter(), guild=guild, guild_ready_timeout=0.02) as bot,
    ):
        await bot.login(server.token)


async def test_known_commands_are_not_sent_again(tmp_path: Path) -> None:
    async with FaultyServer(port=0) as server:
        with pointed_at(server.url):
            await _started(server, tmp_path / "games.db")
            assert server.world.commands[EVERYWHERE]
            server.world.commands[EVERYWHERE] = []
            await _started(server, tmp_path / "games.db")
            assert not server.world.commands[EVERYWHERE], "the second start sent them once more"


async def test_commands_leave_where_they_were(tmp_path: Path) -> None:
    async with FaultyServer(port=0) as server:
        guild = GUILD_ID
        with pointed_at(server.url):
            await _started(server, tmp_path / "games.db", guild)
            assert server.world.commands[guild]
            await _started(server, tmp_path / "games.db")
    assert server.world.commands[EVERYWHERE]
    assert not server.world.commands[guild], "everybody on that server would see each command twice"
