"""Powers of privates by command: a tile in the turn of another player, a free token, a token at half price."""

import pytest

from tests.bot.support.positions import recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("name", "moves", "player", "command", "values", "said"),
    [
        ("1889-bankruptcy-3p", 19, "Ann", "lay", {"hex": "J9", "tile": "437", "rotation": "2", "private": "MF"}, "MF"),
        # R-GA-081 (4): the company's own token would cost money.
        ("18ga-bank-3p", 415, "Ann", "token", {"hex": "I9", "private": "W&SR"}, "I9"),
        # The company could place it at the whole price, too.
        ("18ms-last_round-3p", 73, "Bob", "token", {"hex": "E1", "private": "M&M"}, "on E1 (Jackson) for $20"),
    ],
)  # fmt: skip
async def test_private_is_used_by_command(
    sandbox: SandboxBot, name: str, moves: int, player: str, command: str, values: dict[str, str], said: str
) -> None:
    """And the turn stays where it was."""
    game = await seated_at(sandbox, recorded(name, moves))
    async with sandbox.client.tables.reading(game.number) as live:
        acting = live.game.actors()
    assert said in (await game.slash(player, command, **values)).text
    async with sandbox.client.tables.reading(game.number) as live:
        assert live.game.actors() == acting
        private = live.game.table.state.privates[values["private"]]
        assert private.power_used or private.closed
