"""Whom a direct message still concerns, and what is said where it is not accepted."""

from dataclasses import replace
from typing import Any

import pytest

from bot.client.direct_messages import DirectMessages
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.settings.person_settings import CLOSED
from bot.table.votes.pauses import begin_pause
from storage import PEOPLE, Ping, direct_messages, outbox
from tests.bot.support.tables import ANN, BOB, Bench


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
    await begin_pause(bench.tables, game, BOB, None)
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
    await writer(bench)._closed(direct_messages.DirectMessage(1, lobby, ANN, "x", (), now))
    assert await _posted(bench, lobby) == []
    assert await PEOPLE.get(bench.db, ANN, CLOSED) == "closed"
    game = await bench.game()
    for number in (2, 3):
        await writer(bench)._closed(
            direct_messages.DirectMessage(number, game, BOB, "x", ((game, "p2"),), now)
        )
    assert len(await _posted(bench, game)) == 1
    assert woken[-1] == game
