"""Repairing and ending damaged games: for members who may manage threads, confirmed by a button."""

import discord

from bot.client.components import panel
from bot.client.components.buttons import cancel_button, repair_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import after, say, think, unless_stopped
from bot.client.entry.rights import require
from bot.table.games.repair import Mending


class Mends:
    """From `/game mend`, or `/game abandon` in a damaged game, to the public line that says what was done."""

    def __init__(self, mending: Mending) -> None:
        self._mending = mending

    async def ask(self, interaction: discord.Interaction, game_id: int) -> None:
        """Say how the game would be repaired, and ask."""
        await think(interaction)
        plan = await self._mending.plan(game_id)
        says = plan.says()
        sure = [repair_button(game_id, plan.seq, "mend", "Repair the game"), cancel_button(game_id)]
        text = f"Really? {says[0].upper()}{says[1:]}. This cannot be undone."
        await say(interaction, text, view=panel.rows_of(sure))

    async def ask_to_end(self, interaction: discord.Interaction, game_id: int, problem: str) -> None:
        """Ask whether the game is to be ended as it is."""
        await require(interaction, "moderate", game_id)
        sure = [repair_button(game_id, 0, "end", "End the game"), cancel_button(game_id)]
        text = f"{problem}\nReally end it, without a score? This cannot be undone."
        await say(interaction, text, view=panel.rows_of(sure))

    async def confirm(self, interaction: discord.Interaction, game_id: int, seq: int, wish: str) -> None:
        """The `yes`: do it, and answer."""
        await think(interaction)
        async with unless_stopped(interaction):
            done = await self._do(interaction.user.id, game_id, seq, wish)
        with after(done):
            await edit_pressed(interaction, content=done, view=None)

    async def _do(self, user_id: int, game_id: int, seq: int, wish: str) -> str:
        if wish == "end":
            return await self._mending.end(game_id, user_id)
        outcome = await self._mending.mend(game_id, user_id, seq)
        return "\n".join(outcome.lines)
