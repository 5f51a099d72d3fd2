"""Discord fails as a whole: moves are stored, posts wait, and all is shown once when it works again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import discord
import pytest

from bot.client.requests.invalid_requests import KEPT, MOST_INVALID
from bot.client.requests.permission_problems import describe_refusal, is_outage
from bot.client.thread.desired import LATE
from bot.sandbox.guild import seed
from bot.table.moves.moves import TypedMove
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import direct_messages, handed_over
from tests.support.unsent import unsent

ALWAYS = 10**9
"""Requests that meet a fault until it is cleared."""
EVERYTHING = "/api/"
POSTS = "/channels/"
MOVES = (("Ann", "pass"), ("Bob", "pass"), ("Cy", "pass"))


@pytest.fixture(autouse=True)
def quick(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes come soon after each other, and soon after a failure."""
    del hasty
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.LASTING", 0.0)
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.FIRST_PAUSE", 0.05)
    monkeypatch.setattr("bot.table.outbox.circuit_breaker.LONGEST_PAUSE", 0.05)
    monkeypatch.setattr("bot.client.requests.invalid_requests.INVALID_SECONDS", 0.1)


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
    channel = sandbox.client.get_partial_messageable(seed.TABLE_ID)
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
        state = await sandbox.client.health.state()
        assert state.discord == "refuses"
        assert state.outage.startswith("Discord has failed since 20")
        assert state.outage.endswith(f"(it answers 503); {state.outbox} notices of 1 games wait")
        assert state.outage in state.troubles
    await sandbox.settled()
    is_whole(game)
    assert (await sandbox.client.health.state()).outage == ""


async def test_late_lines_are_one_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = datetime(2031, 1, 1, tzinfo=UTC)
    sandbox.clock = lambda: now.isoformat(timespec="milliseconds")
    async with outage(sandbox):
        await moves(sandbox, game, *MOVES)
        now += LATE
        # An attempt that began before the last move knows only lines of moves before it.
        await probes(sandbox)
    await sandbox.settled()
    (message,) = [m for m in game.messages if 2 in numbers([m])]
    assert numbers([message]) == [2, 3, 4]


async def test_post_without_answer_is_not_repeated(sandbox: SandboxBot) -> None:
    """Three lines in one message that the bot does not know; after the outage there are more."""
    game = await sandbox.game()
    now = datetime(2031, 1, 1, tzinfo=UTC)
    sandbox.clock = lambda: now.isoformat(timespec="milliseconds")
    async with outage(sandbox):
        await moves(sandbox, game, *MOVES[:2])
        now += LATE
        sandbox.server.faults.clear()
        sandbox.server.faults.lose_answer(f"POST /api/v10/channels/{game.thread}/messages")
        sandbox.server.faults.fail(EVERYTHING, status=503, code=0, message="in trouble", times=20)
        await game.sandbox.world.wait_until(lambda: any("`3`" in line for line in game.lines), timeout=20)
        await moves(sandbox, game, MOVES[2])
    await sandbox.settled()
    is_whole(game)


async def test_people_are_answered_in_an_outage(sandbox: SandboxBot) -> None:
    """Answers go another way: that no message is taken says nothing about them."""
    game = await sandbox.game()
    sandbox.server.faults.fail(POSTS, status=503, code=0, message="in trouble", times=ALWAYS)
    await moves(sandbox, game, MOVES[0])  # its post waits, and with it every probe fails
    async with outage(sandbox, POSTS):
        asked = await sandbox.person("Ann").slash(game.thread, "status")
        assert asked.failed is None
        answer = await sandbox.person("Bob").slash(game.thread, "pass")
        assert "Discord is in trouble just now" in answer.text
    await sandbox.settled()
    assert "`3`" in game.lines[-1]


