"""A user who asks without end is asked to slow down, and keeps nobody else waiting."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.guild.person import NO_ANSWER
from bot.sandbox.guild.world import Change
from bot.table.rate_limits import PERSON, Kind, RateLimiter
from bot.workers.workers import FairPool, Priority
from render import render_map
from tests.bot.support.declared import REQUIRED
from tests.bot.support.positions import actor_of, ends_turn, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

HEXES = [f"{row}{column}" for row in "DEFGH" for column in range(1, 14)]
FLOOD = HEXES[::3]


@pytest.fixture
async def slow_house(tmp_path: Path) -> AsyncIterator[SandboxBot]:
    """A house in which no time passes, so that nothing comes back of what was used up."""
    async with SandboxBot.opened(tmp_path / "games.db", pace=RateLimiter(clock=lambda: 0.0)) as opened:
        yield opened


@pytest.mark.usefixtures("undrawn")
async def test_too_many_requests_for_pictures_are_refused_and_moves_are_not(slow_house: SandboxBot) -> None:
    game = await slow_house.game()
    allowed = int(PERSON[Kind.PICTURE].at_once)
    shown = [await game.slash("Ann", "market") for _ in range(allowed)]
    assert all(result.ephemeral[0].attachments for result in shown)
    answer = await game.slash("Ann", "market")
    assert answer.text == (
        "You have asked for many pictures in a short time. Please wait 4 seconds and try again. "
        "Moves are taken meanwhile."
    )
    await game.press("Ann", "Pass")
    assert await game.seq() == 2
    assert (await game.slash("Bob", "market")).ephemeral[0].attachments


async def test_slowing_down_is_said_a_few_times_and_then_no_more(slow_house: SandboxBot) -> None:
    words = int(PERSON[Kind.WORD].at_once)
    for _ in range(int(PERSON[Kind.QUESTION].at_once)):
        await slow_house.person("Ann").slash("table", "help")
    for _ in range(words):
        assert "many questions" in (await slow_house.person("Ann").slash("table", "help")).text
    slow_house.world.answer_limit = 0.2
    assert (await slow_house.person("Ann").slash("table", "help")).failed == NO_ANSWER


@pytest.mark.usefixtures("undrawn")
async def test_presses_have_a_pace(slow_house: SandboxBot) -> None:
    game = await slow_house.game()
    turn = game.turn
    answers = [
        await slow_house.person("Cy").press(turn, "Pass") for _ in range(int(PERSON[Kind.MOVE].at_once) + 1)
    ]
    assert "Ann's turn" in answers[0].text
    assert "many moves in a short time" in answers[-1].text
    await game.press("Ann", "Pass", turn)
    assert await game.seq() == 2


@pytest.mark.usefixtures("undrawn")
async def test_completions_have_a_pace(slow_house: SandboxBot) -> None:
    game = await slow_house.game()
    ann = slow_house.person("Ann")

    async def offered() -> list[Any]:
        return list(await ann.autocomplete(game.thread, "bid", focused="private", private=""))

    for _ in range(int(PERSON[Kind.COMPLETION].at_once)):
        assert await offered()
    assert await offered() == []


@pytest.mark.usefixtures("undrawn")
async def test_texts_without_end_are_not_read(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    offered = await sandbox.person("Ann").autocomplete(
        game.thread, "bid", focused="private", private="x" * 6000
    )
    assert offered == []
    assert await sandbox.person("Ann").autocomplete(game.thread, "bid", focused="private", private="d")


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("map", Kind.PICTURE),
        ("private", Kind.PICTURE),
        ("game export", Kind.PICTURE),
        ("game list", Kind.QUESTION),
        ("orders list", Kind.QUESTION),
        ("log", Kind.QUESTION),
        ("stats", Kind.QUESTION),
        ("what-if", Kind.QUESTION),
        ("game join", Kind.MOVE),
        ("pass", Kind.MOVE),
        ("mod undo", Kind.MOVE),
    ],
)
def test_a_command_counts_as_a_picture_a_question_or_a_move(command: str, kind: Kind) -> None:
    assert REQUIRED[command].cost is kind


# --- a stranger's flood keeps no table waiting ---------------------------------------------------------------------


class Order:
    """What was drawn for whom, and what was posted, in the order in which it came about."""

    def __init__(self, sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[str] = []
        self.go_on = asyncio.Event()
        """Unless it is set, questions that are drawn are not finished."""
        self.go_on.set()
        self.at_once = self.most_at_once = 0
        """Questions that are drawn at the same time."""
        take, give, crews = FairPool[Any].take, FairPool[Any].give, sandbox.client.tables.workers._crews
        priorities = {crew._turns: priority.name for priority, crew in crews.items()}

        async def noted(turns: FairPool[Any], guild: int) -> Any:
            worker = await take(turns, guild)
            self.events.append(f"{priorities[turns]} {guild}")
            if priorities[turns] == Priority.QUESTION.name:
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                await self.go_on.wait()
            return worker

        def given(turns: FairPool[Any], worker: Any) -> None:
            self.at_once -= priorities[turns] == Priority.QUESTION.name
            give(turns, worker)

        monkeypatch.setattr(FairPool, "take", noted)
        monkeypatch.setattr(FairPool, "give", given)
        sandbox.world.listen(self._posted)

    def _posted(self, change: Change) -> None:
        if change.message is not None and not change.message.ephemeral:
            what = "turn" if change.message.buttons else "board" if change.message.embeds else "line"
            self.events.append(f"{change.kind} {what}")


async def _first_lay(game: Seated) -> tuple[str, dict[str, Any]]:
    """The acting player, and the first tile that may be laid; the map must be drawn then."""
    name, values = actor_of(game), dict[str, Any]()
    for slot in ("hex", "tile", "rotation"):
        offered = await game.sandbox.person(name).autocomplete(
            game.thread, "lay", focused=slot, **values, **{slot: ""}
        )
        values[slot] = offered[0][1]
    return name, values


async def test_what_a_question_draws_waits_behind_no_move_and_no_move_behind_it(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/run` searches and draws the map: both are work of a question."""
    game = await seated_at(sandbox, played_to("run_routes"))
    order = Order(sandbox, monkeypatch)
    await game.slash(actor_of(game), "run")
    assert {event.split()[0] for event in order.events} == {"QUESTION"}


