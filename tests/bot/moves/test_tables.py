"""The table: who may move, what is stored, and that nothing half-done stays."""

import asyncio

import pytest

from bot.table.errors import GameMovedOn, NotPermitted, NotStored, Refused
from bot.table.moves.moves import TypedMove
from bot.table.moves.slot_values import filled_cursor
from bot.table.outbox.notices import (
    BOARD_KIND,
    CREATE_THREAD_KIND,
    LINE_KIND,
    PING_KIND,
    TURN_KIND,
    TurnChange,
)
from bot.table.tables import Outcome, Tables
from storage import Transaction, games, log, outbox
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.support.noted import noted
from tests.support.unsent import unsent


async def test_move_is_stored_with_its_notices(service: TableService) -> None:
    game = await service.game()
    woken = service.woken()
    outcome = await service.do(game, ANN, "bid", private="D&R", amount=20)
    assert woken == [game]
    rows = await log.read_rows(service.db, game)
    assert [row.kind for row in rows] == ["start", "action"]
    assert (rows[1].actor, rows[1].user_id) == ("p1", ANN)
    async with service.tables.reading(game) as live:
        assert rows[1].digest == live.game.digest()
        assert live.position_text(2) == live.game.dump()
    assert outcome == Outcome(2, ("**Ann** wins Delaware and Raritan Canal (D&R) for $20.",), move_seq=2)
    kinds = [row.kind for row in await unsent(service.db)]
    assert kinds == [
        CREATE_THREAD_KIND,
        BOARD_KIND,
        PING_KIND,
        LINE_KIND,
        TURN_KIND,
        LINE_KIND,
        BOARD_KIND,
        TURN_KIND,
    ]


async def test_game_of_a_thread(service: TableService) -> None:
    first, later = await service.lobby(), await service.lobby()
    await service.tables.record_thread_of_game(later, 30)
    await games.abandon_game(service.db, later)
    await service.tables.record_thread_of_game(first, 30)
    after_a_restart = Tables(service.db)
    await after_a_restart.open()
    assert after_a_restart.game_shown_in(30) == first


async def test_others_are_refused(service: TableService) -> None:
    game = await service.game()
    before = await service.digest(game)
    with pytest.raises(Refused, match="Ann"):
        await service.do(game, BOB, "bid", private="D&R", amount=20)
    with pytest.raises(NotPermitted, match="no seat"):
        await service.do(game, 99, "pass")
    with pytest.raises(NotPermitted, match="Ann"):
        await service.tables.submit(
            game, BOB, lambda now, _: filled_cursor(now, now.offers("p1")[0], {"private": "D&R"})
        )
    assert await service.digest(game) == before
    assert await log.last_seq(service.db, game) == 1


async def test_mover_of_a_turn(service: TableService) -> None:
    """They know nothing of it."""
    game = await service.game()
    for user, mover in ((99, None), (BOB, "p2")):
        async with service.tables.writing(game) as live:
            await service.tables.make_move(live, live.game.actors()[0], user, TypedMove("pass"))
        turns = await outbox.notices_of_kind(service.db, game, TURN_KIND, 0)
        assert TurnChange.read(turns[-1].payload).mover == mover


async def test_gone_position_leads_to_the_turn(
    service: TableService,
) -> None:
    game = await service.game()
    async with service.tables.reading(game) as live:
        with pytest.raises(GameMovedOn, match=r"Use the buttons of the newest turn message\.$"):
            service.tables.require_seq(live, live.seq - 1)
    await noted(service.db, game, "turn", 77)
    await service.tables.reread(game)
    async with service.tables.reading(game) as live:
        with pytest.raises(GameMovedOn, match=r"\[the newest turn message\]\(https://.*/77\)\.$"):
            service.tables.require_seq(live, live.seq - 1)
        service.tables.require_seq(live, None)


async def test_one_of_several_presses_wins(service: TableService) -> None:
    game = await service.game()
    results = await asyncio.gather(
        *(service.do(game, ANN, "pass", expected=1) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(result, GameMovedOn) for result in results) == 4
    assert await log.last_seq(service.db, game) == 2
    with pytest.raises(GameMovedOn):
        await service.do(game, BOB, "pass", expected=1)
    await service.do(game, BOB, "pass", expected=2)


async def test_faster_process_is_noticed(service: TableService) -> None:
    game = await service.game()
    other = TableService.on(service.db)
    await other.digest(game)
    await service.do(game, ANN, "pass")
    with pytest.raises(GameMovedOn):
        await other.do(game, ANN, "bid", private="CV", amount=205)
    assert await other.digest(game) == await service.digest(game)


async def test_full_disk_changes_nothing(service: TableService) -> None:
    game = await service.game()
    before = await service.digest(game)

    async def fill(tx: Transaction) -> None:
        pages = await tx.row("PRAGMA page_count")
        assert pages is not None
        await tx.run(f"PRAGMA max_page_count = {pages[0]}")

    await service.db.write(fill)
    seen: NotStored | None = None
    for _ in range(200):
        try:
            await service.pass_on(game)
            before = await service.digest(game)
        except NotStored as problem:
            seen = problem
            break
    assert seen is not None
    assert "Nothing was changed" in str(seen)
    assert await service.digest(game) == before

    await service.db.write(lambda tx: tx.run("PRAGMA max_page_count = 1000000"))
    last = await log.last_seq(service.db, game)
    await service.pass_on(game)
    assert await log.last_seq(service.db, game) == last + 1
