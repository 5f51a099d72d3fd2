"""Discord fails as a whole: moves are stored, posts wait, and all is shown once when it works again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from bot.client.thread.desired import LATE_LINE_AGE
from bot.sandbox.guild import seed
from bot.table.moves.moves import TypedMove
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.support.unsent import unsent

ALWAYS = 10**9
"""Requests that meet a fault until it is cleared."""
EVERYTHING = "/api/"
POSTS = "/channels/"
MOVES = (("Ann", "pass"), ("Bob", "pass"), ("Cy", "pass"))


@pytest.fixture(autouse=True)
def quick(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes come soon after each other, and soon after a failure: its breaker goes by the loop's clock."""
    del hasty
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.MIN_FAILING_SECONDS", 0.0)
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.FIRST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.MAX_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr("bot.client.requests.invalid_requests.INVALID_REQUEST_SECONDS", 0.1)


@asynccontextmanager
async def outage(sandbox: SandboxBot, part: str = EVERYTHING, status: int = 503) -> AsyncIterator[None]:
    """An outage that the bot has noticed, over at the end."""
    faults = sandbox.server.faults
    faults.fail(part, status=status, code=0, message="in trouble", times=ALWAYS)
    while not sandbox.client.breaker.is_open:
        await _fails(sandbox)
    try:
        yield
    finally:
        faults.clear()


async def _fails(sandbox: SandboxBot) -> None:
    """Something is posted, which fails."""
    channel = sandbox.client.get_partial_messageable(seed.TABLE_CHANNEL_ID)
    with pytest.raises(Exception, match=r"in trouble|Discord fails"):
        await channel.send("not to be seen")


async def moves(sandbox: SandboxBot, game: Seated, *made: tuple[str, str]) -> None:
    """People move, and the answers do not reach them."""
    for name, kind in made:
        await sandbox.client.tables.submit(game.number, sandbox.person(name).id, TypedMove(kind))


def is_whole(game: Seated) -> None:
    """Each of the three lines is there once, and one turn message."""
    assert [sum(line.count(f"`{number}`") for line in game.lines) for number in (2, 3, 4)] == [1, 1, 1]
    assert [message for message in game.messages if message.buttons] == [game.turn]


async def probes(sandbox: SandboxBot) -> None:
    """Some requests fail."""
    before = sandbox.server.faults.served
    await sandbox.learns(lambda: sandbox.server.faults.served >= before + 3)


async def test_moves_are_shown_when_an_outage_is_over(sandbox: SandboxBot) -> None:
    """Probes fail, and no row is blamed: none of them rests for it."""
    game = await sandbox.game()
    before = len(game.messages)
    assert (await sandbox.client.health.state()).discord == "works"
    async with outage(sandbox):
        await moves(sandbox, game, *MOVES)
        assert len(game.messages) == before
        await probes(sandbox)
        assert {row.attempts for row in await unsent(sandbox.db)} == {0}
        assert (await sandbox.client.health.state()).discord == "refuses"
    await sandbox.settled()
    is_whole(game)
    assert (await sandbox.client.health.state()).outage == ""


async def test_post_without_answer_is_not_repeated(sandbox: SandboxBot) -> None:
    """Late lines are one message: two in one that the bot does not know; after the outage there are more."""
    game = await sandbox.game()
    now = datetime(2031, 1, 1, tzinfo=UTC)
    sandbox.clock = lambda: now.isoformat(timespec="milliseconds")
    async with outage(sandbox):
        await moves(sandbox, game, *MOVES[:2])
        now += LATE_LINE_AGE
        # An attempt that began before the last move knows only lines of moves before it.
        await probes(sandbox)
        sandbox.server.faults.clear()
        sandbox.server.faults.lose_answer(f"POST /api/v10/channels/{game.thread}/messages")
        sandbox.server.faults.fail(EVERYTHING, status=503, code=0, message="in trouble", times=20)
        await game.sandbox.world.wait_until(lambda: any("`3`" in line for line in game.lines), timeout=20)
        await moves(sandbox, game, MOVES[2])
    await sandbox.settled()
    is_whole(game)
    assert [numbers([m]) for m in game.messages if 2 in numbers([m])] == [[2, 3]]


async def test_start_in_an_outage_makes_nothing_worse(sandbox: SandboxBot) -> None:
    """The event socket works, and no request does: what was left is posted when they do."""
    game = await sandbox.game()
    async with outage(sandbox, POSTS):
        await moves(sandbox, game, *MOVES)
        await sandbox.stop()
        await sandbox.start()
        await sandbox.learns(lambda: sandbox.client.breaker.is_open)
        await probes(sandbox)
        assert {row.attempts for row in await unsent(sandbox.db)} == {0}
    await sandbox.settled()
    is_whole(game)
