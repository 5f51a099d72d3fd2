"""A user is removed: their name and number are nowhere in the database any more, and every game is as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.past.anonymise import anonymised
from storage import (
    ConstraintBroken,
    Database,
    StillSeated,
    Transaction,
    clocks,
    direct_messages,
    games,
    log,
    open_database,
    orders,
    outbox,
    personal_data,
    pings,
    positions,
    proposals,
    seats,
)
from storage.clocks import Pause, Ticking, Turn
from storage.orders import Order
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges, Ping, PingStep
from storage.positions import AddPosition
from storage.proposals import Vote
from storage.seats import SeatEntry
from storage.settings import GUILDS, PEOPLE
from storage.sqlite.files import migrate
from tests.storage.full_games import ANN, full_game, rows_of
from tests.storage.makers import Act, NewGame, RunningGame

NOW = "2026-01-02T03:04:05+00:00"
ZOE, BOB = 900800700600500401, 900800700600500402
NAME = "Zoë Quux"
START = '{"title": "t", "players": [["p1", "Zo\\u00eb Quux"], ["p2", "Bob"]]}'
STATE = '{"players":[["p1","Zoë Quux"],["p2","Bob"]],"state":{"players":[{"id":"p1","name":"Zoë Quux","cash":3}]}}'
LINE = OutboxMessage(
    "line", '{"text": "**Zo\\u00eb Quux** passes; <@900800700600500401> plays", "hexes": []}'
)


@pytest.fixture
async def played(db: Database, new_game: NewGame) -> int:
    """A game that Zoë has played in, in which everything tells of her."""
    return await _play(db, new_game)


async def _play(db: Database, new_game: NewGame) -> int:
    game = await new_game(db, guild_id=10)
    for user_id, name in ((ZOE, NAME), (BOB, "Bob")):
        await seats.join(db, game.id, user_id, name, now=NOW)
    start = log.Entry("start", START, "d1", "", ZOE)
    move = log.Entry("action", '{"type": "pass"}', "d2", "p1", ZOE)
    accept = log.Entry("accept", log.accept_payload("3", STATE), "d3", "", ZOE)
    await log.commit_start(db, game.id, [start], [LINE], now=NOW, state=STATE)
    changes = AddPosition("d3", STATE)
    await log.commit_move(db, game.id, 1, [move, accept], [LINE], now=NOW, state=STATE, changes=changes)
    await seats.assign(db, game.id, SeatEntry("p2", "substitute", ZOE, NAME, 3, None, NOW), notices=[])
    await clocks.start_pause(db, game.id, Pause(ZOE, None, "1", alone=True), seq=3, notices=[])
    await clocks.end_pause(db, game.id, seq=3, notices=[], now=NOW)
    await clocks.start_pause(db, game.id, Pause(ZOE, None, NOW), seq=3, notices=[])
    await proposals.mark_pinged(db, game.id, [ZOE, BOB], NOW)
    proposal = await proposals.propose(
        db,
        game.id,
        "replace",
        f'{{"newcomer": {ZOE}, "taken_by": "Zo\\u00eb Quux"}}',
        by_user=ZOE,
        now=NOW,
        until="9",
        seq=1,
    )
    await proposals.cast_vote(db, proposal, Vote(ZOE, agrees=True), NOW)
    await orders.give(db, game.id, Order(1, "p1", ZOE, "{}", 2, NOW))
    await orders.give(db, game.id, Order(2, "p2", BOB, "{}", 2, NOW, "stopped", f"{NAME} has sold shares"))
    before = "INSERT INTO orders_before VALUES (?, 3, ?, 'stopped', ?, 2)"
    for number, why in ((1, "sold"), (2, f"{NAME} has sold shares")):
        await db.write(lambda tx, n=number, w=why: tx.run(before, game.id, n, w))  # type: ignore[misc]
    await _pinged(db, game.id)
    posting = (await outbox.of_game(db, game.id))[0]
    await outbox.mark_failed(db, posting.id, error=f"cannot mention {ZOE}")
    await GUILDS.put(db, 10, f"theme:{ZOE}", "dark")
    return game.id


async def _pinged(db: Database, game: int) -> None:
    """Zoë was pinged, by a direct message; Bob's tells of her."""
    notifications = OutboxMessage("turn", "{}", NotificationChanges(("p1",)))
    await outbox.put(db, game, 3, [notifications], NOW)
    notification = (await pings.of_game(db, game))[0][0]
    pinged = Ping("p1", ZOE, 0, "no", "pending")
    await db.write(lambda tx: pings.step(tx, game, PingStep(notification, 1, NOW, None, (pinged,))))
    for user_id, text in ((ZOE, "Your move"), (BOB, f"{NAME} has moved")):
        await db.write(lambda tx, to=user_id, says=text: direct_messages.write(tx, to, says, [], game, NOW))  # type: ignore[misc]


