"""Positions kept on the way of a game."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Positions on the way of a game, and what its rows since the one before did; packed, and made again from the log.
    """CREATE TABLE positions (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        digest TEXT NOT NULL,
        state {packed},
        since {whole},
        form TEXT,
        chapter {packed},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
)

_ALONE = (
    # What the rows did is replayed when it is asked for.
    "DELETE FROM positions WHERE state IS NULL",
    "ALTER TABLE positions DROP COLUMN since",
    "ALTER TABLE positions DROP COLUMN form",
    "ALTER TABLE positions DROP COLUMN chapter",
)

MIGRATIONS = (on_both(23, *_STATEMENTS), on_both(28, *_ALONE))
