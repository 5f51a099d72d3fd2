"""Seat history, proposals with their votes, and pauses."""

from storage.migrations.migration import Migration, in_file, on_server

_PEOPLE = (
    # Who substituted for a seat from which move on. Rows stay; only the user in them may be anonymised.
    """CREATE TABLE sittings (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('holder', 'substitute')),
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        since {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX sittings_by_game ON sittings (game_id, id)",
    """INSERT INTO sittings (game_id, player_id, role, user_id, display_name, since, at)
        SELECT seats.game_id, player_id, 'holder', user_id, display_name, 0, created_at
        FROM seats JOIN games ON games.id = seats.game_id
        WHERE EXISTS (SELECT 1 FROM log WHERE log.game_id = games.id)
        ORDER BY seats.game_id, seat""",
    # What is proposed to a table; buttons carry its number, which counts within the game.
    """CREATE TABLE motions (
        game_id {whole} NOT NULL REFERENCES games (id),
        number {whole} NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        until TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'carried', 'refused', 'lapsed')),
        PRIMARY KEY (game_id, number)
    ){strict}""",
    """CREATE TABLE voices (
        game_id {whole} NOT NULL,
        number {whole} NOT NULL,
        user_id {whole} NOT NULL,
        agrees {whole} NOT NULL CHECK (agrees IN (0, 1)),
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, number, user_id),
        FOREIGN KEY (game_id, number) REFERENCES motions (game_id, number)
    ){strict}""",
    """CREATE TABLE pauses (
        game_id {whole} PRIMARY KEY REFERENCES games (id),
        by_user {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL
    ){strict}""",
)

SITTINGS_STAY = (
    """CREATE TRIGGER sittings_stay BEFORE DELETE ON sittings
        BEGIN SELECT RAISE(ABORT, 'who sat where is never forgotten'); END""",
    """CREATE TRIGGER sittings_are_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON sittings
        BEGIN SELECT RAISE(ABORT, 'who sat where is never changed'); END""",
)
"""Rows of the seat history stay; only the user in them may be anonymised."""
_SITTINGS_STAY_ON_A_SERVER = (
    """CREATE FUNCTION sittings_stay() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'who sat where is never changed'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
    """CREATE TRIGGER sittings_stay BEFORE DELETE ON sittings
        FOR EACH ROW EXECUTE FUNCTION sittings_stay()""",
    """CREATE TRIGGER sittings_are_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON sittings
        FOR EACH ROW EXECUTE FUNCTION sittings_stay()""",
)

MIGRATIONS = (
    Migration(
        11,
        sqlite=(*map(in_file, _PEOPLE), *SITTINGS_STAY),
        postgres=(*map(on_server, _PEOPLE), *_SITTINGS_STAY_ON_A_SERVER),
    ),
)
