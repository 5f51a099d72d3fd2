"""The buttons of a position: found once, and by a worker where routes are searched for."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.table.errors import NotYours, OthersTurn, Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.moves.turn_buttons import Buttons, offered_buttons
from bot.table.tables import Tables
from bot.workers.workers import Queue, Workers
from tests.bot.support.positions import played_to, quick_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

PLACE = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))


class Counting(Workers):
    """Workers that note whether the game they search for is free meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.locked: list[bool] = []
        self.is_locked: Callable[[], bool] = lambda: False

    async def run(self, queue: Queue, function: Callable[..., Any], *args: Any) -> Any:
        self.locked.append(self.is_locked())
        return await super().run(queue, function, *args)


async def test_routes_are_searched_for_once(service: TableService) -> None:
    """While the game is free, unless they are shown before."""
    workers = Counting()
    tables = Tables(service.db, workers=workers)
    number = await add_recorded(tables, played_to("run_routes"), PLACE)
    workers.locked.clear()
    workers.is_locked = tables.lock(number).locked
    buttons = Buttons(tables)
    await buttons.search(12345)
    assert workers.locked == []
    async with tables.reading(number) as live:
        assert buttons.buttons_without_search(live) is None
    for _ in range(2):
        await buttons.search(number)
    async with tables.reading(number) as live:
        assert buttons.buttons_without_search(live) == await buttons.of(live) == offered_buttons(live.game)
    assert workers.locked == [False]
    async with tables.reading(number) as live:
        shown = Buttons(tables)
        assert (
            await shown.of(live)
            == await shown.of(live)
            == shown.buttons_without_search(live)
            == offered_buttons(live.game)
        )
    assert len(workers.locked) == 2


async def test_each_position_has_its_buttons(service: TableService) -> None:
    game, buttons = await service.game(), Buttons(service.tables)
    async with service.tables.reading(game) as live:
        first = await buttons.of(live)
        assert buttons.buttons_without_search(live) == first == offered_buttons(live.game)
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        assert buttons.buttons_without_search(live) == offered_buttons(live.game) != first


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
        with pytest.raises(NotYours, match="for Bob to decide"):
            await buttons.move_of_button(live, "p3", vote.key)
        with pytest.raises(OthersTurn, match="It is Ann's turn"):
            await buttons.move_of_button(live, "p2", "00000000")
        with pytest.raises(Refused, match="not possible any more"):
            await buttons.move_of_button(live, "p1", "00000000")
