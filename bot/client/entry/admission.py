"""The entry check of commands, clicks and autocomplete: rate limits, length of typed texts, shutdown."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any, Final

import discord

from bot.client.entry.replies import reply
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.log_context import bind
from bot.table.rate_limits import ExceededLimit, RateLimiter, RateLimitScope, RequestKind

_log = logging.getLogger("stationmaster.gate")

MAX_TYPED_LENGTH: Final = 1000
"""Longest text that a user may type, in characters; Discord's limit is 6000."""
RESTARTING_TEXT: Final = "The bot is restarting. Nothing is lost; please try again in a minute."
INPUT_TOO_LONG_TEXT: Final = f"That text is too long: the limit is {MAX_TYPED_LENGTH} characters."
ALLOWANCE_USED_UP_TEXTS: Final = {
    RequestKind.MOVE: "made too many moves",
    RequestKind.QUESTION: "asked too many questions",
    RequestKind.PICTURE: "asked for too many pictures",
}
"""By kind of request: words for a user or server that has used up its allowance."""


class Admission:
    """Admits interactions within the rate limits and counts those in progress. After `close` it admits no more."""

    def __init__(self, rate_limiter: RateLimiter) -> None:
        self.rate_limiter = rate_limiter
        self._requests_in_progress: set[asyncio.Task[Any]] = set()
        self._is_closed = False
        self.on_act: Callable[[int], None] = lambda game_id: None
        """Called with a game's id when a user uses a command or component in its thread."""

    @property
    def is_idle(self) -> bool:
        """True if no interaction is in progress."""
        return not self._requests_in_progress

    async def admits(self, interaction: discord.Interaction[Any], kind: RequestKind) -> bool:
        """True if an interaction is admitted. If not, the user is told why, within a rate limit."""
        game = interaction.client.tables.game_shown_in(interaction.channel_id)
        bind(game=game, server=interaction.guild_id, request=interaction.id)
        refusal = self._refusal_text(interaction, kind)
        if refusal is None:
            self._track_request()
            if game is not None and interaction.type is not discord.InteractionType.autocomplete:
                self.on_act(game)
            return True
        try:
            await self._send_refusal(interaction, refusal)
        except DISCORD_ERRORS as error:
            _log.info("cannot answer a request that was refused: %s", error)
        return False

    async def close(self, timeout_seconds: float) -> None:
        """Refuse new interactions, and wait up to `timeout_seconds` for those in progress."""
        self._is_closed = True
        running_requests = self._requests_in_progress - {asyncio.current_task()}
        if running_requests:
            _, unfinished_requests = await asyncio.wait(running_requests, timeout=timeout_seconds)
            if unfinished_requests:
                _log.warning("%s requests have not finished", len(unfinished_requests))

    async def _send_refusal(self, interaction: discord.Interaction[Any], refusal: str) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif (
            self.rate_limiter.count_request(RequestKind.WARNING, interaction.user.id, interaction.guild_id)
            is None
        ):
            await reply(interaction, refusal)

    def _refusal_text(self, interaction: discord.Interaction[Any], kind: RequestKind) -> str | None:
        if self._is_closed:
            return RESTARTING_TEXT
        if any(len(text) > MAX_TYPED_LENGTH for text in _typed_texts(interaction.data)):
            return INPUT_TOO_LONG_TEXT
        exceeded_limit = self.rate_limiter.count_request(kind, interaction.user.id, interaction.guild_id)
        return None if exceeded_limit is None else _rate_limit_text(kind, exceeded_limit)

    def _track_request(self) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._requests_in_progress.add(task)
            task.add_done_callback(self._requests_in_progress.discard)


def _typed_texts(data: Any) -> Iterator[str]:
    for option in (*data.get("options", ()), *data.get("components", ()), data.get("component")):
        if option is not None:
            if isinstance(option.get("value"), str):
                yield option["value"]
            yield from _typed_texts(option)


def _rate_limit_text(kind: RequestKind, exceeded_limit: ExceededLimit) -> str:
    limited_party_text = "You have" if exceeded_limit.scope is RateLimitScope.USER else "This server has"
    seconds = ceil(exceeded_limit.seconds)
    moves_allowed_note = "" if kind is RequestKind.MOVE else " You can still make moves."
    return (
        f"{limited_party_text} {ALLOWANCE_USED_UP_TEXTS.get(kind, 'sent too many requests')} in a short time. "
        f"Please wait {seconds} second{'' if seconds == 1 else 's'} and try again.{moves_allowed_note}"
    )