async def _everything(db: Database) -> str:
    tables = (
        "games",
        "seats",
        "memberships",
        "seat_history",
        "log",
        "states",
        "outbox",
        "proposals",
        "votes",
        "proposal_pings",
        "pauses",
        "past_pauses",
        "ratings",
        "orders",
        "orders_before",
        "pings",
        "direct_messages",
    )
    found = [await db.read(lambda tx, t=table: tx.rows(f"SELECT * FROM {t}")) for table in tables]  # type: ignore[misc]
    settings = await db.read(lambda tx: tx.rows("SELECT * FROM guild_settings"))
    return repr([*found, settings])


async def test_nothing_names_somebody_who_was_forgotten(db: Database, played: int) -> None:
    await games.finish(db, played)
    assert NAME in await _everything(db)
    assert await personal_data.anonymise(db, ZOE, anonymised) == [played]
    left = await _everything(db)
    assert str(ZOE) not in left
    assert "Quux" not in left
    assert str(BOB) in left
    texts = [payload for (payload,) in await db.rows("SELECT payload FROM outbox ORDER BY id")]
    assert [text == "{}" for text in texts] == [False, False, True]
    assert await db.rows("SELECT number FROM orders_before") == [(2,)]
    assert await positions.last_up_to(db, played, 9) is None, "packed texts with names, which are made again"
    assert await personal_data.rows_about(db, ZOE) == {table.table: [] for table in personal_data.TABLES} | {
        "settings": [],
        "results": [],
        "own settings": [],
    }


async def test_a_file_has_nothing_left_of_somebody_who_was_forgotten(
    tmp_path: Path, new_game: NewGame
) -> None:
    """Neither where rows were deleted, nor in the write-ahead log."""
    path = tmp_path / "games.sqlite"
    async with await open_database(path) as db:
        game = await _play(db, new_game)
        await games.finish(db, game)
        await personal_data.anonymise(db, ZOE, anonymised)
        await db.vacuum()
        found = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    for form in (NAME.encode(), b"Quux", str(ZOE).encode(), ZOE.to_bytes(8, "big")):
        assert form not in found
    assert BOB.to_bytes(8, "big") in found


async def test_moves_and_digests_stay_as_they_were(db: Database, played: int) -> None:
    await games.finish(db, played)
    before = await log.read(db, played)
    kept = await log.kept_state(db, played)
    await personal_data.anonymise(db, ZOE, anonymised)
    after = await log.read(db, played)
    assert [(r.seq, r.kind, r.digest, r.actor, r.created_at) for r in after] == [
        (r.seq, r.kind, r.digest, r.actor, r.created_at) for r in before
    ]
    assert after[1].payload == before[1].payload
    assert [row.user_id for row in after] == [None, None, None]
    assert '"cash": 3' in log.accepted(3, after[2].payload).state
    now = await log.kept_state(db, played)
    assert kept is not None
    assert now is not None
    assert (now.seq, now.digest) == (kept.seq, kept.digest)
    assert [seat.display_name for seat in await seats.seats(db, played)] == [personal_data.FORMER, "Bob"]


async def test_users_anonymised_later_stay_distinct(db: Database, played: int) -> None:
    await games.finish(db, played)
    await personal_data.anonymise(db, ZOE, anonymised)
    await personal_data.anonymise(db, BOB, anonymised)
    names = [seat.display_name for seat in await seats.seats(db, played)]
    assert names == ["a former player", "a former player (2)"]


async def test_nobody_is_forgotten_who_has_a_seat_in_a_game_that_continues(db: Database, played: int) -> None:
    before = await _everything(db)
    with pytest.raises(StillSeated, match=f"not ended: {played}"):
        await personal_data.anonymise(db, ZOE, anonymised)
    assert await _everything(db) == before


