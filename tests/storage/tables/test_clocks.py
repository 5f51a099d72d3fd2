"""Clocks: turns, when they stood, pauses, and when the bot was running."""

import pytest

from storage import Database, clocks, games, log, outbox, pings, seats
from storage.clocks import EVERYBODY, ClockChanges, ClockStop, ClockTurn, Pause
from storage.contract import fetch
from storage.errors import NoSuchGame, WrongStatus
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges
from tests.storage.makers import ANN, LAST, LATER, NOW, START, line, new_game, running_game
from tests.support.unsent import unsent


async def turns(db: Database, game: int) -> list[ClockTurn]:
    return await fetch(db, clocks.turns_query(game))


async def ticking(db: Database, game: int, *turns: ClockTurn, undo_target_seq: int | None = None) -> None:
    await clocks.store_clock_changes(
        db, game, ClockChanges(turns, undo_target_seq), seq=1, notices=[line("time is up")], now=NOW
    )


async def test_turn_changes(db: Database, game_id: int) -> None:
    """With its notice, in a running game; those after the target of an undo never were."""
    given = (ClockTurn("p1", 1, NOW), ClockTurn("p2", 2, NOW), ClockTurn("p1", 3, NOW))
    await ticking(db, game_id, *given)
    assert await db.rows("SELECT DISTINCT used, charged FROM turns") == [(0, 0)]
    again = ClockTurn("p1", 1, LATER, 2, 7, 3, "q", NOW)
    await ticking(db, game_id, again, undo_target_seq=2)
    assert await turns(db, game_id) == [again, given[1]]
    assert [one.payload for one in await unsent(db)] == ["time is up"] * 2
    await games.finish_game(db, game_id)
    with pytest.raises(WrongStatus):
        await ticking(db, game_id, again)


async def test_running_turns_begin_again(db: Database, game_id: int) -> None:
    """One player's or all, or their end of time is announced again; those that have ended stay."""
    ended, first, second = (
        ClockTurn("p1", 1, NOW, ended=2, zero=NOW),
        ClockTurn("p1", 3, NOW, zero=LATER),
        ClockTurn("p2", 3, NOW),
    )
    await ticking(db, game_id, ended, first, second)
    await db.write(lambda tx: clocks.reset_time_up_announcements(tx, game_id))
    assert await turns(db, game_id) == [ended, ClockTurn("p1", 3, NOW), second]
    await db.write(lambda tx: clocks.restart_turns(tx, game_id, "p1"))
    assert await turns(db, game_id) == [ended, second]
    await db.write(lambda tx: clocks.restart_turns(tx, game_id))
    assert await turns(db, game_id) == [ended]


async def test_turns_and_stops_are_in_order(db: Database, game_id: int) -> None:
    """By their beginnings; a stop is closed later, and kept only in games that have clocks."""
    stops = [
        ClockStop("p1", "away", NOW),
        ClockStop("p1", "waits", NOW),
        ClockStop(EVERYBODY, "pause", LATER),
    ]
    await db.write(lambda tx: clocks.write_clock_stop_if_timed(tx, game_id, stops[0]))
    assert await clocks.clock_stops(db, game_id) == []
    await ticking(db, game_id, ClockTurn("p2", 2, NOW), ClockTurn("p1", 2, NOW), ClockTurn("p3", 1, LATER))
    order = [(turn.player_id, turn.seq) for turn in await turns(db, game_id)]
    assert order == [("p3", 1), ("p1", 2), ("p2", 2)]
    await db.write(lambda tx: clocks.write_clock_stop_if_timed(tx, game_id, stops[0]))
    for stop in reversed(stops[1:]):
        await clocks.store_clock_stop(db, game_id, stop)
    assert await clocks.clock_stops(db, game_id) == stops
    closed = ClockStop("p1", "waits", NOW, LAST)
    await clocks.store_clock_stop(db, game_id, closed)
    assert await clocks.clock_stops(db, game_id) == [stops[0], closed, stops[2]]


