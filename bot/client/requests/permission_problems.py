"""Discord's refusals in words, with missing permissions; and delivery problems by game."""

import re
from collections.abc import Sequence
from typing import Final

import aiohttp
import discord

from bot.client.requests.permissions_and_invitation import PERMISSION_NAMES, TABLE, lacking
from bot.table.outbox.circuit_breaker import CircuitBreaker

_NEEDS: Final = (
    (r"POST .*/messages/\d+/threads", ("view_channel", "create_public_threads")),
    (r"PUT .*/pins/\d+", ("view_channel", "pin_messages")),
    (r"POST .*/messages", (*TABLE[:2], *TABLE[3:6])),
    (r"PATCH .*/messages/\d+", ("view_channel",)),
    (r"PATCH .*/channels/\d+", ("view_channel", "manage_threads")),
    (r"GET .*/messages", ("view_channel", "read_message_history")),
    (r".*", ("view_channel",)),
)
"""Permissions that each of our requests needs."""
UNKNOWN_CHANNEL: Final = 10003
"""Discord's code for a channel or thread that is gone."""
MISSING: Final = (50001, 50013)
"""Discord's codes for a channel that cannot be seen, and for a missing permission."""
_SENTENCES: Final = {
    UNKNOWN_CHANNEL: "The channel or thread was deleted.",
    10008: "The message was deleted.",
    10062: "The answer came too late for Discord.",
    40060: "The bot has already answered this press.",
    50027: "The answer came too late for Discord.",
    50083: "The thread is archived. A member who may manage threads must reopen it, and unlock it if it "
    "is locked.",
    160005: "The thread is locked. A member who may manage threads must unlock it.",
    160006: "There are too many threads here. A member who may manage threads must archive some.",
}
"""Meaning of Discord's codes for a person."""

_GIVEN: Final = (
    "A member who manages this server can give it to my role: in Server Settings under Roles, or "
    "in the channel's settings under Permissions."
)
Problem: Final = (
    discord.HTTPException,
    discord.RateLimited,
    aiohttp.ClientError,
    OSError,
    TimeoutError,
)
"""Refusals of Discord, or failures on the way to it."""


def missing(names: Sequence[str], channel_id: int | None) -> str:
    """Sentences about missing permissions in a channel, with instructions."""
    which = f"the permission {names[0]}" if len(names) == 1 else f"the permissions {', '.join(names)}"
    return f"I cannot do that {_in_channel(channel_id)}: I need {which}. {_GIVEN}"


def _in_channel(channel_id: int | None) -> str:
    return "here" if channel_id is None else f"in <#{channel_id}>"


def describe_refusal(client: discord.Client, error: BaseException) -> str:
    """Discord's refusal in sentences."""
    if not isinstance(error, discord.HTTPException):
        return "I cannot reach Discord right now."
    if error.code in MISSING:
        return _permission(client, error)
    if error.code in _SENTENCES:
        return _SENTENCES[error.code]
    if error.status >= 500 or error.status == 429:
        return f"Discord has a problem right now (error {error.status})."
    return f"Discord refuses this ({error.status}, code {error.code}: {error.text[:200]})."


def _permission(client: discord.Client, error: discord.HTTPException) -> str:
    """The missing permission: those the request needs, less those we have."""
    request = f"{getattr(error.response, 'method', '')} {getattr(error.response, 'url', '')}"
    wanted = next(names for pattern, names in _NEEDS if re.match(pattern, request))
    match = re.search(r"/channels/(\d+)", request)
    channel_id = int(match[1]) if match else None
    channel = None if channel_id is None else client.get_channel(channel_id)
    if isinstance(channel, discord.Thread) and channel.locked:
        return _SENTENCES[160005]
    absent = lacking(_permissions(channel), wanted)
    if absent:
        return missing(absent, channel_id)
    names = ", ".join(PERMISSION_NAMES[name] for name in wanted)
    return f"I cannot do that {_in_channel(channel_id)}: I lack one of these permissions: {names}. {_GIVEN}"


def _permissions(channel: object) -> discord.Permissions:
    """Our permissions in a channel; all of them if unknown."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return discord.Permissions.all()
    held = channel.permissions_for(channel.guild.me)
    # In a thread other rights count than in its channel.
    held.update(
        **{"send_messages" if isinstance(channel, discord.Thread) else "send_messages_in_threads": True}
    )
    return held


def is_outage(status: int, content_type: str) -> bool:
    """True if an answer means an outage, rather than something about the request."""
    if status == 403:
        return not content_type.startswith("application/json")
    return status in (401, 429) or status >= 500


def is_temporary(error: Exception) -> bool:
    """True if the error says nothing about the post: the network or Discord as a whole fails."""
    if isinstance(error, discord.HTTPException):
        return is_outage(error.status, error.response.headers.get("Content-Type", ""))
    return isinstance(error, (*Problem, discord.GatewayNotFound))


# --- what keeps a game from being shown ------------------------------------------------------------------------------

PLACE: Final = "place"
"""The key of a problem with the thread itself."""
POSTS: Final = "posts"
"""The key of a problem with posts in it."""
OUTAGE: Final = "Discord has a problem right now."
"""Why no thread shows anything new in an outage."""


class DeliveryProblems:
    """Problems with posting in some games, in sentences."""

    def __init__(self, breaker: CircuitBreaker | None = None) -> None:
        self._breaker = breaker
        self._texts: dict[tuple[int, str], str] = {}

    def problem_of(self, game_id: int) -> str | None:
        """The reason why a game's thread is incomplete; None if no problem is known."""
        place = self._texts.get((game_id, PLACE))  # it says what helps
        found = place or next((text for (game, _), text in self._texts.items() if game == game_id), None)
        return found or (OUTAGE if self._breaker is not None and self._breaker.is_open else None)

    def record(self, game_id: int, what: str, text: str) -> bool:
        """Record a delivery problem; True if it is new."""
        news = self._texts.get((game_id, what)) != text
        self._texts[game_id, what] = text
        return news

    def clear(self, game_id: int, what: str) -> bool:
        """Clear a problem after a successful post; True if there was one."""
        return self._texts.pop((game_id, what), None) is not None