async def test_whoever_has_left_a_game_is_forgotten_while_it_continues(db: Database, played: int) -> None:
    dee = SeatEntry("p1", "holder", 5, "Dee", 3, None, NOW)
    await seats.replace_holder(db, played, dee, leaving=ZOE, notices=[])
    await personal_data.anonymise(db, ZOE, anonymised)
    assert [seat.display_name for seat in await seats.seats(db, played)] == ["Dee", "Bob"]
    assert "Quux" not in await _everything(db)
    found = await proposals.find(db, played, 1)
    assert found is not None
    assert (found[0].state, found[1]) == ("expired", [])


async def test_a_substitute_who_is_forgotten_plays_for_nobody(db: Database, played: int) -> None:
    dee = SeatEntry("p1", "holder", 5, "Dee", 3, None, NOW)
    await seats.replace_holder(db, played, dee, leaving=ZOE, notices=[])
    assert list(seats.substitutes(await seats.entries(db, played), NOW)) == ["p2"]
    await personal_data.anonymise(db, ZOE, anonymised)
    assert seats.substitutes(await seats.entries(db, played), NOW) == {}


async def test_while_somebody_is_forgotten_nobody_else_writes_their_games(
    db: Database, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    async def noted(tx: Transaction, game_id: int) -> games.GameRow:
        held.append(game_id)
        return await hold(tx, game_id)

    hold = games.lock_and_read
    await games.finish(db, played)
    monkeypatch.setattr(games, "lock_and_read", noted)
    await personal_data.anonymise(db, ZOE, anonymised)
    assert held == [played]


async def test_a_game_that_lost_a_player_is_not_taken_up_again(db: Database, played: int, act: Act) -> None:
    undo = log.Entry("undo", log.undo_payload(3), "d", "", BOB)
    await games.finish(db, played)
    assert await log.commit_move(db, played, 3, [undo], now=NOW, status="running") == 4
    await games.finish(db, played)
    await personal_data.anonymise(db, ZOE, anonymised)
    with pytest.raises(StillSeated, match="cannot be resumed"):
        await log.commit_move(db, played, 3, [undo], now=NOW, status="running")
    game = await games.get_game(db, played)
    await db.write(lambda tx: personal_data.end_or_resume(tx, game, "finished"))
    assert await games.get_game(db, played) == game


async def test_somebody_is_forgotten_on_one_server_alone(
    db: Database, played: int, new_game: NewGame
) -> None:
    await games.finish(db, played)
    other = await new_game(db, guild_id=11)
    await seats.join(db, other.id, ZOE, NAME, now=NOW)
    await GUILDS.put(db, 11, f"theme:{ZOE}", "safe")
    assert await personal_data.of_guild(db, 10) == [ZOE, BOB]
    assert await personal_data.anonymise(db, ZOE, anonymised, guild_id=10) == [played]
    assert await personal_data.of_guild(db, 10) == [BOB]
    assert [seat.user_id for seat in await seats.seats(db, other.id)] == [ZOE]
    assert await GUILDS.get(db, 11, f"theme:{ZOE}") == "safe"
    assert await GUILDS.get(db, 10, f"theme:{ZOE}") is None


async def test_how_a_user_wants_to_be_pinged_is_handed_out_and_removed_with_the_user(
    db: Database,
) -> None:
    await PEOPLE.put(db, ZOE, "zone", "Europe/Berlin")
    assert (await personal_data.rows_about(db, ZOE))["own settings"] == [
        {"key": "zone", "value": "Europe/Berlin"}
    ]
    await personal_data.anonymise(db, ZOE, anonymised, guild_id=10)
    assert await PEOPLE.get(db, ZOE, "zone") == "Europe/Berlin"
    await personal_data.anonymise(db, ZOE, anonymised)
    assert await PEOPLE.get(db, ZOE, "zone") is None


async def test_what_is_stored_of_a_user_is_listed(db: Database, played: int) -> None:
    found = await personal_data.rows_about(db, ZOE)
    assert {table: len(rows) for table, rows in found.items()} == {
        "seats": 1, "memberships": 1, "seat_history": 2, "log": 3, "proposals": 1, "votes": 1, "pauses": 1,
        "pings": 1, "direct_messages": 1, "orders": 1, "results": 0, "settings": 1, "own settings": 0,
        "board_links": 0, "board_sessions": 0,
        "past_pauses": 1, "proposal_pings": 1, "ratings": 0,
    }  # fmt: skip
    assert found["seats"] == [{"game_id": played, "seat": 1, "player_id": "p1", "display_name": NAME}]
    assert str(BOB) not in repr(found)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET payload = 'other' WHERE seq = 2",
        "UPDATE log SET digest = 'other'",
        "UPDATE log SET user_id = 4",
        "DELETE FROM log",
    ],
)
async def test_forgetting_changes_nothing_of_the_log_but_people(
    db: Database, played: int, statement: str
) -> None:
    async def change(tx: Transaction) -> None:
        await tx.run("INSERT INTO anonymising (game_id) VALUES (?)", played)
        await tx.run(statement)

    with pytest.raises(ConstraintBroken):
        await db.write(change)


