"""What has been: the log, and the position after any earlier move, each shown privately."""

import re
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import shortened
from bot.client.components.view_buttons import past_button, past_menu
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import say, think
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.client.question_queue import answering, question_of
from bot.client.texts.alt_texts import of_map
from bot.client.texts.game_texts import LONGEST_MESSAGE
from bot.table.errors import Refused
from bot.table.moves.autocomplete import LONGEST
from bot.table.moves.lays import PAGE
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.history import in_anothers_name, struck
from bot.table.past.lines import chapter_lines
from bot.table.past.position import Past, past
from bot.table.style import strong
from bot.table.tables import Tables

LOG_LENGTH: Final = 20
"""Lines of `/log` when no number is given."""
LONGEST_LOG: Final = 7000
"""Characters of `/log`: four messages are as much as anybody reads in one go."""
MOST_ROWS: Final = LONGEST_LOG // 15
"""Moves whose lines are as long together: no line is shorter than `12` **Al** passes."""
_MARKS: Final = re.compile(r"[*_`]")


class Pasts:
    """Answers to what happened, and how things stood then."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self._tables = tables
        self._pictures = pictures

    async def log(self, interaction: discord.Interaction, game_id: int, since: int | None) -> None:
        """The public lines, from a move number on, and the way to the positions after the last of them."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            game, others, gone = PastGame.of(live), in_anothers_name(live), struck(live)
        numbered = [
            (seq, f"{line} (done by <@{others[seq]}>)" if seq in others else line)
            for seq, line in await self._lines(interaction, game, since)
        ]
        numbers = {seq for seq, _ in numbered}
        wanted = [one for one in sorted([*numbered, *gone]) if since is None or one[0] >= since]
        wanted = wanted[-LOG_LENGTH:] if since is None else wanted
        if not wanted:
            await say(interaction, _nothing(since))
            return
        stand = [_option(seq, line) for seq, line in wanted if seq in numbers][-PAGE:]
        text = "\n".join(line for _, line in wanted)
        menus = [past_menu(game_id, stand)] if stand else []
        await say(interaction, text[-LONGEST_LOG:], view=turn_buttons.rows_of(menus))

    async def _lines(
        self, interaction: discord.Interaction, game: PastGame, since: int | None
    ) -> list[tuple[int, str]]:
        """The lines that may be among those wanted: of rows that are looked at from the last one on."""
        most = game.numbers[-MOST_ROWS:] if since is not None else game.numbers[-3 * LOG_LENGTH :]
        after = max(most[0], since or most[0]) - 1
        chapter = await self._tables.chronicle.chapters(game, self._work(interaction), after)
        return chapter_lines(game.rows[0], chapter, game.names)

    async def open(
        self, interaction: discord.Interaction, game_id: int, seq: int, around: str | None = None
    ) -> None:
        """Show the map after a move, in a new private message."""
        await think(interaction)
        found = await self._past(interaction, game_id, seq)
        wanted = _hexes(found, around)
        picture = await answering(interaction, self._pictures).map(found.stood.map, wanted)
        file = picture_file(picture, "map.png", of_map(found.stood.map))
        await say(interaction, _position_text(found), view=_ways(game_id, found, "map"), files=[file])

    async def turn(self, interaction: discord.Interaction, game_id: int, seq: int, what: str) -> None:
        """Show map or market after a move in the same private message."""
        found, drawing = await self._past(interaction, game_id, seq), answering(interaction, self._pictures)
        if what == "map":
            file = picture_file(
                await drawing.map(found.stood.map, _hexes(found)), "map.png", of_map(found.stood.map)
            )
        else:
            file = picture_file(
                await drawing.market(found.stood.market), "market.png", found.stood.market.caption
            )
        await edit_pressed(
            interaction, content=_position_text(found), view=_ways(game_id, found, what), attachments=[file]
        )

    async def _past(self, interaction: discord.Interaction, game_id: int, seq: int) -> Past:
        async with self._tables.reading(game_id) as live:
            game = PastGame.of(live)
        return await past(self._tables.chronicle, game, seq, self._work(interaction))

    def _work(self, interaction: discord.Interaction) -> Work:
        return Work(self._tables.workers, question_of(interaction))


def _hexes(found: Past, around: str | None = None) -> tuple[str, ...]:
    """What is shown close up: the hex that is asked for, else the routes of a run; else nothing. Raises Refused."""
    wanted = (around or "").strip().upper()
    if not wanted:
        return tuple(dict.fromkeys(hex_ for run in found.stood.map.runs for hex_, *_ in run.pieces))
    if all(wanted != on_map.coord for on_map in found.stood.map.hexes):
        raise Refused(f"There is no hex {wanted} on this map.")
    return (wanted,)


def _position_text(found: Past) -> str:
    heading = strong(f"After move {found.seq}") if found.before else strong("The start")
    return "\n".join(filter(None, (heading, found.stood.line)))[:LONGEST_MESSAGE]


def _ways(game_id: int, found: Past, what: str) -> discord.ui.View:
    """To the moves before and after, and to the other picture of this one."""
    near = ((found.before, "← Move"), (found.after, "→ Move"))
    items = [past_button(game_id, seq, what, f"{words} {seq}") for seq, words in near if seq is not None]
    other = "market" if what == "map" else "map"
    return turn_buttons.rows_of([*items, past_button(game_id, found.seq, other, other.capitalize())])


def _option(seq: int, line: str) -> discord.SelectOption:
    label = _MARKS.sub("", line).partition("\n")[0]
    return discord.SelectOption(label=shortened(label, LONGEST), value=str(seq))


def _nothing(since: int | None) -> str:
    return "There is no move yet." if since is None else f"Nothing has happened since move {since}."
