"""What is posted with the score sheet when a game has ended: charts, timelapse, table and log as files."""

import asyncio
import io
from collections.abc import Callable
from functools import partial

import discord

from bot.client.alternatives import of_course, of_scores
from bot.client.pictures import Pictures
from bot.client.posts import picture_file
from bot.table.course import course_of, maps_of
from bot.table.history import recorded
from bot.table.live import Live
from engine.record import write_record
from engine.tell.viewing import score_view
from engine.tell.views import MapView
from render import render_chart, render_timelapse, scores_csv

LARGEST_ANIMATION = 8_000_000
"""Bytes; a timelapse that came out larger would not be taken everywhere."""


async def papers(live: Live, pictures: Pictures) -> list[discord.File]:
    """The score sheet as picture and table, the charts, the map growing, and the whole game."""
    view, whole, rows = score_view(live.game), write_record(recorded(live)), list(live.counting)
    course = await asyncio.to_thread(course_of, rows, live.game)
    return [
        picture_file(await pictures.scores(view), "scores.png", of_scores(view)),
        picture_file(await pictures.drawn(render_chart, course), "chart.png", of_course(course)),
        *await _timelapse(pictures, partial(maps_of, rows)),
        discord.File(io.BytesIO(scores_csv(view).encode()), "scores.csv"),
        discord.File(io.BytesIO(whole.encode()), f"game-{live.id}.json"),
    ]


async def _timelapse(pictures: Pictures, maps: Callable[[], tuple[MapView, ...]]) -> list[discord.File]:
    shown = await asyncio.to_thread(maps)
    if len(shown) < 2:
        return []
    moving = await pictures.once(render_timelapse, shown)
    words = f"The map from the first tile to the last, {len(shown)} positions"
    return [picture_file(moving, "map.gif", words)] if len(moving) <= LARGEST_ANIMATION else []
