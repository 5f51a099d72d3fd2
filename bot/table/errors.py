"""Errors of a game, each with a sentence for the user that states only what is certain."""

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
    WrongOrder,
    WrongStatus,
)

# ruff: noqa: N818 - an error is named after what is wrong

_log = logging.getLogger("stationmaster")


class Refused(Exception):
    """A request that is not possible now; `str()` is the sentence for the user, and nothing has changed."""


class GameMovedOn(Refused):
    """A request for an earlier position; `newest` is the URL of the current turn message, if known."""

    def __init__(self, newest_url: str = "") -> None:
        message = f"[the newest turn message]({newest_url})" if newest_url else "the newest turn message"
        super().__init__(f"The game has moved on since then. Use the buttons of {message}.")


class BelongsToAnother(Refused):
    """The request belongs to another player."""


class OthersTurn(BelongsToAnother):
    """A move was requested on another player's turn."""

    def __init__(self, names: str) -> None:
        super().__init__(f"It is {names}'s turn.")


class NotStored(Refused):
    """A write that was certainly not stored."""

    def __init__(self, problem: StorageError) -> None:
        super().__init__(
            f"Nothing was changed, because the bot could not store it: {public_sentence(problem)} Please try again."
        )


class DamagedGame(Refused):
    """The stored game is damaged: no move is possible until it is repaired or ended."""


class FailedBeforeStoring(Exception):
    """An unexpected error before anything was stored, with its cause."""


class OutcomeNotKnown(Exception):
    """An error after which something may or may not have been stored; `str()` says where to check."""

    def __init__(self, where_to_look: str, why: str = "the database did not answer") -> None:
        super().__init__(
            f"The bot does not know if it stored this: {why}. {where_to_look} Look there before you try again."
        )


class StoredButFailed(Exception):
    """An error after something was stored.

    `str()` says what is stored, `when_seen` when it will be visible.
    """

    def __init__(self, stored_text: str, when_seen: str = "") -> None:
        super().__init__(stored_text)
        self.when_seen = when_seen


def error_sentence(error: BaseException) -> str:
    """The sentence about an error for the user; unexpected errors are logged with an incident number."""
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
    WrongOrder,
    WrongStatus,
)
"""Errors whose texts are for users; the texts of all others are for the operator."""
_PUBLIC_MEANINGS: Final[tuple[tuple[type[StorageError], str], ...]] = (
    (OutcomeUnknown, "The bot lost its connection to the database."),
    (DatabaseUnreachable, "The bot cannot reach its database."),
    (StorageFull, "The disk of the database is full."),
    (StorageReadOnly, "The bot cannot write to its database."),
    (DatabaseInUse, "Another program is using the database."),
    (DatabaseUnreadable, "The bot cannot read its database."),
)
BOT_TAKEN_OVER: Final = "Another process of this bot has taken over."
REASON_IS_LOGGED: Final = "The reason is in the operator's log."


def is_for_operator(error: StorageError) -> bool:
    """True if an error's text is for the operator, since it may contain paths."""
    return not isinstance(error, (*_ERRORS_FOR_USERS, ShardLost))


def public_sentence(error: StorageError) -> str:
    """A sentence about a storage error for users, without paths or text from the database."""
    if isinstance(error, ShardLost):
        return BOT_TAKEN_OVER
    if not is_for_operator(error):
        return str(error)
    meaning = next(
        (sentence for kind, sentence in _PUBLIC_MEANINGS if isinstance(error, kind)),
        "The database has a problem.",
    )
    return f"{meaning} {REASON_IS_LOGGED}"
