"""One look at the clocks of a game does nothing where no clock may run, else all that is due, and no more."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.table.clocks.deadlines import MODERATOR_COMMANDS_HINT, TIME_UP_MARK, handle_expired_clocks
from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.orders import automatic, player_orders
from bot.table.outbox.notices import PING_KIND, Line, ThreadPing, TurnChange
from bot.table.settings.server_settings import choose_moderator_role
from bot.table.votes.moderation import moderator_undo
from bot.table.votes.pauses import begin_pause
from engine.orders import new_orders
from engine.record import read_record
from storage import GAME_SETTINGS, clocks, fetch, format_timestamp, games, log, orders, outbox, pings
from tests.bot.support.positions import first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.support.timed import NOON

MODERATOR, ROLE = 99, 77
GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
PLE = "18chesapeake-bankruptcy-3p"
"""In this recorded game Cy's PLE runs with action 53; 63 begins the last turn of an operating round, with 156 a
company that must buy a train begins its turn; and with the last action a president gives up.
"""


async def after(
    service: TableService, moves: int, name: str = PLE, *, at_zero: str = "pass", late: str = "p3"
) -> int:
    """A table after the first moves of a recorded game, at which this player's time has been up for a day."""
    record = first_moves((GOLDEN / f"{name}.json").read_text("utf-8"), moves)
    game = await store_recorded_game(service.tables, record, ImportTarget(GUILD, CHANNEL, PEOPLE))
    await timed(service, game, late, at_zero=at_zero)
    return game


async def timed(service: TableService, game: int, *late: str, at_zero: str = "nothing") -> int:
    """A bank of a day for each player, and turns that have run for two days."""
    for setting, value in (("bank", "1 day"), ("grace", "1 hour"), ("at_zero", at_zero)):
        await GAME_SETTINGS.put(service.db, game, setting, value)
    service.tables.clock = lambda: format_timestamp(NOON)
    seq = await log.last_seq(service.db, game)
    turns = tuple(
        clocks.ClockTurn(player, seq, format_timestamp(NOON - timedelta(days=2))) for player in late
    )
    await clocks.store_clock_changes(
        service.db, game, clocks.ClockChanges(turns), seq=seq, now=format_timestamp(NOON)
    )
    return game


async def running(service: TableService, game: int) -> list[str]:
    """The players whose turns run."""
    turns = await fetch(service.db, clocks.turns_query(game))
    return [turn.player_id for turn in turns if turn.ended is None]


async def made(service: TableService, game: int) -> list[str]:
    lines = [line.split("\n")[0].partition(" ")[2] for line in await service.lines(game)]
    return [line for line in lines if line.endswith((TIME_UP_MARK, automatic.AUTOMATIC_MARK))]


# --- nothing is done -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["pauses", "ended", "no bank"])
async def test_no_clock_is_due(service: TableService, why: str) -> None:
    game = await timed(service, await service.game(), "p1", "p2", at_zero="pass")
    if why == "pauses":
        await begin_pause(service.tables, game, BOB, None)
    elif why == "ended":
        await games.finish_game(service.db, game)
        service.tables.forget(game)
    else:
        await GAME_SETTINGS.put(service.db, game, "bank", "none")
    before, lines = await service.digest(game), await service.lines(game)
    await handle_expired_clocks(service.tables, game)
    assert (await service.digest(game), await service.lines(game)) == (before, lines)
    assert await running(service, game) == ["p1", "p2"]


async def test_turn_of_an_idle_player_ends(service: TableService) -> None:
    game = await timed(service, await service.game(), "p1", "p2")
    woken = service.woken()
    await handle_expired_clocks(service.tables, game)
    assert (await running(service, game), woken) == (["p1"], [game])
    assert (await service.lines(game))[-1].startswith(
        "**Ann**'s time is up: they have used the 1 hour of this turn"
    )


@pytest.mark.parametrize(
    ("at_zero", "role", "more", "pinged"),
    [
        ("nothing", ROLE, "", None),
        ("moderator", None, f"\n{MODERATOR_COMMANDS_HINT}", None),
        ("moderator", ROLE, f"\n{MODERATOR_COMMANDS_HINT}", ROLE),
    ],
)
async def test_end_of_time_is_posted(
    service: TableService, at_zero: str, role: int | None, more: str, pinged: int | None
) -> None:
    game = await timed(service, await service.game(), "p1", at_zero=at_zero)
    if role is not None:
        await choose_moderator_role(service.db, GUILD, role)
    await handle_expired_clocks(service.tables, game)
    text = f"**Ann**'s time is up: they have used the 1 hour of this turn and the bank of 1 day.{more}"
    row = (await outbox.unposted_notices_of_game(service.db, game))[-1]
    expected = Line(text).notice() if pinged is None else ThreadPing((), text, pinged).notice()
    assert (row.kind, row.payload) == (expected.kind, expected.payload)


