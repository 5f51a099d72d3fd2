"""A user is anonymised: their name and number are nowhere in the database any more, and every game is as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.past.anonymise import anonymised_content
from storage import (
    Database,
    clocks,
    games,
    log,
    orders,
    outbox,
    personal_data,
    positions,
    proposals,
    seats,
)
from storage.clocks import ClockChanges, ClockTurn, Pause
from storage.contract import Transaction
from storage.errors import ConstraintBroken, StillSeated
from storage.log import NewLogRow
from storage.orders import Order
from storage.outbox import OutboxMessage
from storage.personal_data import (
    CARETAKER_USER,
    FORMER_PLAYER_NAME,
    TextKind,
    UserInGame,
    anonymise,
    games_with_seat,
    rows_about_user,
    users_of_guild,
)
from storage.pings import NotificationChanges
from storage.positions import AddPosition
from storage.proposals import StoredProposal, Vote
from storage.seats import SeatEntry
from storage.settings import GUILD_SETTINGS, PERSON_SETTINGS
from storage.sqlite.files import migrate
from tests.storage.full_games import TABLES, full_game, rows_of
from tests.storage.makers import ANN, NOW, ON_FILE, change, line, move, new_game, running_game, undo
from tests.storage.posts.pinging import ping, queue
from tests.support.unsent import unsent

ZOE, BOB = 900800700600500401, 900800700600500402
NAME = "Zoë Quux"
START = '{"title": "t", "players": [["p1", "Zo\\u00eb Quux"], ["p2", "Bob"]]}'
STATE = '{"players":[["p1","Zoë Quux"],["p2","Bob"]],"state":{"players":[{"id":"p1","name":"Zoë Quux","cash":3}]}}'
LINE = line('{"text": "**Zo\\u00eb Quux** passes; <@900800700600500401> plays", "hexes": []}')


async def play(db: Database) -> int:
    """A game that Zoë has played in, in which everything tells of her."""
    game = (await new_game(db)).id
    for user, name in ((ZOE, NAME), (BOB, "Bob")):
        await seats.join_game(db, game, user, name, now=NOW)
    start = NewLogRow("start", START, "d1", "", ZOE)
    rows = [NewLogRow("action", '{"type": "pass"}', "d2", "p1", ZOE)]
    rows.append(NewLogRow("accept", log.accept_payload("3", STATE), "d3", "", ZOE))
    await log.commit_start(db, game, [start], [LINE], now=NOW, state=STATE)
    await move(db, game, 1, *rows, notices=[LINE], state=STATE, changes=AddPosition("d3", STATE))
    await seats.record_seat_change(
        db, game, SeatEntry("p2", "substitute", ZOE, NAME, 3, None, NOW), notices=[]
    )
    for pause in (Pause(ZOE, None, "1", alone=True), Pause(ZOE, None, NOW)):
        await clocks.end_pause(db, game, seq=3, notices=[], now=NOW)
        await clocks.start_pause(db, game, pause, seq=3, notices=[])
    await proposals.mark_pinged(db, game, [ZOE, BOB], NOW)
    about = f'{{"newcomer": {ZOE}, "taken_by": "Zo\\u00eb Quux"}}'
    await proposals.cast_vote(db, await propose(db, game, about, by_user=ZOE), Vote(ZOE, agrees=True), NOW)
    why = f"{NAME} has sold shares"
    await orders.store_order(db, game, Order(1, "p1", ZOE, "{}", 2, NOW))
    await orders.store_order(db, game, Order(2, "p2", BOB, "{}", 2, NOW, "stopped", why))
    for number, reason in ((1, "sold"), (2, why)):
        await change(db, "INSERT INTO orders_before VALUES (?, 3, ?, 'stopped', ?, 2)", game, number, reason)
    await outbox.queue_notices(db, game, 3, [OutboxMessage("turn", "{}", NotificationChanges(("p1",)))], NOW)
    await ping(db, game, ZOE, thread="no", direct="pending")
    for user, text in ((ZOE, "Your move"), (BOB, f"{NAME} has moved")):
        message = await queue(db, user, game=game)
        await change(db, "UPDATE direct_messages SET text = ? WHERE id = ?", text, message.id)
    await outbox.mark_failed(db, (await unsent(db))[0].id, error=f"cannot mention {ZOE}")
    await GUILD_SETTINGS.put(db, 10, f"theme:{ZOE}", "dark")
    return game


async def propose(db: Database, game: int, payload: str = "{}", by_user: int = 7) -> StoredProposal:
    return await proposals.propose(db, game, "replace", payload, by_user=by_user, now=NOW, until="9", seq=1)


@pytest.fixture
async def played(db: Database) -> int:
    return await play(db)


async def everything(db: Database) -> str:
    tables = ("games", "guild_settings", *TABLES)
    return repr([await db.rows(f"SELECT * FROM {table}") for table in tables])


def unchanged(where: TextKind, text: str, somebody: UserInGame) -> str:
    """Texts stay as they are."""
    return text


async def names(db: Database, game: int) -> list[str]:
    return [seat.display_name for seat in await seats.seats(db, game)]


async def test_nothing_names_an_anonymised_user(db: Database, played: int) -> None:
    """Moves and digests stay as they were."""
    await games.finish_game(db, played)
    rows, kept = await log.read_rows(db, played), await log.stored_state(db, played)
    assert NAME in await everything(db)
    assert await anonymise(db, ZOE, anonymised_content) == [played]
    left = await everything(db)
    assert (str(ZOE) in left, "Quux" in left, str(BOB) in left) == (False, False, True)
    texts = [payload for (payload,) in await db.rows("SELECT payload FROM outbox ORDER BY id")]
    assert [text == "{}" for text in texts] == [False, False, True]
    assert await db.rows("SELECT number FROM orders_before") == [(2,)]
    assert await positions.last_position_up_to(db, played, 9) is None, "names in packed texts are made again"
    assert not any((await rows_about_user(db, ZOE)).values())
    after, now = await log.read_rows(db, played), await log.stored_state(db, played)
    assert after == [
        row._replace(user_id=None, payload=new.payload) for row, new in zip(rows, after, strict=True)
    ]
    assert after[1].payload == rows[1].payload
    assert '"cash": 3' in log.accepted_state(3, after[2].payload).state
    assert kept is not None
    assert now is not None
    assert (now.seq, now.digest) == (kept.seq, kept.digest)
    assert await names(db, played) == [FORMER_PLAYER_NAME, "Bob"]
    await anonymise(db, BOB, anonymised_content)
    assert await names(db, played) == [FORMER_PLAYER_NAME, f"{FORMER_PLAYER_NAME} (2)"]


async def test_anonymising_changes_people_alone(db: Database, played: int) -> None:
    async def forged(tx: Transaction, statement: str) -> None:
        await tx.run("INSERT INTO anonymising (game_id) VALUES (?)", played)
        await tx.run(f"UPDATE log SET {statement}")

    for statement in ("payload = 'other' WHERE seq = 2", "digest = 'other'", "user_id = 4"):
        with pytest.raises(ConstraintBroken):
            await db.write(lambda tx, forging=statement: forged(tx, forging))  # type: ignore[misc]


@ON_FILE
async def test_user_with_a_seat_is_not_anonymised(db: Database, played: int) -> None:
    """As long as the game has not ended, or is still in the lobby."""
    before = await everything(db)
    with pytest.raises(StillSeated, match=f"these games: {played}"):
        await anonymise(db, ZOE, anonymised_content)
    assert await everything(db) == before
    lobby = (await new_game(db)).id
    await seats.join_game(db, lobby, ZOE, NAME, now=NOW)
    assert [await games_with_seat(db, ZOE, guild) for guild in (None, 10, 11)] == [[played, lobby]] * 2 + [[]]
    await games.finish_game(db, played)
    assert await games_with_seat(db, ZOE) == [lobby]
    await games.abandon_game(db, lobby)
    assert await games_with_seat(db, ZOE) == []


async def test_user_who_has_left_is_anonymised(db: Database, played: int) -> None:
    """While the game continues; as a substitute they play for nobody any more."""
    dee = SeatEntry("p1", "holder", 5, "Dee", 3, None, NOW)
    await seats.replace_holder(db, played, dee, leaving_user=ZOE, notices=[])
    assert list(seats.substitutes(await seats.seat_entries(db, played), NOW)) == ["p2"]
    await anonymise(db, ZOE, anonymised_content)
    assert seats.substitutes(await seats.seat_entries(db, played), NOW) == {}
    assert await seats.ended_substitutions(db, NOW) == [(played, "p2")]
    assert await names(db, played) == ["Dee", "Bob"]
    assert "Quux" not in await everything(db)
    found = await proposals.find_proposal(db, played, 1)
    assert found is not None
    assert (found[0].state, found[1]) == ("expired", [])


@ON_FILE
async def test_game_without_a_player_is_not_resumed(db: Database, played: int) -> None:
    """Another game is."""
    other = await full_game(db, 11)
    await games.finish_game(db, played)
    assert await move(db, played, 3, undo(3), status="running") == 4
    for game in (played, other):
        await games.finish_game(db, game)
    await anonymise(db, ZOE, anonymised_content)
    before = await games.get_game(db, played)
    with pytest.raises(StillSeated, match="cannot be resumed"):
        await move(db, played, 4, undo(3), status="running")
    await db.write(lambda tx: personal_data.finish_or_resume_game(tx, before, "finished"))
    assert await games.get_game(db, played) == before
    await move(db, other, 4, undo(2), status="running")


async def test_user_is_anonymised_on_one_server(db: Database, played: int) -> None:
    await games.finish_game(db, played)
    other = await new_game(db, guild_id=11)
    await seats.join_game(db, other.id, ZOE, NAME, now=NOW)
    await GUILD_SETTINGS.put(db, 11, f"theme:{ZOE}", "safe")
    await PERSON_SETTINGS.put(db, ZOE, "zone", "Europe/Berlin")
    assert (await rows_about_user(db, ZOE))["own settings"] == [{"key": "zone", "value": "Europe/Berlin"}]
    assert await users_of_guild(db, 10) == [ZOE, BOB]
    assert await anonymise(db, ZOE, anonymised_content, guild_id=10) == [played]
    assert await users_of_guild(db, 10) == [BOB]
    assert [seat.user_id for seat in await seats.seats(db, other.id)] == [ZOE]
    assert [await GUILD_SETTINGS.get(db, guild, f"theme:{ZOE}") for guild in (10, 11)] == [None, "safe"]
    assert await PERSON_SETTINGS.get(db, ZOE, "zone") == "Europe/Berlin"
    await games.abandon_game(db, other.id)
    await anonymise(db, ZOE, anonymised_content)
    assert await PERSON_SETTINGS.get(db, ZOE, "zone") is None


@ON_FILE
async def test_rows_about_a_user_are_listed(db: Database, played: int) -> None:
    found = await rows_about_user(db, ZOE)
    expected = dict.fromkeys(found, 1) | {"seat_history": 2, "log": 3}
    none = ("results", "events", "page_visits", "own settings", "board_links", "board_sessions", "ratings")
    assert {table: len(rows) for table, rows in found.items()} == expected | dict.fromkeys(none, 0)
    assert found["seats"] == [{"game_id": played, "seat": 1, "player_id": "p1", "display_name": NAME}]
    assert str(BOB) not in repr(found)


def test_every_column_with_a_person_is_known(path: Path) -> None:
    """A table that comes later, with people in it, must be named."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        migrate(conn)
        columns = conn.execute(
            "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
            "WHERE m.type = 'table' AND (c.name LIKE '%user%' OR c.name LIKE '%person%')"
        ).fetchall()
    known = {(held.table, held.user_column) for held in personal_data.PERSONAL_TABLES}
    assert set(columns) == known | {
        ("person_settings", "user_id"),
        ("entrants", "user_id"),
        ("page_visits", "user_id"),
    }


