"""What is looked at each minute: the clocks of games whose players can act, and caretakers who may have to move."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client import caretaker_moves, each_minute
from bot.client.caretaker_moves import Caretakers
from bot.client.each_minute import Deadlines
from bot.client.entry.showable import Showable
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.clocks import clocks_and_stops as of_table
from bot.table.clocks.clocks_and_stops import GAP
from bot.table.errors import Refused
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.tables import GENTLY
from storage import DatabaseUnreachable, games, later_timestamp
from storage import clocks as stored
from storage import seats as seat_history
from tests.bot.support.table_service import TableService

# --- clocks ----------------------------------------------------------------------------------------------------------


class Clocks:
    """The deadlines of a bench with a client that knows its server, and the games that are looked at."""

    def __init__(self, service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service = service
        self.looked: list[int] = []
        self.failures: list[Exception] = []
        """What goes wrong with the clocks of the next games."""
        self.absences = 0
        self.timed: list[Any] = []
        self.shown: Any = SimpleNamespace(due=True, doubtful=False)
        self.closed = False
        self.server: Any = SimpleNamespace(
            unavailable=False, get_thread=lambda _: None, get_channel=lambda _: None
        )
        self.troubles = DeliveryProblems()
        self.breaker = CircuitBreaker()
        self.ready = True
        self.rests: list[float] = []
        client: Any = SimpleNamespace(
            tables=service.tables,
            delivery_problems=self.troubles,
            breaker=self.breaker,
            is_ready=lambda: self.ready,
            shards={0: SimpleNamespace(is_closed=lambda: self.closed)},
            get_guild=lambda _: self.server,
        )
        client.showable = Showable(client)
        self.loop = Deadlines(client, self._rest)
        monkeypatch.setattr(each_minute, "end_absences", self._away)
        monkeypatch.setattr(of_table, "timed_games", self._timed)
        monkeypatch.setattr(of_table, "game_clocks", self._of_game)
        monkeypatch.setattr(each_minute, "check_time", self._look_at)

    async def _rest(self, seconds: float) -> None:
        self.rests.append(seconds)

    async def _away(self, _: object) -> None:
        self.absences += 1

    async def _timed(self, *_: object) -> list[Any]:
        return self.timed

    async def _of_game(self, *_: object) -> Any:
        return self.shown

    async def _look_at(self, _: object, game_id: int) -> None:
        self.looked.append(game_id)
        if self.failures:
            raise self.failures.pop()

    async def begun(self) -> int:
        """A game with time banks."""
        number = await self.service.game()
        self.timed = [await games.get_game(self.service.db, number)]
        return number

    async def stops(self, number: int) -> list[bool]:
        """Of each time the clocks of a game stood still, whether they still do."""
        return [one.until is None for one in await stored.stops(self.service.db, number)]


@pytest.fixture
def clocks(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(service, monkeypatch)


async def test_a_turn_is_looked_at_whose_time_may_be_up(clocks: Clocks) -> None:
    number = await clocks.begun()
    await clocks.loop.look()
    for shown in (
        SimpleNamespace(due=False, doubtful=True),
        SimpleNamespace(due=False, doubtful=False),
        None,
    ):
        clocks.shown = shown
        await clocks.loop.look()
    assert (clocks.looked, clocks.absences) == ([number, number], 4)
    assert await clocks.stops(number) == []


async def test_while_nobody_can_act_nothing_is_looked_at_and_no_sign_is_given(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    await clocks.begun()
    clocks.closed = True
    await clocks.loop.look()
    clocks.closed, clocks.ready = False, False
    await clocks.loop.look()
    clocks.ready = True
    with monkeypatch.context() as outage:
        outage.setattr(CircuitBreaker, "is_open", True)
        await clocks.loop.look()
    assert (clocks.looked, clocks.absences) == ([], 0)
    assert await stored.last_run(clocks.service.db, 0, 1) is None
    await clocks.loop.look()
    assert await stored.last_run(clocks.service.db, 0, 1) is not None


async def test_what_is_wrong_with_one_game_keeps_no_other_from_being_looked_at(clocks: Clocks) -> None:
    """Unless it is the database, which has nothing for the others either. In between others have their turn."""
    first = await clocks.begun()
    second = await clocks.service.game()
    clocks.timed.append(await games.get_game(clocks.service.db, second))
    for failure in (Refused("It is damaged."), KeyError("a defect")):
        clocks.failures = [failure]
        await clocks.loop.look()
    assert clocks.looked == [first, second] * 2
    assert clocks.rests == [GENTLY] * 4
    clocks.failures = [DatabaseUnreachable("just now")]
    with pytest.raises(DatabaseUnreachable):
        await clocks.loop.look()
    assert clocks.looked == [first, second] * 2 + [first]


async def test_a_game_whose_clocks_stand_is_read_before_they_run_again(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was fit to be played when it was last read, and is damaged now."""
    number = await clocks.begun()
    await clocks.loop.look()
    clocks.troubles.note(number, "place", "The thread is gone.")
    await clocks.loop.look()
    clocks.troubles.clear(number, "place")

    async def damaged(_: int) -> Any:
        raise Refused("It is damaged.")

    clocks.service.tables.forget(number)
    monkeypatch.setattr(clocks.service.tables, "_load", damaged)
    await clocks.loop.look()
    assert (clocks.looked, await clocks.stops(number)) == ([number], [True])


