"""Clocks in store: turns with the moves that begin and end them, when they stood, and when the bot was running."""

import pytest

from storage import Database, clocks, games, log, orders, outbox, personal_data, pings, seats
from storage.clocks import EVERYBODY, ClockStop, Pause, Ticking, Turn
from storage.contract import ask
from storage.errors import StaleSequence, WrongStatus
from storage.log import AllOf
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges
from storage.settings import GAMES
from storage.shards import WHOLE, ShardSet
from tests.storage.makers import Act, NewGame, RunningGame

NOW, LATER, LAST = "2026-01-02T03:04:05+00:00", "2026-01-03T03:04:05+00:00", "2026-01-04T03:04:05+00:00"


async def test_turns_are_stored_with_the_move_or_not_at_all(db: Database, game_id: int, act: Act) -> None:
    ticking = Ticking(
        (Turn("p1", 1, NOW, ended=2, used=5, charged=3, quiet="q", zero=NOW), Turn("p2", 2, NOW))
    )
    changes = AllOf((orders.Changes(automatic=((2, orders.TIME_UP),)), ticking))
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game_id, 5, [act()], now=NOW, changes=changes)
    assert await ask(db, clocks.turns_question(game_id)) == []
    await log.commit_move(db, game_id, 1, [act()], now=NOW, changes=changes)
    assert await ask(db, clocks.turns_question(game_id)) == list(ticking.turns)
    assert await orders.automatic_moves(db, game_id) == {2: orders.TIME_UP}


async def test_a_turn_changes_and_those_after_a_row_never_were(db: Database, game_id: int) -> None:
    turns = (Turn("p1", 1, NOW), Turn("p2", 2, NOW), Turn("p1", 3, NOW))
    await clocks.tick(db, game_id, Ticking(turns), seq=1, now=NOW)
    assert await db.rows("SELECT DISTINCT used, charged FROM turns") == [(0, 0)]
    again = Turn("p1", 1, LATER, used=7)
    await clocks.tick(db, game_id, Ticking((again,), back_to=2), seq=1, now=LATER)
    assert await ask(db, clocks.turns_question(game_id)) == [again, turns[1]]


async def test_the_notice_is_stored_with_it_and_only_in_a_running_game(
    db: Database, game_id: int, new_game: NewGame
) -> None:
    lobby = await new_game(db)
    with pytest.raises(WrongStatus):
        await clocks.tick(db, lobby.id, Ticking((Turn("p1", 0, NOW),)), seq=0, now=NOW)
    messages = [OutboxMessage("line", "time is up")]
    await clocks.tick(db, game_id, Ticking((Turn("p1", 1, NOW, zero=NOW),)), seq=1, notices=messages, now=NOW)
    assert [one.payload for one in await outbox.of_game(db, game_id)] == ["time is up"]


async def test_the_end_of_time_is_announced_again_for_turns_that_run_and_for_no_other(
    db: Database, game_id: int
) -> None:
    over, runs = Turn("p1", 1, NOW, ended=2, zero=NOW), Turn("p2", 2, NOW, zero=LATER)
    await clocks.tick(db, game_id, Ticking((over, runs)), seq=1, now=NOW)
    await db.write(lambda tx: clocks.announce_again(tx, game_id))
    assert await ask(db, clocks.turns_question(game_id)) == [over, Turn("p2", 2, NOW)]


def test_a_pause_lasts_until_its_time_and_without_one_until_it_is_ended() -> None:
    pause = Pause(1, LATER, NOW)
    assert [pause.lasts(now) for now in (NOW, LATER, LAST)] == [True, False, False]
    assert Pause(1, None, NOW).lasts(LAST)


async def test_how_long_a_pause_has_lasted_is_stored(db: Database, game_id: int) -> None:
    await clocks.start_pause(db, game_id, Pause(1, None, NOW), seq=1, notices=[])
    await clocks.end_pause(db, game_id, seq=1, notices=[], now=LATER)
    await clocks.start_pause(db, game_id, Pause(1, LAST, LATER), seq=1, notices=[])
    assert await clocks.stops(db, game_id) == [ClockStop(EVERYBODY, "pause", NOW, LATER)]


