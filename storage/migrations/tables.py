"""SQL templates of the tables in schema version 26, with which a new database starts.

Placeholders stand for each database's column types.
"""

from typing import Final

TABLES_OF_0_1: Final = (
    # Buttons on old messages carry a game's number, so no number may be reused.
    """CREATE TABLE games (
        id {numbered},
        guild_id {whole} NOT NULL,
        channel_id {whole} NOT NULL,
        thread_id {whole},
        board_message_id {whole},
        turn_message_id {whole},
        title TEXT NOT NULL,
        profile TEXT NOT NULL,
        options TEXT NOT NULL,
        seed {whole} NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'abandoned')),
        created_at TEXT NOT NULL,
        name TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX games_by_guild ON games (guild_id, status)",
    "CREATE INDEX games_by_thread ON games (thread_id)",
    # A thread shows one game at a time; another may follow once it has ended.
    """CREATE UNIQUE INDEX games_in_play_by_thread ON games (thread_id)
        WHERE thread_id IS NOT NULL AND status IN ('lobby', 'running')""",
    """CREATE TABLE seats (
        game_id {whole} NOT NULL REFERENCES games (id),
        seat {whole} NOT NULL CHECK (seat >= 1),
        player_id TEXT NOT NULL,
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        PRIMARY KEY (game_id, seat),
        UNIQUE (game_id, player_id)
    ){keyed}""",
    "CREATE INDEX seats_by_user ON seats (user_id)",
    """CREATE TABLE memberships (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        seat {whole} NOT NULL,
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        event TEXT NOT NULL CHECK (event IN ('joined', 'left')),
        at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX memberships_by_game ON memberships (game_id)",
    # Times are compared as text, in byte order in every database.
    """CREATE TABLE outbox (
        id {numbered},
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        created_at TEXT{ordered} NOT NULL,
        sent_at TEXT{ordered},
        attempts {whole} NOT NULL DEFAULT 0,
        last_error TEXT,
        parked_at TEXT,
        claimed_by TEXT,
        claimed_until {whole} NOT NULL DEFAULT 0,
        message_id {whole}
    ){strict}""",
)
"""Tables that have existed since release 0.1.0, including columns that were added later."""

LOG_TABLES: Final = (
    # The first row of a game, and no other, is a 'start'.
    """CREATE TABLE log (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL CHECK (seq >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('start', 'action', 'undo', 'accept')),
        payload TEXT NOT NULL,
        digest TEXT NOT NULL,
        actor TEXT NOT NULL,
        user_id {whole},
        created_at TEXT NOT NULL,
        PRIMARY KEY (game_id, seq),
        CHECK ((seq = 1) = (kind = 'start'))
    ){keyed}""",
    # At most one row for each game: the state after the last row of its log.
    """CREATE TABLE states (
        game_id {whole} PRIMARY KEY,
        seq {whole} NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        FOREIGN KEY (game_id, seq) REFERENCES log (game_id, seq)
    ){strict}""",
)

TABLES_OF_0_3: Final = (
    # Rows that keep failing are parked until the game changes; other games are not affected.
    "CREATE INDEX outbox_pending ON outbox (game_id, id) WHERE sent_at IS NULL",
    # Lines that a player missed are read by game, even if posted long ago.
    "CREATE INDEX outbox_by_game ON outbox (game_id, seq)",
    """CREATE TABLE guild_settings (
        guild_id {whole} NOT NULL,
        key TEXT{ordered} NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (guild_id, key)
    ){keyed}""",
    # Settings of games, and settings of users in all their games.
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
    """CREATE TABLE pauses (
        game_id {whole} PRIMARY KEY REFERENCES games (id),
        by_user {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL,
        alone {whole} NOT NULL DEFAULT 0
    ){strict}""",
    # Standing orders, private to their owners. `notified`: the owner knows why the order ended: 0 no, 1 yes, 2 a direct
    # message is queued.
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
        notified {whole} NOT NULL DEFAULT 0,
        PRIMARY KEY (game_id, number)
    ){strict}""",
    "CREATE INDEX orders_to_notify ON orders (user_id) WHERE state = 'stopped' AND notified = 0",
    # States of orders before an undo, by the undo's row; a redo restores them.
    """CREATE TABLE orders_before (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        number {whole} NOT NULL,
        state TEXT NOT NULL,
        why TEXT,
        ended_seq {whole},
        PRIMARY KEY (game_id, seq, number)
    ){strict}""",
    # Turns under a time bank: a player must act since `since`, from row `seq` to row `ended`; times in milliseconds.
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
    # Results of finished games; `seats` has the users.
    """CREATE TABLE results (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        place {whole} NOT NULL,
        total {whole} NOT NULL,
        won {whole} NOT NULL CHECK (won IN (0, 1)),
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
    # Positions after some rows of a game, compressed; they can be made again from the log.
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
"""Tables that release 0.3.0 had under these names."""

TABLES_RENAMED_SINCE_0_3: Final = (
    # Proposals, numbered within each game, since buttons carry the number. `why`: the reason, in words, if one expired
    # before its time.
    """CREATE TABLE proposals (
        game_id {whole} NOT NULL REFERENCES games (id),
        number {whole} NOT NULL,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        until TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'refused', 'expired')),
        why TEXT,
        PRIMARY KEY (game_id, number)
    ){strict}""",
    """CREATE TABLE votes (
        game_id {whole} NOT NULL,
        number {whole} NOT NULL,
        user_id {whole} NOT NULL,
        agrees {whole} NOT NULL CHECK (agrees IN (0, 1)),
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, number, user_id),
        FOREIGN KEY (game_id, number) REFERENCES proposals (game_id, number)
    ){strict}""",
    # Pending notifications, with `down`: milliseconds since the ping in which the bot was down; then the pings made for
    # them, and direct messages. The id of a direct message is kept until the message is deleted.
    """CREATE TABLE notifications (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        seq {whole} NOT NULL,
        since TEXT NOT NULL,
        stage {whole} NOT NULL,
        at TEXT NOT NULL,
        due_at TEXT,
        pinged_at TEXT,
        down {whole} NOT NULL DEFAULT 0,
        departed {whole} NOT NULL DEFAULT 0,
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
    "CREATE INDEX notifications_due ON notifications (due_at)",
    """CREATE TABLE pings (
        game_id {whole} NOT NULL,
        player_id TEXT NOT NULL,
        user_id {whole} NOT NULL,
        stage {whole} NOT NULL,
        thread TEXT NOT NULL CHECK (thread IN ('no', 'pending', 'pinged')),
        direct TEXT NOT NULL CHECK (direct IN ('no', 'pending', 'queued')),
        muted {whole} NOT NULL CHECK (muted IN (0, 1)),
        PRIMARY KEY (game_id, player_id, user_id),
        FOREIGN KEY (game_id, player_id) REFERENCES notifications (game_id, player_id)
    ){strict}""",
    "CREATE INDEX pings_by_direct_message ON pings (user_id) WHERE direct = 'pending'",
    """CREATE TABLE direct_messages (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        text TEXT NOT NULL,
        notifications TEXT NOT NULL,
        created_at TEXT NOT NULL,
        sent_at TEXT,
        message_id {whole}
    ){strict}""",
    "CREATE INDEX direct_messages_unsent ON direct_messages (id) WHERE sent_at IS NULL",
    "CREATE INDEX direct_messages_shown ON direct_messages (id) WHERE message_id IS NOT NULL",
    # Times when a game could not be played or, with a player, when that player could not act.
    """CREATE TABLE clock_stops (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        why TEXT NOT NULL,
        since TEXT NOT NULL,
        until TEXT,
        PRIMARY KEY (game_id, player_id, why, since)
    ){strict}""",
    # When the bot last ran for a shard; kept only while there are games with clocks.
    """CREATE TABLE last_runs (
        shard {whole} NOT NULL,
        shard_count {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (shard, shard_count)
    ){strict}""",
    # Automatic moves; without an order's number, the move was forced.
    """CREATE TABLE automatic_moves (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        order_number {whole},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
    # Users who play a seat after row `since`. Rows stay; only their user may be anonymised.
    """CREATE TABLE seat_history (
        id {identity},
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('holder', 'substitute', 'group', 'caretaker')),
        user_id {whole} NOT NULL,
        display_name TEXT NOT NULL,
        since {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL
    ){strict}""",
    "CREATE INDEX seat_history_by_game ON seat_history (game_id, id)",
    # Games in which a user is being anonymised; rows exist only within that transaction.
    "CREATE TABLE anonymising (game_id {whole} PRIMARY KEY REFERENCES games (id)){strict}",
)
"""Tables that release 0.3.0 had under other names."""

TABLES_SINCE_0_3: Final = (
    # Ended pauses that a player had started without a vote.
    """CREATE TABLE past_pauses (
        game_id {whole} NOT NULL REFERENCES games (id),
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        ended TEXT NOT NULL,
        PRIMARY KEY (game_id, at)
    ){strict}""",
    # When a user was last pinged for a proposal of a game.
    """CREATE TABLE proposal_pings (
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, user_id)
    ){strict}""",
    # Ratings of a server's members in a title after each rated game, in thousandths.
    """CREATE TABLE ratings (
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole} NOT NULL,
        mu {whole} NOT NULL,
        sigma {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, user_id)
    ){strict}""",
    "CREATE INDEX ratings_of_users ON ratings (user_id)",
    # The key that signs the links of the board page, a single row with number 1.
    "CREATE TABLE board_keys (number {whole} PRIMARY KEY, secret TEXT NOT NULL){strict}",
    # A link without a user is for spectators, and can be used many times.
    """CREATE TABLE board_links (
        nonce TEXT PRIMARY KEY,
        game_id {whole} NOT NULL REFERENCES games (id),
        user_id {whole},
        moderates {whole} NOT NULL CHECK (moderates IN (0, 1)),
        expires_at TEXT NOT NULL,
        used_at TEXT
    ){strict}""",
    # The secret in the browser is not stored, only its digest.
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
"""Tables that release 0.3.0 did not have."""
