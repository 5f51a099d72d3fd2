"""Orders as they stood before an undo."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Orders before an undo, by the row of the undo; a redo restores them.
    """CREATE TABLE orders_before (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        number {whole} NOT NULL,
        state TEXT NOT NULL,
        why TEXT,
        ended_seq {whole},
        PRIMARY KEY (game_id, seq, number)
    ){strict}""",
)

MIGRATIONS = (on_both(19, *_STATEMENTS),)