async def test_a_pause_that_has_run_out_lasted_until_then(db: Database, game_id: int) -> None:
    """Whether it is ended, or another one takes its place."""
    await clocks.start_pause(db, game_id, Pause(1, LATER, NOW), seq=1, notices=[])
    await clocks.start_pause(db, game_id, Pause(1, None, LAST), seq=1, notices=[])
    assert await clocks.stops(db, game_id) == [ClockStop(EVERYBODY, "pause", NOW, LATER)]


async def test_a_stop_is_closed(db: Database, game_id: int) -> None:
    await clocks.store_stop(db, game_id, ClockStop(EVERYBODY, "waits", NOW))
    await clocks.store_stop(db, game_id, ClockStop("p1", "away", NOW, LATER))
    await clocks.store_stop(db, game_id, ClockStop(EVERYBODY, "waits", NOW, LAST))
    assert await clocks.stops(db, game_id) == [
        ClockStop(EVERYBODY, "waits", NOW, LAST),
        ClockStop("p1", "away", NOW, LATER),
    ]


async def test_games_with_another_value_of_a_setting_are_found_in_their_share(
    db: Database, running_game: RunningGame, new_game: NewGame
) -> None:
    one, none, _, lobby = (
        await running_game(db),
        await running_game(db),
        await running_game(db),
        await new_game(db),
    )
    for game, value in ((one, "5 days"), (none, "none"), (lobby.id, "5 days")):
        await GAMES.put(db, game, "bank", value)
    assert [row.id for row in await clocks.games_with(db, "bank", "none", WHOLE)] == [one]
    assert await clocks.games_with(db, "bank", "none", ShardSet((1,), 2)) == []
    await games.finish(db, one)
    assert await clocks.games_with(db, "bank", "none", WHOLE) == []


async def test_a_sign_of_work_is_stored_for_each_shard_with_what_was_missed(
    db: Database, game_id: int
) -> None:
    assert await clocks.last_run(db, 0, 2) is None
    await clocks.record_run(db, 0, 2, NOW)
    assert await clocks.last_run(db, 0, 2) == NOW
    assert await clocks.last_run(db, 1, 2) is None
    await clocks.record_run(db, 0, 2, LATER, out=[game_id], since=NOW)
    assert await clocks.last_run(db, 0, 2) == LATER
    assert await clocks.stops(db, game_id) == [ClockStop(EVERYBODY, "outage", NOW, LATER)]


async def test_a_clock_that_was_set_back_makes_no_outage(db: Database) -> None:
    await clocks.record_run(db, 0, 1, LATER)
    await clocks.record_run(db, 0, 1, NOW)
    assert await clocks.last_run(db, 0, 1) == LATER


async def test_servers_that_are_divided_otherwise_were_looked_after_until_then(db: Database) -> None:
    """All processes were stopped between: what was missed began with the last sign of any."""
    await clocks.record_run(db, 0, 2, NOW)
    await clocks.record_run(db, 1, 2, LATER)
    assert await clocks.last_run(db, 3, 4) == LATER


async def test_the_quiet_hours_of_somebody_who_is_forgotten_go(db: Database, new_game: NewGame) -> None:
    """They show where the user lives; how long their turns were stays."""
    game = (await new_game(db)).id
    for user, name in ((7, "Ann"), (8, "Bob")):
        await seats.join(db, game, user, name, now=NOW)
    await log.commit_start(db, game, [log.Entry("start", "{}", "d1", "")], now=NOW)
    taken = [seat.player_id for seat in await seats.seats(db, game)]
    turns = tuple(Turn(player, 1, NOW, used=5, quiet="22:00 08:00 Europe/Berlin") for player in taken)
    await clocks.tick(db, game, Ticking(turns), seq=1, now=NOW)
    await games.finish(db, game)
    await personal_data.anonymise(db, 7, lambda where, text, somebody: text)
    assert [one.quiet is None for one in await ask(db, clocks.turns_question(game))] == [True, False]
    assert [one.used for one in await ask(db, clocks.turns_question(game))] == [5, 5]


