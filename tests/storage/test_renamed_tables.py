"""Tables, columns and kinds have other names since 0.3.0; what was open, pending or unsent there still is."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY
from bot.table.votes.proposals import SUBJECT_BY_KIND
from storage import (
    Database,
    clocks,
    direct_messages,
    games,
    messages,
    open_database,
    orders,
    personal_data,
    pings,
    proposals,
    seats,
)
from storage.clocks import ClockStop
from storage.direct_messages import DirectMessage, SentDirectMessage, WantedPing
from storage.errors import ConstraintBroken
from storage.pings import Notification, Ping
from storage.proposals import Vote
from storage.settings import PERSON_SETTINGS
from tests.storage.makers import change
from tests.support.earlier import empty_of, restore
from tests.support.own_postgres import Server, connected
from tests.support.unsent import unsent

ROWS = """
INSERT INTO games (guild_id, channel_id, title, profile, options, seed, status, created_at, name, board_message_id,
    turn_message_id) VALUES (1, 2, 't18tn', 'rulebook', '{}', 3, 'running', 'then', 'Old', 5, 6);
INSERT INTO log (game_id, seq, kind, payload, digest, actor, user_id, created_at)
    VALUES (1, 1, 'start', '{"players": [["p1", "Ann"]]}', 'd1', '', 7, 'then');
INSERT INTO seats VALUES (1, 1, 'p1', 7, 'Ann'), (1, 2, 'p2', 8, 'Bob');
INSERT INTO outbox (game_id, seq, kind, payload, created_at, set_aside_at) VALUES
    (1, 1, 'call', '{"users": [7], "text": "Moves are here.", "role": null}', 'then', NULL),
    (1, 1, 'motion', '{"motion": 2}', 'then', NULL),
    (1, 1, 'line', '{"text": "says \\"motion\\"", "hexes": []}', 'then', 'parked');
INSERT INTO outbox (game_id, seq, kind, payload, created_at, sent_at, message_id) VALUES
    (1, 1, 'motion', '{"motion": 1}', 'then', 'then', 77);
INSERT INTO sittings (id, game_id, player_id, role, user_id, display_name, since, until, at) VALUES
    (3, 1, 'p1', 'holder', 7, 'Ann', 0, NULL, 't0'), (5, 1, 'p1', 'table', 7, 'Ann', 1, NULL, 't1'),
    (6, 1, 'p2', 'caretaker', 8, 'Bob', 1, NULL, 't2');
INSERT INTO motions (game_id, number, kind, payload, by_user, at, until, state) VALUES
    (1, 1, 'takeback', '{"to": 1, "player": "p1", "players": ["p2"], "seq": 2}', 7, 'a', 'z', 'open'),
    (1, 2, 'absence', '{"player": "p1", "holder": 7, "name": "Ann", "how": "table"}', 8, 'a', 'z', 'open'),
    (1, 3, 'end', '{}', 8, 'a', 'z', 'carried'), (1, 4, 'end', '{}', 8, 'a', 'z', 'lapsed'),
    (1, 5, 'end', '{}', 8, 'a', 'z', 'refused');
INSERT INTO voices VALUES (1, 2, 8, 1, 'b'), (1, 2, 7, 0, 'c');
INSERT INTO calls VALUES (1, 'p1', 1, 's', 1, 'a', 'due'), (1, 'p2', 1, 's', 0, 'a', NULL);
INSERT INTO called VALUES (1, 'p1', 7, 0, 'rings', 'writes', 0), (1, 'p2', 8, 0, 'rung', 'written', 1);
INSERT INTO letters (id, game_id, user_id, text, duties, created_at, sent_at, message_id) VALUES
    (4, 1, 8, 'Your move', '[[1, "p2"]]', 'then', NULL, NULL), (9, 1, 9, 'Sent', '[]', 'then', 'later', 55);
INSERT INTO stops VALUES (1, '', 'outage', 's', 'u'), (1, 'p1', 'away', 't', NULL);
INSERT INTO heartbeats VALUES (0, 1, '2026');
INSERT INTO automatic VALUES (1, 1, 2);
INSERT INTO orders (game_id, number, player_id, user_id, payload, since, at, state, why, ended_seq, told)
    VALUES (1, 2, 'p1', 7, '{}', 0, 'a', 'stopped', 'done', 1, 0),
    (1, 3, 'p2', 8, '{}', 0, 'a', 'stopped', 'done', 1, 2);
