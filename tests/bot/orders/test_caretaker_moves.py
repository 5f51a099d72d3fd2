"""The moves of caretakers: made with the move that brings their turn, undone with it, and marked."""

from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from bot.client.turn_texts import turn_text
from bot.table.moves.moves import TypedMove
from bot.table.orders.automatic import CARETAKER_MARK, MAX_CARETAKER_MOVES
from bot.table.orders.caretakers import play_caretakers
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import moderator_undo
from bot.table.votes.pauses import begin_pause, end_pause
from engine.caretaker import choose_move
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.play.steps.base import Request
from storage import log, orders
from tests.bot.orders.caretaken import actors, against, made
from tests.bot.orders.giving import MODERATOR, give, up_to
from tests.bot.support.positions import recorded
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

NEAR_THE_END = 410


@pytest.fixture
async def away(service: TableService) -> int:
    """A game in which a caretaker plays Bob's seat; it is Ann's turn."""
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    return game


async def undo_to(service: TableService, game: int, seq: int) -> int:
    last = await log.last_seq(service.db, game)
    await moderator_undo(service.tables, game, MODERATOR, seq, last)
    return last


def walked(choice: Request, game: Game, _: PlayerId) -> OfferCursor:
    return game.cursor_for(choice)


async def test_caretaker_moves_with_the_move_before(service: TableService, away: int) -> None:
    async with service.tables.reading(away) as live:
        assert live.users_to_ping("p2") == ()
        there = Game.load(live.game.dump())
    there.apply_cursor(TypedMove("pass")(there, "p1"))
    outcome = await service.do(away, ANN, "pass")
    assert await made(service, away) == [("p1", ANN), ("p2", None)]
    assert outcome.lines[-1].endswith(CARETAKER_MARK)
    rows = await log.read_rows(service.db, away)
    assert len({row.created_at for row in rows[1:]}) == 1, "one transaction"
    assert rows[-1].payload == choose_move(there, "p2", there.seed).model_dump_json(), "always the same move"
    assert await actors(service, away) == ("p3",)


async def test_undone_caretaker_waits_for_a_move(service: TableService, away: int) -> None:
    before = await service.digest(away)
    await service.do(away, ANN, "pass")
    await service.undo(away, ANN)
    assert await service.digest(away) == before
    await play_caretakers(service.tables, away)
    assert await service.digest(away) == before
    await service.do(away, ANN, "pass")
    assert (await made(service, away))[-1] == ("p2", None)


async def test_moderator_lets_a_caretaker_continue(service: TableService, away: int) -> None:
    await service.do(away, ANN, "pass")
    after = await service.digest(away)
    await undo_to(service, away, 2)
    await play_caretakers(service.tables, away)
    async with service.tables.reading(away) as live:
        assert live.game.actors() == ("p2",)
        assert "`/game resume` lets it continue" in turn_text(live, ())
    assert "resumes" in await end_pause(service.tables, away, CY)
    assert await service.digest(away) == after
    last = await undo_to(service, away, 2) + 1
    await moderator_move(service.tables, away, "p2", MODERATOR, TypedMove("pass"), last)
    assert (await made(service, away))[-1] == ("p2", MODERATOR)


async def test_order_does_not_resume_a_caretaker(service: TableService, away: int) -> None:
    await service.do(away, ANN, "pass")
    last = await undo_to(service, away, 2)
    await give(service, away, CY, up_to("CV", 100))
    assert await log.last_seq(service.db, away) == last + 1
    await end_pause(service.tables, away, ANN)
    assert [actor for actor, _ in (await made(service, away))[-2:]] == ["p2", "p3"]


async def test_new_caretaker_moves_after_an_undo(service: TableService) -> None:
    """Nobody would know that it waits."""
    game = await service.game()
    for user in (ANN, BOB):
        await service.do(game, user, "pass")
    await service.undo(game, BOB)
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await play_caretakers(service.tables, game)
    assert (await made(service, game))[-1] == ("p2", None)


async def test_pause_stops_caretakers(service: TableService) -> None:
    game = await service.game()
    await begin_pause(service.tables, game, ANN, None)
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await play_caretakers(service.tables, game)
    assert await made(service, game) == []
    await end_pause(service.tables, game, CY)
    await play_caretakers(service.tables, game)
    assert await made(service, game) == [("p1", None)]


async def test_failing_caretaker_blocks_no_move(
    service: TableService, away: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no idea")

    # No position is known in which it fails.
    monkeypatch.setattr("engine.caretaker.choose_move", fails)
    await service.do(away, ANN, "pass")
    assert await made(service, away) == [("p1", ANN)]
    assert "found no move" in caplog.text


async def test_order_after_caretakers_keeps_its_row(service: TableService) -> None:
    game = await service.game()
    await give(service, game, CY, up_to("CV", 210))
    for player in ("p1", "p2"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    await play_caretakers(service.tables, game)
    by_order = await orders.automatic_moves(service.db, game)
    rows = {row.seq: row for row in await log.read_rows(service.db, game)}
    assert {(rows[seq].actor, rows[seq].user_id) for seq, order in by_order.items() if order == 1} == {
        ("p3", CY)
    }
    assert sorted(by_order) == [seq for seq, row in rows.items() if row.kind == "action"]


async def late(service: TableService) -> int:
    """A recorded game near its end, of Ann and three others whose seats caretakers play."""
    game = await service.at(recorded("18chesapeake-bank-4p", NEAR_THE_END))
    for player in ("p2", "p3", "p4"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    return game


async def alone(service: TableService) -> int:
    return await against(service, "Superintendent", "Superintendent")


@pytest.mark.parametrize("begun", [late, pytest.param(alone, marks=pytest.mark.long)])
async def test_game_against_caretakers_ends(
    service: TableService, begun: Callable[[TableService], Awaitable[int]]
) -> None:
    """With a restart in it."""
    game = await begun(service)
    longest = 0
    for turn in range(2_000):
        await play_caretakers(service.tables, game)
        async with service.tables.reading(game) as live:
            if live.game.is_over:
                break
            assert live.game.actors() == ("p1",)
            before, choice = live.seq, Request.of_action(choose_move(live.game, "p1", 1))
        await service.tables.submit(game, ANN, partial(walked, choice))
        longest = max(longest, await log.last_seq(service.db, game) - before)
        if turn == 3:
            digest = await service.digest(game)
            service = TableService.on(service.db)
            assert await service.digest(game) == digest
    assert (await log.game_and_last_seq(service.db, game))[0].status == "finished"
    assert 1 < longest <= MAX_CARETAKER_MOVES + 300


# --- on Discord ------------------------------------------------------------------------------------------------------


def cared(game: Seated) -> list[str]:
    return [line for line in game.lines if CARETAKER_MARK in line]


async def test_restart_lets_a_caretaker_move_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.client.caretakers.wake = lambda game_id: None  # type: ignore[method-assign]
    await game.press("Ann", "Pass")
    await game.slash("Ann", "mod replace", player="Bob")
    assert await game.seq() == 2
    await sandbox.stop()
    await sandbox.start()
    await sandbox.learns(lambda: bool(cared(game)))
    await sandbox.settled()
    assert cared(game) == [game.moves[-1]]
    assert game.pings("Cy") == 1
