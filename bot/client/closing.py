"""What is posted when a game has ended: score sheet, charts, timelapse, turning points in words, the game as files."""

import asyncio
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import discord

from bot.client.alternatives import of_course, of_scores
from bot.client.buttons import rematch_button
from bot.client.pictures import Pictures
from bot.client.posts import picture_file
from bot.client.texts import LONGEST_MESSAGE
from bot.table.course import whole_course
from bot.table.history import recorded
from bot.table.live import Live
from bot.table.stopping import ended_by
from bot.table.style import marked, sentence_list, strong
from engine.core.facts import Fact
from engine.game import Game
from engine.record import write_record
from engine.tell.viewing import score_view
from engine.tell.views import MapView, ScoreView
from render import render_chart, render_timelapse, scores_csv, scores_text
from storage.log import Row

LARGEST_ANIMATION = 8_000_000
"""Bytes; a timelapse that came out larger would not be taken everywhere."""
TURNING_POINTS = "Turning points"
"""The heading above them."""


@dataclass(frozen=True, slots=True)
class Papers:
    """What belongs to the last message of a game: the story in words, and the files."""

    embeds: list[discord.Embed]
    files: list[discord.File]


def farewell(live: Live) -> str:
    """What the last message of a game says; where the shares of everybody are too many, the picture alone has them."""
    view, officer = score_view(live.game), ended_by(live)
    if officer is not None:
        view = replace(view, ending=f"<@{officer}> has ended the game, as a moderator, as it stands.")
    whole = _farewell(live, view, scores_text(view))
    return whole if len(whole) <= LONGEST_MESSAGE else _farewell(live, view, _sums(view))


def _farewell(live: Live, view: ScoreView, scores: str) -> str:
    names = sentence_list(dict.fromkeys(f"<@{user_id}>" for user_id in live.people)) or "all"
    text = f"{strong(view.ending)}\n{_winners(view)}\n```\n{scores}\n```\nThank you for the game, {names}!"
    if any(row.kind == "accept" for row in live.counting):
        text += (
            "\n-# The rules have changed meanwhile: the file tells every move, but cannot be played again."
        )
    return text


def _sums(view: ScoreView) -> str:
    """Heading and sums of the table, without the shares below."""
    return "\n\n".join(scores_text(view).split("\n\n")[:2])


def _winners(view: ScoreView) -> str:
    best = [row for row in view.rows if row.rank == 1]
    wins = "wins" if len(best) == 1 else "win"
    return f"{sentence_list(strong(row.name) for row in best)} {wins} with ${best[0].total}."


async def papers(live: Live, pictures: Pictures) -> Papers:
    """The score sheet as picture and table, charts, turning points, the map growing, and the whole game."""
    game, whole, rows = live.game, write_record(recorded(live)), list(live.counting)
    view, course = score_view(game), await asyncio.to_thread(whole_course, rows, game)
    files = [
        picture_file(await pictures.scores(view), "scores.png", of_scores(view)),
        picture_file(await pictures.drawn(render_chart, course.chart), "chart.png", of_course(course.chart)),
        *await _timelapse(pictures, course.maps),
        discord.File(io.BytesIO(scores_csv(view).encode()), "scores.csv"),
        discord.File(io.BytesIO(whole.encode()), f"game-{live.id}.json"),
    ]
    return Papers(_told(game, course.points, rows), files)


def once_more(live: Live) -> discord.ui.View:
    """The button below the last message, there for good."""
    return discord.ui.View(timeout=None).add_item(rematch_button(live.id))


def _told(game: Game, points: Iterable[Fact], rows: Iterable[Row]) -> list[discord.Embed]:
    embed = discord.Embed(title=TURNING_POINTS)
    embed.description = "\n".join(f"- {marked(game).say(point)}" for point in points)
    if any(row.kind == "accept" for row in rows):
        embed.set_footer(text="Moves that the rules of today would play otherwise are left out.")
    return [embed] if embed.description else []


async def _timelapse(pictures: Pictures, maps: Sequence[MapView]) -> list[discord.File]:
    if len(maps) < 2:
        return []
    moving = await pictures.once(render_timelapse, maps)
    words = f"The map from the first tile to the last, {len(maps)} positions"
    return [picture_file(moving, "map.gif", words)] if len(moving) <= LARGEST_ANIMATION else []
