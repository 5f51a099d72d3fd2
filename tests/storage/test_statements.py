"""Several statements in one trip: what is asked at once, and what nobody waits for."""

import pytest

from storage import ConstraintBroken, Database, StorageReadOnly, Transaction, games, seats
from storage.contract import ask, query
from storage.settings import PEOPLE
from tests.storage.makers import NewGame

SAYINGS = ["it's", "''", "\\", "\\'", "$1 $$ ?", "'; DELETE FROM games; --", "a\nb\r\tc", "žluťoučký 🚂", ""]


async def test_what_is_asked_at_once_comes_in_order_each_row_as_if_asked_alone(
    db: Database, new_game: NewGame
) -> None:
    for name in ("Friday", "Saturday"):
        await new_game(db, name=name)
    asked = [
        query("SELECT id, name, thread_id FROM games WHERE id > ? ORDER BY id DESC", 0),
        query("SELECT COUNT(*) FROM games WHERE name = ?", "Friday"),
        query("SELECT id FROM games WHERE id = ?", 99),
    ]
    together = await db.ask(*asked)
    assert together == [[(2, "Saturday", None), (1, "Friday", None)], [(1,)], []]
    assert together == [(await db.ask(one))[0] for one in asked]
    assert together == await db.write(lambda tx: tx.ask(*asked))


async def test_each_answer_is_read_as_its_question_says(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await seats.join(db, game.id, 7, "Ann", now="2026-01-02")
    found, taken, chosen = await ask(
        db, games.question(game.id), seats.question(game.id), PEOPLE.question(7, "how")
    )
    assert (found, [seat.display_name for seat in taken], chosen) == (game, ["Ann"], None)


@pytest.mark.parametrize("many", [1, 200])
@pytest.mark.parametrize("text", SAYINGS)
async def test_a_text_is_stored_as_it_is_however_it_is_sent(db: Database, text: str, many: int) -> None:
    async def change(tx: Transaction) -> None:
        await tx.put("INSERT INTO person_settings VALUES (?, 'put', ?)", -1, text)
        insert = "INSERT INTO person_settings VALUES (?, ?, ?)"
        await tx.run_many(insert, [(number, "many", text) for number in range(many)])

    await db.write(change)
    kept = await db.rows("SELECT value FROM person_settings ORDER BY user_id")
    assert kept == [(text,)] * (many + 1)


async def test_what_is_put_is_seen_by_what_is_asked_after_it(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)

    async def change(tx: Transaction) -> list[str]:
        await tx.put("UPDATE games SET name = 'Saturday' WHERE id = ?", game.id)
        first = await games.get_game(tx, game.id)
        await tx.put("UPDATE games SET name = 'Sunday' WHERE id = ?", game.id)
        assert await tx.run("UPDATE games SET name = name || '!' WHERE id = ?", game.id) == 1
        return [first.name, (await games.get_game(tx, game.id)).name]

    assert await db.write(change) == ["Saturday", "Sunday!"]


async def test_what_is_put_and_refused_leaves_nothing_of_the_transaction(
    db: Database, new_game: NewGame
) -> None:
    game = await new_game(db)

    async def change(tx: Transaction) -> None:
        await tx.put("UPDATE games SET name = 'Saturday' WHERE id = ?", game.id)
        await tx.put("INSERT INTO seats VALUES (99, 1, 'p1', 1, 'Ann')")

    with pytest.raises(ConstraintBroken, match=r"(?i)foreign key"):
        await db.write(change)
    assert await games.get_game(db, game.id) == game


async def test_a_question_cannot_write(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    with pytest.raises(StorageReadOnly):
        await db.rows("UPDATE games SET name = 'Saturday' RETURNING id")
    assert await games.get_game(db, game.id) == game
