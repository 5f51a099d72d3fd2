"""A table with a time bank, whose clock a test sets."""

from datetime import UTC, datetime, timedelta

from bot.table.clocks.clocks_and_stops import Clocks, game_clocks
from bot.table.clocks.time_banks import bank_time_left
from storage import clocks, games
from tests.bot.support.sandbox_bot import SandboxBot, Seated

PLAYERS = {"Ann": "p1", "Bob": "p2", "Cy": "p3"}

NOON = datetime(2031, 1, 10, 12, tzinfo=UTC)
"""When a timed table begins, in winter; later than any real clock, which the bot has as it starts."""


class Timed:
    """A game, and the time that its bot believes in."""

    def __init__(self, sandbox: SandboxBot, game: Seated, now: datetime = NOON) -> None:
        self.sandbox = sandbox
        self.game = game
        self.now = now

    @classmethod
    async def opened(
        cls,
        sandbox: SandboxBot,
        *,
        bank: str = "5 days",
        grace: str = "12 hours",
        at_zero: str = "nothing",
        now: datetime = NOON,
        game: Seated | None = None,
    ) -> "Timed":
        """A game of Ann, Bob and Cy with a bank: this one, or one at its first turn, which is Ann's."""
        table = cls(sandbox, game or await sandbox.game(), now)
        table.set()
        # The bot has run until now, not only until the day of the real clock.
        await clocks.record_bot_run(sandbox.db, 0, 1, table._text())
        for setting, value in (("bank", bank), ("grace", grace), ("at_zero", at_zero)):
            await table.game.slash("Ann", "mod settings", setting=setting, value=value)
        await table.look()
        return table

    def set(self) -> None:
        """Let the bot believe in the time of the table."""
        self.sandbox.clock = self._text

    async def look(self) -> None:
        """The look of a minute; waits until all it led to is posted."""
        await self.sandbox.client.clock_checker.check_clocks()
        await self.sandbox.settled()

    async def passes(self, span: timedelta) -> None:
        """Time passes with the bot running, as if it had looked each minute; then it looks."""
        self.now += span
        await clocks.record_bot_run(self.sandbox.db, 0, 1, self._text())
        await self.look()

    async def restarted(self, down: timedelta) -> None:
        """The bot stops, is down for so long, and starts again."""
        await self.sandbox.stop()
        self.now += down
        await self.sandbox.start()

    async def there(self) -> Clocks:
        tables = self.sandbox.client.tables
        row = await games.get_game(self.sandbox.db, self.game.number)
        found = await game_clocks(self.sandbox.db, tables.shards, row, self._text())
        assert found is not None
        return found

    async def bank(self, name: str) -> timedelta:
        there = await self.there()
        return bank_time_left(there.allowance, there.turns, PLAYERS[name], there.counted_time)

    async def counted(self, name: str) -> timedelta:
        there = await self.there()
        (turn,) = [turn for turn in there.running_turns if turn.player_id == PLAYERS[name]]
        return there.counted_time(turn)

    async def status(self, name: str = "Ann") -> str:
        return (await self.game.slash(name, "status")).text

    def lines_with(self, text: str) -> int:
        return sum(text in line for line in self.game.lines)

    def _text(self) -> str:
        return self.now.isoformat(timespec="milliseconds")
