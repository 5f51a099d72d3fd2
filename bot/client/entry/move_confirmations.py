"""Private confirmations of moves; each is deleted when the user next acts in the game."""

import logging
from typing import Final

import discord

from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.bounded_caches import BoundedDict

_log = logging.getLogger("stationmaster.replies")

MAX_REMEMBERED_CONFIRMATIONS: Final = 500
"""Number of confirmations remembered. Older ones, and those from before a restart, are never deleted."""


class MoveConfirmations:
    """Each user's last private confirmation of a move in each game, kept while Discord allows its deletion."""

    def __init__(self) -> None:
        self._last_interactions: BoundedDict[tuple[int, int], discord.Interaction] = BoundedDict(
            MAX_REMEMBERED_CONFIRMATIONS
        )

    def remember(self, interaction: discord.Interaction, game_id: int) -> None:
        """Remember an interaction's private reply as the user's last confirmation in this game."""
        self._last_interactions[interaction.user.id, game_id] = interaction

    async def delete(self, user_id: int, game_id: int) -> None:
        """Delete the user's last confirmation in a game, if any. Discord's errors are logged, not raised."""
        interaction = self._last_interactions.pop((user_id, game_id), None)
        if interaction is None or interaction.is_expired():
            return
        try:
            await interaction.delete_original_response()
        except DISCORD_ERRORS as error:
            _log.info("cannot delete an answer: %r", error)
