"""What moves do to the clocks of a game that is held, whose clocks run there, and when they are looked at again."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.table.clocks import clocks_and_stops as of_games
from bot.table.clocks.clocks_and_stops import Clocks, game_clocks, side_effects, ticking_players
from bot.table.live import LiveGame
from storage import GAMES, Entry, SeatEntry, clocks, format_timestamp, games, log, orders, seats
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.support.timed import NOON

NOW, EARLIER = format_timestamp(NOON), format_timestamp(NOON - timedelta(hours=2))
HOUR = 3_600_000
"""In milliseconds."""


async def timed(service: TableService) -> int:
    """A game with a bank, in which Ann has had the turn for two hours, one more than it is free."""
    service.tables.clock = lambda: EARLIER
    game = await service.game()
    for setting, value in (("bank", "1 day"), ("grace", "1 hour")):
        await GAMES.put(service.db, game, setting, value)
    async with service.tables.reading(game) as live:
        ticking = clocks.Ticking((clocks.Turn("p1", live.seq, EARLIER),))
        await clocks.tick(service.db, game, ticking, seq=live.seq, now=EARLIER)
    return game


async def ticked(
    service: TableService, live: LiveGame, *made: tuple[str, int, int | None]
) -> tuple[clocks.Turn, ...]:
    """What moves (of a player, by a user, by an order) do to turns, after which it is Ann's turn."""
    entries = [Entry("action", "{}", "", player, user) for player, user, _ in made]
    by = tuple((number, order) for number, (_, _, order) in enumerate(made, start=live.seq + 1))
    changes = orders.Changes((), (), (), by)
    found = await side_effects(service.db, service.tables.share, live, entries, changes, NOW)
    assert isinstance(found, log.AllOf)
    _, ticking = found
    assert isinstance(ticking, clocks.Ticking)
    return ticking.turns


async def test_a_turn_of_a_player_who_acts_again_continues_unless_another_moved_or_time_was_up(
    service: TableService,
) -> None:
    game = await timed(service)
    async with service.tables.reading(game) as live:
        old = clocks.Turn("p1", live.seq, EARLIER)
        ended = replace(old, used=2 * HOUR, charged=HOUR)
        one, two = live.seq + 1, live.seq + 2
        assert await ticked(service, live, ("p1", ANN, None)) == ()
        assert await ticked(service, live, ("p1", ANN, None), ("p2", BOB, 1)) == (
            replace(ended, ended=two), clocks.Turn("p1", two, NOW),
        )  # fmt: skip
        up = await ticked(service, live, ("p1", ANN, orders.TIME_UP))
        assert up == (replace(ended, ended=one, zero=NOW), clocks.Turn("p1", one, NOW))
        up = await ticked(service, live, ("p1", ANN, orders.TIME_UP), ("p2", BOB, 1))
        assert up == (replace(ended, ended=two, zero=NOW), clocks.Turn("p1", two, NOW))
        up = await ticked(service, live, ("p2", BOB, orders.TIME_UP), ("p1", ANN, 1))
        assert [turn.zero for turn in up] == [None for _ in up]


@pytest.mark.parametrize(("player", "used"), [("p1", 3 * HOUR), ("", HOUR)])
async def test_whoever_undoes_has_used_the_time_that_never_was_and_a_moderator_has_not(
    service: TableService, player: str, used: int
) -> None:
    game = await timed(service)
    async with service.tables.reading(game) as live:
        later = clocks.Ticking((clocks.Turn("p1", 1, EARLIER, 2, HOUR), clocks.Turn("p1", 2, EARLIER)))
        await clocks.tick(service.db, game, later, seq=live.seq, now=EARLIER)
        entry = Entry("undo", log.undo_payload(1), "", player, ANN)
        found = await side_effects(service.db, service.tables.share, live, [entry], orders.Changes(), NOW)
    assert found == log.AllOf(
        (orders.Changes(), clocks.Ticking((clocks.Turn("p1", 1, NOW, used=used),), back_to=1))
    )


@pytest.mark.parametrize(("role", "acts"), [("holder", ["p1"]), ("group", []), ("caretaker", [])])
async def test_no_clock_runs_for_a_seat_that_no_person_plays(
    service: TableService, role: seats.Role, acts: list[str]
) -> None:
    async with service.tables.reading(await service.game()) as live:
        live.seat_history = (*live.seat_history, SeatEntry("p1", role, ANN, "Ann", live.seq, None, NOW))
        assert await ticking_players(service.db, live) == acts


async def clocks_where(service: TableService, name: str, chosen: str) -> Clocks:
    """The clocks of a game with a bank, whose table has chosen this for one of its settings."""
    game = await timed(service)
    await GAMES.put(service.db, game, name, chosen)
    there = await game_clocks(service.db, service.tables.share, await games.get_game(service.db, game), NOW)
    assert there is not None
    return there


@pytest.mark.parametrize(("sealed", "again"), [("on", True), ("off", False)])
async def test_who_sits_down_lets_clocks_be_looked_at_again_only_at_a_table_that_seals(
    service: TableService, sealed: str, again: bool
) -> None:
    assert (await clocks_where(service, "sealed", sealed)).doubtful == again


@pytest.mark.parametrize(
    ("chosen", "budget"), [("7 days", timedelta(days=7)), ("as long as it takes", timedelta())]
)
async def test_the_away_budget_is_what_was_chosen_and_nothing_where_that_is_no_time(
    service: TableService, chosen: str, budget: timedelta
) -> None:
    assert (await clocks_where(service, "away", chosen)).budget == budget


async def test_a_bank_that_is_chosen_again_finds_no_turn_that_runs_since_it_was_given_up(
    service: TableService,
) -> None:
    game = await timed(service)
    assert [row.id for row in await of_games.timed_games(service.db, service.tables.share)] == [game]
    await GAMES.put(service.db, game, "bank", "none")
    assert await of_games.timed_games(service.db, service.tables.share) == []
    await GAMES.put(service.db, game, "bank", "1 day")
    there = await game_clocks(service.db, service.tables.share, await games.get_game(service.db, game), NOW)
    assert there is not None
    assert there.turns == ()
