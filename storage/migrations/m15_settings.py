"""Settings of games and of users."""

from storage.migrations.migration import on_both

_STATEMENTS = (
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

MIGRATIONS = (on_both(15, *_STATEMENTS),)
