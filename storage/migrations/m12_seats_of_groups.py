"""A seat may be played by the group."""

from storage.migrations.m11_seat_history import SITTINGS_STAY
from storage.migrations.migration import Migration


def roles(number: int, allowed: str) -> Migration:
    """Let these words, and no others, say in the seat history how a user held the seat."""
    return Migration(number, sqlite=_in_a_file(allowed), postgres=_on_a_server(allowed))


def _in_a_file(roles: str) -> tuple[str, ...]:
    return (
        f"""CREATE TABLE sat (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ({roles})),
        user_id INTEGER NOT NULL,
        display_name TEXT NOT NULL,
        since INTEGER NOT NULL,
        until TEXT,
        at TEXT NOT NULL
    ) STRICT""",
        "INSERT INTO sat SELECT id, game_id, player_id, role, user_id, display_name, since, until, at FROM sittings",
        # To drop a table fires no trigger of its rows.
        "DROP TABLE sittings",
        "ALTER TABLE sat RENAME TO sittings",
        "CREATE INDEX sittings_by_game ON sittings (game_id, id)",
        *SITTINGS_STAY,
    )


def _on_a_server(roles: str) -> tuple[str, ...]:
    return (
        "ALTER TABLE sittings DROP CONSTRAINT sittings_role_check",
        f"""ALTER TABLE sittings ADD CONSTRAINT sittings_role_check
        CHECK (role IN ({roles}))""",
    )


BY_GROUP = "'holder', 'substitute', 'table'"
MIGRATIONS = (roles(12, BY_GROUP),)
