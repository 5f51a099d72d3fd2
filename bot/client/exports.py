"""`/game export`: a game as files for whoever asks, in every form that others can read."""

import io
from typing import Any, Final, NamedTuple

import discord

from bot.client.replies import say, think
from bot.client.workbench import Line, Rank, Workbench
from bot.table.forms import as_ledger, as_log
from bot.table.history import recorded, retold
from bot.table.live import Live
from bot.table.service import Tables
from engine.core.errors import EngineError
from engine.interchange.written import refused_there
from engine.record import Record, write_record
from engine.tell.failing import failure
from engine.tell.viewing import score_view
from render import scores_csv
from storage.log import Row

SECRET: Final = (
    "Money is secret in this title. Until the game is over you get what the table has been told, move by move; whole "
    "game, ledger and score sheet would count everybody's money for you."
)
ELSEWHERE: Final = "By the rules of today its moves lead elsewhere, so `/game import` refuses it."
"""What is said of a game whose rules have changed since it began."""


class Paper(NamedTuple):
    """A file: its name and what stands in it."""

    name: str
    text: str


class Exports:
    """Hands out games as files."""

    def __init__(self, tables: Tables, bench: Workbench) -> None:
        self._tables = tables
        self._bench = bench

    async def export(self, interaction: discord.Interaction[Any], game_id: int) -> None:
        """Answer privately with the files, and what is to be said about them; raises Refused, NoSuchGame."""
        await think(interaction)
        line = Line(Rank.QUESTION, interaction.guild_id or 0)
        async with self._tables.reading(game_id) as live:
            secret, over, rows = _is_secret(live), live.game.over, list(live.counting)
            record, scores = recorded(live), scores_csv(score_view(live.game))
        if secret:
            told = Paper(f"game-{game_id}.txt", await self._bench.do(line, lambda: _lines(rows)))
            await _hand_out(interaction, SECRET, [told])
            return
        papers, notes = await self._bench.do(line, lambda: papers_of(game_id, record))
        sheet = Paper(f"game-{game_id}-scores.csv", scores)
        notes.append(f"`{sheet.name}` has the score sheet as it {'is' if over else 'would be now'}.")
        await _hand_out(interaction, "\n".join(notes), [*papers, sheet])


def _is_secret(live: Live) -> bool:
    return live.game.rules.spec.secret_cash and not live.game.over


def _lines(rows: list[Row]) -> str:
    return "\n".join(line for _, line in retold(rows))


async def _hand_out(interaction: discord.Interaction[Any], about: str, papers: list[Paper]) -> None:
    files = [discord.File(io.BytesIO(paper.text.encode()), paper.name) for paper in papers]
    await say(interaction, about, files=files)


def papers_of(game_id: int, record: Record) -> tuple[list[Paper], list[str]]:
    """The files that can be made of a record, and a sentence about each."""
    own = Paper(f"game-{game_id}.json", write_record(record))
    papers, notes = [own], [f"`{own.name}` is the whole game in our own form; `/game import` reads it."]
    for name, about, write in (
        (f"game-{game_id}-ledger.csv", "has every payment and what it was for.", as_ledger),
        (f"game-{game_id}-18xx.games.json", "is a log as 18xx.games writes them.", as_log),
    ):
        try:
            papers.append(Paper(name, write(record)))
        except EngineError as problem:
            notes.append(f"There is no `{name}`: {failure(problem, record.begin()).rstrip('.')}.")
            if write is as_ledger:
                notes[0] = f"`{own.name}` is the whole game in our own form. {ELSEWHERE}"
        else:
            notes.append(f"`{name}` {about}")
            notes += _warning(papers[-1]) if write is as_log else []
    return papers, notes


def _warning(log: Paper) -> list[str]:
    """That site plays by its own rules, and may refuse what ours allow."""
    problem = refused_there(log.text)
    if problem is None:
        return []
    return [f"By its own rules that site would stop at {failure(problem).rstrip('.')}."]
