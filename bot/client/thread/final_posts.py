"""Posts at a game's end: the result, and a message with chart, timelapse, turning points and files."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.client.alt_texts import history_alt_text
from bot.client.buttons import link_button, rematch_button
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.table.live import LiveGame
from bot.table.markdown import markdown_teller, sentence_list, strong
from bot.table.past.game_record import moderator_who_ended, record_text
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import current_net_worth, net_worth_chart, timelapse, turning_points
from bot.table.tables import Tables
from bot.workers.workers import Priority, QueuePlace
from engine import Fact, Game
from engine.views import MapView, ScoreView, score_view
from render import render_chart, render_timelapse, scores_csv, scores_text
from storage import LogRow

MAX_ANIMATION_BYTES: Final = 8_000_000
"""Size limit of a timelapse in bytes, so that every server accepts it."""
TURNING_POINTS_HEADING: Final = "Turning points"
"""Heading above the game's turning points."""


@dataclass(frozen=True, slots=True)
class FinalFiles:
    """Files of a finished game and embeds about its turning points, for the message below the result."""

    embeds: list[discord.Embed]
    files: list[discord.File]


def result_text(live: LiveGame) -> str:
    """The text of the result with the score table. If it is too long, the shares are left out."""
    view, moderator_id = score_view(live.game), moderator_who_ended(live)
    if moderator_id is not None:
        view = replace(
            view, ending=f"<@{moderator_id}> as a moderator has ended the game. The current scores count."
        )
    full_text = _result_text(live, view, scores_text(view))
    return (
        full_text
        if len(full_text) <= MAX_MESSAGE_LENGTH
        else _result_text(live, view, _score_sum_lines(view))
    )


def outcome_text(live: LiveGame) -> str:
    """Words for the lobby message: the game `has started`, or `has ended` with the winners."""
    return f"has ended: {_winners_text(score_view(live.game))}" if live.game.is_over else "has started"


def _result_text(live: LiveGame, view: ScoreView, scores: str) -> str:
    mentions = sentence_list(dict.fromkeys(f"<@{user_id}>" for user_id in live.users)) or "all"
    text = f"{strong(view.ending)}\n{_winners_text(view)}.\n```\n{scores}\n```\nThank you for the game, {mentions}!"
    if any(row.kind == "accept" for row in live.effective_rows):
        text += (
            "\n-# The bot's rules have changed since, so the file lists every move but cannot be replayed."
        )
    return text


def _score_sum_lines(view: ScoreView) -> str:
    return "\n\n".join(scores_text(view).split("\n\n")[:2])


def _winners_text(view: ScoreView) -> str:
    winners = [row for row in view.rows if row.rank == 1]
    win_verb = "wins" if len(winners) == 1 else "win"
    return f"{sentence_list(strong(row.name) for row in winners)} {win_verb} with {winners[0].money(winners[0].total)}"


def files_heading(seq: int) -> str:
    """The text above a finished game's files."""
    return f"The game in pictures and files, after move {seq}:"


async def final_files(live: LiveGame, tables: Tables, pictures: Pictures) -> FinalFiles:
    """Files of an ended game (chart, timelapse, scores, record), and embeds about its turning points.

    Raises NotDone.
    """
    replayed_game, game, current_worth, position = (
        GameToReplay.of(live),
        live.game,
        current_net_worth(live.game),
        live.game.dump(),
    )
    queue = QueuePlace(Priority.QUESTION, live.row.guild_id)
    history = await tables.replayer.history(replayed_game, queue)
    chart_view, hex_count = net_worth_chart(history, current_worth), len(game.title.spec.map.all_hexes)
    record = await tables.workers.run(queue, record_text, position, replayed_game.rows)
    files = [
        picture_file(
            await pictures.draw_view(render_chart, chart_view), "chart.png", history_alt_text(chart_view)
        ),
        *await _timelapse_files(
            pictures, await timelapse(tables.replayer, replayed_game, history, hex_count, queue)
        ),
        discord.File(io.BytesIO(scores_csv(score_view(game)).encode()), "scores.csv"),
        discord.File(io.BytesIO(record.encode()), record_name(live.id)),
    ]
    return FinalFiles(_turning_point_embeds(game, turning_points(history, game), replayed_game.rows), files)


def record_name(game_id: int) -> str:
    """File name of a game's record, the file with all moves."""
    return f"game-{game_id}.json"


def result_buttons(live: LiveGame, result_url: str | None) -> discord.ui.View:
    """The *Rematch* button below the result; if `result_url` is given, also links to the result page and film."""
    view = discord.ui.View(timeout=None).add_item(rematch_button(live.id))
    if result_url is not None:
        view.add_item(link_button("Result page", result_url)).add_item(
            link_button("Film", f"{result_url}/film")
        )
    return view


def _turning_point_embeds(
    game: Game, turning_point_facts: Iterable[Fact], rows: Iterable[LogRow]
) -> list[discord.Embed]:
    embed = discord.Embed(title=TURNING_POINTS_HEADING)
    embed.description = "\n".join(
        f"- {markdown_teller(game).say(turning_point_fact)}" for turning_point_fact in turning_point_facts
    )
    if any(row.kind == "accept" for row in rows):
        embed.set_footer(
            text="Moves that the bot's current rules would play differently are not considered here."
        )
    return [embed] if embed.description else []


async def _timelapse_files(pictures: Pictures, maps: Sequence[MapView]) -> list[discord.File]:
    if len(maps) < 2:
        return []
    animation = await pictures.draw_uncached(render_timelapse, maps)
    alt_text = f"The map from the first tile to the last, {len(maps)} positions"
    return [picture_file(animation, "map.gif", alt_text)] if len(animation) <= MAX_ANIMATION_BYTES else []
