"""Work that a worker of the bot has done before for the same bytes is not done again in a process that runs tests.

Many tests begin at the same tables: their games are played up to there, and their boards drawn, once. The answer is
kept as the bytes that cross to the bot, and so nobody changes it. A recorded game is played on from where another table
began with it. A test that puts anything else in the place of what such work runs through has it done.
"""

import io
import pickle
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import astuple, replace
from hashlib import blake2b
from typing import Any, Final
from weakref import WeakSet

import pytest

from bot.table import imports
from bot.table.games.game_log import GameStart
from bot.workers import worker
from engine.core.actions import Action
from engine.game import Game
from storage import LogRow, NewLogRow, Seat
from storage.positions import StoredState
from tests.support.kept.courses import played, played_on

PURE: Final = (
    b"bot.table.drawing",
    b"bot.table.imports",
    b"bot.table.games.loading",
    b"bot.table.live",
    b"bot.table.past.",
)
"""Modules whose functions depend on nothing but what they are given, and change nothing."""
TIMELESS: Final = (
    b"bot.table.imports",
    b"bot.table.games.loading",
    b"bot.table.past.past_views",
    b"bot.table.past.replay",
)
"""Those to which it is the same of which game the rows are, and when they were written."""
TESTS: Final = b"tests."
"""Where work that tests make themselves comes from: it is about how often it is done."""
NAMED: Final = 80
"""The name of the function stands in as many of the first bytes."""
MAX_BYTES: Final = 96 * 1024 * 1024
ROOMS: Final = ("engine", "render", "bot.table")
NOTHING: Final = pickle.dumps((True, None))

_work = worker.run_pickled
_kept: OrderedDict[bytes, bytes] = OrderedDict()
_patches: WeakSet[pytest.MonkeyPatch] = WeakSet()


def keep(patch: pytest.MonkeyPatch) -> None:
    """From now on, until the patch is undone, what was done before is not done again."""
    patch.setattr(worker, "run_pickled", _work_or_kept)
    patch.setattr(imports, "_rows_and_positions", _played_or_kept)


def watch() -> None:
    """Know of all that is put in the place of something from now on."""
    begin = pytest.MonkeyPatch.__init__

    def noted(patch: pytest.MonkeyPatch) -> None:
        begin(patch)
        _patches.add(patch)

    pytest.MonkeyPatch.__init__ = noted  # type: ignore[method-assign, assignment]


def _work_or_kept(asked: bytes) -> bytes:
    pure = any(name in asked[:NAMED] for name in PURE) and TESTS not in asked
    return _once(asked) if pure and not _is_changed() else _work(asked)


def _played_or_kept(
    opening: GameStart, game: Game, actions: Sequence[Action]
) -> tuple[list[NewLogRow], list[StoredState]]:
    return (played if _is_changed() else played_on)(opening, game, actions)


def _once(asked: bytes) -> bytes:
    timeless = any(name in asked[:NAMED] for name in TIMELESS)
    key = blake2b(_without_times(asked) if timeless else asked, digest_size=16).digest()
    if (answer := _kept.get(key)) is not None:
        _kept.move_to_end(key)
        return answer
    answer = _work(asked)
    if answer != NOTHING and pickle.loads(answer)[0]:  # nothing: ask again; and errors are cheap
        _kept[key] = answer
        while sum(map(len, _kept.values())) > MAX_BYTES:
            _kept.popitem(last=False)
    return answer


class _Timeless(pickle.Pickler):
    """Writes rows and seats without their game, and rows without when they were written."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, LogRow):
            return tuple, (tuple(value._replace(game_id=0, created_at="")),)
        if isinstance(value, Seat):
            return tuple, (astuple(replace(value, game_id=0)),)
        return NotImplemented


def _without_times(asked: bytes) -> bytes:
    written = io.BytesIO()
    _Timeless(written).dump(pickle.loads(asked))
    return written.getvalue()


def _is_changed() -> bool:
    return any(
        _is_of_work(owner) and getattr(owner, name, None) is not _played_or_kept
        for patch in list(_patches)
        for owner, name, _ in patch._setattr
    )


def _is_of_work(owner: Any) -> bool:
    name = getattr(owner, "__module__", None) or getattr(owner, "__name__", "")
    return str(name).startswith(ROOMS)
