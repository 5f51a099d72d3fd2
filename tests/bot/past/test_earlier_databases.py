"""Databases that earlier versions of the program wrote (`tests/earlier`): every game in them continues.

`tests/support/earlier/make.py` makes them, each by a commit with its version of the tables.
"""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.table.games.loading import replayed_game
from bot.tools import databases
from bot.tools.databases import verdicts
from engine.caretaker import choose_move
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.play.steps.base import Request
from engine.titles import TITLES
from storage import LogRow, games, log, open_database
from storage.migrations.schema_versions import RELEASE_BY_VERSION
from tests.bot.support.table_service import BOB, TableService
from tests.support.earlier import COMMITS, FOLDER, restore, write_database
from tests.support.earlier.store_as_then import round_of
from tests.support.own_postgres import Server

ROUNDS = {"Auction", "Stock", "Operating", "Proposal"}
"""Kinds of rounds that every version had; the draft and merger rounds came with 18NewEngland."""
FIRST_WITH_DRAFTS = 9
_replayed: dict[tuple[LogRow, ...], Game] = {}
"""Games that nobody plays on, by their rows."""
_chosen: dict[tuple[str, PlayerId], Action] = {}
"""Moves by the position, and whose they are."""


@pytest.fixture
async def where(
    request: pytest.FixtureRequest, tmp_path: Path, version: int, kind: str
) -> AsyncIterator[str | Path]:
    if kind == "file":
        write_database(version, tmp_path / "games.db")
        yield tmp_path / "games.db"
        return
    server: Server = request.getfixturevalue("postgres")
    async with server.fresh("template1") as url:
        await restore(version, url)
        yield url


@pytest.fixture(autouse=True)
def replayed_once(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these databases have the same games: the same rows, found sound, are not replayed again."""
    if not pytestconfig.getoption("--anew"):
        monkeypatch.setattr(databases, "replayed_game", _replayed_once)


def _replayed_once(counting: Sequence[LogRow]) -> Game:
    key = tuple(row._replace(game_id=0, created_at="") for row in counting)
    if key not in _replayed:
        _replayed[key] = replayed_game(counting)
    return _replayed[key]


def test_every_release_has_a_database() -> None:
    assert {file.name for file in FOLDER.glob("*.db.xz")} == {f"{version}.db.xz" for version in COMMITS}
    assert set(COMMITS) >= set(RELEASE_BY_VERSION)


@pytest.mark.parametrize(
    ("version", "kind"), [*((version, "file") for version in COMMITS), (23, "server"), (26, "server")]
)
async def test_earlier_games_continue(where: str | Path, version: int) -> None:
    """A move is made in each running game, and is there when the database is opened again."""
    after: dict[int, str] = {}
    rounds: set[str] = set()
    async with await open_database(where) as db:
        service = TableService.on(db)
        running = await games.games_with_status(db, "running")
        gone = {row.id for row in running if row.title not in TITLES}
        problems = [found async for found in verdicts(db) if found.problem and found.game.id not in gone]
        assert problems == []
        for row in (row for row in running if row.id not in gone):
            rounds.add(await moved_on(service, row.id))
            after[row.id] = await service.digest(row.id)
        [waiting] = await games.games_with_status(db, "lobby")
        await service.lobbies.join(waiting.id, BOB, "Bob")
        [over] = await games.games_with_status(db, "finished")
        assert await log.last_seq(db, over.id) > 100
    assert rounds == ROUNDS | ({"Draft", "Merger"} if version >= FIRST_WITH_DRAFTS else set())
    async with await open_database(where) as db:
        service = TableService.on(db)
        assert {game: await service.digest(game) for game in after} == after


def _choice(game: Game, player: PlayerId) -> Action:
    """A legal move, which is chosen once at the positions that most of these databases have."""
    position = (game.digest(), player)
    if position not in _chosen:
        _chosen[position] = choose_move(game, player, 1)
    return _chosen[position]


async def moved_on(service: TableService, game: int) -> str:
    async with service.tables.reading(game) as live:
        assert live.hold_reason is None
        kind, before, player = round_of(live.game), live.seq, live.game.actors()[0]
        action, user = _choice(live.game, player), live.user_of(player)
    await service.tables.submit(game, user, lambda game, _: game.cursor_for(Request.of_action(action)))
    assert await log.last_seq(service.db, game) > before
    return kind
