"""Standing orders, and which moves were automatic."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # A user's standing orders for their seat; nobody else sees them.
    """CREATE TABLE orders (
        game_id {whole} NOT NULL REFERENCES games (id),
        number {whole} NOT NULL,
        player_id TEXT NOT NULL,
        user_id {whole} NOT NULL,
        payload TEXT NOT NULL,
        since {whole} NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('standing', 'stopped', 'withdrawn')),
        why TEXT,
        ended_seq {whole},
        PRIMARY KEY (game_id, number)
    ){strict}""",
    # Moves that nobody made by hand; without the number of an order nothing else was possible.
    """CREATE TABLE automatic (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        number {whole},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
)

MIGRATIONS = (on_both(14, *_STATEMENTS),)