@ON_FILE
async def test_what_is_about_others_stays(db: Database) -> None:
    """Ann's votes, orders and pings go; Bob's ping and what was counted stay, and so does every other server."""
    game, elsewhere = await full_game(db, 10), await full_game(db, 11)
    turns = tuple(ClockTurn(player, 9, NOW, used=5, quiet="22:00 08:00 UTC") for player in ("p1", "p2", "p3"))
    for each in (game, elsewhere):
        await clocks.store_clock_changes(db, each, ClockChanges(turns), seq=9, now=NOW)
    await games.finish_game(db, game)
    before, before_elsewhere = await rows_of(db, game), await rows_of(db, elsewhere)
    await anonymise(db, ANN, unchanged, guild_id=10)
    after = await rows_of(db, game)
    assert await rows_of(db, elsewhere) == before_elsewhere
    assert {table for table, rows in after.items() if not rows} == {
        *("positions", "votes", "orders", "orders_before", "direct_messages", "ratings", "pauses"),
        *("board_links", "board_sessions"),
    }
    for table in ("pings", "proposal_pings"):
        assert (len(before[table]), len(after[table])) == (2, 1)
    same = ("states", "outbox", "automatic_moves", "results", "notifications", "game_settings")
    assert {table: after[table] for table in same} == {table: before[table] for table in same}
    assert not [row for rows in after.values() for row in rows if f", {ANN}," in row]
    kept = "SELECT player_id FROM turns WHERE game_id = ? AND seq = 9 AND quiet IS NOT NULL AND used = 5"
    assert await db.rows(kept, game) == [("p3",)], "the quiet hours of Ann's players go with their time zone"


