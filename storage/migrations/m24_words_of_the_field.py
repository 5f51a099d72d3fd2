"""Tables, columns and kinds have the names that the program uses: each table is made anew, its rows are copied."""

from typing import Final

from storage.migrations.migration import Migration, in_file, on_server

_TABLES: Final = (
    """CREATE TABLE proposals (
        game_id {whole} NOT NULL REFERENCES games (id),
        number {whole} NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        until TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'refused', 'expired')),
        PRIMARY KEY (game_id, number)
    ){strict}""",
    """INSERT INTO proposals (game_id, number, kind, payload, by_user, at, until, state)
        SELECT game_id, number, CASE kind WHEN 'takeback' THEN 'undo' WHEN 'putback' THEN 'redo' ELSE kind END,
            REPLACE(REPLACE(payload, '"how": "table"', '"how": "group"'), '"warrant": "table"', '"warrant": "group"'),
            by_user, at, until,
            CASE state WHEN 'carried' THEN 'accepted' WHEN 'lapsed' THEN 'expired' ELSE state END
        FROM motions""",
    """CREATE TABLE votes (
        game_id {whole} NOT NULL,
        number {whole} NOT NULL,
        user_id {whole} NOT NULL,
        agrees {whole} NOT NULL CHECK (agrees IN (0, 1)),
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, number, user_id),
        FOREIGN KEY (game_id, number) REFERENCES proposals (game_id, number)
    ){strict}""",
    "INSERT INTO votes SELECT game_id, number, user_id, agrees, at FROM voices",
    "DROP TABLE voices",
    "DROP TABLE motions",
    """CREATE TABLE notifications (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        seq {whole} NOT NULL,
        since TEXT NOT NULL,
        stage {whole} NOT NULL,
        at TEXT NOT NULL,
        due_at TEXT,
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
    "INSERT INTO notifications SELECT game_id, player_id, seq, since, stage, at, due_at FROM calls",
    "CREATE INDEX notifications_due ON notifications (due_at)",
    """CREATE TABLE pings (
        game_id {whole} NOT NULL,
        player_id TEXT NOT NULL,
        user_id {whole} NOT NULL,
        stage {whole} NOT NULL,
        thread TEXT NOT NULL CHECK (thread IN ('no', 'pending', 'pinged')),
        direct TEXT NOT NULL CHECK (direct IN ('no', 'pending', 'queued')),
        muted {whole} NOT NULL CHECK (muted IN (0, 1)),
        PRIMARY KEY (game_id, player_id, user_id),
        FOREIGN KEY (game_id, player_id) REFERENCES notifications (game_id, player_id)
    ){strict}""",
    """INSERT INTO pings (game_id, player_id, user_id, stage, thread, direct, muted)
        SELECT game_id, player_id, user_id, stage,
            CASE thread WHEN 'rings' THEN 'pending' WHEN 'rung' THEN 'pinged' ELSE thread END,
            CASE direct WHEN 'writes' THEN 'pending' WHEN 'written' THEN 'queued' ELSE direct END, muted
        FROM called""",
    "CREATE INDEX pings_by_direct_message ON pings (user_id) WHERE direct = 'pending'",
    "DROP TABLE called",
    "DROP TABLE calls",
    """CREATE TABLE direct_messages (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        text TEXT NOT NULL,
        notifications TEXT NOT NULL,
        created_at TEXT NOT NULL,
        sent_at TEXT,
        message_id {whole}
    ){strict}""",
    """INSERT INTO direct_messages (id, game_id, user_id, text, notifications, created_at, sent_at, message_id)
        SELECT id, game_id, user_id, text, duties, created_at, sent_at, message_id FROM letters ORDER BY id""",
    "CREATE INDEX direct_messages_unsent ON direct_messages (id) WHERE sent_at IS NULL",
    "CREATE INDEX direct_messages_shown ON direct_messages (id) WHERE message_id IS NOT NULL",
    "DROP TABLE letters",
    """CREATE TABLE clock_stops (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        why TEXT NOT NULL,
        since TEXT NOT NULL,
        until TEXT,
        PRIMARY KEY (game_id, player_id, why, since)
    ){strict}""",
    "INSERT INTO clock_stops SELECT game_id, player_id, why, since, until FROM stops",
    "DROP TABLE stops",
    """CREATE TABLE last_runs (
        shard {whole} NOT NULL,
        shard_count {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (shard, shard_count)
    ){strict}""",
    "INSERT INTO last_runs SELECT shard, shard_count, at FROM heartbeats",
    "DROP TABLE heartbeats",
    """CREATE TABLE automatic_moves (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        order_number {whole},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
    "INSERT INTO automatic_moves SELECT game_id, seq, number FROM automatic",
    "DROP TABLE automatic",
    """CREATE TABLE seat_history (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('holder', 'substitute', 'group', 'caretaker')),
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        since {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL
    ){strict}""",
    """INSERT INTO seat_history (id, game_id, player_id, role, user_id, display_name, since, until, at)
        SELECT id, game_id, player_id, CASE role WHEN 'table' THEN 'group' ELSE role END,
            user_id, display_name, since, until, at
        FROM sittings ORDER BY id""",
    "CREATE INDEX seat_history_by_game ON seat_history (game_id, id)",
    "DROP TABLE sittings",
    "CREATE TABLE anonymising (game_id {whole} PRIMARY KEY REFERENCES games (id)){strict}",
)
"""A table is dropped before the one that it refers to; no trigger of its rows is fired by that."""
_COLUMNS: Final = (
    "ALTER TABLE orders RENAME COLUMN told TO notified",
    "DROP INDEX orders_untold",
    "CREATE INDEX orders_to_notify ON orders (user_id) WHERE state = 'stopped' AND notified = 0",
    "ALTER TABLE outbox RENAME COLUMN set_aside_at TO parked_at",
)
_ROWS: Final = (
    "UPDATE outbox SET kind = 'ping' WHERE kind = 'call'",
    """UPDATE outbox SET kind = 'proposal', payload = REPLACE(payload, '"motion"', '"proposal"')
        WHERE kind = 'motion'""",
    "UPDATE person_settings SET key = 'direct_messages' WHERE key = 'letters'",
)
"""Posts that are still to be made, and the note that a user takes no direct messages."""
_MORE_THAN_ANONYMISED: Final = """NOT EXISTS (SELECT 1 FROM anonymising WHERE game_id = OLD.game_id)
            OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
            OR NEW.digest <> OLD.digest OR NEW.actor <> OLD.actor OR NEW.created_at <> OLD.created_at
            OR (NEW.payload <> OLD.payload AND OLD.kind NOT IN ('start', 'accept'))
            OR (NEW.user_id IS NOT NULL AND NEW.user_id <> COALESCE(OLD.user_id, -1))"""
"""The log never changes, but for the people in it: who made a move, and names in a first row or an accept."""
_RULES_OF_A_FILE: Final = (
    "DROP TRIGGER log_is_never_changed",
    f"""CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log WHEN {_MORE_THAN_ANONYMISED}
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never changed'); END""",
    "DROP TABLE forgetting",
    """CREATE TRIGGER seat_history_stays BEFORE DELETE ON seat_history
        BEGIN SELECT RAISE(ABORT, 'the seat history is never shortened'); END""",
    """CREATE TRIGGER seat_history_is_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON seat_history
        BEGIN SELECT RAISE(ABORT, 'the seat history is never changed'); END""",
)
_RULES_OF_A_SERVER: Final = (
    f"""CREATE FUNCTION log_is_only_anonymised() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {_MORE_THAN_ANONYMISED} THEN
                RAISE EXCEPTION 'the log of a game is never changed nor shortened'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$""",
    "DROP TRIGGER log_is_never_changed ON log",
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        FOR EACH ROW EXECUTE FUNCTION log_is_only_anonymised()""",
    "DROP FUNCTION log_only_forgets",
    "DROP TABLE forgetting",
    "DROP FUNCTION sittings_stay",
    """CREATE FUNCTION seat_history_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the seat history is never changed nor shortened'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
    """CREATE TRIGGER seat_history_stays BEFORE DELETE ON seat_history
        FOR EACH ROW EXECUTE FUNCTION seat_history_stays()""",
    """CREATE TRIGGER seat_history_is_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON seat_history
        FOR EACH ROW EXECUTE FUNCTION seat_history_stays()""",
    # Rows that were copied with their numbers have not counted.
    "SELECT setval('direct_messages_id_seq', (SELECT COALESCE(MAX(id), 0) + 1 FROM direct_messages), false)",
    "SELECT setval('seat_history_id_seq', (SELECT COALESCE(MAX(id), 0) + 1 FROM seat_history), false)",
)

_ON_BOTH: Final = (*_TABLES, *_COLUMNS, *_ROWS)
MIGRATIONS = (
    Migration(
        24,
        sqlite=(*map(in_file, _ON_BOTH), *_RULES_OF_A_FILE),
        postgres=(*map(on_server, _ON_BOTH), *_RULES_OF_A_SERVER),
    ),
)
