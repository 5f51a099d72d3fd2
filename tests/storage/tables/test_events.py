"""Events: entered, drawn, begun and followed by their results; a substitute takes a place over."""

import pytest

from storage import (
    CARETAKER_USER,
    Database,
    direct_messages,
    events,
    games,
    log,
    personal_data,
    results,
    seats,
)
from storage.errors import NoSuchEvent, NotEntered, WrongEventStatus
from storage.events import EventRow, EventTable, GameOfTable
from storage.results import Result
from tests.storage.makers import LATER, NOW, START

GUILD, CHANNEL = 5 << 22, 60
ADA, BEN, CAT, DAN, EVA = 11, 12, 13, 14, 15
GAME = GameOfTable("1889, game 1", "rulebook", "[]", 7, {"bank": "5 days"})


@pytest.fixture
async def event(db: Database) -> EventRow:
    return await events.create_event(
        db,
        guild_id=GUILD,
        channel_id=CHANNEL,
        name="Spring",
        settings="{}",
        seed=4,
        opened_by=ADA,
        now=NOW,
        closes_at=LATER,
    )


async def enter(db: Database, event: EventRow, *users: int, places: int | None = None) -> list[str]:
    entered = [
        await events.enter(db, event.id, user, f"User {user}", places=places, now=NOW) for user in users
    ]
    return [entrant.status for entrant in entered]


async def drawn(db: Database, event: EventRow) -> list[EventTable]:
    """Three players at two tables, in two divisions for the sake of it."""
    await enter(db, event, ADA, BEN, CAT)
    tables = [EventTable(1, 1, 1, "1889", (3, 1)), EventTable(1, 2, 2, "18al", (2, 3, 1))]
    await events.store_draw(db, event.id, ("open", "drawn"), 1, 9, {1: 1, 2: 2, 3: 1}, tables)
    return tables


async def begun(db: Database, event: EventRow) -> int:
    """The game of the first table, begun."""
    tables = await drawn(db, event)
    await events.move_status(db, event.id, ("drawn",), "running")
    game = await events.open_game(db, event, tables[0], GAME, NOW)
    await log.commit_start(db, game.id, [START], now=NOW)
    return game.id


async def test_full_event_has_reserves(db: Database, event: EventRow) -> None:
    assert await enter(db, event, ADA, BEN, BEN, CAT, DAN, places=2) == [
        *("entered", "entered", "entered"),
        *("reserve", "reserve"),
    ]
    moved_up = await events.leave(db, event.id, ADA)
    assert moved_up is not None
    assert (moved_up.user_id, moved_up.status) == (CAT, "entered")
    assert await events.leave(db, event.id, DAN) is None
    with pytest.raises(NotEntered, match="You have not entered Spring"):
        await events.leave(db, event.id, DAN)
    present = [(entrant.user_id, entrant.status) for entrant in await events.entrants_of(db, event.id)]
    assert present == [(BEN, "entered"), (CAT, "entered")]


async def test_draw_may_be_replaced_until_begun(db: Database, event: EventRow) -> None:
    tables = await drawn(db, event)
    assert await events.tables_of(db, event.id) == tables
    with pytest.raises(WrongEventStatus, match="has been drawn"):
        await events.leave(db, event.id, ADA)
    assert await enter(db, event, EVA) == ["reserve"]
    again = [EventTable(1, 1, 1, "1830", (1, 2, 3))]
    assert not await events.store_draw(db, event.id, ("drawn",), 1, 10, {1: 1, 2: 1}, again), (
        "one has entered since"
    )
    await events.store_draw(db, event.id, ("drawn",), 1, 10, {1: 1, 2: 1, 3: 1}, again)
    assert await events.tables_of(db, event.id) == again
    now = await events.get_event(db, event.id)
    assert (now.status, now.seed, now.stage) == ("drawn", 10, 1)
    await events.move_status(db, event.id, ("drawn",), "running")
    await events.open_game(db, event, again[0], GAME, NOW)
    with pytest.raises(WrongEventStatus, match="is running"):
        await events.store_draw(db, event.id, ("running",), 1, 11, {}, tables)


