"""A game in memory: what holds it up, what is remembered, what its lines say, and where it is shown."""

from dataclasses import replace

import pytest

from bot.table.errors import Refused
from bot.table.games.loading import require_started
from bot.table.live import LiveGame
from bot.table.move_lines import UneventfulLine, eventful_lines, move_lines, with_mark
from engine.core.events import Event, Passed, RoundStarted, TileLaid
from engine.core.facts import fact
from engine.core.offers import Offer, OfferCursor
from storage import games
from storage.clocks import Pause
from tests.bot.support.positions import played_to
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


LAID, THEIRS = (
    TileLaid(company, "D2", "57", 0, 0, cost, None) for company, cost in (("PRR", 100), ("B&O", 1))
)
OURS_LAID, THEIRS_LAID = (f"**{name}** lays #57 (rotation 0) on D2 (Berlin)." for name in ("PRR", "B&O"))
BEGUN, BEGINS = RoundStarted("operating", 1), "__OR 1.1__ begins."
DONE = "**PRR** is done."


@pytest.mark.parametrize(
    ("events", "kind", "lines"),
    [
        ((BEGUN,), "pass", (DONE, BEGINS)),
        ((LAID, BEGUN), "lay_tile", (OURS_LAID, BEGINS)),
        ((THEIRS,), "pass", (DONE, THEIRS_LAID)),
        ((THEIRS,), "lay_tile", (THEIRS_LAID,)),
        ((LAID,), "pass", (OURS_LAID,)),
        ((), "pass", (DONE,)),
        ((), "lay_tile", ("**PRR**: vote to end the game now.",)),
    ],
)
def test_lines_of_a_move(events: tuple[Event, ...], kind: str, lines: tuple[str, ...]) -> None:
    found = move_lines(events, new_game(), Offer(kind, "a", "PRR", fact("offer.end_game")))
    assert found == lines
    assert bool(eventful_lines(found)) == bool(events)


@pytest.mark.parametrize(("step", "loud"), [("destination_run", True), ("shuffle", True), ("track", False)])
def test_awaited_step_is_not_silent(step: str, loud: bool) -> None:
    """Such as one that a destination run or a merger depends on."""
    offer = Offer("pass", "a", "PRR", fact("offer.end_game"))
    lines = move_lines((Passed("PRR", fact(f"declined.{step}")),), new_game(), offer)
    assert (len(lines), len(eventful_lines(lines))) == (1, loud)


@pytest.mark.parametrize("aloud", [False, True])
def test_declined_step_is_posted_aloud_only(live: LiveGame, aloud: bool) -> None:
    live.game = played_to("lay_tile").play()
    declines = next(offer for offer in live.game.offers() if offer.kind == "pass")
    made = live.make_move(OfferCursor(declines), ANN, always_posted=aloud)
    assert made.lines[0] == "**PRR** (Ann) declines to lay track."
    assert (made.lines[0] in eventful_lines(made.lines)) == aloud
