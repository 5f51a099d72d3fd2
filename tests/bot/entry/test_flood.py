"""A user who asks without end is asked to slow down, and keeps nobody else waiting."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.client.app import Stationmaster
from bot.client.pictures import Pictures
from bot.sandbox.guild import seed
from bot.sandbox.guild.person import NO_ANSWER_TEXT, InteractionResult
from bot.table import drawing
from bot.table.rate_limits import SERVER_ALLOWANCES, USER_ALLOWANCES, RateLimiter, RequestKind
from bot.workers.worker import ThreadWorker
from bot.workers.workers import Priority, QueuePlace, WorkerGroup, Workers
from engine.game import Game
from engine.tell.view_builders import map_view
from render.hexes import hex_art
from render.maps import map_art
from storage import Database
from tests.bot.support.declared import REQUIRED
from tests.bot.support.positions import actor_of, ends_turn, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated


@pytest.fixture
async def slow_house(tmp_path: Path) -> AsyncIterator[SandboxBot]:
    """A house in which no time passes, so that nothing comes back of what was used up."""
    async with SandboxBot.opened(tmp_path / "games.db", pace=RateLimiter(clock=lambda: 0.0)) as opened:
        yield opened


def uses_up(house: SandboxBot, kind: RequestKind, *people: int) -> None:
    for person in people:
        while house.client.admission.rate_limiter.count_request(kind, person, seed.GUILD_ID) is None:
            pass


@pytest.mark.usefixtures("undrawn")
async def test_too_many_pictures(slow_house: SandboxBot) -> None:
    game = await slow_house.game()
    assert (await game.slash("Ann", "market")).ephemeral[0].attachments
    uses_up(slow_house, RequestKind.PICTURE, slow_house.person("Ann").id)
    assert (await game.slash("Ann", "market")).text == (
        "You have asked for too many pictures in a short time. Please wait 4 seconds and try again. "
        "You can still make moves."
    )
    assert (await game.slash("Ann", "pass")).text.startswith("Done, move 2")
    assert (await game.slash("Bob", "market")).ephemeral[0].attachments


@pytest.mark.usefixtures("undrawn")
async def test_too_many_moves(slow_house: SandboxBot) -> None:
    game = await slow_house.game()
    uses_up(slow_house, RequestKind.MOVE, slow_house.person("Cy").id)
    assert await slow_house.hears(await game.press("Cy", "Pass"), "many moves in a short time")
    await game.press("Ann", "Pass")
    assert await game.seq() == 2
    uses_up(slow_house, RequestKind.MOVE, *range(1, 1 + int(SERVER_ALLOWANCES[RequestKind.MOVE].burst)))
    told = await game.slash("Bob", "pass")
    assert told.text.startswith("This server has made too many moves in a short time.")
    assert "You can still make moves" not in told.text


@pytest.mark.usefixtures("undrawn")
async def test_too_many_completions(slow_house: SandboxBot) -> None:
    game, ann = await slow_house.game(), slow_house.person("Ann")

    async def offered(typed: str = "") -> list[Any]:
        return list(await ann.autocomplete(game.thread, "bid", focused="private", private=typed))

    assert await offered()
    assert len(await offered("d&r" + " " * 900)) == 1
    assert await offered("d&r" + " " * 5000) == [], "texts without end are not read"
    for blanks, values in ((50, ["usual"]), (5000, [])):
        chosen = {"setting": "reminders", "value": "usual" + " " * blanks}
        found = await ann.autocomplete(game.thread, "game settings", focused="value", **chosen)
        assert [value for _, value in found] == values, "nor those of a subcommand"
    uses_up(slow_house, RequestKind.COMPLETION, ann.id)
    assert await offered() == []


async def test_slowing_down_is_said_a_few_times(slow_house: SandboxBot) -> None:
    async def asks() -> InteractionResult:
        return await slow_house.person("Ann").slash("table", "help")

    uses_up(slow_house, RequestKind.QUESTION, slow_house.person("Ann").id)
    for _ in range(int(USER_ALLOWANCES[RequestKind.WARNING].burst)):
        assert "many questions" in (await asks()).text
    slow_house.world.answer_seconds = 0.2
    assert (await asks()).failure_text == NO_ANSWER_TEXT


async def test_refusal_that_cannot_be_sent(slow_house: SandboxBot, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "stationmaster.gate")
    uses_up(slow_house, RequestKind.QUESTION, slow_house.person("Ann").id)
    slow_house.server.faults.fail("/callback", status=403)
    slow_house.world.answer_seconds, usual = 0.2, slow_house.world.answer_seconds
    assert (await slow_house.person("Ann").slash("table", "help")).failure_text == NO_ANSWER_TEXT
    assert "cannot answer a request that was refused" in caplog.text
    slow_house.world.answer_seconds = usual
    assert (await slow_house.person("Bob").slash("table", "help")).text


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("map", RequestKind.PICTURE),
        ("private", RequestKind.PICTURE),
        ("game export", RequestKind.PICTURE),
        ("game list", RequestKind.QUESTION),
        ("orders list", RequestKind.QUESTION),
        ("log", RequestKind.QUESTION),
        ("stats", RequestKind.QUESTION),
        ("what-if", RequestKind.QUESTION),
        ("game join", RequestKind.MOVE),
        ("pass", RequestKind.MOVE),
        ("mod undo", RequestKind.MOVE),
    ],
)
def test_kinds_of_commands(command: str, kind: RequestKind) -> None:
    assert REQUIRED[command].request_kind is kind


# --- nobody's questions keep a table waiting -------------------------------------------------------------------------


class Works(Workers):
    """Workers that note the queues in which work has waited."""

    def __init__(self) -> None:
        self.queues: set[tuple[str, int]] = set()
        """The priority of each piece of work, and its server."""
        super().__init__({one: WorkerGroup(one, [ThreadWorker()]) for one in Priority})

    async def run(self, queue: QueuePlace, function: Callable[..., Any], *args: Any) -> Any:
        self.queues.add((queue.priority.name, queue.guild_id))
        return await super().run(queue, function, *args)


class WorkedFor(SandboxBot):
    """A house whose workers are watched."""

    def hired(self, db: Database) -> Stationmaster:
        self.works = Works()
        return Stationmaster(
            db, rate_limiter=RateLimiter(1000), ping_delay=0, workers=self.works, guild_ready_timeout=0.02
        )


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[WorkedFor]:
    async with WorkedFor.opened(tmp_path / "games.db") as opened:
        yield opened


async def first_lay(game: Seated) -> tuple[str, dict[str, Any]]:
    """The acting player, and the first tile that may be laid; the map must be drawn then."""
    name, values = actor_of(game), dict[str, Any]()
    for slot in ("hex", "tile", "rotation"):
        typed = {**values, slot: ""}
        offered = await game.sandbox.person(name).autocomplete(game.thread, "lay", focused=slot, **typed)
        values[slot] = offered[0][1]
    return name, values


async def test_queues_of_servers(watched: WorkedFor) -> None:
    """Nobody's questions keep a table waiting: work is a question of its server, unless it is for a move."""
    game, works = await seated_at(watched, played_to("lay_tile")), watched.works
    name, values = await first_lay(game)
    here = watched.client.guilds[0].id
    works.queues.clear()
    await game.slash(name, "lay", **values)
    await ends_turn(game)
    assert works.queues == {("MOVE", here)}
    running = await seated_at(watched, played_to("run_routes"))
    for command, what in (("status", {}), ("map", {"around": "F6"}), ("log", {}), ("run", {})):
        works.queues.clear()
        await running.slash(actor_of(running), command, **what)
        assert works.queues <= {("QUESTION", here)}, command
    assert works.queues


