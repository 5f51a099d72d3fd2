"""The outbox is read by game."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # What a person has missed is read by game, also when it was posted long ago.
    "CREATE INDEX outbox_by_game ON outbox (game_id, seq)",
)

MIGRATIONS = (on_both(9, *_STATEMENTS),)
