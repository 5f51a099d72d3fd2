"""Values that are written into statements: what no column holds is refused, and never ends a statement."""

import pytest

from storage import ConstraintBroken, Database, Transaction, open_database


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
