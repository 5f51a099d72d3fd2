"""What has been: the log, and the position after any earlier move, each shown privately."""

import re
from functools import partial
from typing import Any, Final

import discord

from bot.client import panel
from bot.client.buttons import shortened
from bot.client.look_buttons import past_button, past_menu
from bot.client.pictures import NO_SERVER, Pictures
from bot.client.posts import picture_file
from bot.client.replies import say, think
from bot.client.texts import LONGEST_MESSAGE
from bot.client.workbench import Line, Rank, Workbench
from bot.table.complete import LONGEST
from bot.table.errors import Refused
from bot.table.history import retold
from bot.table.menus import PAGE
from bot.table.past import Past, past
from bot.table.service import Tables
from bot.table.style import strong

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
            rows = list(live.counting)
        told = await self._bench.do(_line(interaction), partial(retold, rows))
        wanted = [one for one in told if since is None or one[0] >= since]
        wanted = wanted[-LOG_LENGTH:] if since is None else wanted
        if not wanted:
            await say(interaction, _nothing(since))
            return
        menu = past_menu(game_id, [_option(seq, line) for seq, line in wanted[-PAGE:]])
        text = "\n".join(line for _, line in wanted)
        await say(interaction, text[-LONGEST_LOG:], view=panel.rows_of([menu]))

    async def open(
        self, interaction: discord.Interaction, game_id: int, seq: int, around: str | None = None
    ) -> None:
        """Show the position after a move, in a new private message."""
        await think(interaction)
        shown = await self._shown(interaction, game_id, seq, around)
        await say(interaction, shown.pop("content"), **shown)

    async def turn(self, interaction: discord.Interaction, game_id: int, seq: int) -> None:
        """Show the position after another move, in the same private message."""
        await think(interaction)
        shown = await self._shown(interaction, game_id, seq, None)
        await interaction.edit_original_response(attachments=shown.pop("files"), **shown)

    async def _shown(
        self, interaction: discord.Interaction, game_id: int, seq: int, around: str | None
    ) -> dict[str, Any]:
        """What a message says and shows of the position after a move."""
        async with self._tables.reading(game_id) as live:
            rows = list(live.counting)
        found = await self._bench.do(_line(interaction), partial(past, rows, seq))
        wanted = (around or "").strip().upper()
        if wanted and all(wanted != on_map.coord for on_map in found.map.hexes):
            raise Refused(f"There is no hex {wanted} on this map.")
        drawing = self._pictures.asked().in_server(interaction.guild_id or NO_SERVER)
        drawing = drawing.seen_by(interaction.user.id)
        on_map = await drawing.map(found.map, (wanted,) if wanted else ())
        on_market = await drawing.market(found.market)
        return {
            "content": _told(found)[:LONGEST_MESSAGE],
            "view": panel.rows_of(_ways(game_id, found)),
            "embeds": [_picture("map.png"), _picture("market.png")],
            "files": [
                picture_file(on_map, "map.png", _words(found)),
                picture_file(on_market, "market.png", found.market.caption),
            ],
        }


def _told(found: Past) -> str:
    heading = strong(f"After move {found.seq}") if found.before else strong("The start")
    return "\n".join(filter(None, (heading, found.line)))


def _ways(game_id: int, found: Past) -> list[discord.ui.Button[Any]]:
    """To the moves before and after."""
    near = ((found.before, "← Move"), (found.after, "→ Move"))
    return [past_button(game_id, seq, f"{words} {seq}") for seq, words in near if seq is not None]


def _words(found: Past) -> str:
    """For those who cannot see the map."""
    runs = "; ".join(f"{run.train} {run.sum_text} = ${run.value}" for run in found.map.runs)
    return shortened(f"{found.map.caption}. {runs}" if runs else found.map.caption, 1000)


def _picture(name: str) -> discord.Embed:
    shown = discord.Embed()
    shown.set_image(url=f"attachment://{name}")
    return shown


def _option(seq: int, line: str) -> discord.SelectOption:
    label = _MARKS.sub("", line).partition("\n")[0]
    return discord.SelectOption(label=shortened(label, LONGEST), value=str(seq))


def _nothing(since: int | None) -> str:
    return "There is no move yet." if since is None else f"Nothing has happened since move {since}."


def _line(interaction: discord.Interaction) -> Line:
    return Line(Rank.QUESTION, interaction.guild_id or NO_SERVER)
