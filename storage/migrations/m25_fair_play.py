"""When a player was pinged, pauses that are over, pings for proposals, why proposals ended, and ratings."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # When the ping for a turn came, for how many milliseconds since then the bot was down, and whether the player has
    # left the server.
    "ALTER TABLE notifications ADD COLUMN pinged_at TEXT",
    "ALTER TABLE notifications ADD COLUMN down {whole} NOT NULL DEFAULT 0",
    "ALTER TABLE notifications ADD COLUMN departed {whole} NOT NULL DEFAULT 0",
    "UPDATE notifications SET pinged_at = at WHERE stage > 0",
    # Pauses that a player has begun alone, and when each was over.
    """CREATE TABLE past_pauses (
        game_id {whole} NOT NULL REFERENCES games (id),
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        ended TEXT NOT NULL,
        PRIMARY KEY (game_id, at)
    ){strict}""",
    "ALTER TABLE pauses ADD COLUMN alone {whole} NOT NULL DEFAULT 0",
    # Why a proposal is over that was neither answered nor has run out, in words.
    "ALTER TABLE proposals ADD COLUMN why TEXT",
    # When a user was pinged last for a proposal of a game.
    """CREATE TABLE proposal_pings (
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, user_id)
    ){strict}""",
    # The ratings of a server's members in a title after each rated game, in thousandths.
    """CREATE TABLE ratings (
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        mu {whole} NOT NULL,
        sigma {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, user_id)
    ){strict}""",
    "CREATE INDEX ratings_of_users ON ratings (user_id)",
)

MIGRATIONS = (on_both(25, *_STATEMENTS),)
