"""Storage errors; each has a sentence for the user.

StorageError
├── DatabaseUnreadable   damaged, or not a database of this program
├── DatabaseTooNew       written by a newer release
├── DatabaseInUse        opened by another process
│   └── ShardCountMismatch  running processes divide the servers into another number of shards
├── DatabaseUnreachable  no connection to the database server
├── ShardLost            another process has taken over the servers (guilds) of this one
├── OutcomeUnknown       the connection was lost while committing
├── StorageFull          the disk is full
├── StorageReadOnly      writing is not permitted
├── ConstraintBroken     a row violates the rules of the tables
├── NoSuchGame, WrongStatus, LobbyFull, NotSeated, InvalidSeatingOrder
├── NoSuchEvent, WrongEventStatus, NotEntered
├── StillSeated          the user has a seat in an unfinished game
├── StaleSequence        another move was stored first
├── BadEntry             an invalid row for the log
├── TargetHasGames       the target database already has these servers, or games or events with these numbers
└── StateDamaged         the state stored for a game does not match its last log row
"""

# ruff: noqa: N818 - an error is named after what is wrong


class StorageError(Exception):
    """Base class of storage errors. Nothing was changed, except perhaps after OutcomeUnknown."""


class DatabaseUnreadable(StorageError):
    """The file is damaged, or is not a database of this program."""


class DatabaseTooNew(StorageError):
    """The file was written by a newer release."""

    def __init__(self, path: str, found_version: int, known_version: int) -> None:
        super().__init__(
            f"The database {path} is at version {found_version}, but this release knows versions up to "
            f"{known_version}. "
            f"Install the newer release again, or restore a backup made before it. Nothing was changed."
        )


class DatabaseInUse(StorageError):
    """The database is open already, in another process or elsewhere in this process."""


class ShardCountMismatch(DatabaseInUse):
    """Another running process divides the servers into a different number of shards."""

    def __init__(self, found_count: int, wanted_count: int) -> None:
        super().__init__(
            f"The running processes use {found_count} shards, this one {wanted_count}. Stop them first."
        )


class DatabaseUnreachable(StorageError):
    """The database server does not answer, or refuses the login."""


class ShardLost(StorageError):
    """Another process has taken over the servers (guilds) for which this process may write."""

    def __init__(self, shard: int) -> None:
        super().__init__(
            f"Another process has taken over shard {shard}; this process no longer writes to its games. "
            f"Nothing was changed."
        )


class OutcomeUnknown(StorageError):
    """The connection was lost while committing: the transaction was stored completely or not at all.

    The caller must read the database to find out which.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The connection to {name} was lost just as this was being stored. "
            f"It may or may not have been stored; check before doing it again."
        )


class StorageFull(StorageError):
    """The disk is full."""


class StorageReadOnly(StorageError):
    """Writing to the database is not permitted."""


class ConstraintBroken(StorageError):
    """The database rejected a row: a wrong type, a missing game, or a duplicate."""


class NoSuchGame(StorageError):
    """No game has this number."""

    def __init__(self, game_id: int) -> None:
        super().__init__(f"There is no game {game_id}.")


class WrongStatus(StorageError):
    """The game's status (lobby, running, finished or abandoned) does not allow the requested change."""

    def __init__(self, game_id: int, status: str, wanted_status: str) -> None:
        super().__init__(f"Game {game_id} is {_STATUS_WORDS[status]}, not {wanted_status}.")
        self.status = status


_STATUS_WORDS = {
    "lobby": "still in the lobby",
    "running": "running",
    "finished": "finished",
    "abandoned": "abandoned",
}


class NoSuchEvent(StorageError):
    """No event has this number."""

    def __init__(self, event_id: int) -> None:
        super().__init__(f"There is no event {event_id}. `/event list` shows the events of this server.")


class WrongEventStatus(StorageError):
    """The event's status (such as open, drawn or running) does not allow the requested change."""

    def __init__(self, name: str, status: str) -> None:
        super().__init__(f"{name} {_EVENT_STATUS_WORDS[status]}.")
        self.status = status


_EVENT_STATUS_WORDS = {
    "open": "is still open for entrants",
    "drawn": "has been drawn",
    "running": "is running",
    "ended": "is over",
    "cancelled": "was cancelled",
}


class NotEntered(StorageError):
    """The user has not entered this event."""

    def __init__(self, name: str) -> None:
        super().__init__(f"You have not entered {name}.")


class LobbyFull(StorageError):
    """Every seat of the game is taken."""

    def __init__(self, game_id: int, seat_count: int) -> None:
        super().__init__(f"All {seat_count} seats of game {game_id} are taken.")


class NotSeated(StorageError):
    """The user has no seat in this game, or the seat does not exist."""


class StillSeated(StorageError):
    """A user with a seat in an unfinished game cannot be anonymised."""

    def __init__(self, game_ids: list[int], reason: str = "") -> None:
        game_numbers = ", ".join(map(str, game_ids))
        super().__init__(reason or f"You still have a seat in these games: {game_numbers}.")


class InvalidSeatingOrder(StorageError):
    """A new seating order does not list exactly the seated users."""


class StaleSequence(StorageError):
    """Another move was stored first: the game's last log row is `actual`, but the caller expected `expected`."""

    def __init__(self, expected_seq: int, actual_seq: int) -> None:
        super().__init__(
            f"The game has moved on: it was at move {expected_seq}, and is now at move {actual_seq}."
        )
        self.expected = expected_seq
        self.actual = actual_seq


class BadEntry(StorageError):
    """An invalid row for the log, such as an undo whose target is not an earlier row."""


class TargetHasGames(StorageError):
    """The target database already has a server to be moved, or a game or event with the same number."""


class StateDamaged(StorageError):
    """The state stored for a game does not match the game's last log row."""

    def __init__(self, game_id: int) -> None:
        super().__init__(
            f"The stored position of game {game_id} does not belong to its last move. The database was damaged, "
            f"or another program changed it. Restore a backup."
        )
