"""Errors of a game with the user's sentence, which says only what is certain."""

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
    NoSuchGame,
    NotSeated,
    OutcomeUnknown,
    ShardLost,
    StaleSequence,
    StateDamaged,
    StillSeated,
    StorageError,
    StorageFull,
    StorageReadOnly,
    WrongOrder,
    WrongStatus,
)

# ruff: noqa: N818 - an error is named after what is wrong

_log = logging.getLogger("stationmaster")


class Refused(Exception):
    """A request that is not possible now; `str()` is the sentence for the user, and nothing has changed."""


class MovedOn(Refused):
    """A request for an earlier position; `newest` is the turn message's URL, if any."""

    def __init__(self, newest: str = "") -> None:
        message = f"[the newest turn message]({newest})" if newest else "the newest turn message"
        super().__init__(f"The game has moved on since then. Use the buttons of {message}.")


class NotYours(Refused):
    """The request belongs to another player."""


class OthersTurn(NotYours):
    """A move requested on the turn of other players."""

    def __init__(self, names: str) -> None:
        super().__init__(f"It is {names}'s turn.")


class NotStored(Refused):
    """A write that was certainly not stored."""

    def __init__(self, problem: StorageError) -> None:
        super().__init__(
            f"Nothing was changed, because the bot could not store it: {in_public(problem)} Please try again."
        )


class Damaged(Refused):
    """The stored game is damaged: no move is possible until it is repaired or ended."""


class NothingStored(Exception):
    """An unexpected error before anything was stored, with its cause."""


class OutcomeNotKnown(Exception):
    """An error that leaves unknown whether something was stored; `str()` says where to look."""

    def __init__(self, sight: str, why: str = "the database did not answer") -> None:
        super().__init__(
            f"The bot does not know if it stored this: {why}. {sight} Look there before you try again."
        )


class StoredButFailed(Exception):
    """An error after something was stored, with its cause.

    `str()` says what is stored, `then` when that is seen nevertheless.
    """

    def __init__(self, done: str, then_text: str = "") -> None:
        super().__init__(done)
        self.then = then_text


def error_sentence(error: BaseException) -> str:
    """The user's sentence for an error; unexpected ones are logged with an incident number."""
    if isinstance(error, StaleSequence):
        return str(MovedOn())
    if isinstance(error, Refused | OutcomeNotKnown | NotDone):
        return str(error)
    if isinstance(error, ShardLost):
        return f"{in_public(error)} Nothing was changed. Please try again."
    if isinstance(error, StorageError):
        if is_for_the_log(error):
            _log.error("the database: %s", error)
        return in_public(error)
    if isinstance(error, NothingStored):
        return (
            f"Something went wrong in the bot (incident {_incident(error.__cause__ or error)}). "
            "Nothing was changed. Please try again; if it happens again, tell the operator of this "
            "bot the incident "
            "number."
        )
    return (
        f"Something went wrong in the bot (incident {_incident(error)}). "
        "Check the game's newest messages, `/log` or `/game list` to see if anything changed. Tell "
        "the operator of this bot the incident number."
    )


def _incident(error: BaseException) -> str:
    number = secrets.token_hex(3)
    bind(incident=number)
    _log.error("incident %s", number, exc_info=error)
    return number


_ABOUT_GAMES: Final = (
    BadEntry,
    LobbyFull,
    NoSuchGame,
    NotSeated,
    StaleSequence,
    StateDamaged,
    StillSeated,
    WrongOrder,
    WrongStatus,
)
"""Errors whose words are for users; the words of all others are for the operator."""
_MEANINGS: Final[tuple[tuple[type[StorageError], str], ...]] = (
    (OutcomeUnknown, "The bot lost its connection to the database."),
    (DatabaseUnreachable, "The bot cannot reach its database."),
    (StorageFull, "The disk of the database is full."),
    (StorageReadOnly, "The bot cannot write to its database."),
    (DatabaseInUse, "Another program is using the database."),
    (DatabaseUnreadable, "The bot cannot read its database."),
)
TAKEN_OVER: Final = "Another process of this bot has taken over."
LOGGED: Final = "The reason is in the operator's log."


def is_for_the_log(error: StorageError) -> bool:
    """True if an error's text is for the operator: it may contain paths."""
    return not isinstance(error, (*_ABOUT_GAMES, ShardLost))


def in_public(error: StorageError) -> str:
    """A storage error's sentences without paths or database text."""
    if isinstance(error, ShardLost):
        return TAKEN_OVER
    if not is_for_the_log(error):
        return str(error)
    meaning = next(
        (says for kind, says in _MEANINGS if isinstance(error, kind)), "The database has a problem."
    )
    return f"{meaning} {LOGGED}"
