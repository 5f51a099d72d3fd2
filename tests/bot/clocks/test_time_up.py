"""What one look at the clocks of a game does: nothing where no clock may run, else all that is due, and no more."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.table.clocks.clocks_and_stops import Clocks
from bot.table.clocks.deadlines import MODERATORS_CAN, TIME_UP_MARK, _next, _time_up_line, _turn, check_time
from bot.table.clocks.time_banks import Allowed
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import LiveGame, ask_worker
from bot.table.orders import automatic, player_orders
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.settings.server_settings import choose_moderator_role
from bot.table.votes.moderation import moderator_undo
from bot.table.votes.pauses import begin_pause
from engine.core.actions import RunRoutes
from engine.game import Game
from engine.orders import new_orders
from engine.record import read_record
from storage import GAMES, ask, clocks, format_timestamp, games, log, orders, outbox
from tests.bot.support.positions import first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.support.timed import NOON

MODERATOR, ROLE = 99, 77
GOLDEN = Path(__file__).parents[2] / "golden"
RUN = GOLDEN / "18chesapeake-bankruptcy-3p.json"
"""A recorded game in which Cy's PLE runs for $50, and then pays out."""


FORCED = GOLDEN / "18al-price-3p.json"
"""A recorded game in which Bob must buy a train, and has no choice, with its action of this number."""
NUMBER = 70
LAST = 72
"""The number of moves after which Cy's PLE passes, last in its operating round; then Cy begins the stock round."""


async def timed(service: TableService, game: int, *, at_zero: str = "nothing") -> None:
    """A bank of a day for each player."""
    for setting, value in (("bank", "1 day"), ("grace", "1 hour"), ("at_zero", at_zero)):
        await GAMES.put(service.db, game, setting, value)
    service.tables.clock = lambda: format_timestamp(NOON)


async def spent(service: TableService, game: int, *players: str) -> None:
    """Turns of players that have run for two days."""
    async with service.tables.reading(game) as live:
        seq = live.seq
    turns = tuple(clocks.Turn(player, seq, format_timestamp(NOON - timedelta(days=2))) for player in players)
    await clocks.tick(service.db, game, clocks.Ticking(turns), seq=seq, now=format_timestamp(NOON))


async def running(service: TableService, game: int) -> set[str]:
    """The players whose turns run."""
    return {
        turn.player_id for turn in await ask(service.db, clocks.turns_question(game)) if turn.ended is None
    }


async def after(service: TableService, moves: int) -> int:
    """A table after the first moves of the recorded game."""
    people = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
    text = first_moves(RUN.read_text("utf-8"), moves)
    return await add_recorded(service.tables, text, TablePlace(GUILD, CHANNEL, people))


async def at_its_run(service: TableService) -> int:
    """A table at which a company must run, with all that follows in its turn."""
    actions = read_record(RUN.read_text("utf-8")).actions
    return await after(service, next(n for n, one in enumerate(actions) if isinstance(one, RunRoutes)))


async def test_one_look_ends_a_turn_of_who_acts_no_more_and_says_whose_time_is_up(
    service: TableService,
) -> None:
    game = await service.game()
    await timed(service, game)
    await spent(service, game, "p1", "p2")
    woken = service.woken()
    await check_time(service.tables, game)
    assert await running(service, game) == {"p1"}
    assert (await service.lines(game))[-1].startswith("**Ann**'s time is up: 1 hour of this turn")
    assert woken == [game]


async def test_nothing_is_due_in_a_game_that_pauses(service: TableService) -> None:
    game = await service.game()
    await timed(service, game, at_zero="pass")
    await spent(service, game, "p1", "p2")
    await begin_pause(service.tables, game, BOB, None)
    before, lines = await service.digest(game), await service.lines(game)
    await check_time(service.tables, game)
    assert await service.digest(game) == before
    assert await service.lines(game) == lines
    assert await running(service, game) == {"p1", "p2"}


async def test_nothing_is_due_in_a_game_that_has_ended(service: TableService) -> None:
    """It may have ended since the games with a bank were listed."""
    game = await service.game()
    await timed(service, game)
    await spent(service, game, "p1", "p2")
    await games.finish(service.db, game)
    service.tables.forget(game)
    lines = await service.lines(game)
    await check_time(service.tables, game)
    assert await service.lines(game) == lines


async def test_where_no_bank_is_chosen_a_look_does_nothing(service: TableService) -> None:
    """Moderators may have taken it away since the games with a bank were listed."""
    game = await service.game()
    await spent(service, game, "p1")
    lines = await service.lines(game)
    await check_time(service.tables, game)
    assert await service.lines(game) == lines
    assert await running(service, game) == {"p1"}


