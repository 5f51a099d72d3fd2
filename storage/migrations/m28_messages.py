"""Migration to schema version 28: each message in a game thread has a row, instead of columns in other tables."""

from storage.migrations.migration import migration_on_both

_STATEMENTS = (
    # `key`: identifies the content. `message_id`: NULL until known to be sent. `shows`: a digest. `files`: JSON.
    """CREATE TABLE messages (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        role TEXT NOT NULL,
        key TEXT NOT NULL DEFAULT '',
        message_id {whole},
        shows TEXT NOT NULL DEFAULT '',
        files TEXT NOT NULL DEFAULT '[]',
        at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX messages_of ON messages (game_id, role)",
    "INSERT INTO messages (game_id, role, key, message_id, at) "
    "SELECT id, 'board', 'pinned', board_message_id, created_at FROM games WHERE board_message_id IS NOT NULL",
    "INSERT INTO messages (game_id, role, message_id, at) "
    "SELECT id, 'turn', turn_message_id, created_at FROM games WHERE turn_message_id IS NOT NULL",
    # The payload of its notice becomes the proposal's number alone.
    "INSERT INTO messages (game_id, role, key, message_id, at) "
    "SELECT game_id, 'proposal', REPLACE(REPLACE(payload, '{{\"proposal\": ', ''), '}}', ''), message_id, created_at "
    "FROM outbox WHERE kind = 'proposal' AND message_id IS NOT NULL",
    "ALTER TABLE games DROP COLUMN board_message_id",
    "ALTER TABLE games DROP COLUMN turn_message_id",
)

MIGRATIONS = (migration_on_both(28, *_STATEMENTS),)
