"""Migration to schema version 33: links to the web pages of servers and events, and sessions at these pages."""

from storage.migrations.migration import Migration, postgres_statement, sqlite_statement

_STATEMENTS = (
    # Without an event, the link is to the page of the server.
    """CREATE TABLE page_visits (
        link TEXT PRIMARY KEY,
        guild_id {whole} NOT NULL,
        event_id {whole} REFERENCES events (id),
        user_id {whole} NOT NULL,
        session TEXT UNIQUE,
        expires_at TEXT NOT NULL
    ){strict}""",
    "INSERT INTO page_visits (link, guild_id, event_id, user_id, session, expires_at) "
    "SELECT link, guild_id, event_id, user_id, session, expires_at "
    "FROM event_visits JOIN events ON events.id = event_id",
    "DROP TABLE event_visits",
    "CREATE INDEX page_visits_of ON page_visits (user_id)",
)

MIGRATIONS = (
    Migration(33, tuple(map(sqlite_statement, _STATEMENTS)), tuple(map(postgres_statement, _STATEMENTS))),
)
"""The migration to schema version 33."""