@pytest.mark.parametrize(("most", "made", "next_player"), [(2, 2, "p3"), (1_000, 3, "p1")])
async def test_a_worker_looks_for_the_best_run_and_all_else_is_made_at_once(
    service: TableService, monkeypatch: pytest.MonkeyPatch, most: int, made: int, next_player: str
) -> None:
    """There is a most of moves that are made at once, however long the turn is."""
    game, asked = await at_its_run(service), []

    async def noted(live: LiveGame, position: Game, *question: Any) -> Any:
        asked.append({offer.kind for offer in position.offers("p3") if offer.blocking})
        return await ask_worker(live, position, *question)

    monkeypatch.setattr("bot.table.clocks.deadlines.ask_worker", noted)
    monkeypatch.setattr("bot.table.clocks.deadlines.MOST", most)
    await timed(service, game, at_zero="pass")
    await spent(service, game, "p3")
    first = await log.last_seq(service.db, game) + 1
    await check_time(service.tables, game)
    assert asked == [{"run_routes"}]
    done = await orders.automatic_moves(service.db, game)
    assert done == dict.fromkeys(range(first, first + made), orders.TIME_UP)
    assert not any("'s time is up" in line for line in await service.lines(game))
    turn = (await outbox.of_game(service.db, game))[-1]
    assert TurnChange.read(turn.payload).fresh == (next_player,)


async def test_who_is_on_turn_again_has_the_time_of_another_turn_for_it(service: TableService) -> None:
    game = await after(service, LAST)
    await timed(service, game, at_zero="pass")
    await spent(service, game, "p3")
    await check_time(service.tables, game)
    assert list((await orders.automatic_moves(service.db, game)).values()) == [orders.TIME_UP]
    async with service.tables.reading(game) as live:
        assert _turn(live.game) == ("SR 4", "Cy")


async def test_orders_that_wait_since_an_undo_act_only_after_a_move_made_because_time_is_up(
    service: TableService,
) -> None:
    """Cy's PLE should run and withhold by order; the order has brought about what the moderator undid."""
    game = await after(service, 51)
    await player_orders.give_order(
        service.tables, game, CY, lambda game, _: new_orders.run_best(game, "PLE", "withhold")
    )
    await service.do(game, CY, "lay_tile", hex="B6", tile="8", rotation=1)
    await moderator_undo(service.tables, game, MODERATOR, 53, 55)
    await timed(service, game, at_zero="pass")
    await spent(service, game, "p3")
    await check_time(service.tables, game)
    done = await orders.automatic_moves(service.db, game)
    assert {seq: done[seq] for seq in (57, 58, 59)} == {57: orders.TIME_UP, 58: 1, 59: orders.TIME_UP}
    assert [row.user_id for row in (await log.read(service.db, game))[-3:]] == [None, CY, None]
    marks = [
        mark for line in await service.lines(game) for mark in (TIME_UP_MARK, automatic.MARK) if mark in line
    ]
    assert marks[-3:] == [TIME_UP_MARK, automatic.MARK, TIME_UP_MARK]


@pytest.mark.parametrize(
    ("at_zero", "role", "more", "pings"),
    [
        ("nothing", ROLE, "", None),
        ("moderator", None, f"\n{MODERATORS_CAN}", None),
        ("moderator", ROLE, f"\n{MODERATORS_CAN}", ROLE),
        (
            "pass",
            ROLE,
            " What is due is no move that is made for anybody: only passing, running and paying is.\n"
            f"{MODERATORS_CAN}",
            ROLE,
        ),
    ],
)
async def test_the_line_pings_moderators_where_the_setting_says_so(
    service: TableService, at_zero: str, role: int | None, more: str, pings: int | None
) -> None:
    there = Clocks(Allowed(timedelta(days=1), timedelta(hours=2)), at_zero, NOON, (), ())
    if role is not None:
        await choose_moderator_role(service.db, GUILD, role)
    async with service.tables.reading(await service.game()) as live:
        found = await _time_up_line(service.db, live, there, "p1")
    text = f"**Ann**'s time is up: 2 hours of this turn and the bank of 1 day are used.{more}"
    assert found == [Line(text).notice() if pings is None else ThreadPing((), text, pings).notice()]


def test_the_only_move_that_there_is_is_made_for_the_player_who_must_make_it_alone() -> None:
    whole = read_record(FORCED.read_text("utf-8"))
    game = whole.begin()
    game.apply_all(whole.actions[:NUMBER])
    found = _next(game, "p2", ())
    assert found is not None
    move = found.move(game)
    assert (move.walk.action(), move.order) == (whole.actions[NUMBER], None)
    assert _next(game, "p1", ()) is None
