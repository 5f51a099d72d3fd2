"""Damaged games and games on hold: what a moderator must consent to is shown with its consequences, and a button."""

import discord

from bot.client.bot_client import BotInteraction
from bot.client.buttons import POSITION, Button, cancel_button, moderation_button, rows_of
from bot.client.component import Component
from bot.client.entry.acknowledging import edit_pressed, is_private
from bot.client.entry.replies import after, say, unless_stopped
from bot.client.entry.rights import moderates, require
from bot.table.games.repair import RepairPlan


async def ask(interaction: BotInteraction, game_id: int, plan: RepairPlan) -> None:
    """Say what is wrong and how the game would be repaired, and ask a moderator."""
    says = plan.says()
    text = f"{plan.problem}\n{says[0].upper()}{says[1:]}. Repair the game? This cannot be undone."
    await _ask(interaction, game_id, text, repair_button(game_id, plan.seq, "mend", "Repair the game"))


async def ask_to_accept(interaction: BotInteraction, game_id: int, seq: int, why: str) -> None:
    """Say why a game is on hold, and ask a moderator whether it continues from its position."""
    text = f"{why}\nContinue from here? No earlier move can be undone afterwards."
    await _ask(interaction, game_id, text, moderation_button(game_id, seq, "accept", 0, "Continue from here"))


async def ask_to_end(interaction: BotInteraction, game_id: int, problem: str) -> None:
    """Ask whether the game is to be ended as it is."""
    await require(interaction, "moderate", game_id)
    sure = [repair_button(game_id, 0, "end", "End the game"), cancel_button(game_id)]
    text = f"{problem}\nReally end it, without a score? This cannot be undone."
    await say(interaction, text, view=rows_of(sure))


class RepairButton(Component):
    """The `yes` to repairing or ending a damaged game."""

    template = rf"m:{POSITION}:(?P<choice>mend|end)"
    right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, and answer."""
        async with unless_stopped(interaction):
            done = await _do(interaction, self.game, self.seq, self.choice)
        with after(done):
            await close_question(interaction, done)


def repair_button(game: int, seq: int, choice: str, label: str) -> Button:
    """The `yes` to repairing (`mend`) or ending (`end`) a damaged game."""
    style = discord.ButtonStyle.danger
    return discord.ui.Button(label=label, style=style, custom_id=f"m:{game}:{seq}:{choice}")


async def _do(interaction: BotInteraction, game_id: int, seq: int, choice: str) -> str:
    repair, user_id = interaction.client.game_repair, interaction.user.id
    if choice == "end":
        return await repair.end(game_id, user_id)
    outcome = await repair.carry_out(game_id, user_id, seq)
    return "\n".join(outcome.lines)


async def close_question(interaction: BotInteraction, done: str) -> None:
    """Put the outcome in place of a question; where all see it, the outcome is posted already."""
    content = done if is_private(interaction) else f"<@{interaction.user.id}> agreed."
    await edit_pressed(interaction, content=content, view=None)


async def _ask(interaction: BotInteraction, game_id: int, text: str, yes: Button) -> None:
    """Ask a moderator: privately if a moderator is the user, else where all see it and a moderator can agree."""
    if await moderates(interaction):
        await say(interaction, text, view=rows_of([yes, cancel_button(game_id)]))
        return
    await say(interaction, f"Game {game_id} needs a moderator. The question is posted here for them.")
    await interaction.followup.send(text, view=rows_of([yes]), silent=True)