@ON_FILE
async def test_text_is_rewritten_for_all_names(db: Database) -> None:
    """The longest first, so that none is left in another; rows that are not theirs are asked about, too."""
    game = await full_game(db)
    await games.finish_game(db, game)
    asked: list[tuple[str, UserInGame]] = []

    def rewrite(where: TextKind, text: str, somebody: UserInGame) -> str:
        asked.append((where, somebody))
        return text

    await change(db, "UPDATE memberships SET display_name = 'Annabel' WHERE user_id = ?", ANN)
    await anonymise(db, ANN, rewrite)
    assert {somebody for _, somebody in asked} == {UserInGame(ANN, ("Annabel", "Ann"), ("p1", "p2"))}
    assert {where for where, _ in asked} == {"start", "state", "words"}


@ON_FILE
async def test_proposals_that_name_a_user_expire(db: Database) -> None:
    """And those that are closed stay as they were closed."""
    game = await full_game(db)
    other, naming = [await propose(db, game, payload) for payload in ("{}", '{"who": "Ann"}')]
    await proposals.close_proposal(
        db, (await proposals.open_proposals(db, game, NOW))[0], "refused", seq=1, now=NOW
    )
    await games.finish_game(db, game)
    await anonymise(db, ANN, lambda where, text, somebody: text.replace("Ann", "Somebody"))
    rows = await db.rows("SELECT by_user, state, payload FROM proposals ORDER BY number")
    assert rows[:3] == [(0, state, "{}") for state in ("expired", "refused", "expired")]
    assert rows[3:] == [(7, "open", "{}"), (7, "expired", '{"who": "Somebody"}')]
    assert (other.number, naming.number) == (4, 5)