async def test_requests_under_way_may_all_be_refused(sandbox: SandboxBot) -> None:
    """Discord begins to fail while fifty posts are to be sent: those that it has are all that it refuses at once."""
    table = sandbox.client.get_partial_messageable(seed.TABLE_ID)
    sandbox.server.faults.hold_up("/messages", 0.2, times=ALWAYS)
    sending = [asyncio.create_task(table.send(str(number))) for number in range(50)]
    await sandbox.learns(lambda: sandbox.server.faults.served > 0)
    await asyncio.sleep(0)
    assert sandbox.server.faults.served <= MOST_INVALID - KEPT
    sandbox.server.faults.clear()
    await asyncio.gather(*sending)


@pytest.mark.parametrize(
    ("status", "content_type", "says"),
    [
        *((status, "application/json", True) for status in (401, 429, 500)),
        *((status, "application/json", False) for status in (400, 403, 404)),
        (503, "text/html", True),
        (403, "text/html; charset=utf-8", True),
    ],
)
def test_answers_that_say_nothing_of_a_post(status: int, content_type: str, says: bool) -> None:
    """Discord fails or does not know the bot any more; or a page of who stands before it forbids everything."""
    assert is_outage(status, content_type) is says


SENTENCES = {
    10003: "The channel or thread is gone.",
    10008: "The message is gone.",
    10062: "Discord waited for the answer no longer.",
    40060: "Discord has had an answer already.",
    50027: "Discord waited for the answer no longer.",
    50083: "The thread is archived.",
    160005: "The thread is locked.",
    160006: "There are too many threads here.",
}


async def test_known_refusal_has_a_sentence(sandbox: SandboxBot) -> None:
    for code, said in SENTENCES.items():
        sandbox.server.faults.fail(POSTS, status=400, code=code)
        with pytest.raises(discord.HTTPException) as refused:
            await sandbox.client.get_partial_messageable(seed.TABLE_ID).send("not to be seen")
        assert describe_refusal(sandbox.client, refused.value).startswith(said), code


async def test_closed_thread_is_no_outage(sandbox: SandboxBot) -> None:
    game, other = await sandbox.game(), await sandbox.game(("Dee", "Eve", "Fay"))
    sandbox.server.faults.fail(f"/channels/{game.thread}/messages", status=403, times=ALWAYS)
    await sandbox.person("Ann").slash(game.thread, "pass")
    await sandbox.learns(lambda: sandbox.server.faults.served >= 6)
    assert not sandbox.client.breaker.is_open
    await sandbox.person("Dee").slash(other.thread, "pass")
    await sandbox.learns(lambda: "`2`" in other.lines[-1])
    sandbox.server.faults.clear()
    sandbox.client.sender.wake(game.number)
    await sandbox.settled()


async def test_direct_messages_wait_and_come_once(patient: SandboxBot) -> None:
    await patient.person("Bob").slash("table", "pings", how="direct")
    clock, _ = await handed_over(patient)
    async with outage(patient):
        await clock.on(seconds=30)
        await clock.on(hours=13)
        assert direct_messages(patient, "Bob") == []
    await patient.learns(lambda: not patient.client.breaker.is_open)
    await clock.on(seconds=30)
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_sleeper_is_pinged_in_the_morning_once(patient: SandboxBot) -> None:
    await patient.person("Bob").slash("table", "pings", quiet_from="22:00", quiet_to="7:00", zone="berlin")
    clock, game = await handed_over(patient)
    clock.now = clock.now.replace(hour=20)
    async with outage(patient):
        await clock.on(hours=3)
        before = game.pings("Bob")
    await patient.learns(lambda: not patient.client.breaker.is_open)
    await clock.on(seconds=30)
    await patient.settled()
    assert game.pings("Bob") == before == 0
    clock.now = (clock.now + timedelta(days=1)).replace(hour=7)
    for _ in range(3):
        await clock.on(seconds=30)
    assert game.pings("Bob") == 1


async def test_outage_counts_for_nobodys_bank(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "pass")
    async with outage(sandbox):
        await sandbox.client.deadlines.check_clocks()
        table.now += timedelta(hours=5)
        await sandbox.client.deadlines.check_clocks()
    await sandbox.learns(lambda: not sandbox.client.breaker.is_open)
    await table.look()
    assert await table.counted("Bob") < timedelta(minutes=5)


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
