"""Sentences about Discord's errors and missing permissions, and the known delivery problems of games."""

import re
from collections.abc import Sequence
from typing import Final

import aiohttp
import discord

from bot.client.requests.permissions_and_invitation import (
    GAME_PERMISSIONS,
    PERMISSION_NAMES,
    missing_permissions,
)
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.workers.errors import TooManyQuestions

_PERMISSIONS_BY_REQUEST: Final = (
    (r"POST .*/messages/\d+/threads", ("view_channel", "create_public_threads")),
    (r"PUT .*/pins/\d+", ("view_channel", "pin_messages")),
    (r"POST .*/messages", (*GAME_PERMISSIONS[:2], *GAME_PERMISSIONS[3:6])),
    (r"PATCH .*/messages/\d+", ("view_channel",)),
    (r"PATCH .*/channels/\d+", ("view_channel", "manage_threads")),
    (r"GET .*/messages", ("view_channel", "read_message_history")),
    (r".*", ("view_channel",)),
)
"""Regex for a request's method and URL, with the permissions that it needs. The first match counts."""
UNKNOWN_CHANNEL_CODE: Final = 10003
"""Discord's error code for a channel or thread that does not exist."""
MISSING_PERMISSION_CODES: Final = (50001, 50013)
"""Discord's error codes for a channel that the bot cannot see, and for a missing permission."""
_TEXTS_BY_CODE: Final = {
    UNKNOWN_CHANNEL_CODE: "The channel or thread was deleted.",
    10008: "The message was deleted.",
    10062: "The answer came too late for Discord.",
    40060: "The bot has already answered this press.",
    50027: "The answer came too late for Discord.",
    50083: "The thread is archived. A member who may manage threads must reopen it, and unlock it if it "
    "is locked.",
    160005: "The thread is locked. A member who may manage threads must unlock it.",
    160006: "There are too many threads here. A member who may manage threads must archive some.",
}
"""By Discord's error code: a sentence for the user."""

_GRANT_ADVICE: Final = (
    "A member who manages this server can give it to my role: in Server Settings under Roles, or "
    "in the channel's settings under Permissions."
)
DISCORD_ERRORS: Final = (
    discord.HTTPException,
    discord.RateLimited,
    aiohttp.ClientError,
    OSError,
    TimeoutError,
)
"""Exceptions raised if Discord refuses a request or cannot be reached."""


def missing_permissions_text(names: Sequence[str], channel_id: int | None) -> str:
    """A sentence that names the bot's missing permissions in a channel (None: here) and says how to grant them."""
    names_text = f"the permission {names[0]}" if len(names) == 1 else f"the permissions {', '.join(names)}"
    return f"I need {names_text} {_channel_text(channel_id)}. {_GRANT_ADVICE}"


def _channel_text(channel_id: int | None) -> str:
    return "here" if channel_id is None else f"in <#{channel_id}>"


def describe_refusal(client: discord.Client, error: BaseException) -> str:
    """A sentence for the user that explains an error from Discord."""
    if not isinstance(error, discord.HTTPException):
        return "I cannot reach Discord right now."
    if error.code in MISSING_PERMISSION_CODES:
        return _permission_text(client, error)
    if error.code in _TEXTS_BY_CODE:
        return _TEXTS_BY_CODE[error.code]
    if error.status >= 500 or error.status == 429:
        return f"Discord has a problem right now (error {error.status})."
    return f"Discord refuses this ({error.status}, code {error.code}: {error.text[:200]})."


def _permission_text(client: discord.Client, error: discord.HTTPException) -> str:
    """A sentence about the permissions that a refused request needs."""
    request = f"{getattr(error.response, 'method', '')} {getattr(error.response, 'url', '')}"
    needed_permission_names = next(
        names for pattern, names in _PERMISSIONS_BY_REQUEST if re.match(pattern, request)
    )
    match = re.search(r"/channels/(\d+)", request)
    channel_id = int(match[1]) if match else None
    channel = None if channel_id is None else client.get_channel(channel_id)
    if isinstance(channel, discord.Thread) and channel.locked:
        return _TEXTS_BY_CODE[160005]
    missing_permission_names = missing_permissions(_permissions(channel), needed_permission_names)
    if missing_permission_names:
        return missing_permissions_text(missing_permission_names, channel_id)
    names = ", ".join(PERMISSION_NAMES[name] for name in needed_permission_names)
    return f"I lack one of these permissions {_channel_text(channel_id)}: {names}. {_GRANT_ADVICE}"


def _permissions(channel: object) -> discord.Permissions:
    """The bot's permissions in a channel. If the channel is unknown, all permissions are assumed."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return discord.Permissions.all()
    permissions = channel.permissions_for(channel.guild.me)
    # In a thread, other permissions are needed than in its channel.
    permissions.update(
        **{"send_messages" if isinstance(channel, discord.Thread) else "send_messages_in_threads": True}
    )
    return permissions


def is_outage(status: int, content_type: str) -> bool:
    """True if an HTTP response shows an outage of Discord rather than a problem of one request."""
    if status == 403:
        return not content_type.startswith("application/json")
    return status in (401, 429) or status >= 500


def is_temporary(error: Exception) -> bool:
    """True if a failed post may succeed later, because the cause is the network, Discord, or busy workers."""
    if isinstance(error, discord.HTTPException):
        return is_outage(error.status, error.response.headers.get("Content-Type", ""))
    return isinstance(error, (*DISCORD_ERRORS, discord.GatewayNotFound, TooManyQuestions))


# --- delivery problems -----------------------------------------------------------------------------------------------

THREAD_PROBLEM: Final = "place"
"""Kind of delivery problem: the game's thread is missing."""
POSTS_PROBLEM: Final = "posts"
"""Kind of delivery problem: posts in the game's thread fail."""
OUTAGE_TEXT: Final = "Discord has a problem right now."
"""Reason given to users while an outage of Discord prevents posts."""


class DeliveryProblems:
    """The known problems that delay or prevent posts in games' threads, as sentences."""

    def __init__(self, breaker: CircuitBreaker | None = None) -> None:
        self._breaker = breaker
        self._text_by_game_and_kind: dict[tuple[int, str], str] = {}

    def problem_of(self, game_id: int) -> str | None:
        """The sentence about a game's delivery problem; None if no problem is known."""
        thread_problem = self._text_by_game_and_kind.get(
            (game_id, THREAD_PROBLEM)
        )  # first, since its text says what helps
        problem = thread_problem or next(
            (text for (game, _), text in self._text_by_game_and_kind.items() if game == game_id), None
        )
        return problem or (OUTAGE_TEXT if self._breaker is not None and self._breaker.is_open else None)

    def record(self, game_id: int, kind: str, text: str) -> bool:
        """Record a game's delivery problem; True if it is new."""
        is_new = self._text_by_game_and_kind.get((game_id, kind)) != text
        self._text_by_game_and_kind[game_id, kind] = text
        return is_new

    def clear(self, game_id: int, kind: str) -> bool:
        """Forget a game's delivery problem of this kind; True if there was one."""
        return self._text_by_game_and_kind.pop((game_id, kind), None) is not None
