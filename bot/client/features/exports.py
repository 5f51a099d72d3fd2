"""`/game export`: a game as files, in every form that others can read."""

import io
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs
from bot.client.features.lobby import game
from bot.client.parameters import GameNumber
from bot.client.question_queue import question_of
from bot.client.which_game import running_choices
from bot.table.live import LiveGame
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.export_formats import Paper, papers_of
from bot.table.past.history import recorded
from bot.table.past.lines import chapter_lines
from bot.table.rate_limits import Kind
from engine.tell.view_builders import score_view
from render import scores_csv

SECRET: Final = (
    "Money is secret in this title. Until the game is over you get the public log, move by move; the whole game, the "
    "ledger and the score sheet would show everybody's money."
)


@game.command(name="export", extras=needs("look", Kind.PICTURE, game="number"))
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def export(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """This game as files: ours, a log of 18xx.games, ledger, score sheet."""
    game_id = game_here(interaction) if number is None else number
    await think(interaction)
    tables, queue = interaction.client.tables, question_of(interaction)
    async with tables.reading(game_id) as live:
        secret, over, past = _is_secret(live), live.game.over, PastGame.of(live)
        record, scores = recorded(live), scores_csv(score_view(live.game))
    if secret:
        chapter = await tables.chronicle.chapters(past, Work(tables.workers, queue))
        lines = "\n".join(line for _, line in chapter_lines(past.rows[0], chapter, past.names))
        await _send(interaction, SECRET, [Paper(f"game-{game_id}.txt", lines)])
        return
    papers, notes = await tables.workers.run(queue, papers_of, game_id, record)
    sheet = Paper(f"game-{game_id}-scores.csv", scores)
    notes.append(f"`{sheet.name}` has the score sheet as it {'is' if over else 'would be now'}.")
    await _send(interaction, "\n".join(notes), [*papers, sheet])


def _is_secret(live: LiveGame) -> bool:
    return live.game.rules.spec.secret_cash and not live.game.over


async def _send(interaction: BotInteraction, about: str, papers: list[Paper]) -> None:
    files = [discord.File(io.BytesIO(paper.text.encode()), paper.name) for paper in papers]
    await say(interaction, about, files=files)
