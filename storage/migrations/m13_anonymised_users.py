"""Users are anonymised, in the log, too."""

from storage.migrations.migration import Migration, in_file, on_server

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

MIGRATIONS = (
    Migration(
        13,
        sqlite=(*map(in_file, _FORGETTING), *_LOG_FORGETS),
        postgres=(*map(on_server, _FORGETTING), _ONLY_FORGETS, *_LOG_FORGETS_ON_A_SERVER),
    ),
)
