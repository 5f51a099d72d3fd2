"""`/game`: open, join, leave, seat, start, give up and list games."""

import discord
from discord import app_commands

from bot.client import texts
from bot.client.commands.making import Completed, Talk
from bot.client.replies import Asked, asked, say, think
from bot.table.complete import LONGEST, MOST
from bot.table.errors import Refused
from bot.table.moves import NOTHING, Typed
from bot.table.readings import PROFILES, chosen_rules, longer_options
from engine.titles import TITLES, Title
from storage import games
from storage.errors import NoSuchGame

game = app_commands.Group(name="game", description="Open, join and start games", guild_only=True)


async def _titles(interaction: Talk, typed: str) -> Completed:
    del interaction
    wanted = typed.casefold()
    return [
        app_commands.Choice(name=title.name, value=key)
        for key, title in TITLES.items()
        if wanted in title.name.casefold()
    ][:25]


async def _profiles(interaction: Talk, typed: str) -> Completed:
    title = TITLES.get(str(interaction.namespace.title or ""))
    return _profile_choices(title, typed) if title else []


async def _options(interaction: Talk, typed: str) -> Completed:
    title = TITLES.get(str(interaction.namespace.title or ""))
    return _option_choices(title, typed) if title else []


def _profile_choices(title: Title, typed: str) -> Completed:
    return [
        app_commands.Choice(name=f"{name}: {PROFILES[name]}"[:LONGEST], value=name)
        for name in title.spec.profiles
        if typed.casefold() in name.casefold()
    ]


def _option_choices(title: Title, typed: str) -> Completed:
    """One more option behind those typed already."""
    found = [(label[:LONGEST], text) for label, text in longer_options(title, typed) if len(text) <= LONGEST]
    return [app_commands.Choice(name=label, value=text) for label, text in found][:MOST]


@game.command(name="new", description="Open a game that others can join")
@app_commands.describe(
    title="Which game",
    profile="Which reading of the rules; default: the rulebook",
    options="Optional rules of the title, with commas between them",
)
@app_commands.autocomplete(title=_titles, profile=_profiles, options=_options)
async def new(interaction: Talk, title: str, profile: str = "rulebook", options: str = "") -> None:
    """Open a game that others can join."""
    here = asked(interaction)
    await think(interaction)
    if here.guild_id is None or here.channel_id is None or isinstance(here.channel, discord.Thread):
        raise Refused(
            "Open a game in a channel of a server, not in a thread; the game gets a thread of its own."
        )
    lobby = await here.client.lobbies.new(
        guild_id=here.guild_id,
        channel_id=here.channel_id,
        user_id=here.user.id,
        user_name=texts.clean_name(here.user.display_name),
        title=title,
        profile=profile,
        options=options.split(","),
    )
    await here.client.flows.post_lobby(lobby)
    await say(interaction, f"Game {lobby.row.id} is open. You have the first seat.")


async def _lobby_choices(interaction: Talk, typed: str) -> Completed:
    here = asked(interaction)
    rows = await games.list_games(here.client.tables.db, here.guild_id or 0, "lobby")
    return [
        app_commands.Choice(name=f"{row.id}: {row.name}"[:100], value=row.id)
        for row in rows
        if str(row.id).startswith(str(typed).strip())
    ][-25:]


@game.command(name="join", description="Take a seat in a game that has not started")
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=_lobby_choices)
async def join(interaction: Talk, number: int | None = None) -> None:
    """Take a seat in a game that has not started."""
    await _wish(interaction, number, "join", "You have a seat.")


@game.command(name="leave", description="Give up your seat in a game that has not started")
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=_lobby_choices)
async def leave(interaction: Talk, number: int | None = None) -> None:
    """Give up your seat in a game that has not started."""
    await _wish(interaction, number, "leave", "Your seat is free again.")


@game.command(name="start", description="Start a game whose players have joined")
@app_commands.describe(number="The game's number; default: the newest in this channel")
@app_commands.autocomplete(number=_lobby_choices)
async def start(interaction: Talk, number: int | None = None) -> None:
    """Start a game whose players have joined."""
    await _wish(interaction, number, "start", "The game starts; its thread is opening.")


async def _lobby_profiles(interaction: Talk, typed: str) -> Completed:
    title = await _lobby_title(interaction)
    return _profile_choices(title, typed) if title else []


async def _lobby_options(interaction: Talk, typed: str) -> Completed:
    title = await _lobby_title(interaction)
    none = [] if typed.strip() else [app_commands.Choice(name="No optional rules", value=NOTHING)]
    return [*none, *_option_choices(title, typed)][:MOST] if title else []


