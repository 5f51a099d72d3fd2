"""`/game repair` and `/game move-here`: a game is shown again, a damaged one is repaired or ended."""

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.callbacks.component import Component
from bot.client.commands.typed import GameNumber
from bot.client.commands.which_game import running_choices
from bot.client.components.buttons import REPAIR_ID
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs
from bot.client.features.lobby import game


@game.command(
    name="repair",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def repair(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Repair a game: its thread, its buttons, its log, or a hold after a change of rules."""
    game_id = game_here(interaction) if number is None else number
    await interaction.client.repairs.repair(interaction, game_id)


@game.command(name="move-here", extras=needs("moderate"))
@app_commands.describe(number="The game's number")
@app_commands.autocomplete(number=running_choices)
async def move_here(interaction: BotInteraction, number: GameNumber) -> None:
    """Continue a game in a new thread of this channel."""
    await interaction.client.repairs.move_here(interaction, number)


class RepairButton(Component):
    """The `yes` to repairing or ending a damaged game."""

    template = REPAIR_ID
    right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.damaged_games.confirm(interaction, self.game, self.seq, self.choice)
