"""What has been: the log, and the position after any earlier move, each shown privately."""

import re
from functools import partial
from typing import Final

import discord

from bot.client import panel
from bot.client.alternatives import of_map
from bot.client.buttons import shortened
from bot.client.holding import edit_pressed
from bot.client.look_buttons import past_button, past_menu
from bot.client.pictures import NO_SERVER, Pictures
from bot.client.posts import picture_file
from bot.client.replies import say, think
from bot.client.texts import LONGEST_MESSAGE
from bot.client.workbench import Line, Rank, Workbench
from bot.table.complete import LONGEST
from bot.table.errors import Refused
from bot.table.history import in_anothers_name, retold, struck
from bot.table.menus import PAGE
from bot.table.past import Past, past
from bot.table.service import Tables
from bot.table.style import strong
from storage import log

LOG_LENGTH: Final = 20
"""Lines of `/log` when no number is given."""
LONGEST_LOG: Final = 7000
"""Characters of `/log`: four messages are as much as anybody reads in one go."""
_MARKS: Final = re.compile(r"[*_`]")


class Pasts:
    """Answers to what happened, and how things stood then."""

    def __init__(self, tables: Tables, pictures: Pictures, bench: Workbench) -> None:
        self._tables = tables
        self._pictures = pictures
        self._bench = bench

    async def log(self, interaction: discord.Interaction, game_id: int, since: int | None) -> None:
        """The public lines, from a move number on, and the way to the positions after the last of them."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            rows, others = list(live.counting), in_anothers_name(live)
            gone = struck(live, await log.read(self._tables.db, game_id))
        told = [
            (seq, f"{line} (done by <@{others[seq]}>)" if seq in others else line)
            for seq, line in await self._bench.do(_line(interaction), partial(retold, rows))
        ]
        numbers = {seq for seq, _ in told}
        told = sorted([*told, *gone])
        wanted = [one for one in told if since is None or one[0] >= since]
        wanted = wanted[-LOG_LENGTH:] if since is None else wanted
        if not wanted:
            await say(interaction, _nothing(since))
            return
        stand = [_option(seq, line) for seq, line in wanted if seq in numbers][-PAGE:]
        text = "\n".join(line for _, line in wanted)
        menus = [past_menu(game_id, stand)] if stand else []
        await say(interaction, text[-LONGEST_LOG:], view=panel.rows_of(menus))

    async def open(
        self, interaction: discord.Interaction, game_id: int, seq: int, around: str | None = None
    ) -> None:
        """Show the map after a move, in a new private message."""
        await think(interaction)
        found = await self._past(interaction, game_id, seq)
        wanted = _hexes(found, around)
        picture = await self._drawing(interaction).map(found.map, wanted)
        file = picture_file(picture, "map.png", of_map(found.map))
        await say(interaction, _told(found), view=_ways(game_id, found, "map"), files=[file])

    async def turn(self, interaction: discord.Interaction, game_id: int, seq: int, what: str) -> None:
        """Show map or market after a move in the same private message."""
        await think(interaction)
        found, drawing = await self._past(interaction, game_id, seq), self._drawing(interaction)
        if what == "map":
            file = picture_file(await drawing.map(found.map, _hexes(found)), "map.png", of_map(found.map))
        else:
            file = picture_file(await drawing.market(found.market), "market.png", found.market.caption)
        await edit_pressed(
            interaction, content=_told(found), view=_ways(game_id, found, what), attachments=[file]
        )

    async def _past(self, interaction: discord.Interaction, game_id: int, seq: int) -> Past:
        async with self._tables.reading(game_id) as live:
            rows = list(live.counting)
        return await self._bench.do(_line(interaction), partial(past, rows, seq))

    def _drawing(self, interaction: discord.Interaction) -> Pictures:
        drawing = self._pictures.asked().in_server(interaction.guild_id or NO_SERVER)
        return drawing.seen_by(interaction.user.id)


def _hexes(found: Past, around: str | None = None) -> tuple[str, ...]:
    """What is shown close up: the hex that is asked for, else the routes of a run; else nothing. Raises Refused."""
    wanted = (around or "").strip().upper()
    if not wanted:
        return tuple(dict.fromkeys(hex_ for run in found.map.runs for hex_, *_ in run.pieces))
    if all(wanted != on_map.coord for on_map in found.map.hexes):
        raise Refused(f"There is no hex {wanted} on this map.")
    return (wanted,)


def _told(found: Past) -> str:
    heading = strong(f"After move {found.seq}") if found.before else strong("The start")
    return "\n".join(filter(None, (heading, found.line)))[:LONGEST_MESSAGE]


def _ways(game_id: int, found: Past, what: str) -> discord.ui.View:
    """To the moves before and after, and to the other picture of this one."""
    near = ((found.before, "← Move"), (found.after, "→ Move"))
    items = [past_button(game_id, seq, what, f"{words} {seq}") for seq, words in near if seq is not None]
    other = "market" if what == "map" else "map"
    return panel.rows_of([*items, past_button(game_id, found.seq, other, other.capitalize())])


def _option(seq: int, line: str) -> discord.SelectOption:
    label = _MARKS.sub("", line).partition("\n")[0]
    return discord.SelectOption(label=shortened(label, LONGEST), value=str(seq))


def _nothing(since: int | None) -> str:
    return "There is no move yet." if since is None else f"Nothing has happened since move {since}."


def _line(interaction: discord.Interaction) -> Line:
    return Line(Rank.QUESTION, interaction.guild_id or NO_SERVER)
