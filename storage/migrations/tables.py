"""The tables of version 26, with placeholders for each database's types; a new database starts with them."""

from typing import Final

TABLES_OF_0_1: Final = (
    # Buttons on old messages carry a game's number, so no number may be used twice.
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
    # A thread holds one game at a time, but a new one may follow an old one.
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
    # Times are compared as text, in the order of their letters everywhere.
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
"""Tables of 0.1.0; those of a file have gained columns since."""

LOG_TABLES: Final = (
    # The first row of a game, and no other, says how it starts.
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
    # At most one for each game: the state after the last row of its log.
    """CREATE TABLE states (
        game_id {whole} PRIMARY KEY,
        seq {whole} NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        FOREIGN KEY (game_id, seq) REFERENCES log (game_id, seq)
    ){strict}""",
)

TABLES_OF_0_3: Final = (
    # Rows that keep failing are parked until somebody acts in their game; every game is looked through independently.
    "CREATE INDEX outbox_pending ON outbox (game_id, id) WHERE sent_at IS NULL",
    # What a person has missed is read by game, also when it was posted long ago.
    "CREATE INDEX outbox_by_game ON outbox (game_id, seq)",
    """CREATE TABLE guild_settings (
        guild_id {whole} NOT NULL,
        key TEXT{ordered} NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (guild_id, key)
    ){keyed}""",
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
    """CREATE TABLE pauses (
        game_id {whole} PRIMARY KEY REFERENCES games (id),
        by_user {whole} NOT NULL,
        until TEXT,
        at TEXT NOT NULL,
        alone {whole} NOT NULL DEFAULT 0
    ){strict}""",
    # A user's standing orders for their seat; nobody else sees them. Whether the owner knows why one ended: 0 no,
    # 1 yes, 2 in a direct message that is on its way.
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
    # Results of finished games; `seats` has the holders.
    """CREATE TABLE results (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        place {whole} NOT NULL,
        total {whole} NOT NULL,
        won {whole} NOT NULL CHECK (won IN (0, 1)),
        PRIMARY KEY (game_id, player_id)
    ){strict}""",
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
"""Tables that 0.3.0 had, for the most part, under these names."""

TABLES_RENAMED_SINCE_0_3: Final = (
    # What is proposed to a table; buttons carry its number, which counts within the game. `why` says in words why one
    # is over that was neither answered nor has run out.
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
    # Who must act since when, when the ping for that came, for how many milliseconds since then the bot was down, and
    # whether the player has left the server; whom a ping reached; and direct messages, which name the first game they
    # are about. A stale one is deleted; until then its number is kept.
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
    # When no move was possible in a game, or (with a player) that player could not act.
    """CREATE TABLE clock_stops (
        game_id {whole} NOT NULL REFERENCES games (id),
        player_id TEXT NOT NULL,
        why TEXT NOT NULL,
        since TEXT NOT NULL,
        until TEXT,
        PRIMARY KEY (game_id, player_id, why, since)
    ){strict}""",
    # When the bot last ran for a shard, while there are clocks to be kept.
    """CREATE TABLE last_runs (
        shard {whole} NOT NULL,
        shard_count {whole} NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (shard, shard_count)
    ){strict}""",
    # Moves that nobody made by hand; without the number of an order nothing else was possible.
    """CREATE TABLE automatic_moves (
        game_id {whole} NOT NULL REFERENCES games (id),
        seq {whole} NOT NULL,
        order_number {whole},
        PRIMARY KEY (game_id, seq)
    ){strict}""",
    # Who substituted for a seat from which move on. Rows stay; only the user in them may be anonymised.
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
    # Games in which a user is being anonymised, within the transaction that does it, and never outside of one.
    "CREATE TABLE anonymising (game_id {whole} PRIMARY KEY REFERENCES games (id)){strict}",
)
"""Tables that had other names in 0.3.0."""

TABLES_SINCE_0_3: Final = (
    # Pauses that a player has begun alone, and when each was over.
    """CREATE TABLE past_pauses (
        game_id {whole} NOT NULL REFERENCES games (id),
        by_user {whole} NOT NULL,
        at TEXT NOT NULL,
        ended TEXT NOT NULL,
        PRIMARY KEY (game_id, at)
    ){strict}""",
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
    # The key that signs the links of the board page: there is one, under number 1.
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
"""Tables since 0.3.0."""