async def test_who_made_a_move_stays_where_nobody_is_forgotten(db: Database, played: int) -> None:
    with pytest.raises(ConstraintBroken):
        await db.write(lambda tx: tx.run("UPDATE log SET user_id = NULL"))


def test_every_column_with_a_person_is_known(tmp_path: Path) -> None:
    """A table that comes later, with people in it, must be named."""
    with closing(sqlite3.connect(tmp_path / "empty.sqlite", isolation_level=None)) as conn:
        migrate(conn)
        columns = conn.execute(
            "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
            "WHERE m.type = 'table' AND (c.name LIKE '%user%' OR c.name LIKE '%person%')"
        ).fetchall()
    assert set(columns) == {(held.table, held.person) for held in personal_data.TABLES} | {
        ("person_settings", "user_id")
    }


async def test_what_is_about_others_in_the_same_game_stays(db: Database, new_game: NewGame) -> None:
    """Ann's votes, orders and pings go; Bob's ping and what was counted stay, and so does every other server."""
    game, elsewhere = await full_game(db, new_game, 10), await full_game(db, new_game, 11)
    await games.finish(db, game)
    before, before_elsewhere = await rows_of(db, game), await rows_of(db, elsewhere)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text, guild_id=10)
    after = await rows_of(db, game)
    assert await rows_of(db, elsewhere) == before_elsewhere
    gone = {table for table, rows in after.items() if not rows}
    assert gone == {
        *("positions", "votes", "orders", "orders_before", "direct_messages", "ratings", "pauses"),
        *("board_links", "board_sessions"),
    }
    assert [len(after[table]) for table in ("pings", "proposal_pings")] == [1, 1]
    assert [len(before[table]) for table in ("pings", "proposal_pings")] == [2, 2]
    same = ("states", "outbox", "automatic_moves", "results", "notifications", "game_settings", "turns")
    assert {table: after[table] for table in same} == {table: before[table] for table in same}
    assert not [row for rows in after.values() for row in rows if f", {ANN}," in row]


async def test_a_turn_loses_the_quiet_hours_of_its_user_alone(db: Database, new_game: NewGame) -> None:
    game, elsewhere = await full_game(db, new_game, 10), await full_game(db, new_game, 11)
    quiet = "22:00 08:00 Europe/Berlin"
    turns = tuple(Turn(player, 9, NOW, quiet=quiet) for player in ("p1", "p2", "p3"))
    for each in (game, elsewhere):
        await clocks.tick(db, each, Ticking(turns), seq=9, now=NOW)
    await games.finish(db, game)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text, guild_id=10)
    left = "SELECT game_id, player_id FROM turns WHERE quiet = ? ORDER BY game_id, player_id"
    assert await db.rows(left, quiet) == [
        (game, "p3"),
        *((elsewhere, player) for player in ("p1", "p2", "p3")),
    ]


async def test_a_game_is_resumed_though_a_player_of_another_was_anonymised(
    db: Database, new_game: NewGame
) -> None:
    lost, other = await full_game(db, new_game, 10), await full_game(db, new_game, 11)
    for game in (lost, other):
        await games.finish(db, game)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text, guild_id=10)
    finished = await games.get_game(db, other)
    await db.write(lambda tx: personal_data.end_or_resume(tx, finished, "running"))
    assert (await games.get_game(db, other)).status == "running"


