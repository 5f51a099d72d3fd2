"""Results of finished games."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Results of finished games; `seats` has the holders.
    """CREATE TABLE results (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        place {whole} NOT NULL,
        total {whole} NOT NULL,
        won {whole} NOT NULL CHECK (won IN (0, 1)),
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
)

MIGRATIONS = (on_both(18, *_STATEMENTS),)