async def test_line_is_posted_before_the_board(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    game, begun, drawn, board = await sandbox.game(), asyncio.Event(), asyncio.Event(), Pictures.board

    async def slowly(*given: Any) -> tuple[bytes, bytes]:
        begun.set()
        await drawn.wait()
        return await board(*given)

    # How long drawing takes is a matter of the machine.
    monkeypatch.setattr(Pictures, "board", slowly)
    await sandbox.person("Ann").press(game.turn, "Pass")
    await asyncio.wait_for(begun.wait(), 20)
    bob = sandbox.person("Bob").mention
    assert await sandbox.world.wait_until(lambda: game.turn_text.startswith(bob), timeout=20)
    await sandbox.person("Bob").press(game.turn, "Pass")
    try:
        assert await sandbox.world.wait_until(lambda: any("`3`" in line for line in game.lines), timeout=20)
    finally:
        drawn.set()
    await sandbox.settled()


async def test_large_map_delays_no_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MAX_NEW_MAP_PARTS", 60)
    for kept in (hex_art.hex_items, map_art.hex_sprite):
        kept.cache_clear()
    pictures, done = Pictures(), []

    async def draw(title: str, server: int, *around: str) -> None:
        view = map_view(Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1))
        await pictures.for_server(server).map(view, around)
        done.append(title)

    await asyncio.gather(draw("18newengland", 1), draw("18tn", 2, "F11"))
    assert done == ["18tn", "18newengland"]
