"""A week at many tables: all who must act are pinged once, in time, where they want it, and nobody else is."""

import logging
import random
import struct
import zlib
from pathlib import Path

import pytest

from bot.client.pictures import Pictures
from bot.client.thread.final_posts import FinalFiles
from tests.torture.week.agenda import Agenda
from tests.torture.week.crowd import crowd
from tests.torture.week.sandbox import WeekBot, WeekWorld
from tests.torture.week.week import BEGINS, Week

_log = logging.getLogger("week")

PING_AFTER = 30.0
"""Seconds after which the bot pings the acting player by default."""
PEOPLE_AT_A_TABLE = 4 / 3
"""This many times as many people as tables, so that each sits at three."""


def _dot() -> bytes:
    """A picture of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head, pixel = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0), zlib.compress(b"\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


@pytest.fixture
def _quickly(monkeypatch: pytest.MonkeyPatch, week_seed: int) -> None:
    """Pictures are of one pixel, games end without papers, and are drawn by our own chance."""

    async def drawn(_: Pictures, *pieces: object) -> list[bytes]:
        return [_dot() for _ in pieces]

    async def papers(*_: object) -> FinalFiles:
        return FinalFiles([], [])

    monkeypatch.setattr(Pictures, "_all_drawn", drawn)
    monkeypatch.setattr("bot.client.poster.papers", papers)
    monkeypatch.setattr("bot.table.lobby.secrets.randbelow", random.Random(week_seed).randrange)


@pytest.mark.usefixtures("_quickly")
async def test_week_of_pings(tmp_path: Path, week_tables: int, week_days: float, week_seed: int) -> None:
    """With restarts, a kill, six hours without the bot, quiet hours, orders, and turns that are undone or left."""
    chance, agenda = random.Random(week_seed), Agenda(BEGINS)
    world = WeekWorld(agenda)
    everybody = crowd(world, max(8, round(week_tables * PEOPLE_AT_A_TABLE)), chance)
    async with WeekBot.opened(tmp_path / "games.db", world, ping_after=PING_AFTER) as sandbox:
        sandbox.clock = agenda.clock
        week = Week(sandbox, agenda, everybody, chance)
        await week.lasts(week_days, week_tables)
    tables = week.tables
    _log.info("%s", week.counts())
    assert week.judge.faults == []
    assert len(tables) == week_tables
    assert min(table.moves for table in tables) >= week_days