@ON_FILE
async def test_mentioned_user_is_anonymised_too(db: Database) -> None:
    posted, proposed = (await new_game(db)).id, await running_game(db)
    await outbox.add_notice_once(db, posted, 0, line(f"<@{ZOE}> looks on"), NOW)
    await propose(db, proposed, f'{{"newcomer": {ZOE}}}')
    await anonymise(db, ZOE, lambda where, text, somebody: text.replace(str(ZOE), "0"))
    assert [row.payload for row in await outbox.unposted_notices_of_game(db, posted)] == ["<@0> looks on"]
    assert await db.rows("SELECT payload FROM proposals") == [('{"newcomer": 0}',)]


@ON_FILE
async def test_people_of_a_server(db: Database) -> None:
    """Neither a caretaker nor anonymised users."""
    game = await full_game(db, 10)
    await full_game(db, 11)
    caretaker = SeatEntry("p1", "caretaker", CARETAKER_USER, "Caretaker", 4, None, NOW)
    await seats.record_seat_change(db, game, caretaker, notices=[])
    assert await users_of_guild(db, 10) == [ANN, 200]
    await games.finish_game(db, game)
    await anonymise(db, ANN, unchanged, guild_id=10)
    assert [await users_of_guild(db, guild) for guild in (10, 11)] == [[200], [ANN, 200]]