async def test_a_flood_of_pictures_delays_no_other_table(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.workers.MOST_OF_GUILD", len(FLOOD))
    monkeypatch.setattr("bot.workers.workers.MOST_OF_PERSON", len(FLOOD))
    flooded, other = (
        await sandbox.game(("Dee", "Eve", "Fay")),
        await seated_at(sandbox, played_to("lay_tile")),
    )
    name, values = await _first_lay(other)
    await other.slash(name, "lay", **values)
    order, stranger = Order(sandbox, monkeypatch), sandbox.person("Cy")
    flood = [asyncio.create_task(stranger.slash(flooded.thread, "map", around=hex_)) for hex_ in FLOOD]
    await sandbox.world.until(lambda: len(order.events) >= 2)
    order.go_on.clear()
    await sandbox.world.until(lambda: order.at_once == 1)
    begun = len(order.events)
    await ends_turn(other)
    meanwhile = order.events[begun:]
    assert sum(event.startswith("QUESTION") for event in order.events) < len(FLOOD), "the flood goes on"
    order.go_on.set()
    assert {"message_update line", "message_create turn", "message_update board"} <= set(meanwhile)
    drawn = [event.split()[0] for event in meanwhile if not event.startswith("message")]
    # The close-up, and map and market in one, are drawn for the move, and need nothing of the flood to be drawn before.
    assert drawn.count("MOVE") == 2
    assert drawn.count("QUESTION") <= 1
    assert all(result.text for result in await asyncio.gather(*flood))
    assert order.most_at_once == 1, "a flood has the worker for questions, and no other"


@pytest.mark.long
async def test_a_flood_at_the_usual_pace_is_mostly_not_drawn_at_all(
    slow_house: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await slow_house.game()
    drawn: list[object] = []

    def counted(*given: Any, **named: Any) -> bytes:
        drawn.append(given)
        return render_map(*given, **named)

    monkeypatch.setattr("bot.table.drawing.render_map", counted)
    slow_house.world.answer_limit = 3.0
    cy = slow_house.person("Cy")
    await asyncio.gather(*(cy.slash(game.thread, "map", around=hex_) for hex_ in HEXES))
    assert 0 < len(drawn) <= PERSON[Kind.PICTURE].at_once


async def test_everything_waits_in_the_line_of_its_server(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    name, values = await _first_lay(game)
    order = Order(sandbox, monkeypatch)
    await game.slash(name, "lay", **values)
    await ends_turn(game)
    await game.slash("Ann", "status")
    await game.slash("Ann", "map", around="F6")
    await game.slash("Ann", "log")
    here = sandbox.client.guilds[0].id
    drawn = [event for event in order.events if not event.startswith("message")]
    assert set(drawn) == {f"MOVE {here}", f"QUESTION {here}"}


async def test_a_refusal_that_cannot_be_sent_harms_nothing(
    slow_house: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "stationmaster.gate")
    for _ in range(int(PERSON[Kind.QUESTION].at_once)):
        await slow_house.person("Ann").slash("table", "help")
    slow_house.server.faults.fail("/callback", status=403)
    slow_house.world.answer_limit, usual = 0.2, slow_house.world.answer_limit
    assert (await slow_house.person("Ann").slash("table", "help")).failed == NO_ANSWER
    assert "but the answer failed" in caplog.text
    slow_house.world.answer_limit = usual
    assert (await slow_house.person("Bob").slash("table", "help")).text
