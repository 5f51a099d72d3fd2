"""SQL triggers that make the log and the seat history append-only, and prevent game numbers from being reused."""

from typing import Final

_IS_FORBIDDEN_CHANGE_SQL: Final = """NOT EXISTS (SELECT 1 FROM anonymising WHERE game_id = OLD.game_id)
            OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
            OR NEW.digest <> OLD.digest OR NEW.actor <> OLD.actor OR NEW.created_at <> OLD.created_at
            OR (NEW.payload <> OLD.payload AND OLD.kind NOT IN ('start', 'accept'))
            OR (NEW.user_id IS NOT NULL AND NEW.user_id <> COALESCE(OLD.user_id, -1))"""
"""SQL condition that is true if an update of a log row does more than anonymise a user."""

SQLITE_LOG_TRIGGERS: Final = (
    """CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never shortened'); END""",
    # Also stops INSERT OR REPLACE, which would not fire the trigger on DELETE.
    """CREATE TRIGGER log_has_no_gaps BEFORE INSERT ON log
        WHEN NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM log WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'the log of a game has no gaps'); END""",
)
SQLITE_HISTORY_TRIGGERS: Final = (
    "DROP TRIGGER IF EXISTS log_is_never_changed",
    f"""CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log WHEN {_IS_FORBIDDEN_CHANGE_SQL}
        BEGIN SELECT RAISE(ABORT, 'the log of a game is never changed'); END""",
    """CREATE TRIGGER seat_history_stays BEFORE DELETE ON seat_history
        BEGIN SELECT RAISE(ABORT, 'the seat history is never shortened'); END""",
    """CREATE TRIGGER seat_history_is_never_changed
        BEFORE UPDATE OF game_id, player_id, role, since, until, at ON seat_history
        BEGIN SELECT RAISE(ABORT, 'the seat history is never changed'); END""",
)

POSTGRES_LOG_TRIGGERS: Final = (
    # A game moved from another database keeps its number.
    """CREATE FUNCTION number_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.id > (SELECT last_value FROM games_id_seq) THEN
                PERFORM setval('games_id_seq', NEW.id);
            END IF;
            RETURN NULL;
        END $$""",
    """CREATE TRIGGER number_is_taken AFTER INSERT ON games
        FOR EACH ROW EXECUTE FUNCTION number_is_taken()""",
    """CREATE FUNCTION log_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the log of a game is never changed nor shortened'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
    """CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
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
)
POSTGRES_HISTORY_TRIGGERS: Final = (
    f"""CREATE FUNCTION log_is_only_anonymised() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {_IS_FORBIDDEN_CHANGE_SQL} THEN
                RAISE EXCEPTION 'the log of a game is never changed nor shortened'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$""",
    "DROP TRIGGER IF EXISTS log_is_never_changed ON log",
    """CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
        FOR EACH ROW EXECUTE FUNCTION log_is_only_anonymised()""",
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
)
