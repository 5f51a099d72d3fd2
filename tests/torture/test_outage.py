"""Many tables that catch up: whoever asks something meanwhile is answered, through the real client."""

import asyncio
from pathlib import Path

from bot.sandbox.guild.world import Change
from bot.table.imports import read_recorded_game, store_recorded_game
from bot.table.outbox.sender import MAX_PARALLEL_CATCH_UPS
from bot.table.tables import Tables
from bot.tools.showcase import SANDBOX_TABLE
from storage import open_database
from tests.bot.support.sandbox_bot import SandboxBot

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-bank-4p.json"


async def test_question_is_answered_meanwhile(tmp_path: Path, tables: int) -> None:
    """At most a few boards and turns go before the answer."""
    async with SandboxBot.opened(tmp_path / "games.db") as sandbox:
        first = await sandbox.game()
        await sandbox.stop()
        async with await open_database(sandbox.database) as db:
            recorded = await asyncio.to_thread(read_recorded_game, GOLDEN, 40)
            for _ in range(tables):
                await store_recorded_game(Tables(db), recorded, SANDBOX_TABLE)
        posted: list[int] = []

        def note(change: Change) -> None:
            message = change.message
            if change.kind == "message_create" and message is not None and not message.ephemeral:
                posted.append(message.channel_id)

        sandbox.world.listen(note)
        await sandbox.start()
        result = await sandbox.person("Ann").slash(first.thread, "why", move="pass")
        assert result.failure_text is None
        assert len(set(posted)) <= 4 * MAX_PARALLEL_CATCH_UPS
        await sandbox.settled()
        assert len(set(posted)) >= tables
