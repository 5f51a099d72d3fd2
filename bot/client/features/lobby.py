"""Lobby commands of `/game` (new, join, leave, start, options, seats, abandon), and the *Rematch* button."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.buttons import REMATCH_BUTTON_PATTERN
from bot.client.command_groups import game
from bot.client.component import Component
from bot.client.entry.replies import defer, reply, reply_after_storing, wrap_as_stored_but_failed
from bot.client.entry.rights import needs, server_id_here
from bot.client.features.lobby_messages import (
    abandon_lobby,
    do_lobby_action,
    open_lobby,
    ping_host,
    update_message_after_change,
)
from bot.client.features.proposals import propose_or_agree
from bot.client.features.repair import ask_to_end
from bot.client.parameters import GameNumber, Name, NameList
from bot.client.places.game_channels import new_game_venue, rematch_venue, require_permissions
from bot.client.which_game import (
    chosen_game,
    chosen_lobby,
    lobby_choices,
    lobby_option_choices,
    lobby_profile_choices,
    new_game_title_choices,
    read_option_names,
    title_option_choices,
    title_profile_choices,
)
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.lobby import LobbyOpener
from bot.table.rights import Right
from bot.table.settings.game_rules import chosen_rules, differences_hint, read_title
from bot.table.settings.server_settings import ServerSettings, server_settings
from bot.table.votes.moderation import EndProposal
from bot.table.votes.seat_proposals import own_seat
from engine import Title
from storage import GameRow, games

DEFAULT_PROFILE = "rulebook"
"""Rules profile of a new game if neither the server nor the host has chosen one."""


@game.command(name="new", extras=needs("ask"))
@app_commands.describe(
    title="Which game",
    profile="Whose rules: the rulebook's or those of 18xx.games; default: the server's choice, else the rulebook",
    options="Optional rules of the title, separated by commas",
)
@app_commands.autocomplete(
    title=new_game_title_choices, profile=title_profile_choices, options=title_option_choices
)
async def create_game(
    interaction: BotInteraction, title: Name, profile: Name | None = None, options: NameList = ""
) -> None:
    """Open a game that others can join."""
    await defer(interaction)
    bot, server_id = interaction.client, server_id_here(interaction)
    venue = await new_game_venue(interaction, bot.tables.db)
    require_permissions(interaction, venue, "The game was not opened.")
    defaults, chosen_title = await server_settings(bot.tables.db, server_id), read_title(title)
    if isinstance(venue, discord.ForumChannel):
        await bot.threads.forums.prepare_forum(venue, chosen_title.name)
    opener = LobbyOpener(interaction.user.id, interaction.user.display_name, venue.id)
    lobby = await bot.lobbies.open_lobby(
        server_id,
        opener,
        chosen_title.id,
        profile or _default_profile(defaults, chosen_title),
        options.split(","),
        defaults.settings_of_new_game(chosen_title.spec),
    )
    await open_lobby(interaction, lobby, defaults.pinged_role_id)


def _default_profile(defaults: ServerSettings, title: Title) -> str:
    """The rules profile for new games: the server's choice if the title has that profile, or else the title's first."""
    profiles = title.spec.profiles
    return defaults.profile if defaults.profile in profiles else next(iter(profiles))


@game.command(name="join", extras=needs("look", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def join(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Take a seat in a game that has not started."""
    await _do_action_and_reply(interaction, number, "join")