async def test_a_text_is_rewritten_with_all_names_and_players_of_its_user(
    db: Database, new_game: NewGame
) -> None:
    """The longest name first, so that none is left in another; rows that are not theirs are asked about, too."""
    game = await full_game(db, new_game, 10)
    await games.finish(db, game)
    asked: list[tuple[str, personal_data.Somebody]] = []

    def rewrite(where: personal_data.Where, text: str, somebody: personal_data.Somebody) -> str:
        asked.append((where, somebody))
        return text

    await db.write(
        lambda tx: tx.run("UPDATE memberships SET display_name = 'Annabel' WHERE user_id = ?", ANN)
    )
    await personal_data.anonymise(db, ANN, rewrite)
    assert {somebody for _, somebody in asked} == {
        personal_data.Somebody(ANN, ("Annabel", "Ann"), ("p1", "p2"))
    }
    assert {where for where, _ in asked} == {"start", "state", "words"}


async def test_of_proposals_of_others_those_expire_that_name_a_user(db: Database, new_game: NewGame) -> None:
    """And those that are closed stay as they were closed."""
    game = await full_game(db, new_game, 10)
    other, naming = [
        await proposals.propose(db, game, "pause", payload, by_user=7, now=NOW, until="9", seq=1)
        for payload in ("{}", '{"who": "Ann"}')
    ]
    await games.finish(db, game)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text.replace("Ann", "Somebody"))
    rows = await db.rows(
        "SELECT number, by_user, state FROM proposals WHERE game_id = ? ORDER BY number", game
    )
    assert rows[:3] == [(number, 0, "expired") for number in (1, 2, 3)]
    assert rows[3:] == [(other.number, 7, "open"), (naming.number, 7, "expired")]
    assert await db.rows("SELECT payload FROM proposals WHERE number = ?", naming.number) == [
        ('{"who": "Somebody"}',)
    ]


async def test_a_user_whom_only_a_post_or_a_proposal_mentions_is_forgotten_too(
    db: Database, new_game: NewGame, running_game: RunningGame
) -> None:
    posted, proposed = (await new_game(db)).id, await running_game(db)
    await outbox.add_once(db, posted, 0, OutboxMessage("line", f"<@{ZOE}> looks on"), NOW)
    payload = f'{{"newcomer": {ZOE}}}'
    await proposals.propose(db, proposed, "replace", payload, by_user=7, now=NOW, until="9", seq=1)
    await personal_data.anonymise(db, ZOE, lambda where, text, somebody: text.replace(str(ZOE), "0"))
    assert [row.payload for row in await outbox.of_game(db, posted)] == ["<@0> looks on"]
    assert await db.rows("SELECT payload FROM proposals") == [('{"newcomer": 0}',)]


async def test_people_of_a_server_are_those_who_can_be_named(db: Database, new_game: NewGame) -> None:
    """Neither a caretaker nor anonymised users."""
    game = await full_game(db, new_game, 10)
    await full_game(db, new_game, 11)
    caretaker = SeatEntry("p1", "caretaker", personal_data.CARETAKER, "Caretaker", 4, None, NOW)
    await seats.assign(db, game, caretaker, notices=[])
    assert await personal_data.of_guild(db, 10) == [ANN, 200]
    await games.finish(db, game)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text, guild_id=10)
    assert (await personal_data.of_guild(db, 10), await personal_data.of_guild(db, 11)) == ([200], [ANN, 200])


async def test_a_seat_in_a_lobby_is_one_in_a_game_that_has_not_ended(db: Database, new_game: NewGame) -> None:
    lobby, running = (await new_game(db)).id, await full_game(db, new_game, 10)
    await seats.join(db, lobby, ANN, "Ann", now=NOW)
    assert await personal_data.seated(db, ANN) == [lobby, running]
    assert (await personal_data.seated(db, ANN, 10), await personal_data.seated(db, ANN, 11)) == (
        [lobby, running],
        [],
    )
    await games.finish(db, running)
    assert await personal_data.seated(db, ANN) == [lobby]
    await games.abandon(db, lobby)
    assert await personal_data.seated(db, ANN) == []
