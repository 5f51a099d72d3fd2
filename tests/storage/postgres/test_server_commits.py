"""The connection is lost while committing: nobody knows the outcome, and this is what is said."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from storage import Database, OutcomeUnknown, StorageFull, Transaction, games, open_database
from storage.contract import Cells
from tests.storage.makers import NewGame

NOW = "2026-01-02T03:04:05+00:00"

Cut = Callable[[bytes], bool]


async def test_a_commit_that_fails_by_itself_has_stored_nothing(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await at_commit(db, "RAISE EXCEPTION 'no room' USING ERRCODE = '53100'")
    with pytest.raises(StorageFull):
        await games.abandon(db, game.id)
    assert await games.get_game(db, game.id) == game


async def test_a_failure_that_a_transaction_continues_after_is_not_taken_for_stored(
    db: Database, new_game: NewGame
) -> None:
    """The server rolls such a transaction back when it is asked to commit it."""
    game = await new_game(db)

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Lost'")
        with suppress(psycopg.Error):
            await tx.run("SELECT 1 / 0")

    with pytest.raises(RuntimeError, match="as if it had not"):
        await db.write(change)
    assert await games.get_game(db, game.id) == game


async def test_what_others_commit_meanwhile_is_not_seen_in_the_middle_of_a_reading(
    db: Database, new_game: NewGame
) -> None:
    game = await new_game(db)

    async def query(tx: Transaction) -> list[Cells]:
        before = await tx.rows("SELECT name FROM games")
        await db.write(lambda other: other.run("UPDATE games SET name = 'Changed'"))
        assert await tx.rows("SELECT name FROM games") == before
        return before

    assert await db.read(query) == [(game.name,)]


async def test_a_server_that_dies_at_the_commit_leaves_the_outcome_open(
    db: Database, new_game: NewGame
) -> None:
    game = await new_game(db)
    await at_commit(db, "PERFORM pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(OutcomeUnknown, match="not known whether it was"):
        await games.abandon(db, game.id)
    assert (await games.get_game(db, game.id)).status == "lobby"


async def test_an_answer_that_is_lost_at_the_commit_leaves_the_outcome_open(
    where: str, db: Database, new_game: NewGame
) -> None:
    """It was stored all the same: this is why nobody may say that nothing was changed."""
    game = await new_game(db)
    async with (
        cut_off_after(where, lambda sent: b"COMMIT\x00" in sent) as (through, armed),
        await open_database(through) as far,
    ):
        armed.set()
        with pytest.raises(OutcomeUnknown):
            await games.abandon(far, game.id)
    assert (await games.get_game(db, game.id)).status == "abandoned"


async def at_commit(db: Database, what: str) -> None:
    """Let this happen when a change of a game is being committed."""

    async def change(tx: Transaction) -> None:
        await tx.run(
            f"CREATE FUNCTION happens() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {what}; RETURN NULL; END $$"
        )
        await tx.run(
            "CREATE CONSTRAINT TRIGGER happens AFTER UPDATE ON games DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION happens()"
        )

    await db.write(change)


@asynccontextmanager
async def cut_off_after(where: str, last: Cut) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """A way to the server that, once armed, takes the `last` message there and lets no answer through."""
    parts = urlsplit(where)
    socket = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
    armed = asyncio.Event()

    async def carry(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, onward = await asyncio.open_unix_connection(socket)
        cut = asyncio.Event()
        answering = asyncio.create_task(answer(far, back, cut))
        while sent := await near.read(65536):
            if armed.is_set() and last(sent):
                cut.set()
            onward.write(sent)
            await onward.drain()
        onward.close()
        await answering

    async def answer(far: asyncio.StreamReader, back: asyncio.StreamWriter, cut: asyncio.Event) -> None:
        while (said := await far.read(65536)) and not cut.is_set():
            back.write(said)
            await back.drain()
        back.close()

    server = await asyncio.start_server(carry, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"postgresql://postgres@127.0.0.1:{port}{parts.path}?sslmode=disable", armed
