"""`/mod`: what moderators of games do."""

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.callbacks.component import Component
from bot.client.commands.completion import person, seated, stays
from bot.client.commands.typed import GameNumber, Listed, Name, Number
from bot.client.commands.which_game import (
    lobby_choices,
    lobby_options,
    lobby_profiles,
    options_named,
)
from bot.client.components.buttons import MODERATION_ID
from bot.client.entry.replies import after, say, think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import server_here
from bot.client.features.lobby import add_seats
from bot.client.moves.acting_as import MODERATOR
from bot.table.errors import Refused
from bot.table.settings.server_settings import choose_moderator_role, moderator_role
from bot.table.votes.seating import handing, seat_meant

mod = app_commands.Group(name="mod", description="For moderators of games.", guild_only=True)


@mod.command(
    name="replace",
    extras=needs("moderate"),
)
@app_commands.describe(
    player="Whose seat it is",
    newcomer="Who takes the seat over, and is asked; default: a caretaker, the computer, plays it",
)
@app_commands.autocomplete(player=seated)
async def replace(interaction: BotInteraction, player: Name, newcomer: discord.User | None = None) -> None:
    """Ask a member to take over a seat, or let the caretaker play it."""
    await think(interaction)
    if newcomer is None:
        await interaction.client.moderation.let_caretaker_play(interaction, game_here(interaction), player)
        return
    by, who = interaction.user.id, person(newcomer)
    await interaction.client.proposal_posts.propose(
        interaction,
        game_here(interaction),
        lambda live: handing(live, by, seat_meant(live, player), who, "moderator"),
    )


@mod.command(name="act", extras=needs("moderate"))
@app_commands.describe(player="For whom")
@app_commands.autocomplete(player=seated)
async def act(interaction: BotInteraction, player: Name) -> None:
    """Make a move for a seat whose turn it is, by menus."""
    wizard = interaction.client.wizard
    await wizard.begin_for(
        interaction, game_here(interaction), lambda live: seat_meant(live, player), MODERATOR
    )


@mod.command(name="undo", extras=needs("moderate"))
@app_commands.describe(to="The last move that stays; what comes after it is shown before anything is done")
@app_commands.autocomplete(to=stays)
async def undo(interaction: BotInteraction, to: Number) -> None:
    """Take this game back to where it stood after a move."""
    await interaction.client.moderation.undo(interaction, game_here(interaction), to)


@mod.command(name="end", extras=needs("moderate"))
async def end(interaction: BotInteraction) -> None:
    """End this game here, scored as it stands."""
    await interaction.client.moderation.end(interaction, game_here(interaction), "end")


@mod.command(name="abandon", extras=needs("moderate"))
async def abandon(interaction: BotInteraction) -> None:
    """End this game here, without a score."""
    await interaction.client.moderation.end(interaction, game_here(interaction), "abandon")


@mod.command(name="close", extras=needs("moderate"))
@app_commands.describe(number="The game's number")
@app_commands.autocomplete(number=lobby_choices)
async def close(interaction: BotInteraction, number: GameNumber) -> None:
    """Close a game that has not started."""
    await interaction.client.moderation.close(interaction, number)


@mod.command(name="options", extras=needs("moderate"))
@app_commands.describe(
    number="The game's number",
    options="Optional rules of the title, with commas between them, or: none",
    profile="Which reading of the rules",
)
@app_commands.autocomplete(number=lobby_choices, options=lobby_options, profile=lobby_profiles)
async def options_(
    interaction: BotInteraction,
    number: GameNumber,
    options: Listed | None = None,
    profile: Name | None = None,
) -> None:
    """Correct the rules of a game that has not started."""
    await interaction.client.moderation.choose(interaction, number, profile, options_named(options))


async def _arrange(interaction: BotInteraction, number: int, order: tuple[int, ...]) -> None:
    await interaction.client.moderation.arrange(interaction, number, order)


@mod.command(
    name="role",
    extras=needs("manage"),
)
@app_commands.describe(
    role="Choose this role; default: show which it is",
    without="Choose no role: members who may manage threads moderate",
)
async def role_(interaction: BotInteraction, role: discord.Role | None = None, without: bool = False) -> None:
    """The role whose holders moderate games: shows or chooses it, or goes without one."""
    await think(interaction)
    if role is not None and without:
        raise Refused("Either a role or `without:True`, not both.")
    db, guild_id = interaction.client.tables.db, server_here(interaction)
    if role is None and not without:
        await say(interaction, _moderated_by(await moderator_role(db, guild_id)))
        return
    number = None if role is None else role.id
    await choose_moderator_role(db, guild_id, number)
    with after("The role is chosen." if role is not None else "No role is chosen."):
        await say(interaction, f"From now on: {_moderated_by(number)}")


def _moderated_by(role: int | None) -> str:
    """Who moderates games, and how that is changed."""
    if role is None:
        return "No role is chosen: members who may manage threads moderate games here. `/mod role role:` chooses one."
    return f"Members with <@&{role}> moderate games here. `/mod role without:True` goes without a role again."


add_seats(mod, _arrange, "moderate")


class ModerationButton(Component):
    """The `yes` to what a moderator is about to do."""

    template = MODERATION_ID
    right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.moderation.confirm(
            interaction, self.game, self.seq, self.choice, self.number
        )
