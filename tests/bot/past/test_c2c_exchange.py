"""What is handed out of a game while money is secret."""

import pytest

from storage import games
from tests.bot.past.test_exchange import exported
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")


async def test_while_money_is_secret_only_what_was_posted_is_handed_out(sandbox: SandboxBot) -> None:
    """18C2C: whole game, ledger and score sheet would count everybody's money."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18c2c")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await sandbox.person("Ann").press(sandbox.lobby(), "Start")
    await sandbox.settled()
    row = (await games.games_in(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    result, found = await exported(Seated(sandbox, row.id, row.thread_id), "Ann")
    assert list(found) == [f"game-{row.id}.txt"]
    assert "secret" in result.text
    assert "cash" not in found[f"game-{row.id}.txt"]
