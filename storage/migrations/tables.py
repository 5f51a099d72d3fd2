"""Statements of steps for what tables agree on, order and have played; in the words of both databases."""

from typing import Final

ORDERS: Final = (
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

SETTINGS: Final = (
    # The settings of a game, and how a user is pinged, in all their games.
    """CREATE TABLE game_settings (
        game_id {whole} NOT NULL REFERENCES games (id),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (game_id, key)
    ){strict}""",
    """CREATE TABLE person_settings (
        user_id {whole} NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (user_id, key)
    ){strict}""",
)

RESULTS: Final = (
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

ORDERS_BEFORE: Final = (
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
TOLD: Final = (
    # Whether the owner of an order knows why it ended: 0 no, 1 yes, 2 in a direct message that is on its way.
    "ALTER TABLE orders ADD COLUMN told {whole} NOT NULL DEFAULT 0",
    "UPDATE orders SET told = 1",
    "CREATE INDEX orders_untold ON orders (user_id) WHERE state = 'stopped' AND told = 0",
)

POSITIONS: Final = (
    # Positions on the way of a game, and what its rows since the one before did; packed, and made again from the log.
    """CREATE TABLE positions (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        digest TEXT NOT NULL,
        state {packed},
        since {whole},
        form TEXT,
        chapter {packed},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
)
