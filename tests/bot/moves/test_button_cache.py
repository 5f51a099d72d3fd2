"""The buttons of a position, and whose they are."""

import pytest

from bot.table.errors import BelongsToAnother, OthersTurn, Refused
from bot.table.moves.turn_buttons import Buttons
from tests.bot.support.positions import quick_moves
from tests.bot.support.table_service import TableService


async def test_button_is_its_players(service: TableService) -> None:
    """A vote to end the game has no button, and is found by its key all the same."""
    game, buttons = await service.game(), Buttons(service.tables)
    async with service.tables.reading(game) as live:
        passing = next(quick for quick in quick_moves(live.game, "p1") if quick.action.kind == "pass")
        vote = quick_moves(live.game, "p2")[-1]
        assert vote.action.kind == "end_game"
        assert await buttons.move_of_button(live, "p1", passing.key) == passing
        assert await buttons.move_of_button(live, "p2", vote.key) == vote
        with pytest.raises(OthersTurn, match="It is Ann's turn"):
            await buttons.move_of_button(live, "p2", passing.key)
        with pytest.raises(BelongsToAnother, match="Only Bob can decide this"):
            await buttons.move_of_button(live, "p3", vote.key)
        with pytest.raises(OthersTurn, match="It is Ann's turn"):
            await buttons.move_of_button(live, "p2", "00000000")
        with pytest.raises(Refused, match="no longer possible"):
            await buttons.move_of_button(live, "p1", "00000000")
