"""Looking over every game of a database: whether its rows still lead to what they say."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

from bot.table.games.integrity import Flawed, counted
from bot.table.games.loading import replayed
from engine.core.errors import EngineError
from engine.tell.failing import failure
from storage import games
from storage.contract import Database
from storage.errors import StorageError
from storage.games import Game as GameRow
from storage.games import Status
from storage.log import log

_log = logging.getLogger("stationmaster")

STATUSES: tuple[Status, ...] = ("lobby", "running", "finished", "abandoned")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A game, how many rows its log has, and what is wrong with it (None: nothing)."""

    game: GameRow
    rows: int
    problem: str | None


async def verdicts(db: Database) -> AsyncIterator[Verdict]:
    """Look over every game there is: each row's digest after replaying it, and the state that is kept."""
    for status in STATUSES:
        for game in await games.games_in(db, status):
            rows, problem = await _looked_over(db, game.id)
            yield Verdict(game, rows, problem)


async def _looked_over(db: Database, game_id: int) -> tuple[int, str | None]:
    rows: list[log.Row] = []
    try:
        rows = await log.read(db, game_id)
        if rows:
            await log.kept_state(db, game_id)
            await asyncio.to_thread(lambda: replayed(counted(rows)))
    except EngineError as error:
        return len(rows), failure(error)
    except (StorageError, Flawed) as error:
        return len(rows), str(error)
    except Exception:  # noqa: BLE001 - whatever stands there, the other games are looked over
        _log.exception("game %s cannot be looked over", game_id)
        return len(rows), "what is stored of it makes no sense"
    return len(rows), None
