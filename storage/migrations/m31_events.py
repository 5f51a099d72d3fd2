"""Migration to schema version 31: events (seasons and tournaments) with entrants and tables."""

from storage.migrations.migration import Migration, postgres_statement, sqlite_statement

_STATEMENTS = (
    # `id` is never reused, since buttons carry it. `settings`: JSON.
    """CREATE TABLE events (
        id {numbered},
        guild_id {whole} NOT NULL,
        channel_id {whole} NOT NULL,
        name TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'drawn', 'running', 'ended', 'cancelled')),
        stage {whole} NOT NULL DEFAULT 1,
        settings TEXT NOT NULL,
        seed {whole} NOT NULL,
        opened_by {whole} NOT NULL,
        created_at TEXT NOT NULL,
        closes_at TEXT{ordered},
        deadline TEXT{ordered},
        previous_id {whole} REFERENCES events (id)
    ){strict}""",
    "CREATE INDEX events_of_guild ON events (guild_id, status)",
    # An event's posts in its channel, one for each role; `shows`: a digest.
    """CREATE TABLE event_posts (
        event_id {whole} NOT NULL REFERENCES events (id),
        role TEXT NOT NULL,
        message_id {whole} NOT NULL,
        shows TEXT NOT NULL,
        PRIMARY KEY (event_id, role)
    ){keyed}""",
    # A place in an event keeps its number if a substitute takes it over. `told`: the last stage about whose games the
    # user got a message.
    """CREATE TABLE entrants (
        event_id {whole} NOT NULL REFERENCES events (id),
        number {whole} NOT NULL,
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('entered', 'reserve', 'withdrawn')),
        division {whole},
        told {whole} NOT NULL DEFAULT 0,
        joined_at TEXT NOT NULL,
        PRIMARY KEY (event_id, number)
    ){keyed}""",
    "CREATE INDEX entrants_by_user ON entrants (user_id)",
    """CREATE TABLE event_tables (
        event_id {whole} NOT NULL REFERENCES events (id),
        stage {whole} NOT NULL,
        number {whole} NOT NULL,
        division {whole} NOT NULL,
        title TEXT NOT NULL,
        game_id {whole} UNIQUE REFERENCES games (id),
        PRIMARY KEY (event_id, stage, number)
    ){strict}""",
    """CREATE TABLE event_seats (
        event_id {whole} NOT NULL,
        stage {whole} NOT NULL,
        number {whole} NOT NULL,
        seat {whole} NOT NULL CHECK (seat >= 1),
        entrant {whole} NOT NULL,
        PRIMARY KEY (event_id, stage, number, seat),
        FOREIGN KEY (event_id, stage, number) REFERENCES event_tables (event_id, stage, number),
        FOREIGN KEY (event_id, entrant) REFERENCES entrants (event_id, number)
    ){keyed}""",
)

# An event moved from another database keeps its number.
_POSTGRES_NUMBER_TRIGGERS = (
    """CREATE FUNCTION event_number_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.id > (SELECT last_value FROM events_id_seq) THEN
                PERFORM setval('events_id_seq', NEW.id);
            END IF;
            RETURN NULL;
        END $$""",
    """CREATE TRIGGER event_number_is_taken AFTER INSERT ON events
        FOR EACH ROW EXECUTE FUNCTION event_number_is_taken()""",
)

MIGRATIONS = (
    Migration(
        31,
        tuple(map(sqlite_statement, _STATEMENTS)),
        (*map(postgres_statement, _STATEMENTS), *_POSTGRES_NUMBER_TRIGGERS),
    ),
)
