"""What ends when its time is over: proposals, whose buttons go, lobbies; and whom a direct message still concerns."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.client.pings.direct_messages import DirectMessages
from bot.client.pings.expirations import Due, Expiry
from bot.table.clocks.away import Substitutes
from bot.table.lobby import LOBBY_LASTS, lobby_expires
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.settings.person_settings import CLOSED
from bot.table.undo import loss_of
from bot.table.votes.pauses import Pauses
from bot.table.votes.proposals import OPEN_FOR, Proposals
from bot.table.votes.undo_proposals import propose_undo
from storage import games, outbox, proposals, seats
from storage.contract import later_timestamp
from storage.direct_messages import DirectMessage
from storage.pings import Ping
from storage.settings import PEOPLE
from tests.bot.support.tables import ANN, BOB, CY, Bench


class Posts:
    """Messages of proposals and of lobbies; they note what they show, or fail."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.failure: Exception | None = None

    async def settle(self, proposal: Any) -> None:
        self.noted.append(f"settled {proposal.number}")

    async def close(self, row: Any, people: list[str], fate: str) -> None:
        if self.failure is not None:
            raise self.failure
        self.noted.append(f"{row.id} {fate}: {people}")


class Watch:
    """What ends by the clock of a bench, which can be put forward."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.posts = bench, Posts()
        posts: Any = self.posts
        tables = bench.tables
        self.proposals = Proposals(tables)
        self.due = Due(tables, self.proposals, posts, Pauses(tables), Substitutes(tables))
        self.expiry = Expiry(tables, bench.lobbies, posts)

    def on(self, span: timedelta) -> None:
        """So much later."""
        now = self.bench.tables.clock()
        self.bench.tables.clock = lambda: later_timestamp(now, span)

    async def proposed(self) -> int:
        """A game in which Ann has proposed to undo what Bob has done."""
        game = await self.bench.game()
        await self.bench.do(game, ANN, "pass")
        await self.bench.do(game, BOB, "pass")
        async with self.bench.tables.reading(game) as live:
            assert (await loss_of(self.bench.tables, live, 1, "p1")).others == ("p2",)
            subject = await propose_undo(self.bench.tables, live, ANN, 1, live.seq)
        await self.proposals.put(game, ANN, lambda _: subject)
        return game

    async def state(self, game: int) -> str:
        found = await proposals.find(self.bench.db, game, 1)
        assert found is not None
        return found[0].state


@pytest.fixture
def watch(bench: Bench) -> Watch:
    return Watch(bench)


async def test_a_proposal_expires_with_its_message_when_its_time_is_over(watch: Watch) -> None:
    game = await watch.proposed()
    await watch.due.look()
    assert (await watch.state(game), watch.posts.noted) == ("open", [])
    watch.on(OPEN_FOR + timedelta(minutes=1))
    await watch.due.look()
    assert (await watch.state(game), watch.posts.noted) == ("expired", ["settled 1"])


async def test_a_proposal_that_a_move_has_overtaken_expires_with_its_message(watch: Watch) -> None:
    game = await watch.proposed()
    await watch.bench.do(game, CY, "pass")
    ends = watch.due.moved(game)
    assert ends is not None
    await ends
    assert (await watch.state(game), watch.posts.noted) == ("expired", ["settled 1"])
    assert watch.due.moved(game + 1) is None


async def test_what_was_overtaken_while_nobody_looked_expires_with_the_next_look(watch: Watch) -> None:
    game = await watch.proposed()
    await watch.bench.do(game, CY, "pass")
    await watch.due.look()
    assert (await watch.state(game), watch.posts.noted) == ("expired", ["settled 1"])


async def test_a_pause_and_a_substitute_end_when_their_days_are_over(watch: Watch) -> None:
    game, tables = await watch.bench.game(), watch.bench.tables
    await Substitutes(tables).begin(game, BOB, (14, "Dee"), 2)
    await Pauses(tables).begin(game, ANN, 1)

    async def now() -> tuple[bool, bool]:
        sat = await seats.entries(watch.bench.db, game)
        async with tables.reading(game) as live:
            paused = live.held_up(tables.clock()) is not None
        return paused, bool(seats.substitutes(sat, tables.clock()))

    assert await now() == (True, True)
    await watch.due.look()
    assert await now() == (True, True)
    watch.on(timedelta(days=1, hours=1))
    await watch.due.look()
    assert await now() == (False, True)
    watch.on(timedelta(days=1))
    await watch.due.look()
    assert await now() == (False, False)
    lines = await watch.bench.lines(game)
    assert any("continues" in line or "pause" in line for line in lines)


async def test_a_lobby_expires_and_its_message_says_so(watch: Watch) -> None:
    game = await watch.bench.lobby()
    end = lobby_expires((await games.get_game(watch.bench.db, game)).created_at)
    watch.bench.tables.clock = lambda: (end - timedelta(milliseconds=1)).isoformat()
    await watch.expiry.look()
    assert (await games.get_game(watch.bench.db, game)).status == "lobby"
    watch.bench.tables.clock = end.isoformat
    await watch.expiry.look()
    assert (await games.get_game(watch.bench.db, game)).status == "abandoned"
    days = LOBBY_LASTS.days
    assert watch.posts.noted == [f"1 has expired: it did not start within {days} days: ['Ann', 'Bob', 'Cy']"]


async def test_a_lobby_expires_though_its_message_cannot_say_so(watch: Watch) -> None:
    game = await watch.bench.lobby()
    watch.on(LOBBY_LASTS)
    watch.posts.failure = aiohttp.ClientError()
    await watch.expiry.look()
    assert (await games.get_game(watch.bench.db, game)).status == "abandoned"


async def test_a_lobby_that_has_started_meanwhile_does_not_expire(watch: Watch) -> None:
    row = await games.get_game(watch.bench.db, await watch.bench.lobby())
    await watch.bench.lobbies.start(row.id, ANN)
    await watch.expiry._close(row)
    assert (await games.get_game(watch.bench.db, row.id)).status == "running"
    assert watch.posts.noted == []


# --- direct messages -------------------------------------------------------------------------------------------------


def writer(bench: Bench) -> DirectMessages:
    client: Any = object()
    return DirectMessages(client, bench.tables, CircuitBreaker())


PING = Ping("p1", ANN, 0, "pending", "pending")


@pytest.mark.parametrize(
    ("ping", "right"),
    [
        (PING, True),
        (replace(PING, player_id="p2", user_id=BOB), False),
        (replace(PING, user_id=BOB), False),
        (replace(PING, player_id="p2"), False),
    ],
)
async def test_a_direct_message_is_for_who_is_waited_for_and_plays_that_seat(
    bench: Bench, ping: Ping, right: bool
) -> None:
    game = await bench.game()
    async with bench.tables.reading(game) as live:
        assert await writer(bench)._is_right(live, ping) == right


async def test_nobody_gets_a_direct_message_of_a_game_that_pauses(bench: Bench) -> None:
    game = await bench.game()
    await Pauses(bench.tables).begin(game, BOB, None)
    async with bench.tables.reading(game) as live:
        assert not await writer(bench)._is_right(live, PING)


async def _posted(bench: Bench, game: int) -> list[str]:
    return [row.payload for row in await outbox.of_game(bench.db, game) if "does not accept" in row.payload]


async def test_that_a_player_accepts_no_direct_messages_is_said_once_in_the_thread_of_a_running_game(
    bench: Bench,
) -> None:
    """A lobby has no thread."""
    now, woken = bench.tables.clock(), bench.woken()
    lobby = await bench.lobby()
    await writer(bench)._closed(DirectMessage(1, lobby, ANN, "x", (), now))
    assert await _posted(bench, lobby) == []
    assert await PEOPLE.get(bench.db, ANN, CLOSED) == "closed"
    game = await bench.game()
    for number in (2, 3):
        await writer(bench)._closed(DirectMessage(number, game, BOB, "x", ((game, "p2"),), now))
    assert len(await _posted(bench, game)) == 1
    assert woken[-1] == game