@pytest.mark.parametrize("why", ["no server", "an outage", "trouble", "damage", "no thread"])
async def test_the_clocks_of_a_game_stand_still_while_nobody_can_act_in_it(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    number, usual = await clocks.begun(), clocks.server

    async def damaged(_: int) -> Any:
        raise Refused("It is damaged.")

    with monkeypatch.context() as broken:
        if why in ("no server", "an outage"):
            clocks.server = None if why == "no server" else SimpleNamespace(unavailable=True)
        elif why == "trouble":
            clocks.troubles.note(number, "place", "The thread is gone.")
        elif why == "no thread":
            broken.setattr(clocks.service.tables.places, "is_lost", lambda game: game == number)
        else:
            broken.setattr(clocks.service.tables, "_load", damaged)
        for _ in range(2):
            await clocks.loop.look()
        assert (clocks.looked, await clocks.stops(number)) == ([], [True])
    clocks.server = usual
    clocks.troubles.clear(number, "place")
    await clocks.loop.look()
    assert (clocks.looked, await clocks.stops(number)) == ([number], [False])


async def test_a_game_that_was_found_fit_is_not_read_each_minute(clocks: Clocks) -> None:
    """It would stay in memory; after a while without time banks it is read again."""
    number = await clocks.begun()
    await clocks.loop.look()
    clocks.service.tables.forget(number)
    await clocks.loop.look()
    assert clocks.service.tables.cached(number) is None
    timed, clocks.timed = clocks.timed, []
    await clocks.loop.look()
    clocks.timed = timed
    await clocks.loop.look()
    assert clocks.service.tables.cached(number) is not None


async def test_time_in_which_no_sign_was_given_is_noted_for_the_games_of_a_shard(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, runs = await clocks.begun(), list[tuple[int, list[int], str | None]]()

    async def record_run(
        _: object, shard: int, count: int, now: str, *, out: list[int], since: str | None
    ) -> None:
        runs.append((count, out, since))
        await kept(_, shard, count, now, out=out, since=since)

    kept: Any = stored.record_run
    monkeypatch.setattr(stored, "record_run", record_run)
    begun = clocks.service.tables.clock()
    for now in (begun, later_timestamp(begun, GAP), later_timestamp(begun, GAP * 2 + timedelta(seconds=1))):
        clocks.service.tables.clock = lambda now=now: now  # type: ignore[misc]
        await clocks.loop.look()
    assert runs == [(1, [number], None), (1, [number], None), (1, [number], later_timestamp(begun, GAP))]


# --- caretakers ------------------------------------------------------------------------------------------------------


class Seats:
    """Caretakers of a bench, and the games in which they are woken."""

    def __init__(self, service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.woken: list[int] = []
        self.cared_for: list[int] = []
        self.moves = False
        self.failure: Exception | None = None
        self.jobs: list[asyncio.Task[None]] = []
        self.caretakers = Caretakers(service.tables, lambda job: self.jobs.append(asyncio.create_task(job)))
        monkeypatch.setattr(seat_history, "games_with_caretaker", self._cared_for)
        monkeypatch.setattr(caretaker_moves, "play_caretakers", self._play)

    async def _cared_for(self, *_: object) -> list[int]:
        return self.cared_for

    async def _play(self, _: object, game_id: int) -> bool:
        self.woken.append(game_id)
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        return self.moves

    async def look(self) -> None:
        """A look, and all it leads to."""
        await self.caretakers.look()
        await asyncio.gather(*self.jobs)


@pytest.fixture
def seats(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Seats:
    return Seats(service, monkeypatch)


async def test_caretakers_who_wait_for_somebody_are_left_alone_until_something_changes(seats: Seats) -> None:
    seats.cared_for = [404, 405]
    await seats.look()
    await seats.look()
    assert seats.woken == [404, 405]
    seats.caretakers.wake(404)
    seats.caretakers.wake(404)
    await asyncio.gather(*seats.jobs)
    assert seats.woken == [404, 405, 404], "one at a time in each game"


async def test_a_game_that_has_caretakers_again_is_looked_at_again(seats: Seats) -> None:
    seats.cared_for = [404]
    await seats.look()
    seats.cared_for = []
    await seats.look()
    seats.cared_for = [404]
    await seats.look()
    assert seats.woken == [404, 404]


async def test_caretakers_that_moved_or_failed_are_looked_at_with_the_next_look(seats: Seats) -> None:
    seats.cared_for, seats.moves = [404], True
    await seats.look()
    seats.failure = OSError("the disk")
    await seats.look()
    seats.failure, seats.moves = None, False
    await seats.look()
    await seats.look()
    assert seats.woken == [404] * 3


async def test_what_changes_while_caretakers_are_looked_at_or_rest_is_looked_at(seats: Seats) -> None:
    seats.cared_for = [404]
    await seats.caretakers.look()
    await asyncio.sleep(0)
    seats.caretakers.wake(404)
    await asyncio.gather(*seats.jobs)
    assert seats.woken == [404]
    await seats.look()
    assert seats.woken == [404, 404]
    seats.moves = True
    seats.caretakers.wake(404)
    await asyncio.gather(*seats.jobs)
    await seats.look()
    assert seats.woken == [404] * 4, "they moved, and are looked at again"


async def test_a_game_in_memory_without_caretakers_wakes_none(service: TableService, seats: Seats) -> None:
    game = await service.game()
    async with service.tables.reading(game):
        seats.caretakers.wake(game)
    await asyncio.gather(*seats.jobs)
    assert seats.woken == []
