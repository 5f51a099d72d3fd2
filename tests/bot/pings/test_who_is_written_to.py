"""Whom a direct message still concerns, and what is said where it is not accepted."""

from dataclasses import replace
from typing import Any

import pytest

from bot.client.direct_messages import DirectMessages
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.settings.person_settings import CLOSED
from bot.table.votes.pauses import begin_pause
from storage import PEOPLE, Ping, direct_messages, outbox
from tests.bot.support.table_service import ANN, BOB, TableService


def writer(service: TableService) -> DirectMessages:
    client: Any = object()
    return DirectMessages(client, service.tables, CircuitBreaker())


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
    service: TableService, ping: Ping, right: bool
) -> None:
    game = await service.game()
    async with service.tables.reading(game) as live:
        assert await writer(service)._is_right(live, ping) == right


async def test_nobody_gets_a_direct_message_of_a_game_that_pauses(service: TableService) -> None:
    game = await service.game()
    await begin_pause(service.tables, game, BOB, None)
    async with service.tables.reading(game) as live:
        assert not await writer(service)._is_right(live, PING)


async def _posted(service: TableService, game: int) -> list[str]:
    return [row.payload for row in await outbox.of_game(service.db, game) if "does not accept" in row.payload]


async def test_that_a_player_accepts_no_direct_messages_is_said_once_in_the_thread_of_a_running_game(
    service: TableService,
) -> None:
    """A lobby has no thread."""
    now, woken = service.tables.clock(), service.woken()
    lobby = await service.lobby()
    await writer(service)._closed(direct_messages.DirectMessage(1, lobby, ANN, "x", (), now))
    assert await _posted(service, lobby) == []
    assert await PEOPLE.get(service.db, ANN, CLOSED) == "closed"
    game = await service.game()
    for number in (2, 3):
        await writer(service)._closed(
            direct_messages.DirectMessage(number, game, BOB, "x", ((game, "p2"),), now)
        )
    assert len(await _posted(service, game)) == 1
    assert woken[-1] == game
