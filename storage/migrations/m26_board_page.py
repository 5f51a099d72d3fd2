"""The board page: the key that signs its links, the links, and the sessions of browsers."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # There is one key, under number 1.
    "CREATE TABLE board_keys (number {whole} PRIMARY KEY, secret TEXT NOT NULL){strict}",
    # A link of nobody in particular, for spectators, is not used up.
    """CREATE TABLE board_links (
        nonce TEXT PRIMARY KEY,
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole},
        moderates {whole} NOT NULL CHECK (moderates IN (0, 1)),
        expires_at TEXT NOT NULL,
        used_at TEXT
    ){strict}""",
    # What the browser keeps is not stored, only its digest.
    """CREATE TABLE board_sessions (
        digest TEXT PRIMARY KEY,
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole},
        state TEXT NOT NULL CHECK (state IN ('open', 'waiting')),
        code TEXT NOT NULL,
        moderates_until TEXT,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX board_links_of ON board_links (user_id)",
    "CREATE INDEX board_sessions_of ON board_sessions (user_id, game_id)",
)

MIGRATIONS = (on_both(26, *_STATEMENTS),)
