"""`/game`: commands for open games: new, join, leave, seats, start and abandon; *Rematch*."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.buttons import REMATCH_ID
from bot.client.command_groups import game
from bot.client.component import Component
from bot.client.entry.replies import defer, reply, reply_stored, stored_but_not_shown
from bot.client.entry.rights import needs, server_here
from bot.client.features.lobby_messages import do_choice, give_up, open_lobby, ping_host, update_after
from bot.client.features.proposals import propose_or_join
from bot.client.features.repair import ask_to_end
from bot.client.parameters import GameNumber, Listed, Name
from bot.client.places.game_channels import for_another, for_new_game, require_place
from bot.client.which_game import (
    game_meant,
    lobby_choices,
    lobby_options,
    lobby_profiles,
    open_game,
    options_named,
    title_choices,
    title_options,
    title_profiles,
)
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.lobby import Opener
from bot.table.rights import Right
from bot.table.settings.game_rules import chosen_rules, differences_command, read_title
from bot.table.settings.server_settings import server_settings
from bot.table.votes.moderation import EndProposal
from bot.table.votes.seat_proposals import own_seat
from engine import Title
from storage import Database, GameRow, games

RULEBOOK = "rulebook"
"""The reading of the rules that is played where nothing else is said."""


@game.command(name="new", extras=needs("ask"))
@app_commands.describe(
    title="Which game",
    profile="Which rules profile; default: the server's choice, else the rulebook",
    options="Optional rules of the title, separated by commas",
)
@app_commands.autocomplete(title=title_choices, profile=title_profiles, options=title_options)
async def new(
    interaction: BotInteraction, title: Name, profile: Name | None = None, options: Listed = ""
) -> None:
    """Open a game that others can join."""
    await defer(interaction)
    bot, server = interaction.client, server_here(interaction)
    venue = await for_new_game(interaction, bot.tables.db)
    require_place(interaction, venue, "The game was not opened.")
    known, chosen = await _title_and_profile(bot.tables.db, server, title, profile)
    if isinstance(venue, discord.ForumChannel):
        await bot.threads.forums.prepare_forum(venue, known.name)
    by = Opener(interaction.user.id, interaction.user.display_name, venue.id)
    lobby = await bot.lobbies.new(server, by, known.id, chosen, options.split(","))
    await open_lobby(interaction, lobby)


async def _title_and_profile(db: Database, server: int, title: str, profile: str | None) -> tuple[Title, str]:
    """The title and profile, as typed or as the server prefers."""
    usual, known = await server_settings(db, server), read_title(title)
    return known, profile or (usual.profile if usual.profile in known.spec.profiles else RULEBOOK)


@game.command(name="join", extras=needs("look", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def join(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Take a seat in a game that has not started."""
    await _choose(interaction, number, "join")


