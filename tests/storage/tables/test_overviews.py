"""Games at a glance: what lists say of them comes in one trip, for many games as for one."""

from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from storage import Database, clocks, games, log, overviews, seats
from storage.clocks import Pause
from storage.contract import Cells, Query, Transaction
from storage.overviews import Overview
from storage.seats import SeatEntry
from tests.storage.makers import NewGame

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-02-03T04:05:06+00:00"
ANN, BOB, EVE = 1, 2, 5


async def started(db: Database, new_game: NewGame) -> int:
    """A running game of Ann and Bob that waits for Bob."""
    game = await new_game(db)
    for user_id, name in ((ANN, "Ann"), (BOB, "Bob")):
        await seats.join(db, game.id, user_id, name, now=NOW)
    await log.commit_start(db, game.id, [log.Entry("start", "{}", "d1", "")], now=NOW)

    async def wait_for_bob(tx: Transaction) -> None:
        await tx.run(
            "INSERT INTO notifications (game_id, player_id, seq, since, stage, at, due_at) "
            "VALUES (?, 'p2', 1, ?, 0, ?, ?)",
            *(game.id, NOW, NOW, NOW),
        )

    await db.write(wait_for_bob)
    return game.id


async def test_a_persons_games_are_those_with_a_seat_and_those_where_they_stand_in(
    db: Database, new_game: NewGame
) -> None:
    """Open and running ones: with who plays, whom the game waits for, and its pause."""
    held, stood_in, ended, foreign = [await started(db, new_game) for _ in range(4)]
    await games.finish(db, ended)
    lobby = (await new_game(db)).id
    await seats.join(db, lobby, EVE, "Eve", now=NOW)
    await seats.join(db, (await new_game(db)).id, BOB, "Bob", now=NOW)
    for game_id, until in ((stood_in, LATER), (foreign, NOW)):
        await seats.assign(db, game_id, SeatEntry("p2", "substitute", EVE, "Eve", 1, until, NOW), notices=[])
    await seats.replace_holder(
        db, held, SeatEntry("p1", "holder", EVE, "Eve", 1, None, NOW), leaving=ANN, notices=[]
    )
    await clocks.start_pause(db, stood_in, Pause(ANN, LATER, NOW), seq=1, notices=[])
    owned = [one.row.id for one in await overviews.of_user(db, BOB, NOW)]
    assert stood_in in owned, "whose seat a substitute plays"
    found = await overviews.of_user(db, EVE, NOW)
    assert [(one.row.id, one.waited_for) for one in found] == [
        (held, ("p2",)),
        (stood_in, ("p2",)),
        (lobby, ()),
    ]
    assert [one.names for one in found] == [
        {"p1": "Eve", "p2": "Bob"}, {"p1": "Ann", "p2": "Bob"}, {"p1": "Eve"},
    ]  # fmt: skip
    assert [one.users for one in found] == [{"p1": EVE, "p2": BOB}, {"p1": ANN, "p2": EVE}, {"p1": EVE}]
    assert [one.pause for one in found] == [None, Pause(ANN, LATER, NOW), None]


async def test_a_servers_games_are_those_that_are_open_or_running_there(
    db: Database, new_game: NewGame
) -> None:
    running, ended = await started(db, new_game), await started(db, new_game)
    await games.finish(db, ended)
    server = (await games.get_game(db, running)).guild_id
    assert [one.row.id for one in await overviews.of_server(db, server, NOW)] == [running]
    assert await overviews.of_server(db, server + 1, NOW) == []


class Asked:
    """A database that can be asked, in one trip, and counts how often it is."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.trips = 0

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """As the database does."""
        self.trips += 1
        return await self._db.ask(*queries)


async def trips(db: Database, read: Callable[[Database], Awaitable[list[Overview]]]) -> tuple[int, int]:
    """How many games were found in how many trips."""
    asked = Asked(db)
    return len(await read(cast("Database", asked))), asked.trips


@pytest.mark.parametrize(("whose", "taken"), [("a person", 2), ("a server", 1)])
async def test_many_games_take_as_many_trips_as_one(
    db: Database, new_game: NewGame, whose: str, taken: int
) -> None:
    def read(on: Database) -> Awaitable[list[Overview]]:
        return (
            overviews.of_user(on, BOB, NOW) if whose == "a person" else overviews.of_server(on, server, NOW)
        )

    server = (await games.get_game(db, await started(db, new_game))).guild_id
    assert await trips(db, read) == (1, taken)
    for _ in range(20):
        await started(db, new_game)
    assert await trips(db, read) == (21, taken)
