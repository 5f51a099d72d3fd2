"""Games, seats, the log, the outbox and states: step by step in a file, all at once on a server."""

from storage.migrations.migration import Migration

_GAMES = (
    # AUTOINCREMENT: buttons on old messages carry a game's number, so no number may be used twice.
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        guild_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        thread_id INTEGER,
        board_message_id INTEGER,
        turn_message_id INTEGER,
        title TEXT NOT NULL,
        profile TEXT NOT NULL,
        options TEXT NOT NULL,
        seed INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'abandoned')),
        created_at TEXT NOT NULL,
        name TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX games_by_guild ON games (guild_id, status)",
    "CREATE INDEX games_by_thread ON games (thread_id)",
    # A thread holds one game at a time, but a new one may follow an old one.
    """CREATE UNIQUE INDEX games_in_play_by_thread ON games (thread_id)
        WHERE thread_id IS NOT NULL AND status IN ('lobby', 'running')""",
    """CREATE TABLE seats (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seat INTEGER NOT NULL CHECK (seat >= 1),
        player_id TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        display_name TEXT NOT NULL,
        PRIMARY KEY (game_id, seat),
        UNIQUE (game_id, player_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX seats_by_user ON seats (user_id)",
    """CREATE TABLE memberships (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seat INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        display_name TEXT NOT NULL,
        event TEXT NOT NULL CHECK (event IN ('joined', 'left')),
        at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX memberships_by_game ON memberships (game_id)",
)

_LOG_ONLY_GROWS = (
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never changed'); END""",
    """CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never shortened'); END""",
    # Also keeps INSERT OR REPLACE from replacing a row, which would not fire the trigger on DELETE.
    """CREATE TRIGGER log_has_no_gaps BEFORE INSERT ON log
        WHEN NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM log WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'the log of a game has no gaps'); END""",
)

_MOVES = (
    # The first row of a game, and no other, says how it starts.
    """CREATE TABLE log (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('action', 'undo', 'start')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id INTEGER,
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    ) STRICT, WITHOUT ROWID""",
    *_LOG_ONLY_GROWS,
    """CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        created_at TEXT NOT NULL,
        sent_at TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        last_error TEXT
    ) STRICT""",
    "CREATE INDEX outbox_pending ON outbox (id) WHERE sent_at IS NULL",
)

_SETTINGS = (
    """CREATE TABLE settings (
        scope TEXT NOT NULL CHECK (scope IN ('guild', 'person')),
        owner_id INTEGER NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (scope, owner_id, key)
    ) STRICT, WITHOUT ROWID""",
)

_PICTURES = (
    """CREATE TABLE pictures (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL,
        view TEXT NOT NULL,
        theme TEXT NOT NULL,
        png BLOB NOT NULL,
        UNIQUE (game_id, seq, view, theme)
    ) STRICT""",
)

_STATES = (
    # SQLite cannot change the CHECK of a table: the log moves to a new one, which also allows 'accept'.
    """CREATE TABLE new_log (
        game_id INTEGER NOT NULL REFERENCES games (id),
        seq INTEGER NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('start', 'action', 'undo', 'accept')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id INTEGER,
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    ) STRICT, WITHOUT ROWID""",
    """INSERT INTO new_log (game_id, seq, kind, payload, digest, actor, user_id, created_at)
        SELECT game_id, seq, kind, payload, digest, actor, user_id, created_at FROM log""",
    # The triggers go with the table they watch, without firing.
    "DROP TABLE log",
    "ALTER TABLE new_log RENAME TO log",
    *_LOG_ONLY_GROWS,
    # At most one for each game: the state after the last row of its log.
    """CREATE TABLE states (
        game_id INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        FOREIGN KEY (game_id, seq) REFERENCES log (game_id, seq)
    ) STRICT""",
)

