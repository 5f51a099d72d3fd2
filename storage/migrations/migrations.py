"""The steps from one version of the tables to the next that every database takes, in the words of each."""

from dataclasses import dataclass

from storage.migrations.clocks import CLOCKS
from storage.migrations.pings import CALLS, LETTERS_GO
from storage.migrations.tables import ORDERS, ORDERS_BEFORE, POSITIONS, RESULTS, SETTINGS, TOLD


@dataclass(frozen=True, slots=True)
class Step:
    """From the version before `number` to `number`: the statements of SQLite, and those of PostgreSQL.

    A step is applied and recorded in one transaction, and never edited once it was released.
    """

    number: int
    sqlite: tuple[str, ...]
    postgres: tuple[str, ...]


_RESTING = (
    # Rows that keep failing are parked until somebody acts in their game; every game is looked through independently.
    "ALTER TABLE outbox ADD COLUMN set_aside_at TEXT",
    "DROP INDEX outbox_pending",
    "CREATE INDEX outbox_pending ON outbox (game_id, id) WHERE sent_at IS NULL",
)

_BY_GAME = (
    # What a person has missed is read by game, also when it was posted long ago.
    "CREATE INDEX outbox_by_game ON outbox (game_id, seq)",
)

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

_SITTINGS_STAY = (
    """CREATE TRIGGER sittings_stay BEFORE DELETE ON sittings
        BEGIN SELECT RAISE(ABORT, 'who sat where is never forgotten'); END""",
    """CREATE TRIGGER sittings_are_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON sittings
        BEGIN SELECT RAISE(ABORT, 'who sat where is never changed'); END""",
)

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


def _roles_in_a_file(roles: str) -> tuple[str, ...]:
    """Let these words, and no others, say in the seat history how a user held the seat."""
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
        *_SITTINGS_STAY,
    )


def _roles_on_a_server(roles: str) -> tuple[str, ...]:
    return (
        "ALTER TABLE sittings DROP CONSTRAINT sittings_role_check",
        f"""ALTER TABLE sittings ADD CONSTRAINT sittings_role_check
        CHECK (role IN ({roles}))""",
    )


# The table itself may play a seat.
_BY_THE_TABLE = "'holder', 'substitute', 'table'"
# So may a caretaker, a player of the computer's.
_BY_A_CARETAKER = f"{_BY_THE_TABLE}, 'caretaker'"

_FORGETTING = (
    # Games in which a user is being anonymised, within the transaction that does it, and never outside of one.
    "CREATE TABLE forgetting (game_id {whole} PRIMARY KEY REFERENCES games (id)){strict}",
)
_MORE_THAN_FORGOTTEN = """NOT EXISTS (SELECT 1 FROM forgetting WHERE game_id = OLD.game_id)
            OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
            OR NEW.digest <> OLD.digest OR NEW.actor <> OLD.actor OR NEW.created_at <> OLD.created_at
            OR (NEW.payload <> OLD.payload AND OLD.kind NOT IN ('start', 'accept'))
            OR (NEW.user_id IS NOT NULL AND NEW.user_id <> COALESCE(OLD.user_id, -1))"""
"""The log never changes, but for the people in it: who made a move, and names in a first row or an accept."""

_LOG_FORGETS = (
    "DROP TRIGGER log_is_never_changed",
    f"""CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log WHEN {_MORE_THAN_FORGOTTEN}
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never changed'); END""",
)

