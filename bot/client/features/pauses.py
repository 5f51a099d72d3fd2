"""`/game pause`, `/game resume`, and the same of moderators: no move is taken in a paused game."""

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.entry.replies import after, say, think
from bot.client.entry.requirements import needs
from bot.client.features.lobby import game
from bot.client.features.moderation import mod
from bot.table.rights import Right
from bot.table.votes.pauses import PauseProposal


def _add(group: app_commands.Group, right: Right) -> None:
    """Add both commands to a group, for users with this right."""

    @group.command(name="pause", extras=needs(right))
    @app_commands.describe(days="For how many days; default: until it is resumed")
    async def pause(interaction: BotInteraction, days: app_commands.Range[int, 1, 365] | None = None) -> None:
        """Let this game pause: no move is taken."""
        await think(interaction)
        bot, game_id, by = interaction.client, game_here(interaction), interaction.user.id
        alone = right != "moderate"
        why = await bot.pausing.why_not_alone(game_id, by, days) if alone else None
        if why is not None:
            await bot.proposal_posts.propose(interaction, game_id, lambda _: PauseProposal(days), why)
            return
        done = await bot.pausing.begin(game_id, by, days, alone=alone)
        with after(done):
            await say(interaction, done)

    @group.command(name="resume", extras=needs(right))
    async def resume(interaction: BotInteraction) -> None:
        """Resume this game after a pause, or its caretaker after an undo."""
        await think(interaction)
        done = await interaction.client.pausing.end(game_here(interaction), interaction.user.id)
        with after(done):
            await say(interaction, done)


_add(game, "play")
_add(mod, "moderate")
