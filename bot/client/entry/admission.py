"""Admission: rate limits for every command, click and completion."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any, Final

import discord

from bot.client.entry.replies import reply
from bot.client.requests.permission_problems import Problem
from bot.table.log_context import bind
from bot.table.rate_limits import Kind, RateLimiter, RetryAfter, Scope

_log = logging.getLogger("stationmaster.gate")

LONGEST_TYPED: Final = 1000
"""Characters of any text that is looked at; Discord takes 6000."""
RESTARTING: Final = "The bot is restarting. Nothing is lost; please try again in a minute."
TOO_LONG: Final = f"That text is too long: the limit is {LONGEST_TYPED} characters."


class Admission:
    """Admits requests within the rate limits until it is closed, and counts those in progress."""

    def __init__(self, rate_limiter: RateLimiter) -> None:
        self.rate_limiter = rate_limiter
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.on_act: Callable[[int], None] = lambda game_id: None
        """Run with the game in whose thread somebody acts."""

    @property
    def idle(self) -> bool:
        """True if no request is in progress."""
        return not self._under_way

    async def admits(self, interaction: discord.Interaction[Any], kind: Kind) -> bool:
        """True if a request of this kind is admitted; otherwise the user gets the reason, not too often."""
        game = interaction.client.tables.game_in(interaction.channel_id)
        bind(game=game, server=interaction.guild_id, request=interaction.id)
        refusal = self._refusal(interaction, kind)
        if refusal is None:
            self._log_refusals()
            if game is not None and interaction.type is not discord.InteractionType.autocomplete:
                self.on_act(game)
            return True
        try:
            await self._say_refusal(interaction, refusal)
        except Problem as error:
            _log.info("a request was refused, but the answer failed: %s", error)
        return False

    async def close(self, seconds: float) -> None:
        """Refuse new requests, and let those in progress finish within N seconds."""
        self._closed = True
        under_way = self._under_way - {asyncio.current_task()}
        if under_way:
            _, left = await asyncio.wait(under_way, timeout=seconds)
            if left:
                _log.warning("%s requests are not finished", len(left))

    async def _say_refusal(self, interaction: discord.Interaction[Any], refusal: str) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif self.rate_limiter.ask(Kind.WORD, interaction.user.id, interaction.guild_id) is None:
            await reply(interaction, refusal)

    def _refusal(self, interaction: discord.Interaction[Any], kind: Kind) -> str | None:
        if self._closed:
            return RESTARTING
        if any(len(text) > LONGEST_TYPED for text in _typed(interaction.data)):
            return TOO_LONG
        retry = self.rate_limiter.ask(kind, interaction.user.id, interaction.guild_id)
        return None if retry is None else _please_wait(kind, retry)

    def _log_refusals(self) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)


def _typed(data: Any) -> Iterator[str]:
    """Every typed text in a command's options or a form's fields."""
    for part in (*data.get("options", ()), *data.get("components", ()), data.get("component")):
        if part is not None:
            if isinstance(part.get("value"), str):
                yield part["value"]
            yield from _typed(part)


def _please_wait(kind: Kind, retry: RetryAfter) -> str:
    asked = "You have asked" if retry.whose is Scope.PERSON else "This server has asked"
    seconds = ceil(retry.seconds)
    rest = "" if kind is Kind.MOVE else " You can still make moves."
    return (
        f"{asked} for too many {kind.value} in a short time. Please wait {seconds} "
        f"second{'' if seconds == 1 else 's'} and try again.{rest}"
    )