_LOG_FORGETS_ON_A_SERVER = (
    "DROP TRIGGER log_is_never_changed ON log",
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        FOR EACH ROW EXECUTE FUNCTION log_only_forgets()""",
    """CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
        FOR EACH ROW EXECUTE FUNCTION log_is_never_changed()""",
)
_ONLY_FORGETS = f"""CREATE FUNCTION log_only_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {_MORE_THAN_FORGOTTEN} THEN
                RAISE EXCEPTION 'the log of a game is never changed nor shortened'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$"""


def _in_file(statement: str) -> str:
    return statement.format(whole="INTEGER", identity="INTEGER PRIMARY KEY", packed="BLOB", strict=" STRICT")


def _on_server(statement: str) -> str:
    identity = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
    return statement.format(whole="BIGINT", identity=identity, packed="BYTEA", strict="")


STEPS = (
    Step(
        6,
        sqlite=(
            """CREATE TABLE guild_settings (
                guild_id INTEGER NOT NULL,
                key TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (guild_id, key)
            ) STRICT, WITHOUT ROWID""",
            # Nobody was ever asked for settings of persons, and pictures were never kept.
            """INSERT INTO guild_settings (guild_id, key, value)
                SELECT owner_id, key, value FROM settings WHERE scope = 'guild'""",
            "DROP TABLE settings",
            "DROP TABLE pictures",
        ),
        postgres=(
            """CREATE TABLE guild_settings (
                guild_id BIGINT NOT NULL,
                key TEXT COLLATE "C" NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (guild_id, key)
            )""",
        ),
    ),
    Step(7, sqlite=_RESTING, postgres=_RESTING),
    Step(
        8,
        sqlite=(
            """CREATE TABLE leases (
                shard INTEGER PRIMARY KEY,
                holder TEXT NOT NULL,
                fence INTEGER NOT NULL,
                expires INTEGER NOT NULL
            ) STRICT""",
            "CREATE TABLE sharding (shard_count INTEGER NOT NULL) STRICT",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0",
        ),
        postgres=(
            """CREATE TABLE leases (
                shard BIGINT PRIMARY KEY,
                holder TEXT NOT NULL,
                fence BIGINT NOT NULL,
                expires BIGINT NOT NULL
            )""",
            "CREATE TABLE sharding (shard_count BIGINT NOT NULL)",
            "INSERT INTO sharding (shard_count) VALUES (1)",
            "ALTER TABLE outbox ADD COLUMN claimed_by TEXT",
            "ALTER TABLE outbox ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0",
        ),
    ),
    Step(9, sqlite=_BY_GAME, postgres=_BY_GAME),
    Step(
        10,
        # A line that was posted is linked to.
        sqlite=("ALTER TABLE outbox ADD COLUMN message_id INTEGER",),
        postgres=("ALTER TABLE outbox ADD COLUMN message_id BIGINT",),
    ),
    Step(
        11,
        sqlite=(*map(_in_file, _PEOPLE), *_SITTINGS_STAY),
        postgres=(*map(_on_server, _PEOPLE), *_SITTINGS_STAY_ON_A_SERVER),
    ),
    Step(12, sqlite=_roles_in_a_file(_BY_THE_TABLE), postgres=_roles_on_a_server(_BY_THE_TABLE)),
    Step(
        13,
        sqlite=(*map(_in_file, _FORGETTING), *_LOG_FORGETS),
        postgres=(*map(_on_server, _FORGETTING), _ONLY_FORGETS, *_LOG_FORGETS_ON_A_SERVER),
    ),
    Step(14, sqlite=tuple(map(_in_file, ORDERS)), postgres=tuple(map(_on_server, ORDERS))),
    Step(15, sqlite=tuple(map(_in_file, SETTINGS)), postgres=tuple(map(_on_server, SETTINGS))),
    Step(16, sqlite=tuple(map(_in_file, CALLS)), postgres=tuple(map(_on_server, CALLS))),
    Step(17, sqlite=tuple(map(_in_file, CLOCKS)), postgres=tuple(map(_on_server, CLOCKS))),
    Step(18, sqlite=tuple(map(_in_file, RESULTS)), postgres=tuple(map(_on_server, RESULTS))),
    Step(19, sqlite=tuple(map(_in_file, ORDERS_BEFORE)), postgres=tuple(map(_on_server, ORDERS_BEFORE))),
    Step(20, sqlite=tuple(map(_in_file, TOLD)), postgres=tuple(map(_on_server, TOLD))),
    Step(21, sqlite=_roles_in_a_file(_BY_A_CARETAKER), postgres=_roles_on_a_server(_BY_A_CARETAKER)),
    Step(22, sqlite=tuple(map(_in_file, LETTERS_GO)), postgres=tuple(map(_on_server, LETTERS_GO))),
    Step(23, sqlite=tuple(map(_in_file, POSITIONS)), postgres=tuple(map(_on_server, POSITIONS))),
)
"""Every step after the fifth, in order; those before are of SQLite alone, in `storage/sqlite/migrations.py`."""
