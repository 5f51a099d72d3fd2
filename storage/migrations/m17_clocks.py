"""Clocks: turns, when they stood, and when the bot ran."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Since when a player has had to act, from which row on, and what of it was counted; `ended` is the last row of it.
    """CREATE TABLE turns (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        seq {whole} NOT NULL,
        ended {whole},
        since TEXT NOT NULL,
        used {whole} NOT NULL,
        charged {whole} NOT NULL,
        quiet TEXT,
        zero TEXT,
        PRIMARY KEY (game_id, player_id, seq)
    ){strict}""",
    # When no move was possible in a game, or (with a player) that player could not act.
    """CREATE TABLE stops (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        why TEXT NOT NULL,
        since TEXT NOT NULL,
        until TEXT,
        PRIMARY KEY (game_id, player_id, why, since)
    ){strict}""",
    # When the bot last ran for a shard, while there are clocks to be kept.
    """CREATE TABLE heartbeats (
        shard {whole} NOT NULL,
        shard_count {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (shard, shard_count)
    ){strict}""",
)

MIGRATIONS = (on_both(17, *_STATEMENTS),)
