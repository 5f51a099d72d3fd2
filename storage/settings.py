"""Key-value settings of servers (guilds), games and users; values are text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage.contract import Database, ParsedQuery, QuerySource, Transaction, fetch, query


@dataclass(frozen=True, slots=True)
class Settings:
    """The key-value settings of one kind of owner: servers, games or users.

    `table` is the table of these settings, and `owner_column` the table's column of owner ids.
    """

    table: str
    owner_column: str

    async def get(self, source: QuerySource, owner_id: int, key: str) -> str | None:
        """Return the value of a setting; None if it is not set."""
        return await fetch(source, self.value_query(owner_id, key))

    def value_query(self, owner_id: int, key: str) -> ParsedQuery[str | None]:
        """Return the query for the value of a setting (None if not set); run it with `fetch`."""
        value_sql = f"SELECT value FROM {self.table} WHERE {self.owner_column} = ? AND key = ?"
        return ParsedQuery(query(value_sql, owner_id, key), lambda rows: str(rows[0][0]) if rows else None)

    async def put(self, db: Database, owner_id: int, key: str, value: str) -> None:
        """Set a setting."""
        await db.write(lambda tx: self.write(tx, owner_id, key, value))

    async def write(self, tx: Transaction, owner_id: int, key: str, value: str) -> None:
        """Set a setting within a transaction."""
        await tx.put(
            f"INSERT INTO {self.table} ({self.owner_column}, key, value) VALUES (?, ?, ?) "
            f"ON CONFLICT ({self.owner_column}, key) DO UPDATE SET value = excluded.value",
            *(owner_id, key, value),
        )

    async def owners_with_setting(self, db: Database, key: str) -> list[int]:
        """Return the ids of the owners (servers, games or users) who have set this setting."""
        sql = f"SELECT {self.owner_column} FROM {self.table} WHERE key = ? ORDER BY {self.owner_column}"
        return await db.numbers(sql, key)

    async def owners_with_value(self, db: Database, key: str, value: str) -> list[int]:
        """Return the ids of the owners (servers, games or users) whose setting has this value."""
        sql = f"SELECT {self.owner_column} FROM {self.table} WHERE key = ? AND value = ? ORDER BY {self.owner_column}"
        return await db.numbers(sql, key, value)

    async def owners_with_value_at_most(self, db: Database, key: str, value: str) -> list[int]:
        """Return the ids of the owners whose value of this setting is at most `value`, compared as text."""
        sql = f"SELECT {self.owner_column} FROM {self.table} WHERE key = ? AND value <= ? ORDER BY {self.owner_column}"
        return await db.numbers(sql, key, value)

    async def forget(self, db: Database, owner_id: int, key: str) -> None:
        """Delete a setting, if it is set."""
        await db.write(lambda tx: self.forget_in_transaction(tx, owner_id, key))

    async def forget_in_transaction(self, tx: Transaction, owner_id: int, key: str) -> None:
        """Delete a setting within a transaction, if it is set."""
        await tx.put(f"DELETE FROM {self.table} WHERE {self.owner_column} = ? AND key = ?", owner_id, key)

    async def settings_of(self, db: Database, owner_id: int) -> dict[str, str]:
        """Return all settings of an owner (server, game or user), by key."""
        return await fetch(db, self.all_settings_query(owner_id))

    def all_settings_query(self, owner_id: int) -> ParsedQuery[dict[str, str]]:
        """Return the query for all settings of an owner, by key; run it with `fetch`."""
        settings_sql = f"SELECT key, value FROM {self.table} WHERE {self.owner_column} = ?"
        return ParsedQuery(
            query(settings_sql, owner_id), lambda rows: {str(key): str(value) for key, value in rows}
        )

    def query_for_keys(self, owner_id: int, keys: Sequence[str]) -> ParsedQuery[dict[str, str]]:
        """Return the query for those of an owner's settings whose keys are in `keys`, by key; run it with `fetch`."""
        placeholders = ", ".join("?" for _ in keys)
        sql = f"SELECT key, value FROM {self.table} WHERE {self.owner_column} = ? AND key IN ({placeholders})"
        return ParsedQuery(
            query(sql, owner_id, *keys), lambda rows: {str(key): str(value) for key, value in rows}
        )

    async def forget_all(self, db: Database, owner_id: int) -> None:
        """Delete all settings of an owner (server, game or user)."""
        await db.write(lambda tx: tx.put(f"DELETE FROM {self.table} WHERE {self.owner_column} = ?", owner_id))


LEFT_SERVER_KEY: Final = "left"
"""Key of a server setting: the time when the bot left the server, or a note that the server's data was deleted."""
GUILD_SETTINGS: Final = Settings("guild_settings", "guild_id")
GAME_SETTINGS: Final = Settings("game_settings", "game_id")
PERSON_SETTINGS: Final = Settings("person_settings", "user_id")
"""Settings of users, which apply on all servers."""
