"""Settings of servers (guilds), games and people, as text under a key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage.contract import Database, QuerySource, Question, Transaction, ask, query


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of servers, games or users: their table, and its column of owner ids."""

    table: str
    owner: str

    async def get(self, source: QuerySource, owner: int, key: str) -> str | None:
        """Return a setting, None if it has not been set."""
        return await ask(source, self.question(owner, key))

    def question(self, owner: int, key: str) -> Question[str | None]:
        """Return a Question for a setting, None if it has not been set."""
        value_sql = f"SELECT value FROM {self.table} WHERE {self.owner} = ? AND key = ?"
        return Question(query(value_sql, owner, key), lambda rows: str(rows[0][0]) if rows else None)

    async def put(self, db: Database, owner: int, key: str, value: str) -> None:
        """Set a setting."""
        await db.write(lambda tx: self.write(tx, owner, key, value))

    async def write(self, tx: Transaction, owner: int, key: str, value: str) -> None:
        """Set a setting within a transaction."""
        await tx.put(
            f"INSERT INTO {self.table} ({self.owner}, key, value) VALUES (?, ?, ?) "
            f"ON CONFLICT ({self.owner}, key) DO UPDATE SET value = excluded.value",
            *(owner, key, value),
        )

    async def owners_with_setting(self, db: Database, key: str) -> list[int]:
        """Return the owners who have set this setting."""
        sql = f"SELECT {self.owner} FROM {self.table} WHERE key = ? ORDER BY {self.owner}"
        return await db.numbers(sql, key)

    async def owners_with_value(self, db: Database, key: str, value: str) -> list[int]:
        """Return the owners with this value of a setting."""
        sql = f"SELECT {self.owner} FROM {self.table} WHERE key = ? AND value = ? ORDER BY {self.owner}"
        return await db.numbers(sql, key, value)

    async def owners_up_to_value(self, db: Database, key: str, value: str) -> list[int]:
        """Return the owners whose setting is at most this value."""
        sql = f"SELECT {self.owner} FROM {self.table} WHERE key = ? AND value <= ? ORDER BY {self.owner}"
        return await db.numbers(sql, key, value)

    async def forget(self, db: Database, owner: int, key: str) -> None:
        """Remove a setting, if it is set."""
        await db.write(lambda tx: self.forget_in_transaction(tx, owner, key))

    async def forget_in_transaction(self, tx: Transaction, owner: int, key: str) -> None:
        """Remove a setting within a transaction, if it is set."""
        await tx.put(f"DELETE FROM {self.table} WHERE {self.owner} = ? AND key = ?", owner, key)

    async def settings_of(self, db: Database, owner: int) -> dict[str, str]:
        """Return every setting of an owner, by its key."""
        return await ask(db, self.all_question(owner))

    def all_question(self, owner: int) -> Question[dict[str, str]]:
        """Return a Question for every setting of an owner, by its key."""
        settings_sql = f"SELECT key, value FROM {self.table} WHERE {self.owner} = ?"
        return Question(
            query(settings_sql, owner), lambda rows: {str(key): str(value) for key, value in rows}
        )

    def question_of(self, owner: int, keys: Sequence[str]) -> Question[dict[str, str]]:
        """Return a Question for the settings with these keys that an owner has set, by key."""
        marks = ", ".join("?" for _ in keys)
        sql = f"SELECT key, value FROM {self.table} WHERE {self.owner} = ? AND key IN ({marks})"
        return Question(query(sql, owner, *keys), lambda rows: {str(key): str(value) for key, value in rows})

    async def forget_all(self, db: Database, owner: int) -> None:
        """Remove every setting of an owner."""
        await db.write(lambda tx: tx.put(f"DELETE FROM {self.table} WHERE {self.owner} = ?", owner))


LEFT_SERVER_KEY: Final = "left"
"""Key of the server setting that holds the time when the bot left, or a note that the data was deleted."""
GUILD_SETTINGS: Final = Settings("guild_settings", "guild_id")
GAME_SETTINGS: Final = Settings("game_settings", "game_id")
PERSON_SETTINGS: Final = Settings("person_settings", "user_id")
"""Settings of users, which apply on all servers."""
