"""Private answers that say that a move was made: each goes with the user's next press in the game."""

import logging
from typing import Final

import discord

from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.bounded_caches import BoundedDict

_log = logging.getLogger("stationmaster.replies")

MAX_REMEMBERED: Final = 500
"""Most answers that are remembered; one that is dropped stays, as one from before a restart does."""


class DoneAnswers:
    """The last such answer of each user in a game, while Discord lets it be deleted."""

    def __init__(self) -> None:
        self._shown: BoundedDict[tuple[int, int], discord.Interaction] = BoundedDict(MAX_REMEMBERED)

    def remember(self, interaction: discord.Interaction, game_id: int) -> None:
        """Remember the answer to a command, or to a click in a private message, which is edited."""
        self._shown[interaction.user.id, game_id] = interaction

    async def delete(self, user_id: int, game_id: int) -> None:
        """Delete the user's last answer in a game, if any. Never raises Discord's errors."""
        interaction = self._shown.pop((user_id, game_id), None)
        if interaction is None or interaction.is_expired():
            return
        try:
            await interaction.delete_original_response()
        except DISCORD_ERRORS as error:
            _log.info("cannot delete an answer: %r", error)
