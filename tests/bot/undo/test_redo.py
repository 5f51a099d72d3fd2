"""Redoing what was undone, until somebody moves: the same moves, the same position, the same orders."""

from dataclasses import replace
from typing import Literal

import pytest

from bot.table import redo as redoing
from bot.table.errors import GameMovedOn, NotPermitted, Refused
from bot.table.games.game_log import UndoHistory
from bot.table.games.loading import replayed_game
from bot.table.moves.moves import move_for_other_position
from bot.table.orders import automatic
from bot.table.orders.caretakers import play_caretakers
from bot.table.outbox.notices import LINE_KIND, TURN_KIND, Line, TurnChange
from bot.table.tables import Outcome
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_undo
from bot.table.votes.pauses import begin_pause
from engine.core.actions import LayTile
from engine.record import read_record
from storage import SeatEntry, games, log, orders, outbox, seats
from tests.bot.orders.giving import MODERATOR, counting, give, standing, up_to, withdraw
from tests.bot.support.positions import BANKRUPTCY, played_to
from tests.bot.support.table_service import ANN, BOB, CY, DEE, TableService


async def redo(service: TableService, game: int, user: int, seq: int | None = None) -> Outcome:
    return await redoing.redo(service.tables, game, user, seq, is_moderator=user == MODERATOR)


async def undo_to(service: TableService, game: int, seq: int) -> None:
    await moderator_undo(service.tables, game, MODERATOR, seq, await log.last_seq(service.db, game))


async def sound(service: TableService, game: int) -> None:
    """The live game is what the log leads to, and what a restart finds."""
    digest, rows = await service.digest(game), await log.read_rows(service.db, game)
    assert replayed_game(log.effective_rows(rows)).digest() == digest
    async with service.tables.reading(game) as live:
        assert live.undo_history == UndoHistory.of(rows)
    assert await TableService.on(service.db).digest(game) == digest


async def given(service: TableService, game: int, user: int) -> list[tuple[str, str | None]]:
    return [(one.state, one.why) for one in await orders.orders_of_user(service.db, game, user)]


async def ordered(service: TableService, private: str, most: int) -> int:
    game = await service.game()
    await give(service, game, BOB, up_to(private, most))
    return game


@pytest.fixture
async def undone(service: TableService) -> int:
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    await service.undo(game, ANN)
    return game


