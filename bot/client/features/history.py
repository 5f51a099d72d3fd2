"""History of a game: `/log`, its menu, and earlier positions, all private."""

import re
from typing import Final

import discord
from discord import app_commands

from bot.client.alt_texts import map_alt_text
from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import NUMBER, Button, Menu, button, shortened, view_of
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_pressed, reply
from bot.client.entry.rights import needs
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.parameters import Number
from bot.client.pictures import answering, question_of
from bot.client.places.messages import picture_file
from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.moves.completions import LONGEST
from bot.table.moves.lays import PAGE
from bot.table.past.game_record import moves_by_others, undone_lines
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import PastPosition, past_position
from bot.table.rate_limits import Kind

LOG_LENGTH: Final = 20
"""Lines of `/log` when no number is given."""
LONGEST_LOG: Final = 7000
"""Characters of `/log`: four messages are as much as anybody reads in one go."""
MOST_ROWS: Final = LONGEST_LOG // 15
"""Moves whose lines are as long together: no line is shorter than `12` **Al** passes."""
_MARKS: Final = re.compile(r"[*_`]")

# --- the log ---------------------------------------------------------------------------------------------------------


@app_commands.command(name="log", extras=needs("look", Kind.QUESTION))
@app_commands.describe(since="First move to show; default: the last 20 moves")
@app_commands.guild_only()
async def log(interaction: BotInteraction, since: Number | None = None) -> None:
    """Show the latest moves, newest last."""
    game_id = game_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        game, others, gone = PastGame.of(live), moves_by_others(live), undone_lines(live)
    numbered = [
        (seq, f"{line} (done by <@{others[seq]}>)" if seq in others else line)
        for seq, line in await _lines(interaction, game, since)
    ]
    numbers = {seq for seq, _ in numbered}
    wanted = [line for line in sorted([*numbered, *gone]) if since is None or line[0] >= since]
    wanted = wanted[-LOG_LENGTH:] if since is None else wanted
    if not wanted:
        nothing = "No moves yet." if since is None else f"Nothing has happened since move {since}."
        await reply(interaction, nothing)
        return
    stand = [_option(seq, line) for seq, line in wanted if seq in numbers][-PAGE:]
    text = "\n".join(line for _, line in wanted)
    prompt = "Show the table after a move"
    menu: Menu = discord.ui.Select(custom_id=f"h:{game_id}", placeholder=prompt, options=stand)
    await reply(interaction, text[-LONGEST_LOG:], view=view_of([menu] if stand else []))


async def _lines(interaction: BotInteraction, game: PastGame, since: int | None) -> list[tuple[int, str]]:
    """The lines for a page of the log, newest rows first."""
    most = game.numbers[-MOST_ROWS:] if since is not None else game.numbers[-3 * LOG_LENGTH :]
    after = max(most[0], since or most[0]) - 1
    history = await interaction.client.tables.past.history(game, question_of(interaction), after)
    return history.all_lines()


def _option(seq: int, line: str) -> discord.SelectOption:
    label = _MARKS.sub("", line).partition("\n")[0]
    return discord.SelectOption(label=shortened(label, LONGEST), value=str(seq))


# --- earlier positions -----------------------------------------------------------------------------------------------


class PastSelect(Component):
    """The select menu of a move in the log."""

    template = rf"h:(?P<game>{NUMBER})"
    right = "look"
    cost = Kind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show the position after the move."""
        await open_position(interaction, self.game, int(self.values[0]))


class PastViewButton(Component):
    """The button from one earlier position to another."""

    template = rf"h:(?P<game>{NUMBER}):(?P<seq>{NUMBER}):(?P<what>map|market)"
    right = "look"
    cost = Kind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show map or market after a move in the same private message."""
        there = await _past(interaction, self.game, self.seq)
        drawing, stood = answering(interaction), there.views
        if self.what == "map":
            picture, words = await drawing.map(stood.map, _hexes(there)), map_alt_text(stood.map)
        else:
            picture, words = await drawing.market(stood.market), stood.market.caption
        await edit_pressed(
            interaction,
            content=_position_text(there),
            view=_navigation_buttons(self.game, there, self.what),
            attachments=[picture_file(picture, f"{self.what}.png", words)],
        )


def past_button(game: int, seq: int, what: str, label: str) -> Button:
    """The button for the map or market after a move."""
    return button(f"h:{game}:{seq}:{what}", label)


async def open_position(
    interaction: BotInteraction, game_id: int, seq: int, around: str | None = None
) -> None:
    """Show the map after a move, in a new private message."""
    await defer(interaction)
    there = await _past(interaction, game_id, seq)
    hexes = _hexes(there, around)
    picture = await answering(interaction).map(there.views.map, hexes)
    file = picture_file(picture, "map.png", map_alt_text(there.views.map))
    await reply(
        interaction, _position_text(there), view=_navigation_buttons(game_id, there, "map"), files=[file]
    )


async def _past(interaction: BotInteraction, game_id: int, seq: int) -> PastPosition:
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        game = PastGame.of(live)
    return await past_position(tables.past, game, seq, question_of(interaction))


def _hexes(past_position: PastPosition, around: str | None = None) -> tuple[str, ...]:
    """Hexes for a close-up: the requested one, else those of a run. Raises Refused."""
    wanted = (around or "").strip().upper()
    if not wanted:
        return tuple(dict.fromkeys(hex_ for run in past_position.views.map.runs for hex_, *_ in run.pieces))
    if all(wanted != on_map.coord for on_map in past_position.views.map.hexes):
        raise Refused(f"There is no hex {wanted} on this map.")
    return (wanted,)


def _position_text(past_position: PastPosition) -> str:
    heading = (
        strong(f"After move {past_position.seq}") if past_position.previous_move else strong("The start")
    )
    return "\n".join(filter(None, (heading, past_position.views.line)))[:LONGEST_MESSAGE]


def _navigation_buttons(game_id: int, past_position: PastPosition, what: str) -> discord.ui.View:
    """Buttons to the previous and next moves, and to the other picture."""
    near = ((past_position.previous_move, "← Move"), (past_position.next_move, "→ Move"))
    items = [past_button(game_id, seq, what, f"{words} {seq}") for seq, words in near if seq is not None]
    other = "market" if what == "map" else "map"
    return view_of([*items, past_button(game_id, past_position.seq, other, other.capitalize())])
