"""Posts at the end of a game: result, chart, timelapse, turning points, and files."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.client.alt_texts import history_alt_text
from bot.client.buttons import rematch_button
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.table.live import LiveGame
from bot.table.markdown import markdown_teller, sentence_list, strong
from bot.table.past.game_record import ended_by, record_text
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import at_present, chart, timelapse, turning_points
from bot.table.tables import Tables
from bot.workers.workers import Priority, Queue
from engine import Fact, Game
from engine.views import MapView, ScoreView, score_view
from render import render_chart, render_timelapse, scores_csv, scores_text
from storage import Row

LARGEST_ANIMATION: Final = 8_000_000
"""Bytes; a timelapse that came out larger would not be taken everywhere."""
TURNING_POINTS: Final = "Turning points"
"""The heading above them."""


@dataclass(frozen=True, slots=True)
class FinalFiles:
    """The message below the result: the story in words, and files."""

    embeds: list[discord.Embed]
    files: list[discord.File]


def farewell(live: LiveGame) -> str:
    """The text of a game's last message; shares are left to the picture if too many."""
    view, officer = score_view(live.game), ended_by(live)
    if officer is not None:
        view = replace(
            view, ending=f"<@{officer}> as a moderator has ended the game. The current scores count."
        )
    whole = _farewell(live, view, scores_text(view))
    return whole if len(whole) <= LONGEST_MESSAGE else _farewell(live, view, _sums(view))


def fate(live: LiveGame) -> str:
    """A started game's outcome, for its message in the channel."""
    return f"has ended: {_winners(score_view(live.game))}" if live.game.over else "has started"


def _farewell(live: LiveGame, view: ScoreView, scores: str) -> str:
    names = sentence_list(dict.fromkeys(f"<@{user_id}>" for user_id in live.people)) or "all"
    text = f"{strong(view.ending)}\n{_winners(view)}.\n```\n{scores}\n```\nThank you for the game, {names}!"
    if any(row.kind == "accept" for row in live.counting):
        text += (
            "\n-# The bot's rules have changed since, so the file lists every move but cannot be replayed."
        )
    return text


def _sums(view: ScoreView) -> str:
    """Heading and sums of the table, without the shares below."""
    return "\n\n".join(scores_text(view).split("\n\n")[:2])


def _winners(view: ScoreView) -> str:
    best = [row for row in view.rows if row.rank == 1]
    wins = "wins" if len(best) == 1 else "win"
    return f"{sentence_list(strong(row.name) for row in best)} {wins} with ${best[0].total}"


def heading_of_papers(seq: int) -> str:
    """The heading of the message below the result, after this last move."""
    return f"The game in pictures and files, after move {seq}:"


async def papers(live: LiveGame, tables: Tables, pictures: Pictures) -> FinalFiles:
    """Scores as a table, chart, turning points, the map growing, and the whole game; raises NotDone."""
    past, game, now, state = PastGame.of(live), live.game, at_present(live.game), live.game.dump()
    queue = Queue(Priority.QUESTION, live.row.guild_id)
    history = await tables.past.history(past, queue)
    course, hexes = chart(history, now), len(game.title.spec.map.all_hexes)
    file = await tables.workers.run(queue, record_text, state, past.rows)
    files = [
        picture_file(await pictures.drawn(render_chart, course), "chart.png", history_alt_text(course)),
        *await _timelapse(pictures, await timelapse(tables.past, past, history, hexes, queue)),
        discord.File(io.BytesIO(scores_csv(score_view(game)).encode()), "scores.csv"),
        discord.File(io.BytesIO(file.encode()), record_name(live.id)),
    ]
    return FinalFiles(_story_embeds(game, turning_points(history, game), past.rows), files)


def record_name(game_id: int) -> str:
    """The name of the file with the whole game."""
    return f"game-{game_id}.json"


def once_more(live: LiveGame) -> discord.ui.View:
    """The permanent button below the result."""
    return discord.ui.View(timeout=None).add_item(rematch_button(live.id))


def _story_embeds(game: Game, points: Iterable[Fact], rows: Iterable[Row]) -> list[discord.Embed]:
    embed = discord.Embed(title=TURNING_POINTS)
    embed.description = "\n".join(f"- {markdown_teller(game).say(point)}" for point in points)
    if any(row.kind == "accept" for row in rows):
        embed.set_footer(text="Moves that the current rules would play differently are left out.")
    return [embed] if embed.description else []


async def _timelapse(pictures: Pictures, maps: Sequence[MapView]) -> list[discord.File]:
    if len(maps) < 2:
        return []
    moving = await pictures.drawn_once(render_timelapse, maps)
    words = f"The map from the first tile to the last, {len(maps)} positions"
    return [picture_file(moving, "map.gif", words)] if len(moving) <= LARGEST_ANIMATION else []
