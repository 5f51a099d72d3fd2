"""`/game`: open, join, leave, seat, start and give up a game, by commands and by the message of its lobby."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.component import Component
from bot.client.entry.replies import after, say, think
from bot.client.entry.rights import needs, server_here
from bot.client.features.repair import ask_to_end
from bot.client.groups import game
from bot.client.lobby_message import LOBBY_ID, RULES_ID
from bot.client.parameters import GameNumber, Listed, Name
from bot.client.places.game_channels import for_new_game, require_place, require_place_of
from bot.client.requests.permission_problems import Problem, in_words
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
from bot.table.errors import Refused, Stored, error_sentence
from bot.table.live import LiveGame
from bot.table.lobby import Lobby
from bot.table.rights import Right
from bot.table.seats import computer_players
from bot.table.settings.readings import chosen_rules, differences_command, read_title
from bot.table.settings.server_settings import server_settings
from bot.table.votes.seating import own_seat
from bot.table.votes.stopping import Stopping
from engine.caretaker import STRENGTHS, STRONGEST
from engine.titles import Title
from storage import Database, games

_log = logging.getLogger("stationmaster")

DONE: Final = {
    "join": "You have a seat in game {}.",
    "leave": "Your seat in game {} is free again.",
    "start": "Game {} has started; its thread is opening.",
    **dict.fromkeys(
        ("add", *(name.lower() for name in STRENGTHS)), "A computer player has a seat in game {}."
    ),
    "remove": "The seat of a computer player in game {} is free again.",
}
"""What has been done with a lobby, by what was chosen."""
LATER: Final = "The lobby message shows it with its next change."
"""When something about a lobby is seen that could not be shown."""
RULEBOOK = "rulebook"
"""The reading of the rules that is played where nothing else is said."""


@game.command(name="new", extras=needs("ask"))
@app_commands.describe(
    title="Which game",
    profile="Which reading of the rules; default: the server's choice, or the rulebook",
    options="Optional rules of the title, with commas between them",
)
@app_commands.autocomplete(title=title_choices, profile=title_profiles, options=title_options)
async def new(
    interaction: BotInteraction, title: Name, profile: Name | None = None, options: Listed = ""
) -> None:
    """Open a game that others can join."""
    await think(interaction)
    bot, server = interaction.client, server_here(interaction)
    venue = await for_new_game(interaction, bot.tables.db)
    require_place(interaction, venue, "The game was not opened.")
    known, chosen = await _chosen(bot.tables.db, server, title, profile)
    if isinstance(venue, discord.ForumChannel):
        await bot.forums.ready(venue, known.name)
    lobby = await bot.lobbies.new(
        guild_id=server,
        channel_id=venue.id,
        user_id=interaction.user.id,
        user_name=interaction.user.display_name,
        title=known.id,
        profile=chosen,
        options=options.split(","),
    )
    await open_lobby(interaction, lobby)


async def _chosen(db: Database, server: int, title: str, profile: str | None) -> tuple[Title, str]:
    """What is to be played by which reading: what was typed, else what the server has chosen."""
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
    options="Optional rules of the title, with commas between them, or: none",
    profile="Which reading of the rules",
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
    await think(interaction)
    lobby = await interaction.client.lobbies.choose(
        await open_game(interaction, number), interaction.user.id, profile, options_named(options)
    )
    done = f"The rules of game {lobby.row.id} are changed."
    await show_lobby(interaction, lobby.row.id, done)
    with after(done):
        await say(interaction, chosen_rules(lobby.row) + differences_command(lobby.row))


# --- the seating order -----------------------------------------------------------------------------------------------

Arrange: TypeAlias = Callable[[BotInteraction, int, tuple[int, ...]], Awaitable[None]]
"""Puts these people into the seats of a game, in this order, and answers."""
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The seats of the largest table."""


def add_seats(group: app_commands.Group, arrange: Arrange, right: Right) -> None:
    """Add the command to a group, for users with this right; it has a place for everybody at the largest table."""

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
        await think(interaction)
        named = (first, second, third, fourth, fifth, sixth, seventh, eighth)
        order = tuple(user.id for user in named if user is not None)
        await arrange(interaction, await open_game(interaction, number), order)


async def _arrange(interaction: BotInteraction, number: int, order: tuple[int, ...]) -> None:
    lobby = await interaction.client.lobbies.arrange(number, interaction.user.id, order)
    done = "The seats are fixed: " + ", ".join(seat.display_name for seat in lobby.seats) + "."
    await show_lobby(interaction, lobby.row.id, done)
    with after(done):
        await say(interaction, done)


add_seats(game, _arrange, "sit")


# --- giving up -------------------------------------------------------------------------------------------------------


