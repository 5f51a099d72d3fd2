"""`/mine` and `/game list`: what they say of a game needs no position to be read."""

import pytest

from bot.table.games import loading
from bot.table.live import LiveGame
from storage import Database
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


async def test_a_pause_is_said_wherever_a_game_is_listed_or_asked_for(sandbox: SandboxBot) -> None:
    """A game that pauses does not wait for the player whose turn it is."""
    game = await sandbox.game()
    ann = sandbox.person("Ann")
    assert "**1. " in (await ann.slash(TABLE, "mine")).text
    for days, how_long in ((3, "pauses until <t:"), (None, "pauses until a player resumes it")):
        await game.slash("Ann", "mod pause", **({} if days is None else {"days": days}))
        for command in ("mine", "game list"):
            answer = (await ann.slash(TABLE, command)).text
            assert how_long in answer
            assert "turn" in answer
            assert "**1. " not in answer
        assert f"The game {how_long}" in (await game.slash("Cy", "status")).text
        await game.slash("Bob", "game resume")
    for command in ("mine", "game list"):
        assert "pauses" not in (await ann.slash(TABLE, command)).text
    assert "pauses" not in (await game.slash("Cy", "status")).text


async def test_no_position_is_read_for_a_list(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all games were looked at after the start: who acts is known to the database."""
    for _ in range(2):
        game = await sandbox.game()
    await game.press("Ann", "Pass")
    await sandbox.stop()
    await sandbox.start()
    await sandbox.learns(lambda: sandbox.client.tables.reviewed)

    async def read(db: Database, game_id: int) -> LiveGame:
        raise AssertionError(f"the position of game {game_id} was read")

    monkeypatch.setattr(loading, "load", read)
    before = sandbox.client.tables.live_games
    mine = (await sandbox.person("Ann").slash(TABLE, "mine")).text
    assert mine.index("1. 18Chesapeake") < mine.index("2. 18Chesapeake")
    assert "**1. 18Chesapeake" in mine
    assert "your turn" in mine
    assert "Bob's turn" in mine
    listed = (await sandbox.person("Ann").slash(TABLE, "game list")).text
    assert "Ann's turn" in listed
    assert "Bob's turn" in listed
    assert sandbox.client.tables.live_games == before