async def test_redo_makes_the_same_move(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    before = await service.digest(game)
    await service.undo(game, ANN)
    with pytest.raises(GameMovedOn):
        await redo(service, game, ANN, 2)
    woken = service.woken()
    assert await redo(service, game, ANN, 3) == Outcome(4, ("**Ann** redoes move 2 as 4.",))
    assert woken == [game]
    assert await service.digest(game) == before
    _, made, undo, again = await log.read_rows(service.db, game)
    assert (undo.kind, undo.actor, undo.payload) == ("undo", "p1", '{"to": 1}')
    assert (again.kind, again.payload, again.digest) == (made.kind, made.payload, made.digest)
    assert (again.actor, again.user_id) == ("p1", ANN)
    over = [
        TurnChange.read(one.payload) for one in await outbox.notices_of_kind(service.db, game, TURN_KIND, 0)
    ]
    fresh = [(one.newly_on_turn, one.is_new_turn) for one in over[-2:]]
    assert fresh == [((), True), (("p2",), True)], "nobody is pinged for a move of their own"
    posted = [Line.read(one.payload) for one in await outbox.notices_of_kind(service.db, game, LINE_KIND, 0)]
    assert [one.undo_target for one in posted] == [None, None, 1, None]
    assert posted[-1].text == f"{posted[1].text.replace('`2`', '`4`')}\n-# **Ann** redoes move 2 as 4."
    await sound(service, game)


@pytest.mark.parametrize(
    ("order", "mark"),
    [
        (orders.TIME_UP_ORDER_NUMBER, "*(time is up)*"),
        (None, automatic.AUTOMATIC_MARK),
        (7, automatic.AUTOMATIC_MARK),
        ("caretaker", automatic.CARETAKER_MARK),
    ],
)
async def test_redone_move_keeps_its_mark(
    service: TableService, order: int | Literal["caretaker"] | None, mark: str
) -> None:
    game = await service.game()
    if order == "caretaker":
        await let_caretaker_play(service.tables, game, MODERATOR, "p1")
        await play_caretakers(service.tables, game)
        made = (await service.lines(game))[-1].replace("`2`", "`4`")
    else:
        await service.do(game, ANN, "pass")
        changes = orders.OrderChanges(automatic_moves=((2, order),))
        await service.db.write(lambda tx: changes.write(tx, game, 2))
        service.tables.forget(game)
        made = f"`4` **Ann** passes. {mark}"
    before = await orders.automatic_moves(service.db, game)
    await undo_to(service, game, 1)
    await redo(service, game, MODERATOR)
    by = f"-# <@{MODERATOR}> as a moderator redoes move 2 as 4."
    assert (await service.lines(game))[-1] == f"{made}\n{by}"
    assert mark in made
    assert await orders.automatic_moves(service.db, game) == {**before, 4: before[2]}


@pytest.mark.parametrize(("order", "said"), [(orders.TIME_UP_ORDER_NUMBER, True), (7, False)])
async def test_empty_step_is_said_where_time_was_up(service: TableService, order: int, said: bool) -> None:
    game = await service.at(played_to("lay_tile"))
    async with service.tables.reading(game) as live:
        seq, user = live.seq, live.user_of(live.game.actors()[0])
    await service.do(game, user, "pass")
    made = orders.OrderChanges(automatic_moves=((seq + 1, order),))
    await service.db.write(lambda tx: made.write(tx, game, seq + 1))
    service.tables.forget(game)
    await undo_to(service, game, seq)
    await redo(service, game, MODERATOR)
    last = (await service.lines(game))[-1]
    assert ("declines to lay track. *(time is up)*" in last) == ("declines to lay track" in last) == said


async def test_redone_tile_is_shown_again(service: TableService) -> None:
    recorded = read_record(BANKRUPTCY.read_text("utf-8"))
    at, lay = next((at, one) for at, one in enumerate(recorded.actions) if isinstance(one, LayTile))
    game = await service.at(replace(recorded, actions=recorded.actions[:at]))
    async with service.tables.reading(game) as live:
        seq, user = live.seq, live.user_of(lay.actor)
    await service.tables.submit(game, user, move_for_other_position(lay))
    await service.undo(game, user)
    await redo(service, game, user)
    shown = [
        Line.read(one.payload).hexes for one in await outbox.notices_of_kind(service.db, game, LINE_KIND, seq)
    ]
    assert (shown[0], shown[-2:]) == ((lay.hex,), [(), (lay.hex,)])


async def test_undos_are_redone_one_by_one(service: TableService, passed: int) -> None:
    before = await service.digest(passed)
    for to in (3, 2, 1):
        await undo_to(service, passed, to)
    for at in range(3):
        again = TableService.on(service.db) if at == 1 else service
        service.tables.forget(passed)
        await redo(again, passed, MODERATOR)
    service.tables.forget(passed)
    assert await service.digest(passed) == before
    with pytest.raises(Refused, match="There is nothing to redo"):
        await redo(service, passed, MODERATOR)
    await sound(service, passed)


async def test_moderator_redoes_a_moderators_undo(service: TableService, passed: int) -> None:
    before = await service.digest(passed)
    await undo_to(service, passed, 1)
    with pytest.raises(NotPermitted, match="A moderator undid that"):
        await redo(service, passed, ANN)
    outcome = await redo(service, passed, MODERATOR)
    assert outcome.lines == (f"<@{MODERATOR}> as a moderator redoes moves 2 to 4 as 6 to 8.",)
    assert await service.digest(passed) == before
    assert [row.user_id for row in (await log.read_rows(service.db, passed))[-3:]] == [ANN, BOB, CY]


async def test_move_made_again_by_hand_is_a_redo(service: TableService, passed: int) -> None:
    for to in (2, 1):
        await undo_to(service, passed, to)
    await service.do(passed, ANN, "pass")
    outcome = await redo(service, passed, MODERATOR)
    assert outcome.lines == (f"<@{MODERATOR}> as a moderator redoes moves 3 to 4 as 8 to 9.",)
    await sound(service, passed)


async def test_part_made_again_is_a_move(service: TableService, passed: int) -> None:
    await undo_to(service, passed, 1)
    for user in (ANN, BOB):
        await service.do(passed, user, "pass")
    with pytest.raises(Refused, match="Bob has made move 7 since"):
        await redo(service, passed, MODERATOR)
    await service.undo(passed, BOB)
    await redo(service, passed, BOB)
    with pytest.raises(Refused, match="Bob has made move 7 since"):
        await redo(service, passed, MODERATOR)


# --- refused ---------------------------------------------------------------------------------------------------------


async def test_only_the_undoing_player_redoes(service: TableService, undone: int) -> None:
    for user in (BOB, MODERATOR):
        with pytest.raises(NotPermitted, match="Ann undid that"):
            await redo(service, undone, user)
    await begin_pause(service.tables, undone, BOB, None)
    with pytest.raises(Refused, match="is paused"):
        await redo(service, undone, ANN)


async def test_new_holder_redoes(service: TableService, undone: int) -> None:
    """The seat took it back; the log still says who made the move."""
    seat = SeatEntry("p1", "holder", DEE, "Dee", 3, None, service.tables.clock())
    await seats.replace_holder(service.db, undone, seat, leaving_user=ANN, notices=[])
    service.tables.forget(undone)
    with pytest.raises(NotPermitted, match="Dee undid that"):
        await redo(service, undone, ANN)
    await redo(service, undone, DEE)
    assert (await log.read_rows(service.db, undone))[-1].user_id == ANN


async def test_repaired_game_takes_no_redo(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    mends = log.NewLogRow("undo", log.undo_payload(1, mends=True), "d", "", MODERATOR)
    await log.commit_move(service.db, game, 2, [mends], now=service.tables.clock())
    with pytest.raises(Refused, match="The game continues from move 3 since"):
        await redo(TableService.on(service.db), game, MODERATOR)


async def test_redo_that_leads_elsewhere_is_refused(service: TableService, undone: int) -> None:
    async with service.tables.reading(undone) as live:
        before, taken = live.game.digest(), live.undo_history.redo_stack.pop()
        rows = tuple(row._replace(digest="2-0") for row in taken.rows)
        live.undo_history.redo_stack.append(replace(taken, rows=rows))
    with pytest.raises(Refused, match="cannot be redone"):
        await redo(service, undone, ANN)
    assert await service.digest(undone) == before
    await service.do(undone, ANN, "pass")


async def test_end_of_a_game_is_redone(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    await service.undo(game, CY)
    assert (await games.get_game(service.db, game)).status == "running"
    await redo(service, game, CY)
    assert (await games.get_game(service.db, game)).status == "finished"
    await sound(service, game)


# --- orders ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("withdrawn", [False, True])
async def test_order_stands_again_after_its_owners_redo(service: TableService, *, withdrawn: bool) -> None:
    """Unless it was withdrawn, which it stays."""
    game = await ordered(service, "CV", 300)
    await service.do(game, ANN, "pass")
    if withdrawn:
        await undo_to(service, game, 1)
        await withdraw(service, game, BOB, 1)
        await redo(service, game, MODERATOR)
        assert [state for state, _ in await given(service, game, BOB)] == ["withdrawn"]
        return
    await service.undo(game, BOB)
    assert await given(service, game, BOB) == [("stopped", automatic.ORDER_UNDONE_REASON)]
    await redo(service, game, BOB)
    assert await standing(service, game) == [1]
    assert await service.db.rows("SELECT why, ended_seq FROM orders") == [(None, None)]
    assert await orders.automatic_moves(service.db, game) == {3: 1, 5: 1}
    await sound(service, game)


async def test_order_waits_after_a_redo(service: TableService) -> None:
    """Given once more it continues."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.undo(game, ANN)
    await give(service, game, BOB, up_to("CV", 300))
    await redo(service, game, ANN)
    assert (await counting(service, game), await standing(service, game)) == ([1, 4], [1])
    await give(service, game, BOB, up_to("CV", 300))
    assert (await counting(service, game), await standing(service, game)) == ([1, 4, 5], [2])


async def test_redone_move_ends_orders(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await service.undo(game, ANN)
    await give(service, game, BOB, up_to("D&R", 30))
    await redo(service, game, ANN)
    assert await given(service, game, BOB) == [("stopped", "D&R has been sold to Ann.")]


async def test_order_ends_with_its_redone_row(service: TableService) -> None:
    """So that an undo to the middle of what came back gives back no order that had ended before."""
    game = await ordered(service, "D&R", 30)
    await service.do(game, ANN, "pass")
    await service.do(game, CY, "pass")
    await undo_to(service, game, 1)
    await redo(service, game, MODERATOR)
    await service.undo(game, CY)
    assert (await counting(service, game), await standing(service, game)) == ([1, 6, 7], [])
    await undo_to(service, game, 6)
    assert await standing(service, game) == [1]
