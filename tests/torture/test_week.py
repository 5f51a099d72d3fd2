"""A week at many tables: all who must act are pinged once, in time, where they want it, and nobody else is."""

import random
from pathlib import Path

import pytest

from bot.client.pictures import Pictures
from bot.client.thread.final_posts import FinalFiles
from tests.torture.week.agenda import Agenda
from tests.torture.week.crowd import crowd
from tests.torture.week.sandbox import WeekBot, WeekWorld
from tests.torture.week.week import BEGINS, Week

PING_DELAY = 30.0
"""Seconds after which the bot pings the acting player by default."""
PEOPLE_AT_A_TABLE = 4 / 3
"""This many times as many people as tables, so that each sits at three."""


@pytest.fixture
def _quickly(monkeypatch: pytest.MonkeyPatch, week_seed: int) -> None:
    """Pictures are none, games end without papers, and are drawn by our own chance: a week of them takes too long."""

    async def drawn(_: Pictures, *pieces: object) -> list[bytes]:
        return [b"\x89PNG"] * len(pieces)

    async def papers(*_: object) -> FinalFiles:
        return FinalFiles([], [])

    monkeypatch.setattr(Pictures, "_draw_all", drawn)
    monkeypatch.setattr("bot.client.poster.final_files", papers)
    monkeypatch.setattr("bot.table.lobby.secrets.randbelow", random.Random(week_seed).randrange)


@pytest.mark.usefixtures("_quickly")
async def test_week_of_pings(tmp_path: Path, week_tables: int, week_days: float, week_seed: int) -> None:
    """With restarts, a kill, six hours without the bot, quiet hours, orders, and turns that are undone or left."""
    chance, agenda = random.Random(week_seed), Agenda(BEGINS)
    world = WeekWorld(agenda)
    everybody = crowd(world, max(8, round(week_tables * PEOPLE_AT_A_TABLE)), chance)
    async with WeekBot.opened(tmp_path / "games.db", world, ping_delay=PING_DELAY) as sandbox:
        sandbox.clock = agenda.clock
        week = Week(sandbox, agenda, everybody, chance)
        await week.lasts(week_days, week_tables)
    assert week.judge.faults == []
    assert len(week.tables) == week_tables
    assert min(table.moves for table in week.tables) >= week_days
