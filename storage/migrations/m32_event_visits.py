"""Migration to schema version 32: links to the web pages of events, and browser sessions at these pages."""

from storage.migrations.migration import Migration, postgres_statement, sqlite_statement

_STATEMENTS = (
    # A link can be opened once; its row then becomes the session. Both secrets are stored as digests only.
    """CREATE TABLE event_visits (
        link TEXT PRIMARY KEY,
        event_id {whole} NOT NULL REFERENCES events (id),
        user_id {whole} NOT NULL,
        session TEXT UNIQUE,
        expires_at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX event_visits_of ON event_visits (user_id)",
)

MIGRATIONS = (
    Migration(32, tuple(map(sqlite_statement, _STATEMENTS)), tuple(map(postgres_statement, _STATEMENTS))),
)