async def test_game_of_a_table_is_opened_once(db: Database, event: EventRow) -> None:
    tables = await drawn(db, event)
    with pytest.raises(WrongEventStatus):
        await events.open_game(db, event, tables[0], GAME, NOW)
    await events.move_status(db, event.id, ("drawn",), "running")
    game = await events.open_game(db, event, tables[0], GAME, NOW)
    assert await events.open_game(db, event, tables[0], GAME, LATER) == game
    assert (game.title, game.status, game.channel_id, game.name) == ("1889", "lobby", CHANNEL, GAME.name)
    assert [seat.user_id for seat in await seats.seats(db, game.id)] == [CAT, ADA]
    assert len(await games.list_games(db, GUILD)) == 1
    assert await events.event_of_game(db, game.id) == await events.get_event(db, event.id)


async def test_results_belong_to_places(db: Database, event: EventRow) -> None:
    game = await begun(db, event)
    await db.write(lambda tx: games.move_status(tx, game, ("running",), "finished"))
    await results.add_results(db, game, [Result("p1", 2, 900, False), Result("p2", 1, 1200, True)])
    (played,) = await events.games_of(db, event.id)
    assert (played.status, played.places) == ("finished", ((1, 1, 1200), (3, 2, 900)))


async def test_substitute_takes_the_place_over(db: Database, event: EventRow) -> None:
    await begun(db, event)
    assert await enter(db, event, EVA) == ["reserve"]
    await events.withdraw(db, event.id, 2)
    game = await events.open_game(db, event, (await events.tables_of(db, event.id))[1], GAME, NOW)
    assert [seat.user_id for seat in await seats.seats(db, game.id)] == [CARETAKER_USER, CAT, ADA]
    await events.substitute(db, event.id, 2, EVA, "Eva")
    places = [(place.number, place.user_id, place.status) for place in await events.entrants_of(db, event.id)]
    assert places == [(1, ADA, "entered"), (2, EVA, "entered"), (3, CAT, "entered")]


async def test_anonymised_entrant_keeps_results(db: Database, event: EventRow) -> None:
    game = await begun(db, event)
    await db.write(lambda tx: games.move_status(tx, game, ("running",), "finished"))
    exported = await personal_data.rows_about_user(db, ADA)
    assert [row["display_name"] for row in exported["events"]] == [f"User {ADA}"]
    assert ADA in await personal_data.users_of_guild(db, GUILD)
    await personal_data.anonymise(db, ADA, lambda _, text, __: text)
    place = (await events.entrants_of(db, event.id))[0]
    assert (place.user_id, place.display_name, place.status) == (0, "a former player", "withdrawn")
    assert (await events.get_event(db, event.id)).opened_by == 0
    assert len(await events.tables_of(db, event.id)) == 2


async def test_event_that_is_not_there(db: Database) -> None:
    with pytest.raises(NoSuchEvent, match="There is no event 7"):
        await events.get_event(db, 7)


async def test_living_events_and_their_successors(db: Database, event: EventRow) -> None:
    assert await events.unfinished_events(db, "podium") == [event]
    assert await events.next_event(db, event.id) is None
    for status in ("drawn", "running", "ended"):
        await events.move_status(db, event.id, events.LIVING_STATUSES, status)
    following = await events.create_event(
        db,
        guild_id=GUILD,
        channel_id=CHANNEL,
        name="Summer",
        settings="{}",
        seed=5,
        opened_by=ADA,
        now=NOW,
        previous_id=event.id,
    )
    assert [one.name for one in await events.unfinished_events(db, "podium")] == ["Spring", "Summer"]
    await events.set_post(db, event.id, "podium", 1, "")
    assert await events.unfinished_events(db, "podium") == [following]
    assert await events.next_event(db, event.id) == following
    assert [one.name for one in await events.events_of_server(db, GUILD)] == ["Summer", "Spring"]


async def test_entrants_are_told_once(db: Database, event: EventRow) -> None:
    game = await begun(db, event)
    message = events.EntrantMessage(1, ADA, "Your games", game)
    for _ in range(2):
        await events.tell_entrants(db, event.id, 1, [message], NOW)
    assert [unsent.text for unsent in await direct_messages.unsent_messages(db)] == ["Your games"]
    assert [place.told for place in await events.entrants_of(db, event.id)] == [1, 0, 0]


async def test_posts_are_remembered_by_role(db: Database, event: EventRow) -> None:
    for message, shows in ((70, "a"), (70, "b")):
        await events.set_post(db, event.id, "standings", message, shows)
    assert await events.posts_of(db, event.id) == {"standings": (70, "b")}