@game.command(name="leave", extras=needs("sit", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def leave(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Give up your seat in a game that has not started."""
    await _do_action_and_reply(interaction, number, "leave")


@game.command(name="start", extras=needs("sit", game="number"))
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=lobby_choices)
async def start(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Start a game whose players have joined."""
    await _do_action_and_reply(interaction, number, "start")


@game.command(name="options", extras=needs("sit", game="number"))
@app_commands.describe(
    options="Optional rules of the title, separated by commas, or: none",
    profile="Whose rules: the rulebook's, or those of 18xx.games",
    number="The game's number; default: the newest in this channel",
)
@app_commands.autocomplete(options=lobby_option_choices, profile=lobby_profile_choices, number=lobby_choices)
async def change_options(
    interaction: BotInteraction,
    options: NameList | None = None,
    profile: Name | None = None,
    number: GameNumber | None = None,
) -> None:
    """Change the rules of a game that has not started."""
    await defer(interaction)
    lobby = await interaction.client.lobbies.choose_rules(
        await chosen_lobby(interaction, number), interaction.user.id, profile, read_option_names(options)
    )
    done_text = f"Game {lobby.row.id} has new rules."
    await update_message_after_change(interaction.client, lobby.row.id, done_text)
    with wrap_as_stored_but_failed(done_text):
        await reply(interaction, chosen_rules(lobby.row) + differences_hint(lobby.row))


# --- the seating order -----------------------------------------------------------------------------------------------

ArrangeSeats: TypeAlias = Callable[[BotInteraction, int, tuple[int, ...]], Awaitable[None]]
"""A function that puts users into a game's seats in a given order, and replies."""
SEAT_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""Names of the parameters of the command `seats`: `first`, `second` ... up to the seats of the largest title."""


def add_seats_command(group: app_commands.Group, arrange_seats: ArrangeSeats, right: Right) -> None:
    """Add the command `seats` to a group. Users need `right` for the command."""

    @group.command(name="seats", extras=needs(right, game="number"))
    @app_commands.describe(
        number="The game's number; default: the newest in this channel",
        **{ordinal: f"{ordinal.capitalize()} seat" for ordinal in SEAT_ORDINALS},
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
        """Set the seating order instead of drawing it."""
        await defer(interaction)
        users = (first, second, third, fourth, fifth, sixth, seventh, eighth)
        user_ids = tuple(user.id for user in users if user is not None)
        await arrange_seats(interaction, await chosen_lobby(interaction, number), user_ids)


async def _arrange_seats(interaction: BotInteraction, number: int, user_ids: tuple[int, ...]) -> None:
    lobby = await interaction.client.lobbies.set_seat_order(number, interaction.user.id, user_ids)
    done_text = "The seating order is set: " + ", ".join(seat.display_name for seat in lobby.seats) + "."
    await update_message_after_change(interaction.client, lobby.row.id, done_text)
    await reply_after_storing(interaction, done_text)


add_seats_command(game, _arrange_seats, "sit")


# --- abandoning ------------------------------------------------------------------------------------------------------


@game.command(name="abandon", extras=needs("look", game="number"))
@app_commands.describe(number="The number of an open game; default: the game of this thread")
async def abandon(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Abandon an open game, or propose to end a running one."""
    await defer(interaction)
    row = await games.get_game(interaction.client.tables.db, await chosen_game(interaction, number))
    if row.status == "lobby":
        await abandon_lobby(interaction, await interaction.client.lobbies.read(row.id))
        return
    damage_text = await interaction.client.tables.damage(row.id) if row.status == "running" else None
    if damage_text is not None:
        if interaction.channel_id not in (row.thread_id, row.channel_id):
            raise Refused(f"{damage_text} Use this command in the game's thread or channel.")
        await ask_to_end(interaction, row.id, damage_text)
        return
    user_id = interaction.user.id

    def build_proposal(live: LiveGame) -> EndProposal:
        own_seat(live, user_id)
        return EndProposal()

    await propose_or_agree(interaction, row.id, build_proposal)


async def _do_action_and_reply(interaction: BotInteraction, number: int | None, choice: str) -> None:
    await defer(interaction)
    done_text = await do_lobby_action(interaction, await chosen_lobby(interaction, number), choice)
    await reply_after_storing(interaction, done_text)


# --- rematches -------------------------------------------------------------------------------------------------------


class RematchButton(Component):
    """The *Rematch* button below the result of a game."""

    id_pattern = REMATCH_BUTTON_PATTERN
    # Players of the ended game may open a rematch and ask the others.
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Open a rematch of this game, or join the one that is already open; raises Refused."""
        rematches = interaction.client.rematches
        async with rematches.locks.lock_of(self.game):
            old_game = await rematches.ended_game(self.game)
            rematch = await rematches.find_rematch(self.game)
            if rematch is None:
                await _open_rematch(interaction, old_game)
            elif rematch.status == "lobby":
                await _join_rematch(interaction, rematch)
            else:
                await reply(
                    interaction, f"Game {rematch.id} is the rematch of this one: <#{rematch.thread_id}>."
                )


async def _open_rematch(interaction: BotInteraction, old_game: GameRow) -> None:
    bot, user = interaction.client, interaction.user
    venue = await rematch_venue(interaction, bot.tables.db, old_game)
    require_permissions(interaction, venue, "The game was not opened.")
    if isinstance(venue, discord.ForumChannel):
        await bot.threads.forums.prepare_forum(venue, old_game.name)
    lobby = await bot.rematches.open_rematch(old_game, LobbyOpener(user.id, user.display_name, venue.id))
    await open_lobby(interaction, lobby)


async def _join_rematch(interaction: BotInteraction, rematch: GameRow) -> None:
    bot, user = interaction.client, interaction.user
    lobby = await bot.lobbies.read(rematch.id)
    # In a forum, the lobby has a post of its own.
    lobby_channel_id = (
        rematch.channel_id if bot.threads.forums.forum_of(rematch) is None else rematch.thread_id
    )
    if any(seat.user_id == user.id for seat in lobby.seats):
        await reply(interaction, f"Game {rematch.id} is open for a rematch, in <#{lobby_channel_id}>.")
        return
    lobby = await bot.lobbies.join(rematch.id, user.id, user.display_name)
    done_text = f"You have a seat in game {rematch.id}, in <#{lobby_channel_id}>."
    await update_message_after_change(bot, rematch.id, done_text)
    await ping_host(bot, lobby, user.id)
    await reply_after_storing(interaction, done_text)
