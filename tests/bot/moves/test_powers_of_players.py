"""A private's tile laid by its player while it is another one's turn (1889 5)."""

from tests.bot.support.positions import GOLDEN, first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

LAID = 19
"""After so many actions Ann laid the tile of the MF, in the turn of Bob."""


async def test_ferry_is_laid_by_command(sandbox: SandboxBot) -> None:
    """And the turn stays where it was."""
    game = await seated_at(
        sandbox, first_moves((GOLDEN / "1889-bankruptcy-3p.json").read_text("utf-8"), LAID)
    )
    answer = await game.slash("Ann", "lay", hex="J9", tile="437", rotation="2", private="MF")
    assert "with MF" in answer.text
    async with sandbox.client.tables.reading(game.number) as live:
        assert live.game.table.map.tile("J9") == "437"
        assert live.game.actors() == ("p2",)