async def test_turns_of_games_that_have_chosen_no_other_value_run_no_more(
    db: Database, running_game: RunningGame
) -> None:
    """Those that have ended stay."""
    chosen, given_up = await running_game(db), await running_game(db)
    for game in (chosen, given_up):
        ended = Turn("p1", 1, NOW, ended=2)
        await clocks.tick(db, game, Ticking((ended, Turn("p2", 2, NOW))), seq=1, now=NOW)
    await GAMES.put(db, chosen, "bank", "5 days")
    await GAMES.put(db, given_up, "bank", "none")
    await clocks.forget_stray(db, "bank", "none")
    await clocks.forget_stray(db, "bank", "none")
    assert [turn.player_id for turn in await ask(db, clocks.turns_question(chosen))] == ["p1", "p2"]
    assert [turn.player_id for turn in await ask(db, clocks.turns_question(given_up))] == ["p1"]


async def test_games_of_a_person_are_those_with_a_seat_and_those_where_they_stood_in(
    db: Database, running_game: RunningGame, new_game: NewGame
) -> None:
    held = (await new_game(db)).id
    await seats.join(db, held, 7, "Ann", now=NOW)
    await log.commit_start(db, held, [log.Entry("start", "{}", "d1", "")], now=NOW)
    stood_in, _, lobby = await running_game(db), await running_game(db), await new_game(db)
    await seats.join(db, lobby.id, 7, "Ann", now=NOW)
    seat_entry = seats.SeatEntry("p1", "substitute", 7, "Ann", 1, None, NOW)
    await seats.assign(db, stood_in, seat_entry, notices=[])
    assert [row.id for row in await seats.running_games_of(db, 7)] == [held, stood_in]


async def test_servers_that_are_divided_again_as_long_ago_were_looked_after_meanwhile(db: Database) -> None:
    await clocks.record_run(db, 0, 1, NOW)
    await clocks.record_run(db, 1, 2, LATER)
    assert await clocks.last_run(db, 0, 1) == LATER


async def test_turns_that_run_begin_again_for_one_player_or_all(db: Database, game_id: int) -> None:
    """Those that have ended stay as they were."""
    ended, first, second = Turn("p1", 1, NOW, ended=2), Turn("p1", 3, NOW), Turn("p2", 3, NOW)
    await clocks.tick(db, game_id, Ticking((ended, first, second)), seq=1, now=NOW)
    await db.write(lambda tx: clocks.restart(tx, game_id, "p1"))
    assert await ask(db, clocks.turns_question(game_id)) == [ended, second]
    await db.write(lambda tx: clocks.restart(tx, game_id))
    assert await ask(db, clocks.turns_question(game_id)) == [ended]


async def test_clocks_stand_in_games_that_have_some(db: Database, game_id: int) -> None:
    stop = ClockStop("p1", "away", NOW)
    await db.write(lambda tx: clocks.write_stop_if_timed(tx, game_id, stop))
    assert await clocks.stops(db, game_id) == []
    await clocks.tick(db, game_id, Ticking((Turn("p1", 1, NOW),)), seq=1, now=NOW)
    await db.write(lambda tx: clocks.write_stop_if_timed(tx, game_id, stop))
    assert await clocks.stops(db, game_id) == [stop]


async def test_turns_and_stops_are_listed_by_their_beginnings(db: Database, game_id: int) -> None:
    turns = (Turn("p2", 2, NOW), Turn("p1", 2, NOW), Turn("p3", 1, LATER))
    await clocks.tick(db, game_id, Ticking(turns), seq=2, now=NOW)
    assert [(t.player_id, t.seq) for t in await ask(db, clocks.turns_question(game_id))] == [
        ("p3", 1),
        ("p1", 2),
        ("p2", 2),
    ]
    stops = [
        ClockStop("p1", "away", NOW),
        ClockStop("p1", "waits", NOW),
        ClockStop(EVERYBODY, "pause", LATER),
    ]
    for stop in reversed(stops):
        await clocks.store_stop(db, game_id, stop)
    assert await clocks.stops(db, game_id) == stops


async def test_while_the_bot_was_down_nobody_who_was_pinged_was_absent(db: Database, game_id: int) -> None:
    """Milliseconds from the last sign to now."""
    turn = OutboxMessage("turn", "{}", NotificationChanges((), None, ("p1",)))
    await outbox.put(db, game_id, 1, [turn], NOW)
    await clocks.record_run(db, 0, 1, LATER, since=NOW)
    await clocks.record_run(db, 0, 1, LAST)
    [notification], _ = await pings.of_game(db, game_id)
    assert notification.down == 24 * 60 * 60 * 1000