@game.command(name="abandon", extras=needs("look", game="number"))
@app_commands.describe(number="The number of an open game; default: the game of this thread")
async def abandon(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Give up an open game, or propose to end a running one."""
    await think(interaction)
    row = await games.get_game(interaction.client.tables.db, await game_meant(interaction, number))
    if row.status == "lobby":
        await _give_up(interaction, await interaction.client.lobbies.read(row.id))
        return
    problem = await interaction.client.tables.damage(row.id) if row.status == "running" else None
    if problem is not None:
        if interaction.channel_id not in (row.thread_id, row.channel_id):
            raise Refused(f"{problem} Ask for that in the thread of the game, or in its channel.")
        await ask_to_end(interaction, row.id, problem)
        return
    by = interaction.user.id

    def subject(live: LiveGame) -> Stopping:
        own_seat(live, by)
        return Stopping()

    await interaction.client.proposal_posts.propose_or_join(interaction, row.id, subject)


async def _choose(interaction: BotInteraction, number: int | None, choice: str) -> None:
    await think(interaction)
    done = await _do(interaction, await open_game(interaction, number), choice)
    with after(done):
        await say(interaction, done)


# --- the buttons and menus of its message ----------------------------------------------------------------------------


class LobbyButton(Component):
    """Join, leave or start on a lobby message, or seat computer players."""

    template = LOBBY_ID
    # A user who joins has no seat yet; the lobby knows who has one.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, and bring the lobby message up to date."""
        await _do(interaction, self.game, self.choice)


class RulesSelect(Component):
    """Profile or options on a lobby message."""

    template = RULES_ID
    right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Change what was agreed, and bring the lobby message up to date."""
        profile, options = (self.values[0], None) if self.what == "profile" else (None, self.values)
        await interaction.client.lobbies.choose(self.game, interaction.user.id, profile, options)
        await show_lobby(interaction, self.game, f"The rules of game {self.game} are changed.")


# --- what they do ----------------------------------------------------------------------------------------------------


async def _do(interaction: BotInteraction, game_id: int, choice: str) -> str:
    """Do something with a lobby, and show it; returns what is done."""
    if choice == "start":
        return await _start(interaction, game_id)
    lobby = await _seated(interaction, game_id, choice)
    done = DONE[choice].format(game_id)
    await show_lobby(interaction, game_id, done)
    await ping_host(interaction, lobby)
    return done


async def _start(interaction: BotInteraction, game_id: int) -> str:
    bot, done = interaction.client, DONE["start"].format(game_id)
    lobby = await bot.lobbies.read(game_id)
    require_place_of(interaction, lobby.row, "The game was not started.")
    await bot.lobbies.start(game_id, interaction.user.id)
    with after(done):
        await bot.lobby_posts.close(lobby.row, _names(lobby), "has started", interaction)
    return done


async def _seated(interaction: BotInteraction, game_id: int, choice: str) -> Lobby:
    """The lobby after a user has joined or left it, or added or removed a computer player."""
    lobbies, user = interaction.client.lobbies, interaction.user
    if choice == "join":
        return await lobbies.join(game_id, user.id, user.display_name)
    if choice == "leave":
        return await lobbies.leave(game_id, user.id)
    if choice == "remove":
        return await computer_players.remove(lobbies, game_id, user.id)
    strength = STRONGEST if choice == "add" else choice.capitalize()
    return await computer_players.add(lobbies, game_id, user.id, strength)


async def _give_up(interaction: BotInteraction, lobby: Lobby) -> None:
    """Close a lobby for good."""
    done = f"Game {lobby.row.id} was given up."
    await interaction.client.lobbies.give_up(lobby.row.id, interaction.user.id)
    with after(done):
        await interaction.client.lobby_posts.close(lobby.row, _names(lobby), "was given up")
        await say(interaction, done)


def _names(lobby: Lobby) -> list[str]:
    return [seat.display_name for seat in lobby.seats]


async def open_lobby(interaction: BotInteraction, lobby: Lobby) -> None:
    """Post the message of a new lobby, and answer; where it cannot be posted, nothing is left of it."""
    number = lobby.row.id
    try:
        place = await interaction.client.lobby_posts.post(lobby, lobby.asked)
    except Exception as error:
        why = in_words(interaction.client, error) if isinstance(error, Problem) else error_sentence(error)
        await _withdraw(interaction, number, why)
        raise Refused(f"The game was not opened, and nothing is left of it. {why}") from error
    where = "" if place == interaction.channel_id else f" in <#{place}>"
    done = f"Game {number} is open{where}. You have a seat."
    with after(done):
        await say(interaction, done)


async def _withdraw(interaction: BotInteraction, game_id: int, why: str) -> None:
    """Leave nothing of a lobby; raises Stored where that fails, too."""
    try:
        await interaction.client.lobbies.withdraw(game_id)
    except Exception as error:
        where = f"Game {game_id} is open without a message: `/game abandon number:{game_id}` closes it. {why}"
        raise Stored(where) from error


async def show_lobby(interaction: BotInteraction, game_id: int, done: str) -> None:
    """Bring a lobby message up to date after this was done; one that is gone is posted anew. Raises Stored."""
    with after(done, LATER):
        await interaction.client.lobby_posts.show(game_id, interaction)


async def ping_host(interaction: BotInteraction, lobby: Lobby) -> None:
    """Ping the player who opened a lobby if this user has filled it; else its message shows it."""
    try:
        await interaction.client.lobby_posts.ping_host(lobby, interaction.user.id)
    except Problem as error:
        _log.info("game %s: its channel does not say that it is full: %r", lobby.row.id, error)
