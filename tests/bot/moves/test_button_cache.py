"""The buttons of a position: found once, and by a worker where routes are searched for."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.errors import NotYours, OthersTurn, Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.moves.moves import Quick
from bot.table.moves.turn_buttons import Buttons, TurnButton, offered_buttons
from engine.core.actions import Pass
from engine.game import Game
from tests.bot.support.positions import played_to, quick_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

PLACE = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))


async def test_buttons_are_found_once_for_a_position(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that need a search are asked for beforehand, while the game is free."""
    asked: list[str] = []

    async def answered(workers: object, queue: object, text: str, function: Callable[..., object]) -> object:
        asked.append(text)
        return function(Game.load(text))

    monkeypatch.setattr("bot.table.moves.turn_buttons.ask_position", answered)
    number = await add_recorded(service.tables, played_to("run_routes"), PLACE)
    buttons = Buttons(service.tables)
    await buttons.search(number)
    assert asked == []
    async with service.tables.reading(number) as live:
        assert buttons.known(live) is None
    for _ in range(2):
        await buttons.search(number)
    async with service.tables.reading(number) as live:
        assert buttons.known(live) == await buttons.of(live) == offered_buttons(live.game)
    assert len(asked) == 1


async def test_buttons_without_a_search_are_known_at_once(service: TableService) -> None:
    game, buttons = await service.game(), Buttons(service.tables)
    async with service.tables.reading(game) as live:
        assert buttons.known(live) == await buttons.of(live) == offered_buttons(live.game)


async def test_buttons_of_a_position_that_needs_a_search_are_searched_for_where_they_are_shown(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: the next question finds them."""
    asked: list[str] = []

    async def answered(workers: object, queue: object, text: str, function: Callable[..., object]) -> object:
        asked.append(text)
        return function(Game.load(text))

    monkeypatch.setattr("bot.table.moves.turn_buttons.ask_position", answered)
    number = await add_recorded(service.tables, played_to("run_routes"), PLACE)
    buttons = Buttons(service.tables)
    async with service.tables.reading(number) as live:
        assert (
            await buttons.of(live)
            == await buttons.of(live)
            == buttons.known(live)
            == offered_buttons(live.game)
        )
    await buttons.search(number)
    assert len(asked) == 1


async def test_each_position_has_its_own_buttons(service: TableService) -> None:
    game, buttons = await service.game(), Buttons(service.tables)
    async with service.tables.reading(game) as live:
        first = await buttons.of(live)
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        assert buttons.known(live) == offered_buttons(live.game) != first


async def test_a_move_of_one_click_that_has_no_button_now_is_found_by_its_key(service: TableService) -> None:
    """Everybody may vote to end the game, which no turn message offers."""
    game, buttons = await service.game(), Buttons(service.tables)
    async with service.tables.reading(game) as live:
        vote = quick_moves(live.game, "p2")[-1]
        assert vote.action.kind == "end_game"
        assert await buttons.named(live, "p2", vote.key) == vote


async def test_a_game_that_is_not_in_memory_needs_no_search(service: TableService) -> None:
    await Buttons(service.tables).search(12345)


QUICK = {player: Quick("Pass", Pass(actor=player, entity=player)) for player in ("p1", "p2", "p3")}
"""The pass of each player."""


def pressed(
    monkeypatch: pytest.MonkeyPatch, service: TableService, shown: tuple[str, ...], more: tuple[str, ...] = ()
) -> Any:
    """What a press finds where moves of these players have buttons, and those of others none."""
    buttons = Buttons(service.tables)

    async def of(_: object) -> tuple[TurnButton, ...]:
        ways = (TurnButton("menu", "Lay track …", "lay_tile", menu=True),)
        return (*ways, *(TurnButton("", "Pass", "pass", menu=False, quick=QUICK[one]) for one in shown))

    monkeypatch.setattr(buttons, "of", of)
    monkeypatch.setattr("bot.table.moves.turn_buttons.plain_moves", lambda _: (QUICK[one] for one in more))
    return buttons.named


def acting(*actors: str) -> Any:
    """A game in which these players act."""
    names = {"p1": "Ann", "p2": "Bob", "p3": "Cy"}
    return SimpleNamespace(game=SimpleNamespace(actors=lambda: actors), name_of=names.get)


async def test_a_button_makes_the_move_of_the_player_who_presses_it(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = pressed(monkeypatch, service, ("p1", "p2"), more=("p3",))
    assert await named(acting("p1", "p2"), "p2", QUICK["p2"].key) is QUICK["p2"]
    assert await named(acting("p1"), "p3", QUICK["p3"].key) is QUICK["p3"], "without a button"


async def test_a_press_on_the_button_of_another_names_who_acts(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = pressed(monkeypatch, service, ("p1",), more=("p3",))
    with pytest.raises(OthersTurn, match="It is Ann's turn"):
        await named(acting("p1"), "p2", QUICK["p1"].key)
    with pytest.raises(NotYours, match="for Cy to decide"):
        await named(acting("p1"), "p2", QUICK["p3"].key)
    with pytest.raises(OthersTurn, match="It is Ann and Cy's turn"):
        await named(acting("p1", "p2", "p3"), "p2", QUICK["p1"].key)


async def test_a_button_of_nobodys_move_names_who_acts_or_that_it_is_too_late(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = pressed(monkeypatch, service, ("p1",))
    with pytest.raises(OthersTurn, match="It is Ann's turn"):
        await named(acting("p1"), "p2", "00000000")
    with pytest.raises(Refused, match="not possible any more"):
        await named(acting("p1"), "p1", "00000000")
