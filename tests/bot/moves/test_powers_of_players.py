"""Powers of privates by command: a tile in the turn of another player, a free token, a token at half price."""

from tests.bot.support.positions import GOLDEN, first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

LAID = 19
"""After so many actions Ann laid the tile of the MF, in the turn of Bob."""
PLACED = 415
"""After so many actions Ann's company placed the token of the W&SR."""


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


async def test_waycross_token_is_placed_by_command(sandbox: SandboxBot) -> None:
    """R-GA-081 (4): the company's own token would cost money."""
    game = await seated_at(sandbox, first_moves((GOLDEN / "18ga-bank-3p.json").read_text("utf-8"), PLACED))
    answer = await game.slash("Ann", "token", hex="I9", private="W&SR")
    assert "I9" in answer.text
    async with sandbox.client.tables.reading(game.number) as live:
        assert live.game.table.state.privates["W&SR"].power_used


TOKEN_DUE = 73
"""After so many actions Bob places a token with the M&M."""


async def test_token_is_placed_by_command_with_a_private(sandbox: SandboxBot) -> None:
    """At half its price, although the company could place it at the whole price, too."""
    game = await seated_at(
        sandbox, first_moves((GOLDEN / "18ms-last_round-3p.json").read_text("utf-8"), TOKEN_DUE)
    )
    answer = await game.slash("Bob", "token", hex="E1", private="M&M")
    assert "on E1 (Jackson) for $20" in answer.text