_GAMES_ON_A_SERVER = (
    "CREATE TABLE schema_version (number BIGINT NOT NULL)",
    # Buttons on old messages carry a game's number, so no number may be used twice.
    """CREATE TABLE games (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        guild_id BIGINT NOT NULL,
        channel_id BIGINT NOT NULL,
        thread_id BIGINT,
        board_message_id BIGINT,
        turn_message_id BIGINT,
        title TEXT NOT NULL,
        profile TEXT NOT NULL,
        options TEXT NOT NULL,
        seed BIGINT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'abandoned')),
        created_at TEXT NOT NULL,
        name TEXT NOT NULL
    )""",
    # A game that is moved here brings its number along.
    """CREATE FUNCTION number_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.id > (SELECT last_value FROM games_id_seq) THEN
                PERFORM setval('games_id_seq', NEW.id);
            END IF;
            RETURN NULL;
        END $$""",
    """CREATE TRIGGER number_is_taken AFTER INSERT ON games
        FOR EACH ROW EXECUTE FUNCTION number_is_taken()""",
    "CREATE INDEX games_by_guild ON games (guild_id, status)",
    "CREATE INDEX games_by_thread ON games (thread_id)",
    # A thread holds one game at a time, but a new one may follow an old one.
    """CREATE UNIQUE INDEX games_in_play_by_thread ON games (thread_id)
        WHERE thread_id IS NOT NULL AND status IN ('lobby', 'running')""",
    """CREATE TABLE seats (
        game_id BIGINT NOT NULL REFERENCES games (id),
        seat BIGINT NOT NULL CHECK (seat >= 1),
        player_id TEXT NOT NULL,
        user_id BIGINT NOT NULL,
        display_name TEXT NOT NULL,
        PRIMARY KEY (game_id, seat),
        UNIQUE (game_id, player_id)
    )""",
    "CREATE INDEX seats_by_user ON seats (user_id)",
    """CREATE TABLE memberships (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        game_id BIGINT NOT NULL REFERENCES games (id),
        seat BIGINT NOT NULL,
        user_id BIGINT NOT NULL,
        display_name TEXT NOT NULL,
        event TEXT NOT NULL CHECK (event IN ('joined', 'left')),
        at TEXT NOT NULL
    )""",
    "CREATE INDEX memberships_by_game ON memberships (game_id)",
)

_MOVES_ON_A_SERVER = (
    # The first row of a game, and no other, says how it starts.
    """CREATE TABLE log (
        game_id BIGINT NOT NULL REFERENCES games (id),
        seq BIGINT NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('start', 'action', 'undo', 'accept')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id BIGINT,
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    )""",
    """CREATE FUNCTION log_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the log of a game is never changed nor shortened'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE OR DELETE ON log
        FOR EACH ROW EXECUTE FUNCTION log_is_never_changed()""",
    """CREATE TRIGGER log_is_never_emptied BEFORE TRUNCATE ON log
        FOR EACH STATEMENT EXECUTE FUNCTION log_is_never_changed()""",
    """CREATE FUNCTION log_has_no_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM log WHERE game_id = NEW.game_id) THEN
                RAISE EXCEPTION 'the log of a game has no gaps'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$""",
    """CREATE TRIGGER log_has_no_gaps BEFORE INSERT ON log
        FOR EACH ROW EXECUTE FUNCTION log_has_no_gaps()""",
    # Times are compared as text, in the order of their letters everywhere.
    """CREATE TABLE outbox (
        id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
        game_id BIGINT NOT NULL REFERENCES games (id),
        seq BIGINT NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        created_at TEXT COLLATE "C" NOT NULL,
        sent_at TEXT COLLATE "C",
        attempts BIGINT NOT NULL DEFAULT 0,
        last_error TEXT
    )""",
    "CREATE INDEX outbox_pending ON outbox (id) WHERE sent_at IS NULL",
    # At most one for each game: the state after the last row of its log.
    """CREATE TABLE states (
        game_id BIGINT PRIMARY KEY,
        seq BIGINT NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        FOREIGN KEY (game_id, seq) REFERENCES log (game_id, seq)
    )""",
    "INSERT INTO schema_version (number) VALUES (5)",
)

MIGRATIONS = (
    Migration(1, sqlite=_GAMES, postgres=()),
    Migration(2, sqlite=_MOVES, postgres=()),
    Migration(3, sqlite=_SETTINGS, postgres=()),
    Migration(4, sqlite=_PICTURES, postgres=()),
    Migration(5, sqlite=_STATES, postgres=(*_GAMES_ON_A_SERVER, *_MOVES_ON_A_SERVER)),
)
