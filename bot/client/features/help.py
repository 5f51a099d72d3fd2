"""`/help`, `/rules` and `/why`: how to use the bot, the rules of a title, and which rule forbids a move."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.entry.replies import defer, reply
from bot.client.entry.rights import needs
from bot.client.parameters import Completions, Details, Name, complete_title, complete_verb, matching_choices
from bot.client.pictures import question_queue
from bot.table.errors import Refused
from bot.table.live import ask_about_position
from bot.table.markdown import strong
from bot.table.moves.completions import MenuItem
from bot.table.moves.moves import TypedMove
from bot.table.moves.verbs import VERBS_OF_MOVE_COMMAND, move_commands_of
from bot.table.moves.why_not import why_not_text
from bot.table.rate_limits import RequestKind
from bot.table.settings.game_rules import read_title, rules_text, rules_topics_of_title, title_of
from engine import TITLES, Title
from storage import games

HELP_TEXT: Final = f"""{strong("Playing")}
`/game new` opens a game. Others press *Join*, then *Start* makes its thread.
The turn message in the thread names the next player and has a button for each move. `/move` has every move in \
menus; the usual moves are also commands: type `/` for the list.
Former commands that are now in `/move`, as in `/move move:exchange`: {", ".join(sorted(VERBS_OF_MOVE_COMMAND))}.
`/undo` undoes your last move, `/redo` redoes it. `/orders` passes, bids, buys and runs for you; only you see your \
orders. `/what-if` tries moves on a copy.
{strong("When a player is away")}
`/away`, `/game pause`, `/game substitute`, `/game replace`; `/game agreement`: others move \
for them after a day. `/game abandon` proposes to end the game.
{strong("Settings and repair")}
`/game settings`, `/pings`, `/theme`, `/privacy`; `/mod` for moderators, `/setup` for members who manage the server. \
`/game repair` brings a missing thread or its buttons back.
{strong("Viewing")}
`/status`, `/table`, `/map`, `/market`, `/company`, `/player`, `/log` and more; `/why` says why a move is not \
possible; `/mine` lists your games."""
"""The first part of the reply to `/help`."""
HELP_ON_BOARD: Final = (
    "`/board open` shows the game in your browser: map, market, charts, earlier positions. "
    "You can play there, too."
)
"""The line of `/help` about the board page."""
HELP_ON_RULES: Final = f"{strong('Rules')} of a title in a few lines: `/rules title:`."
"""The last line of `/help` outside a game's thread."""
WHY_USAGE_TEXT: Final = "`/why` checks one command: choose it from the list, e.g. `move:buy details:{}`."
"""The reply to `/why` if no known move was typed; `{}` stands for a company of the title."""


@app_commands.command(name="help", extras=needs("ask", RequestKind.QUESTION))
async def help_(interaction: BotInteraction) -> None:
    """Learn how to play here."""
    board_lines = [] if interaction.client.tables.board_links.address is None else [HELP_ON_BOARD]
    await reply(interaction, "\n".join([HELP_TEXT, *board_lines, await title_help(interaction)]))


async def title_help(interaction: BotInteraction) -> str:
    """The line of `/help` that leads to the rules of this thread's game or, elsewhere, of any title."""
    try:
        title, _ = await chosen_title(interaction, None)
    except Refused:
        return HELP_ON_RULES
    heading = strong(f"Rules of {title.name}")
    return f"{heading} in a few lines: `/rules topic:` with {', '.join(rules_topics_of_title(title))}."


# --- rules -----------------------------------------------------------------------------------------------------------


async def _complete_topic(interaction: BotInteraction, typed_text: str) -> Completions:
    try:
        title, _ = await chosen_title(interaction, interaction.namespace.title)
    except Refused:
        return []
    return matching_choices(
        (MenuItem(name, f"{name}: {heading}") for name, heading in rules_topics_of_title(title).items()),
        typed_text,
    )


@app_commands.command(name="rules", extras=needs("ask", RequestKind.QUESTION))
@app_commands.describe(
    topic="Which topic; default: list the topics",
    title="Which title; default: the title of this thread's game",
)
@app_commands.autocomplete(topic=_complete_topic, title=complete_title)
@app_commands.guild_only()
async def rules(interaction: BotInteraction, topic: Name | None = None, title: Name | None = None) -> None:
    """Show a title's rules in a few lines, by topic."""
    await defer(interaction)
    shown_title, row = await chosen_title(interaction, title)
    await reply(interaction, rules_text(shown_title, row, topic))


async def chosen_title(
    interaction: BotInteraction, title_name: str | None
) -> tuple[Title, games.GameRow | None]:
    """The named title, or else the title of this thread's game and that game. Raises Refused."""
    tables = interaction.client.tables
    game_id = tables.game_shown_in(interaction.channel_id)
    row = None if game_id is None else await games.get_game(tables.db, game_id)
    if title_name:
        title = read_title(title_name)
        return title, row if row is not None and row.title == title.id else None
    if row is None:
        raise Refused(f"Choose a title: {', '.join(TITLES)}. In a game's thread you can leave it out.")
    return title_of(row), row


# --- why not ---------------------------------------------------------------------------------------------------------


@app_commands.command(name="why", extras=needs("look", RequestKind.QUESTION))
@app_commands.describe(move="Which command", details="The command's values in order, such as: D2 57 3")
@app_commands.autocomplete(move=complete_verb)
@app_commands.guild_only()
async def why(interaction: BotInteraction, move: str, details: Details = "") -> None:
    """Check if you can make a move, now or on your next turn."""
    game_id, tables = game_id_here(interaction), interaction.client.tables
    await defer(interaction)
    verb_name, _, typed_details = f"{move} {details}".strip().partition(" ")
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        move_command = move_commands_of(live.game).get(verb_name.casefold().removeprefix("/"))
        position = live.game.dump()
    if move_command is None:
        raise Refused(WHY_USAGE_TEXT.format(next(iter(live.game.title.spec.companies))))
    typed_move = TypedMove(move_command.kind, move_command.split_values(typed_details))
    queue = question_queue(interaction, game_id)
    await reply(
        interaction,
        await ask_about_position(tables.workers, queue, position, why_not_text, player, typed_move),
    )