async def _lobby_title(interaction: Talk) -> Title | None:
    """The title of the open game meant by what is typed so far."""
    here = asked(interaction)
    try:
        row = await games.get_game(here.client.db, await _number(here, here.namespace.number))
    except (Refused, NoSuchGame):
        return None
    return TITLES[row.title]


@game.command(name="options", description="Change the rules of a game that has not started")
@app_commands.describe(
    options="Optional rules of the title, with commas between them, or: none",
    profile="Which reading of the rules",
    number="The game's number; default: the newest in this channel",
)
@app_commands.autocomplete(options=_lobby_options, profile=_lobby_profiles, number=_lobby_choices)
async def options_(
    interaction: Talk, options: str | None = None, profile: str | None = None, number: int | None = None
) -> None:
    """Change the rules of a game that has not started."""
    here = asked(interaction)
    await think(interaction)
    named = None if options is None else [] if options.strip() == NOTHING else options.split(",")
    lobby = await here.client.lobbies.choose(await _number(here, number), here.user.id, profile, named)
    await here.client.flows.show_lobby(lobby)
    await say(interaction, chosen_rules(lobby.row))


@game.command(name="seats", description="Fix the seating order instead of drawing it")
@app_commands.describe(first="First seat", second="Second seat", number="The game's number")
@app_commands.autocomplete(number=_lobby_choices)
async def seats(
    interaction: Talk,
    first: discord.User,
    second: discord.User,
    third: discord.User | None = None,
    fourth: discord.User | None = None,
    fifth: discord.User | None = None,
    sixth: discord.User | None = None,
    number: int | None = None,
) -> None:
    """Fix the seating order instead of drawing it."""
    here = asked(interaction)
    await think(interaction)
    order = tuple(user.id for user in (first, second, third, fourth, fifth, sixth) if user is not None)
    lobby = await here.client.lobbies.arrange(await _number(here, number), here.user.id, order)
    await here.client.flows.show_lobby(lobby)
    await say(
        interaction, "The seats are fixed: " + ", ".join(seat.display_name for seat in lobby.seats) + "."
    )


@game.command(name="abandon", description="Give up an open game, or agree to stop a running one")
@app_commands.describe(number="The number of an open game; default: the game of this thread")
async def abandon(interaction: Talk, number: int | None = None) -> None:
    """Give up an open game, or agree to stop a running one."""
    here = asked(interaction)
    shown = None if here.channel_id is None else here.client.tables.game_in(here.channel_id)
    row = await games.get_game(
        here.client.tables.db, shown if number is None and shown else await _number(here, number)
    )
    if row.status == "lobby":
        await think(interaction)
        await here.client.flows.give_up_lobby(here, await here.client.lobbies.read(row.id))
        await say(interaction, f"Game {row.id} was given up.")
        return
    await here.client.flows.typed(here, row.id, Typed("end_game"))


@game.command(name="list", description="Games of this server")
async def list_(interaction: Talk) -> None:
    """Games of this server."""
    here = asked(interaction)
    await think(interaction)
    rows = await games.list_games(here.client.tables.db, here.guild_id or 0)
    lines = [
        f"{row.id}. {row.name}, {'open' if row.status == 'lobby' else 'running'}"
        + (f": <#{row.thread_id}>" if row.board_message_id else f", in <#{row.channel_id}>")
        for row in rows
        if row.status in ("lobby", "running")
    ]
    await say(interaction, "\n".join(lines) or "No game is open or running here. `/game new` opens one.")


async def _wish(interaction: Talk, number: int | None, wish: str, done: str) -> None:
    here = asked(interaction)
    await think(interaction)
    lobby = await here.client.flows.lobby_wish(here, await _number(here, number), wish)
    if lobby is not None:
        await here.client.flows.show_lobby(lobby)
    await say(interaction, done)


async def _number(here: Asked, number: int | None) -> int:
    """The game meant: the one named, else the newest lobby of the channel."""
    if number is not None:
        row = await games.get_game(here.client.tables.db, number)
        if row.guild_id != here.guild_id:
            raise Refused(f"Game {number} is not played on this server.")
        return number
    rows = await games.list_games(here.client.tables.db, here.guild_id or 0, "lobby")
    rows = [row for row in rows if row.channel_id == here.channel_id]
    if not rows:
        raise Refused("No game is open in this channel. `/game new` opens one.")
    return rows[-1].id
