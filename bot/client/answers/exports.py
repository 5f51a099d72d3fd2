"""`/game export`: a game as files, in every form that others can read."""

import io
from typing import Any, Final

import discord

from bot.client.entry.replies import say, think
from bot.client.question_queue import question_of
from bot.table.live import LiveGame
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.export_formats import Paper, papers_of
from bot.table.past.history import recorded
from bot.table.past.lines import chapter_lines
from bot.table.tables import Tables
from engine.tell.view_builders import score_view
from render import scores_csv

SECRET: Final = (
    "Money is secret in this title. Until the game is over you get the public log, move by move; the whole game, the "
    "ledger and the score sheet would show everybody's money."
)


class Exports:
    """Sends games as files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def export(self, interaction: discord.Interaction[Any], game_id: int) -> None:
        """Answer privately with the files, and what is to be said about them; raises Refused, NoSuchGame."""
        await think(interaction)
        queue, workers = question_of(interaction), self._tables.workers
        async with self._tables.reading(game_id) as live:
            secret, over, game = _is_secret(live), live.game.over, PastGame.of(live)
            record, scores = recorded(live), scores_csv(score_view(live.game))
        if secret:
            chapter = await self._tables.chronicle.chapters(game, Work(workers, queue))
            lines = "\n".join(line for _, line in chapter_lines(game.rows[0], chapter, game.names))
            await _send(interaction, SECRET, [Paper(f"game-{game_id}.txt", lines)])
            return
        papers, notes = await workers.run(queue, papers_of, game_id, record)
        sheet = Paper(f"game-{game_id}-scores.csv", scores)
        notes.append(f"`{sheet.name}` has the score sheet as it {'is' if over else 'would be now'}.")
        await _send(interaction, "\n".join(notes), [*papers, sheet])


def _is_secret(live: LiveGame) -> bool:
    return live.game.rules.spec.secret_cash and not live.game.over


async def _send(interaction: discord.Interaction[Any], about: str, papers: list[Paper]) -> None:
    files = [discord.File(io.BytesIO(paper.text.encode()), paper.name) for paper in papers]
    await say(interaction, about, files=files)
