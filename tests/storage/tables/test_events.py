"""Events: entered, drawn, begun and followed by their results; a substitute takes a place over."""

import pytest

from storage import Database, direct_messages, event_tables, events, games, log, personal_data, results
from storage.event_tables import EventTable, NewEventGame
from storage.events import EventRow
from storage.results import GameResult
from tests.storage.makers import LATER, NOW, START

GUILD, CHANNEL = 5 << 22, 60
ADA, BEN, CAT, EVA = 11, 12, 13, 15
GAME = NewEventGame("1889, game 1", "rulebook", "[]", 7, {"bank": "5 days"})


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


async def drawn(db: Database, event: EventRow) -> list[EventTable]:
    """Three players at two tables, in two divisions for the sake of it."""
    for user in (ADA, BEN, CAT):
        await events.enter(db, event.id, user, f"User {user}", places=None, now=NOW)
    tables = [EventTable(1, 1, 1, "1889", (3, 1)), EventTable(1, 2, 2, "18al", (2, 3, 1))]
    await event_tables.store_draw(db, event.id, ("open", "drawn"), 1, 9, {1: 1, 2: 2, 3: 1}, tables)
    return tables


async def begun(db: Database, event: EventRow) -> int:
    """The game of the first table, begun: it is opened once."""
    tables = await drawn(db, event)
    await events.change_status(db, event.id, ("drawn",), "running")
    game = await event_tables.open_game(db, event, tables[0], GAME, NOW)
    assert await event_tables.open_game(db, event, tables[0], GAME, LATER) == game
    await log.commit_start(db, game.id, [START], now=NOW)
    return game.id


async def test_full_event_has_reserves(db: Database, event: EventRow) -> None:
    for user, status in ((ADA, "entered"), (BEN, "entered"), (BEN, "entered"), (CAT, "reserve")):
        assert (await events.enter(db, event.id, user, "User", places=2, now=NOW)).status == status
    moved_up = await events.leave(db, event.id, ADA)
    assert moved_up is not None
    assert (moved_up.user_id, moved_up.status) == (CAT, "entered")


async def test_places_outlast_their_users(db: Database, event: EventRow) -> None:
    """A game is scored for them, and a reserve takes one over."""
    game = await begun(db, event)
    await db.write(lambda tx: games.change_status(tx, game, ("running",), "finished"))
    await results.add_results(db, game, [GameResult("p1", 2, 900, False), GameResult("p2", 1, 1200, True)])
    (played,) = await event_tables.games_of_event(db, event.id)
    assert (played.status, played.places) == ("finished", ((1, 1, 1200), (3, 2, 900)))
    assert (await events.enter(db, event.id, EVA, "Eva", places=None, now=NOW)).status == "reserve"
    await events.withdraw(db, event.id, 2)
    await events.substitute(db, event.id, 2, EVA, "Eva")
    places = [
        (place.number, place.user_id, place.status) for place in await events.entrants_of_event(db, event.id)
    ]
    assert places == [(1, ADA, "entered"), (2, EVA, "entered"), (3, CAT, "entered")]
    message = event_tables.EntrantMessage(1, ADA, "Your games", game)
    for _ in range(2):
        await event_tables.message_entrants(db, event.id, 1, [message], NOW)
    assert [unsent.text for unsent in await direct_messages.unsent_messages(db)] == ["Your games"]


async def test_anonymised_entrant_keeps_results(db: Database, event: EventRow) -> None:
    game = await begun(db, event)
    await db.write(lambda tx: games.change_status(tx, game, ("running",), "finished"))
    exported = await personal_data.rows_about_user(db, ADA)
    assert [row["display_name"] for row in exported["events"]] == [f"User {ADA}"]
    assert ADA in await personal_data.users_of_guild(db, GUILD)
    await personal_data.anonymise(db, ADA, lambda _, text, __: text)
    place = (await events.entrants_of_event(db, event.id))[0]
    assert (place.user_id, place.display_name, place.status) == (0, "a former player", "withdrawn")
    assert (await events.get_event(db, event.id)).opened_by == 0
    assert len(await event_tables.tables_of_event(db, event.id)) == 2


async def test_living_events_and_their_successors(db: Database, event: EventRow) -> None:
    assert await events.unfinished_events(db, "podium") == [event]
    assert await events.next_event(db, event.id) is None
    for status in ("drawn", "running", "ended"):
        await events.change_status(db, event.id, events.UNFINISHED_STATUSES, status)
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
