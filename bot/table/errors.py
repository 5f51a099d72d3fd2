"""What can go wrong at the table, and the sentence a person is told."""

import logging
import secrets

from bot.table.trail import about
from bot.table.troubles import in_public, is_for_the_log
from storage.errors import StaleSequence, StorageError

# ruff: noqa: N818 - an error is named after what is wrong

_log = logging.getLogger("stationmaster")


class Refused(Exception):
    """A request that is not possible now: `str()` is the sentence for the person; nothing has changed."""


class MovedOn(Refused):
    """The request was made for an earlier position."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since then. Use the buttons of the newest turn message.")


class NotYours(Refused):
    """The request belongs to another player."""


class NotStored(Refused):
    """The database did not take it."""

    def __init__(self, problem: StorageError) -> None:
        super().__init__(
            f"This could not be stored, so nothing was changed: {in_public(problem)} Please try again."
        )


def told(error: BaseException) -> str:
    """The sentence to tell the person privately; what nobody foresaw is logged under an incident number."""
    if isinstance(error, StaleSequence):
        return str(MovedOn())
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, StorageError):
        if is_for_the_log(error):
            _log.error("the database: %s", error)
        return in_public(error)
    incident = secrets.token_hex(3)
    about(incident=incident)
    _log.error("incident %s", incident, exc_info=error)
    return (
        f"Something went wrong that should not have (incident {incident}). Nothing was changed. "
        "Please try again, and tell whoever runs this bot the incident number if it comes back."
    )
