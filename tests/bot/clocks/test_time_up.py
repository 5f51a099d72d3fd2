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
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench
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


async def timed(bench: Bench, game: int, *, at_zero: str = "nothing") -> None:
    """A bank of a day for each player."""
    for setting, value in (("bank", "1 day"), ("grace", "1 hour"), ("at_zero", at_zero)):
        await GAMES.put(bench.db, game, setting, value)
    bench.tables.clock = lambda: format_timestamp(NOON)


async def spent(bench: Bench, game: int, *players: str) -> None:
    """Turns of players that have run for two days."""
    async with bench.tables.reading(game) as live:
        seq = live.seq
    turns = tuple(clocks.Turn(player, seq, format_timestamp(NOON - timedelta(days=2))) for player in players)
    await clocks.tick(bench.db, game, clocks.Ticking(turns), seq=seq, now=format_timestamp(NOON))


async def running(bench: Bench, game: int) -> set[str]:
    """The players whose turns run."""
    return {turn.player_id for turn in await ask(bench.db, clocks.turns_question(game)) if turn.ended is None}


async def after(bench: Bench, moves: int) -> int:
    """A table after the first moves of the recorded game."""
    people = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
    text = first_moves(RUN.read_text("utf-8"), moves)
    return await add_recorded(bench.tables, text, TablePlace(GUILD, CHANNEL, people))


async def at_its_run(bench: Bench) -> int:
    """A table at which a company must run, with all that follows in its turn."""
    actions = read_record(RUN.read_text("utf-8")).actions
    return await after(bench, next(n for n, one in enumerate(actions) if isinstance(one, RunRoutes)))


async def test_one_look_ends_a_turn_of_who_acts_no_more_and_says_whose_time_is_up(bench: Bench) -> None:
    game = await bench.game()
    await timed(bench, game)
    await spent(bench, game, "p1", "p2")
    woken = bench.woken()
    await check_time(bench.tables, game)
    assert await running(bench, game) == {"p1"}
    assert (await bench.lines(game))[-1].startswith("**Ann**'s time is up: 1 hour of this turn")
    assert woken == [game]


async def test_nothing_is_due_in_a_game_that_pauses(bench: Bench) -> None:
    game = await bench.game()
    await timed(bench, game, at_zero="pass")
    await spent(bench, game, "p1", "p2")
    await begin_pause(bench.tables, game, BOB, None)
    before, lines = await bench.digest(game), await bench.lines(game)
    await check_time(bench.tables, game)
    assert await bench.digest(game) == before
    assert await bench.lines(game) == lines
    assert await running(bench, game) == {"p1", "p2"}


async def test_nothing_is_due_in_a_game_that_has_ended(bench: Bench) -> None:
    """It may have ended since the games with a bank were listed."""
    game = await bench.game()
    await timed(bench, game)
    await spent(bench, game, "p1", "p2")
    await games.finish(bench.db, game)
    bench.tables.forget(game)
    lines = await bench.lines(game)
    await check_time(bench.tables, game)
    assert await bench.lines(game) == lines


async def test_where_no_bank_is_chosen_a_look_does_nothing(bench: Bench) -> None:
    """Moderators may have taken it away since the games with a bank were listed."""
    game = await bench.game()
    await spent(bench, game, "p1")
    lines = await bench.lines(game)
    await check_time(bench.tables, game)
    assert await bench.lines(game) == lines
    assert await running(bench, game) == {"p1"}


@pytest.mark.parametrize(("most", "made", "next_player"), [(2, 2, "p3"), (1_000, 3, "p1")])
async def test_a_worker_looks_for_the_best_run_and_all_else_is_made_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, most: int, made: int, next_player: str
) -> None:
    """There is a most of moves that are made at once, however long the turn is."""
    game, asked = await at_its_run(bench), []

    async def noted(live: LiveGame, position: Game, *question: Any) -> Any:
        asked.append({offer.kind for offer in position.offers("p3") if offer.blocking})
        return await ask_worker(live, position, *question)

    monkeypatch.setattr("bot.table.clocks.deadlines.ask_worker", noted)
    monkeypatch.setattr("bot.table.clocks.deadlines.MOST", most)
    await timed(bench, game, at_zero="pass")
    await spent(bench, game, "p3")
    first = await log.last_seq(bench.db, game) + 1
    await check_time(bench.tables, game)
    assert asked == [{"run_routes"}]
    done = await orders.automatic_moves(bench.db, game)
    assert done == dict.fromkeys(range(first, first + made), orders.TIME_UP)
    assert not any("'s time is up" in line for line in await bench.lines(game))
    turn = (await outbox.of_game(bench.db, game))[-1]
    assert TurnChange.read(turn.payload).fresh == (next_player,)


async def test_who_is_on_turn_again_has_the_time_of_another_turn_for_it(bench: Bench) -> None:
    game = await after(bench, LAST)
    await timed(bench, game, at_zero="pass")
    await spent(bench, game, "p3")
    await check_time(bench.tables, game)
    assert list((await orders.automatic_moves(bench.db, game)).values()) == [orders.TIME_UP]
    async with bench.tables.reading(game) as live:
        assert _turn(live.game) == ("SR 4", "Cy")


async def test_orders_that_wait_since_an_undo_act_only_after_a_move_made_because_time_is_up(
    bench: Bench,
) -> None:
    """Cy's PLE should run and withhold by order; the order has brought about what the moderator undid."""
    game = await after(bench, 51)
    await player_orders.give_order(
        bench.tables, game, CY, lambda game, _: new_orders.run_best(game, "PLE", "withhold")
    )
    await bench.do(game, CY, "lay_tile", hex="B6", tile="8", rotation=1)
    await moderator_undo(bench.tables, game, MODERATOR, 53, 55)
    await timed(bench, game, at_zero="pass")
    await spent(bench, game, "p3")
    await check_time(bench.tables, game)
    done = await orders.automatic_moves(bench.db, game)
    assert {seq: done[seq] for seq in (57, 58, 59)} == {57: orders.TIME_UP, 58: 1, 59: orders.TIME_UP}
    assert [row.user_id for row in (await log.read(bench.db, game))[-3:]] == [None, CY, None]
    marks = [
        mark for line in await bench.lines(game) for mark in (TIME_UP_MARK, automatic.MARK) if mark in line
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
    bench: Bench, at_zero: str, role: int | None, more: str, pings: int | None
) -> None:
    there = Clocks(Allowed(timedelta(days=1), timedelta(hours=2)), at_zero, NOON, (), ())
    if role is not None:
        await choose_moderator_role(bench.db, GUILD, role)
    async with bench.tables.reading(await bench.game()) as live:
        found = await _time_up_line(bench.db, live, there, "p1")
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