async def test_runs_are_recorded_for_each_shard(db: Database, game_id: int) -> None:
    """With what was missed: for milliseconds nobody who was pinged could act."""
    turn = OutboxMessage("turn", "{}", NotificationChanges((), None, ("p1",)))
    await outbox.queue_notices(db, game_id, 1, [turn], NOW)
    assert await clocks.last_bot_run_time(db, 0, 2) is None
    await clocks.record_bot_run(db, 0, 2, NOW)
    assert [await clocks.last_bot_run_time(db, shard, 2) for shard in (0, 1)] == [NOW, None]
    await clocks.record_bot_run(db, 0, 2, LATER, games_with_clocks=[game_id], down_since=NOW)
    await clocks.record_bot_run(db, 0, 2, NOW)
    assert await clocks.last_bot_run_time(db, 0, 2) == LATER, "a clock that was set back makes no outage"
    assert await clocks.clock_stops(db, game_id) == [ClockStop(EVERYBODY, "outage", NOW, LATER)]
    [notification], _ = await pings.notifications_of_game(db, game_id)
    assert notification.downtime_ms == 31 * 24 * 60 * 60 * 1000


@pytest.mark.parametrize(("runs", "asked"), [(((0, 2), (1, 2)), (3, 4)), (((0, 1), (1, 2)), (0, 1))])
async def test_shards_were_divided_otherwise(
    db: Database, runs: tuple[tuple[int, int], ...], asked: tuple[int, int]
) -> None:
    """All processes were stopped between: what was missed began with the last sign of any."""
    for (shard, count), at in zip(runs, (NOW, LATER), strict=True):
        await clocks.record_bot_run(db, shard, count, at)
    assert await clocks.last_bot_run_time(db, *asked) == LATER


async def test_games_of_a_person(db: Database) -> None:
    """Those with a seat, and those where they stood in."""
    held, lobby = [(await new_game(db)).id for _ in range(2)]
    for game in (held, lobby):
        await seats.join_game(db, game, ANN, "Ann", now=NOW)
    await log.commit_start(db, held, [START], now=NOW)
    stood_in, _ = [await running_game(db) for _ in range(2)]
    entry = seats.SeatEntry("p1", "substitute", ANN, "Ann", 1, None, NOW)
    await seats.record_seat_change(db, stood_in, entry, notices=[])
    assert [row.id for row in await seats.running_games_of_user(db, ANN)] == [held, stood_in]


def test_pause_lasts_until_its_time() -> None:
    pause = Pause(1, LATER, NOW)
    assert [pause.is_active_at(now) for now in (NOW, LATER, LAST)] == [True, False, False]
    assert Pause(1, None, NOW).is_active_at(LAST)


async def paused(db: Database, game: int, pause: Pause) -> None:
    await clocks.start_pause(db, game, pause, seq=1, notices=[line("paused")])


async def resumed(db: Database, game: int, now: str) -> bool:
    return await clocks.end_pause(db, game, seq=1, notices=[line("on")], now=now)


async def test_pause_ends_as_planned_at_the_latest(db: Database, game_id: int) -> None:
    """Another takes its place later, and is ended: clocks stood for both."""
    for pause in (Pause(1, LATER, NOW), Pause(2, None, LAST, True)):
        await paused(db, game_id, pause)
    assert await resumed(db, game_id, "2026-04")
    stood = ((NOW, LATER), (LAST, "2026-04"))
    assert await clocks.clock_stops(db, game_id) == [ClockStop(EVERYBODY, "pause", *span) for span in stood]
    assert [await clocks.end_of_last_unvoted_pause(db, game_id, user) for user in (1, 2)] == [None, "2026-04"]


async def test_only_a_running_game_pauses(db: Database, game_id: int) -> None:
    await games.finish_game(db, game_id)
    with pytest.raises(WrongStatus):
        await paused(db, game_id, Pause(1, None, NOW))
    assert await clocks.find_pause(db, game_id) is None
    for attempt in (paused(db, 99, Pause(1, None, NOW)), resumed(db, 99, NOW)):
        with pytest.raises(NoSuchGame):
            await attempt
