"""A game in memory: what holds it up, what is remembered, what its lines say, and where it is shown."""

from dataclasses import replace

import pytest

from bot.table.errors import Refused
from bot.table.games.loading import require_started
from bot.table.live import LiveGame
from bot.table.move_lines import UneventfulLine, eventful_lines, move_lines, with_mark
from engine.core.events import Passed
from engine.core.facts import fact
from engine.core.offers import Offer
from storage import games
from storage.clocks import Pause
from tests.bot.support.table_service import ANN, TableService
from tests.titles.builders import new_game


@pytest.fixture
async def live(service: TableService) -> LiveGame:
    """A game of three that has just begun."""
    async with service.tables.reading(await service.game()) as live:
        return live


def test_game_is_held_up(live: LiveGame) -> None:
    pause, over = Pause(ANN, None, ""), Pause(ANN, "2026-01-01", "")
    pauses, abandoned = "Game 1 is paused. `/game resume` ends the pause.", "Game 1 was abandoned."
    for change, why in (
        ({}, None),
        ({"hold_reason": "It waits."}, "It waits."),
        ({"pause": pause}, pauses),
        ({"pause": over}, None),
        ({"pause": pause, "hold_reason": "It waits."}, "It waits."),
        ({"row": replace(live.row, status="abandoned"), "hold_reason": "It waits."}, abandoned),
        ({"row": replace(live.row, status="finished")}, None),
    ):
        assert replace(live, **change).move_obstacle("2026-01-02") == why


async def test_seats_name_the_players(service: TableService) -> None:
    """Not the first row of the log."""
    game = await service.game()
    await service.db.write(lambda tx: tx.put("UPDATE seats SET display_name = 'Zoe' WHERE seat = 2"))
    async with TableService.on(service.db).tables.reading(game) as live:
        assert [live.game.name(player) for player in ("p1", "p2", "p3")] == ["Ann", "Zoe", "Cy"]


async def test_game_that_has_not_started(service: TableService) -> None:
    lobby, started = await service.lobby(), await service.game()
    with pytest.raises(Refused, match=rf"^Game {lobby} has not started. `/game start` starts it\.$"):
        await require_started(service.db, await games.get_game(service.db, lobby))
    for game in (lobby, started):
        await games.abandon_game(service.db, game)
    with pytest.raises(Refused, match=rf"^Game {lobby} was abandoned before it started\.$"):
        await require_started(service.db, await games.get_game(service.db, lobby))
    await require_started(service.db, await games.get_game(service.db, started))


QUIET = UneventfulLine("PRR skips track.")


def test_mark_follows_what_was_done() -> None:
    for lines, marked in (
        (("a", "b"), ("a *(mark)*", "b")),
        ((QUIET, "a", "b"), ("PRR skips track.", "a *(mark)*", "b")),
        ((QUIET,), ("PRR skips track. *(mark)*",)),
    ):
        assert with_mark(lines, "*(mark)*") == marked
        assert len(eventful_lines(with_mark(lines, "*(mark)*"))) == len(eventful_lines(lines))
    assert with_mark(("a", "b"), "") == ("a", "b")


@pytest.mark.parametrize(("step", "loud"), [("destination_run", True), ("shuffle", True), ("track", False)])
def test_awaited_step_is_not_silent(step: str, loud: bool) -> None:
    """Such as one that a destination run or a merger depends on."""
    offer = Offer("pass", "a", "PRR", fact("offer.end_game"))
    lines = move_lines((Passed("PRR", fact(f"declined.{step}")),), new_game(), offer)
    assert (len(lines), len(eventful_lines(lines))) == (1, loud)
