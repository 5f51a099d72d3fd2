"""Questions that change nothing, each answered privately."""

from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Completed, Verbal, companies, completed, listed, titles
from bot.client.commands.typed import Name, Number
from bot.client.entry.rate_limits import Kind
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import server_here
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.autocomplete import Item
from bot.table.past.statistics import head_to_head, statistics
from bot.table.settings.readings import read_title, topics_of
from bot.table.style import strong


def _players(live: LiveGame) -> list[Item]:
    return [Item(seat.player_id, seat.display_name) for seat in live.seats]


@app_commands.command(name="status", extras=needs("look", Kind.PICTURE))
@app_commands.guild_only()
async def status(interaction: BotInteraction) -> None:
    """Whose turn it is, with map and market."""
    await interaction.client.inquiries.status(interaction, game_here(interaction))


@app_commands.command(
    name="map",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.describe(
    around="A hex for a close-up, a company for what it reaches, a part of the board, or all",
    at="The number of a move; default: now",
)
@app_commands.guild_only()
async def map_(interaction: BotInteraction, around: Name | None = None, at: Number | None = None) -> None:
    """The map, whole or a part of it, now or after an earlier move."""
    game = game_here(interaction)
    if at is None:
        await interaction.client.inquiries.map(interaction, game, around)
    else:
        await interaction.client.pasts.open(interaction, game, at, around)


@app_commands.command(name="market", extras=needs("look", Kind.PICTURE))
@app_commands.guild_only()
async def market(interaction: BotInteraction) -> None:
    """The stock market."""
    await interaction.client.inquiries.market(interaction, game_here(interaction))


@app_commands.command(
    name="company",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.describe(company="Which company")
@app_commands.autocomplete(company=companies)
@app_commands.guild_only()
async def company(interaction: BotInteraction, company: Name) -> None:
    """A company's treasury, trains, tokens and shares."""
    await interaction.client.inquiries.company(interaction, game_here(interaction), company)


@app_commands.command(name="player", extras=needs("look", Kind.PICTURE))
@app_commands.describe(player="Which player; default: you")
@app_commands.autocomplete(player=listed(_players))
@app_commands.guild_only()
async def player(interaction: BotInteraction, player: Name | None = None) -> None:
    """A player's cash, shares and privates."""
    await interaction.client.inquiries.player(interaction, game_here(interaction), player)


async def _topic_choices(interaction: BotInteraction, typed: str) -> Completed:
    try:
        title, _ = await interaction.client.inquiries.title_meant(interaction, interaction.namespace.title)
    except Refused:
        return []
    return completed((Item(name, f"{name}: {heading}") for name, heading in topics_of(title).items()), typed)


@app_commands.command(name="rules", extras=needs("ask", Kind.QUESTION))
@app_commands.describe(topic="What about; default: what there is", title="Which game; default: this thread's")
@app_commands.autocomplete(topic=_topic_choices, title=titles)
@app_commands.guild_only()
async def rules(interaction: BotInteraction, topic: Name | None = None, title: Name | None = None) -> None:
    """A title's rules in a few lines, by topic."""
    await interaction.client.inquiries.rules(interaction, topic, title)


@app_commands.command(name="mine", extras=needs("ask", Kind.QUESTION))
async def mine(interaction: BotInteraction) -> None:
    """Your games, and where it is your turn."""
    await think(interaction)
    bot, user_id = interaction.client, interaction.user.id
    text = await bot.listing.of_person(user_id)
    await bot.boards.say_games(interaction, text, await bot.listing.running_of(user_id))


@app_commands.command(name="help", extras=needs("ask", Kind.QUESTION))
async def help_(interaction: BotInteraction) -> None:
    """How to play here."""
    bot = interaction.client
    board = [] if bot.tables.board.address is None else [HELP_ON_BOARD]
    await say(interaction, "\n".join([HELP, *board, await bot.inquiries.title_help(interaction)]))


HELP: Final = f"""{strong("Playing")}
`/game new` opens a game. Others press *Join*, then *Start* makes its thread.
The turn message in the thread names the next player and has a button for each move. `/move` offers every move by \
menus; each is also a command: type `/` for the list.
`/undo` and `/redo` your last move. `/orders` passes, bids, buys and runs for you; only you see your orders. \
`/what-if` tries moves on a copy.
{strong("When a player is away")}
`/away`, `/game pause`, `/game substitute`, `/game replace`; after a day without a move `/game agreement`. \
`/game abandon` proposes to end the game.
{strong("Settings and repair")}
`/game settings`, `/pings`, `/theme`, `/privacy`; for moderators `/mod`, for those who manage the server `/setup`. \
`/game repair` brings a missing thread or its buttons back.
{strong("Looking")}
`/status`, `/table`, `/map`, `/market`, `/company`, `/player`, `/log` and more; `/why` says why a move is not \
possible; `/mine` lists your games."""
"""The answer to `/help`, before the board page and the rules."""
HELP_ON_BOARD: Final = (
    "`/board open` shows the game in your browser: map, market, charts, earlier positions. "
    "You can play there, too."
)
"""The line of `/help` where the bot has a board page."""


@app_commands.command(name="health", extras=needs("own", Kind.QUESTION))
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: BotInteraction) -> None:
    """How this bot is; for its owner."""
    await think(interaction)
    await say(interaction, (await interaction.client.health.state()).text())


@app_commands.command(
    name="stats",
    extras=needs("ask", Kind.QUESTION),
)
@app_commands.describe(
    player="One person; default: everybody",
    title="Which game; default: all",
    against="Their games against this person; without a player: yours",
)
@app_commands.autocomplete(title=titles)
@app_commands.guild_only()
async def stats(
    interaction: BotInteraction,
    player: discord.User | None = None,
    title: Name | None = None,
    against: discord.User | None = None,
) -> None:
    """Games, wins and times to decide on this server, for you alone."""
    await think(interaction)
    wanted = None if title is None else read_title(title).id
    person = None if player is None else player.id
    server = server_here(interaction)
    if against is not None:
        one = interaction.user.id if person is None else person
        text = await head_to_head(interaction.client.tables, server, (one, against.id), wanted)
    else:
        text = await statistics(interaction.client.tables, server, person, wanted)
    await say(interaction, text)


COMMANDS: Final[tuple[Verbal, ...]] = (
    status,
    map_,
    market,
    company,
    player,
    rules,
    mine,
    help_,
    stats,
    health,
)
