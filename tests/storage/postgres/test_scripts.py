"""Values that are written into statements: what no column holds is refused, and never ends a statement."""

from typing import Any

import pytest

from storage import ConstraintBroken, Database, Transaction, open_database
from storage.contract import query
from storage.postgres.statements import Statements


class Sent:
    """A connection that remembers what is sent."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    async def execute(self, message: str) -> str:
        """Remember it."""
        self.messages.append(message)
        return "COMMIT"


async def test_what_nobody_waits_for_is_one_message_with_each_statement_once() -> None:
    link: Any = Sent()
    tx = Statements(link, "BEGIN")
    await tx.put("UPDATE games SET name = ? WHERE id = ?", "it's", 0)
    await tx.require(query("SELECT 1 FROM games WHERE id = ?", 7), "SHARE", LookupError())
    await tx.run_many("DELETE FROM seats WHERE game_id = ?", [(1,), (-2,)])
    assert await tx.end("COMMIT") == "COMMIT"
    statements = (
        "BEGIN",
        "UPDATE games SET name = E'it''s' WHERE id = 0",
        "SELECT 1 / COUNT(*) FROM (SELECT 1 FROM games WHERE id = 7 FOR SHARE) AS wanted",
        "DELETE FROM seats WHERE game_id = 1",
        "DELETE FROM seats WHERE game_id = (-2)",
        "COMMIT",
    )
    assert link.messages == [";\n".join(statements)]


async def test_where_nothing_is_done_nothing_is_sent() -> None:
    link: Any = Sent()
    await Statements(link, "BEGIN").run_many("DELETE FROM seats WHERE game_id = ?", [(1,)] * 100)
    assert await Statements(link, "BEGIN").end("ROLLBACK") == "ROLLBACK"
    assert link.messages == []


async def test_what_is_no_change_of_rows_has_changed_none(db: Database) -> None:
    assert await db.write(lambda tx: tx.run("SET LOCAL statement_timeout = 0")) == 0


@pytest.mark.parametrize("value", ["a\0b", "\udc80", 1.5, True, 2**64])
async def test_what_no_column_holds_is_refused(db: Database, value: object) -> None:
    with pytest.raises(ConstraintBroken, match="refuses this"):
        await db.write(lambda tx: tx.put("UPDATE games SET channel_id = ?", value))


async def test_a_value_too_many_is_refused(db: Database) -> None:
    with pytest.raises(ConstraintBroken, match="1 values are wanted, not 2"):
        await db.write(lambda tx: tx.put("UPDATE games SET name = ?", "a", "b"))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63)])
async def test_a_number_is_stored_as_it_is(where: str, number: int) -> None:
    async with await open_database(where) as db:
        await db.write(lambda tx: tx.put("INSERT INTO guild_settings VALUES (?, 'a', 'b')", number))
        assert await db.rows("SELECT guild_id FROM guild_settings") == [(number,)]


@pytest.mark.parametrize("text", ["it's", "\\", "\\'; DROP TABLE log; --", "a\nb", "?", "é\U0001f682"])
@pytest.mark.parametrize("standard", ["on", "off"])
async def test_a_text_is_stored_as_it_is_however_the_server_reads_backslashes(
    where: str, text: str, standard: str
) -> None:
    async def change(tx: Transaction) -> None:
        await tx.put(f"SET LOCAL standard_conforming_strings = {standard}")
        await tx.put("INSERT INTO guild_settings VALUES (1, 'a', ?)", text)

    async with await open_database(where) as db:
        await db.write(change)
        assert await db.rows("SELECT value FROM guild_settings") == [(text,)]