INSERT INTO person_settings VALUES (8, 'letters', 'closed'), (8, 'zone', 'UTC');
"""
"""Rows of version 23, in words of both databases."""


@pytest.fixture(params=["sqlite", "postgres"])
async def db(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Database]:
    """A database of version 23 that was opened since."""
    if request.param == "sqlite":
        with closing(empty_of(23, path)) as conn:
            conn.executescript(ROWS)
        async with await open_database(path) as database:
            yield database
        return
    server: Server = request.getfixturevalue("postgres")
    async with server.fresh("template1") as url:
        await restore(23, url, rows=False)
        async with await connected(url) as link:
            await link.execute(ROWS.encode())
        async with await open_database(url) as database:
            yield database


async def proposals_stay(db: Database) -> None:
    found = [await proposals.find_proposal(db, 1, number) for number in range(1, 6)]
    assert [one[0].state for one in found if one] == ["open", "open", "accepted", "expired", "refused"]
    assert found[1] is not None
    assert found[1][1] == [Vote(8, agrees=True), Vote(7, agrees=False)]
    assert [(one.number, one.kind) for one in await proposals.open_proposals(db, 1, "now")] == [
        (1, "undo"), (2, "absence"),
    ]  # fmt: skip
    absence = SUBJECT_BY_KIND["absence"].read(found[1][0].payload)
    assert (
        absence.describe() == "the group plays the seat of **Ann** by agreement until somebody takes it over"
    )
    made = await proposals.propose(db, 1, "end", "{}", by_user=7, now="n", until="z", seq=1)
    assert made.number == 6


async def pings_stay_pending(db: Database) -> None:
    assert await pings.notifications_of_game(db, 1) == (
        [Notification("p1", 1, "s", 1, "a", "due", "a"), Notification("p2", 1, "s", 0, "a", None)],
        [Ping("p1", 7, 0, "pending", "pending"), Ping("p2", 8, 0, "pinged", "queued", is_muted=True)],
    )
    wanted = {7: [WantedPing(1, Ping("p1", 7, 0, "pending", "pending"))]}
    assert await direct_messages.wanted_pings(db) == wanted


async def unsent_posts_are_read(db: Database) -> None:
    ping, proposal, line = await unsent(db)
    assert (ping.kind, ThreadPing.read(ping.payload).users) == (notices.PING_KIND, (7,))
    assert (proposal.kind, notices.proposal_number_in(proposal.payload)) == (notices.PROPOSAL_KIND, 2)
    assert notices.Line.read(line.payload).text == 'says "motion"'


async def messages_are_known(db: Database) -> None:
    game = await games.get_game(db, 1)
    assert (game.board_message_id, game.turn_message_id, game.may_have_unsent_messages) == (5, 6, False)
    (turn,) = await messages.open_turn_messages(db, 1)
    board, asked = (
        await messages.newest_message_of_role(db, 1, "board"),
        await messages.newest_message_of_role(db, 1, "proposal", "1"),
    )
    assert board is not None
    assert asked is not None
    assert (board.key, turn.key, turn.shows, asked.message_id) == ("pinned", "", "", 77)


async def direct_messages_stay(db: Database) -> None:
    assert await direct_messages.unsent_messages(db) == [
        DirectMessage(4, 1, 8, "Your move", ((1, "p2"),), "then")
    ]
    assert await direct_messages.stale_messages(db) == [SentDirectMessage(9, 9, 55)]
    assert await PERSON_SETTINGS.settings_of(db, 8) == {NO_DIRECT_MESSAGES_KEY: "closed", "zone": "UTC"}
    await db.write(lambda tx: direct_messages.queue_message(tx, 8, "Next", (), 1, "now"))
    assert [one.id for one in await direct_messages.unsent_messages(db)] == [4, 10]


async def seat_history_only_grows(db: Database) -> None:
    history = await seats.seat_entries(db, 1)
    assert [(one.player_id, one.role, one.at) for one in history] == [
        ("p1", "holder", "t0"), ("p1", "group", "t1"), ("p2", "caretaker", "t2"),
    ]  # fmt: skip
    await seats.record_seat_change(
        db, 1, seats.SeatEntry("p1", "holder", 7, "Ann", 1, None, "t3"), notices=[]
    )
    assert (await seats.seat_entries(db, 1))[-1].at == "t3"
    for statement in ("DELETE FROM seat_history", "UPDATE seat_history SET role = 'holder'"):
        with pytest.raises(ConstraintBroken):
            await change(db, statement)


async def clocks_and_orders_remain(db: Database) -> None:
    assert await clocks.clock_stops(db, 1) == [
        ClockStop("", "outage", "s", "u"),
        ClockStop("p1", "away", "t"),
    ]
    assert await clocks.last_bot_run_time(db, 0, 1) == "2026"
    assert await orders.automatic_moves(db, 1) == {1: 2}
    assert [one.number for one in await orders.unnotified_orders(db, 1, 7)] == [2]
    assert await orders.unnotified_orders(db, 1, 8) == []


async def test_rows_of_version_23_are_read(db: Database) -> None:
    """And no table has an old name."""
    await proposals_stay(db)
    await pings_stay_pending(db)
    await unsent_posts_are_read(db)
    await messages_are_known(db)
    await direct_messages_stay(db)
    await seat_history_only_grows(db)
    await clocks_and_orders_remain(db)
    with pytest.raises(ConstraintBroken):
        await change(db, "UPDATE log SET user_id = NULL")
    await games.finish_game(db, 1)
    rewritten = await personal_data.anonymise(db, 7, lambda where, text, who: text.replace("Ann", "nobody"))
    assert rewritten == [1]
    assert await db.row("SELECT user_id, payload FROM log") == (None, '{"players": [["p1", "nobody"]]}')
    old = ("motions", "voices", "calls", "called", "letters", "sittings", "stops", "heartbeats", "automatic")
    for table in (*old, "forgetting"):
        with pytest.raises(Exception, match=table):
            await db.rows(f"SELECT * FROM {table}")
