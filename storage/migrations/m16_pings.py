"""Pending notifications, pings and direct messages."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Who must act since when; whom a ping reached; and direct messages, which name the first game they are about.
    """CREATE TABLE calls (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        seq {whole} NOT NULL,
        since TEXT NOT NULL,
        stage {whole} NOT NULL,
        at TEXT NOT NULL,
        due_at TEXT,
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
    "CREATE INDEX calls_due ON calls (due_at)",
    """CREATE TABLE called (
        game_id {whole} NOT NULL,
        player_id TEXT NOT NULL,
        user_id {whole} NOT NULL,
        stage {whole} NOT NULL,
        thread TEXT NOT NULL CHECK (thread IN ('no', 'rings', 'rung')),
        direct TEXT NOT NULL CHECK (direct IN ('no', 'writes', 'written')),
        muted {whole} NOT NULL CHECK (muted IN (0, 1)),
        PRIMARY KEY (game_id, player_id, user_id),
        FOREIGN KEY (game_id, player_id) REFERENCES calls (game_id, player_id)
    ){strict}""",
    "CREATE INDEX called_directly ON called (user_id) WHERE direct = 'writes'",
    """CREATE TABLE letters (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        text TEXT NOT NULL,
        duties TEXT NOT NULL,
        created_at TEXT NOT NULL,
        sent_at TEXT
    ){strict}""",
    "CREATE INDEX letters_unsent ON letters (id) WHERE sent_at IS NULL",
)

MIGRATIONS = (on_both(16, *_STATEMENTS),)