@game.command(name="leave", extras=needs("sit", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def leave(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Give up your seat in a game that has not started."""
    await _choose(interaction, number, "leave")


@game.command(name="start", extras=needs("sit", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def start(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Start a game whose players have joined."""
    await _choose(interaction, number, "start")


@game.command(name="options", extras=needs("sit", game="number"))
@app_commands.describe(
    options="Optional rules of the title, separated by commas, or: none",
    profile="Which rules profile",
    number="The game's number; default: the newest in this channel",
)
@app_commands.autocomplete(options=lobby_options, profile=lobby_profiles, number=lobby_choices)
async def options_(
    interaction: BotInteraction,
    options: Listed | None = None,
    profile: Name | None = None,
    number: GameNumber | None = None,
) -> None:
    """Change the rules of a game that has not started."""
    await defer(interaction)
    lobby = await interaction.client.lobbies.choose(
        await open_game(interaction, number), interaction.user.id, profile, options_named(options)
    )
    done = f"The rules of game {lobby.row.id} are changed."
    await update_after(interaction.client, lobby.row.id, done)
    with stored_but_not_shown(done):
        await reply(interaction, chosen_rules(lobby.row) + differences_command(lobby.row))


# --- the seating order -----------------------------------------------------------------------------------------------

Arrange: TypeAlias = Callable[[BotInteraction, int, tuple[int, ...]], Awaitable[None]]
"""Puts these people into the seats of a game, in this order, and answers."""
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The seats of the largest table."""


def add_seats(group: app_commands.Group, arrange: Arrange, right: Right) -> None:
    """Add the command to a group, for users with this right, with a parameter for each seat of the largest table."""

    @group.command(name="seats", extras=needs(right, game="number"))
    @app_commands.describe(
        number="The game's number; default: the newest in this channel",
        **{place: f"{place.capitalize()} seat" for place in PLACES},
    )
    @app_commands.autocomplete(number=lobby_choices)
    async def seats(
        interaction: BotInteraction,
        first: discord.User,
        second: discord.User,
        third: discord.User | None = None,
        fourth: discord.User | None = None,
        fifth: discord.User | None = None,
        sixth: discord.User | None = None,
        seventh: discord.User | None = None,
        eighth: discord.User | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Fix the seating order instead of drawing it."""
        await defer(interaction)
        named = (first, second, third, fourth, fifth, sixth, seventh, eighth)
        order = tuple(user.id for user in named if user is not None)
        await arrange(interaction, await open_game(interaction, number), order)


async def _arrange(interaction: BotInteraction, number: int, order: tuple[int, ...]) -> None:
    lobby = await interaction.client.lobbies.arrange(number, interaction.user.id, order)
    done = "The seats are fixed: " + ", ".join(seat.display_name for seat in lobby.seats) + "."
    await update_after(interaction.client, lobby.row.id, done)
    await reply_stored(interaction, done)


add_seats(game, _arrange, "sit")


# --- giving up -------------------------------------------------------------------------------------------------------


@game.command(name="abandon", extras=needs("look", game="number"))
@app_commands.describe(number="The number of an open game; default: the game of this thread")
async def abandon(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Abandon an open game, or propose to end a running one."""
    await defer(interaction)
    row = await games.get_game(interaction.client.tables.db, await game_meant(interaction, number))
    if row.status == "lobby":
        await give_up(interaction, await interaction.client.lobbies.read(row.id))
        return
    problem = await interaction.client.tables.damage(row.id) if row.status == "running" else None
    if problem is not None:
        if interaction.channel_id not in (row.thread_id, row.channel_id):
            raise Refused(f"{problem} Use this command in the game's thread or channel.")
        await ask_to_end(interaction, row.id, problem)
        return
    by = interaction.user.id

    def subject(live: LiveGame) -> EndProposal:
        own_seat(live, by)
        return EndProposal()

    await propose_or_join(interaction, row.id, subject)


async def _choose(interaction: BotInteraction, number: int | None, choice: str) -> None:
    await defer(interaction)
    done = await do_choice(interaction, await open_game(interaction, number), choice)
    await reply_stored(interaction, done)


# --- the same table again --------------------------------------------------------------------------------------------


class RematchButton(Component):
    """The *Rematch* button."""

    template = REMATCH_ID
    # Those who played may play again, and ask the others.
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Open a rematch, or take a seat in the open one. Raises Refused."""
        rematches = interaction.client.rematches
        async with rematches.locks.of(self.game):
            old = await rematches.ended_game(self.game)
            rematch = await rematches.find_rematch(self.game)
            if rematch is None:
                await _open_again(interaction, old)
            elif rematch.status == "lobby":
                await _join_again(interaction, rematch)
            else:
                await reply(
                    interaction, f"Game {rematch.id} is the rematch of this one: <#{rematch.thread_id}>."
                )


async def _open_again(interaction: BotInteraction, old: GameRow) -> None:
    bot, user = interaction.client, interaction.user
    venue = await for_another(interaction, bot.tables.db, old)
    require_place(interaction, venue, "The game was not opened.")
    if isinstance(venue, discord.ForumChannel):
        await bot.threads.forums.prepare_forum(venue, old.name)
    lobby = await bot.rematches.open_rematch(old, Opener(user.id, user.display_name, venue.id))
    await open_lobby(interaction, lobby)


async def _join_again(interaction: BotInteraction, open_: GameRow) -> None:
    bot, user = interaction.client, interaction.user
    lobby = await bot.lobbies.read(open_.id)
    # In a forum the lobby is a post.
    place = open_.channel_id if bot.threads.forums.forum_of(open_) is None else open_.thread_id
    if any(seat.user_id == user.id for seat in lobby.seats):
        await reply(interaction, f"Game {open_.id} is open for a rematch, in <#{place}>.")
        return
    lobby = await bot.lobbies.join(open_.id, user.id, user.display_name)
    done = f"You have a seat in game {open_.id}, in <#{place}>."
    await update_after(bot, open_.id, done)
    await ping_host(bot, lobby, user.id)
    await reply_stored(interaction, done)