async def test_president_gives_up_alone(service: TableService) -> None:
    game = await after(service, -1)
    async with service.tables.reading(game) as live:
        [player] = live.game.actors()
    await timed(service, game, player, at_zero="pass")
    await choose_moderator_role(service.db, GUILD, ROLE)
    before = await service.digest(game)
    for _ in range(2):
        await handle_expired_clocks(service.tables, game)
    assert await service.digest(game) == before
    said = [
        ThreadPing.read(row.payload) for row in await outbox.notices_of_kind(service.db, game, PING_KIND, -1)
    ]
    up = " The bot only passes, runs trains and pays out; this decision needs a player.\n"
    assert [
        (one.text.endswith(f"{up}{MODERATOR_COMMANDS_HINT}"), one.role) for one in said if "is up" in one.text
    ] == [(True, ROLE)]


# --- moves are made --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "count", "next_player"), [(2, 2, "p3"), (1_000, 3, "p1")])
async def test_company_runs_and_pays(
    service: TableService, monkeypatch: pytest.MonkeyPatch, most: int, count: int, next_player: str
) -> None:
    # No turn is so long that the limit of moves made at once matters.
    monkeypatch.setattr("bot.table.clocks.deadlines.MAX_AUTOMATIC_MOVES", most)
    game = await after(service, 52)
    first = await log.last_seq(service.db, game) + 1
    await handle_expired_clocks(service.tables, game)
    done = await orders.automatic_moves(service.db, game)
    assert done == dict.fromkeys(range(first, first + count), orders.TIME_UP_ORDER_NUMBER)
    assert (
        await made(service, game)
        == [
            f"**PLE** (Cy) runs for $50: 2-train Charleroi & Connellsville-A3 (B4-A3) 10+40=50. {TIME_UP_MARK}",
            f"**PLE** (Cy) pays out $50, $5 a share: Ann $5, Bob $10, Cy $15. Share price $75 → $80. {TIME_UP_MARK}",
            f"**PLE** (Cy) declines to buy trains. {TIME_UP_MARK}",
        ][:count]
    )
    assert not any("'s time is up" in line for line in await service.lines(game))
    turn = (await outbox.unposted_notices_of_game(service.db, game))[-1]
    assert TurnChange.read(turn.payload).newly_on_turn == (next_player,)


async def test_next_turn_has_its_own_time(service: TableService) -> None:
    game = await after(service, 72)
    await handle_expired_clocks(service.tables, game)
    assert list((await orders.automatic_moves(service.db, game)).values()) == [orders.TIME_UP_ORDER_NUMBER]
    assert await running(service, game) == ["p3"]


async def test_what_is_due_after_moves_is_said(service: TableService) -> None:
    game = await after(service, 156)
    for _ in range(2):
        await handle_expired_clocks(service.tables, game)
    assert len(await made(service, game)) == 2, "track and station are passed"
    said = [line for line in await service.lines(game) if "'s time is up" in line]
    assert ["The bot only passes, runs trains and pays out" in line for line in said] == [True]
    notifications, _ = await pings.notifications_of_game(service.db, game)
    assert [one.player_id for one in notifications] == ["p3"], "who has done nothing, and stays pinged"


async def test_asked_player_refuses_an_offer(service: TableService) -> None:
    # Cy offers the MCR to Ann for $89.
    game = await after(service, 77, "18tn-bankruptcy-3p", late="p1")
    await handle_expired_clocks(service.tables, game)
    assert any("refuses" in line for line in await made(service, game))
    assert await running(service, game) == ["p3"]


async def test_forced_move_is_made(service: TableService) -> None:
    # Bob must buy a train, and has no choice, with the action after these.
    game = await after(service, 70, "18al-price-3p", late="p2")
    await handle_expired_clocks(service.tables, game)
    whole = read_record((GOLDEN / "18al-price-3p.json").read_text("utf-8"))
    async with service.tables.reading(game) as live:
        assert live.effective_rows[71].payload == whole.actions[70].model_dump_json()
    assert (await orders.automatic_moves(service.db, game))[72] is None


async def test_undone_order_waits_for_its_owner(service: TableService) -> None:
    game = await after(service, 51)
    await player_orders.give_order(
        service.tables, game, CY, lambda game, _: new_orders.run_best_order(game, "PLE", "withhold")
    )
    await service.do(game, CY, "lay_tile", hex="B6", tile="8", rotation=1)
    await moderator_undo(service.tables, game, MODERATOR, 53, 55)
    await timed(service, game, "p3", at_zero="pass")
    await handle_expired_clocks(service.tables, game)
    done = await orders.automatic_moves(service.db, game)
    assert {seq: done[seq] for seq in (57, 58, 59)} == {
        57: orders.TIME_UP_ORDER_NUMBER,
        58: 1,
        59: orders.TIME_UP_ORDER_NUMBER,
    }
    assert [row.user_id for row in (await log.read_rows(service.db, game))[-3:]] == [None, CY, None]
    marks = [TIME_UP_MARK, automatic.AUTOMATIC_MARK, TIME_UP_MARK]
    assert [
        line.endswith(mark) for line, mark in zip((await made(service, game))[-3:], marks, strict=True)
    ] == [True] * 3
