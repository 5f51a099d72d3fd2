"""Errors of a game, each with a sentence that tells the user what happened and if anything was stored."""

import logging
import secrets
from typing import Final

from bot.table.log_context import bind
from bot.workers.errors import NotDone
from storage import (
    BadEntry,
    DatabaseInUse,
    DatabaseUnreachable,
    DatabaseUnreadable,
    InvalidSeatingOrder,
    LobbyFull,
    NoSuchEvent,
    NoSuchGame,
    NotEntered,
    NotSeated,
    OutcomeUnknown,
    ShardLost,
    StaleSequence,
    StateDamaged,
    StillSeated,
    StorageError,
    StorageFull,
    StorageReadOnly,
    WrongEventStatus,
    WrongStatus,
)

# ruff: noqa: N818 - an error is named after what is wrong

_log = logging.getLogger("stationmaster")


class Refused(Exception):
    """Raised for a request that is not possible now. `str()` is the sentence for the user; nothing was changed."""


class GameMovedOn(Refused):
    """Raised for a request about an earlier position, such as a press of an old button after another move."""

    def __init__(self, newest_url: str = "") -> None:
        message = f"[the newest turn message]({newest_url})" if newest_url else "the newest turn message"
        super().__init__(f"The game has moved on since then. Use the buttons of {message}.")


class NotPermitted(Refused):
    """Raised when a user tries to act for another player."""


class OtherPlayersTurn(NotPermitted):
    """Raised for a move on another player's turn."""

    def __init__(self, names: str) -> None:
        super().__init__(f"It is {names}'s turn.")


class NotStored(Refused):
    """Raised when a write failed and certainly stored nothing."""

    def __init__(self, problem: StorageError) -> None:
        super().__init__(
            f"Nothing was changed, because the bot could not store it: {public_sentence(problem)} Please try again."
        )


class GameDamaged(Refused):
    """Raised for a stored game that is damaged. No move is possible until a moderator repairs or ends it."""


class FailedBeforeStoring(Exception):
    """Raised for an unexpected error (its `__cause__`) before anything was stored."""


class OutcomeNotKnown(Exception):
    """Raised when it is unknown if a write was stored. `str()` says where the user can check."""

    def __init__(self, where_to_look: str, reason: str = "the database did not answer") -> None:
        super().__init__(
            f"The bot does not know if it stored this: {reason}. {where_to_look} Look there before you try again."
        )


class StoredButFailed(Exception):
    """Raised for an error after something was stored.

    `str()` tells the user what was stored; `visibility_text` says when players will see it.
    """

    def __init__(self, stored_text: str, visibility_text: str = "") -> None:
        super().__init__(stored_text)
        self.visibility_text = visibility_text


def error_sentence(error: BaseException) -> str:
    """The sentence about an error for the user. Unexpected errors are logged with an incident number."""
    if isinstance(error, StaleSequence):
        return str(GameMovedOn())
    if isinstance(error, Refused | OutcomeNotKnown | NotDone):
        return str(error)
    if isinstance(error, ShardLost):
        return f"{public_sentence(error)} Nothing was changed. Please try again."
    if isinstance(error, StorageError):
        if is_for_operator(error):
            _log.error("the database: %s", error)
        return public_sentence(error)
    if isinstance(error, FailedBeforeStoring):
        return (
            f"Something went wrong in the bot (incident {_log_incident(error.__cause__ or error)}). "
            "Nothing was changed. Please try again; if it happens again, tell the operator of this "
            "bot the incident "
            "number."
        )
    return (
        f"Something went wrong in the bot (incident {_log_incident(error)}). "
        "Check the game's newest messages, `/log` or `/game list` to see if anything changed. Tell "
        "the operator of this bot the incident number."
    )


def _log_incident(error: BaseException) -> str:
    number = secrets.token_hex(3)
    bind(incident=number)
    _log.error("incident %s", number, exc_info=error)
    return number


_ERRORS_FOR_USERS: Final = (
    BadEntry,
    LobbyFull,
    NoSuchEvent,
    NoSuchGame,
    NotEntered,
    NotSeated,
    StaleSequence,
    StateDamaged,
    StillSeated,
    WrongEventStatus,
    InvalidSeatingOrder,
    WrongStatus,
)
_PUBLIC_SENTENCES: Final[tuple[tuple[type[StorageError], str], ...]] = (
    (OutcomeUnknown, "The bot lost its connection to the database."),
    (DatabaseUnreachable, "The bot cannot reach its database."),
    (StorageFull, "The disk of the database is full."),
    (StorageReadOnly, "The bot cannot write to its database."),
    (DatabaseInUse, "Another program is using the database."),
    (DatabaseUnreadable, "The bot cannot read its database."),
)
BOT_TAKEN_OVER_TEXT: Final = "Another process of this bot has taken over."
REASON_IS_LOGGED_TEXT: Final = "The reason is in the operator's log."


def is_for_operator(error: StorageError) -> bool:
    """True if only the operator may read an error's text, since it may contain file paths."""
    return not isinstance(error, (*_ERRORS_FOR_USERS, ShardLost))


def public_sentence(error: StorageError) -> str:
    """A sentence for users about a storage error, without paths or text from the database."""
    if isinstance(error, ShardLost):
        return BOT_TAKEN_OVER_TEXT
    if not is_for_operator(error):
        return str(error)
    public_meaning = next(
        (sentence for kind, sentence in _PUBLIC_SENTENCES if isinstance(error, kind)),
        "The database has a problem.",
    )
    return f"{public_meaning} {REASON_IS_LOGGED_TEXT}"
