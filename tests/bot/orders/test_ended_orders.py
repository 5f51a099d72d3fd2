"""An order that ends automatically: its owner learns why, privately and once."""

import asyncio

import pytest

from bot.table.orders.ended_orders import (
    MAX_ENDED_ORDERS_LENGTH,
    queue_ended_order_messages,
    take_ended_orders,
)
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY
from storage import PERSON_SETTINGS, direct_messages, orders
from tests.bot.orders.giving import give, give_unreadable, up_to
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CHANNEL, GUILD, TableService
from tests.bot.support.waiting import Clock
from tests.bot.support.waiting import direct_messages as direct_messages_to

SOLD = "Your order 1 has ended: Bid on D&R up to $30, then pass. D&R has been sold to Ann."
BUY = "Buy for $20: Delaware and Raritan Canal, D&R"


async def stopped_order(sandbox: SandboxBot) -> Seated:
    """A game in which Bob's order has ended without any act of Bob's."""
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="D&R", maximum=30)
    await game.press("Ann", BUY)
    return game


async def ended_order(service: TableService) -> int:
    """The same without Discord."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    return game


async def to_notify(game: Seated, name: str) -> list[int]:
    found = await orders.unnotified_orders(game.sandbox.db, game.number, game.sandbox.person(name).id)
    return [one.number for one in found]


async def test_end_is_reported_once_to_its_owner(sandbox: SandboxBot) -> None:
    game = await stopped_order(sandbox)
    assert "has ended" not in (await game.slash("Ann", "status")).text
    assert await sandbox.hears(await game.slash("Bob", "status"), SOLD)
    second = await game.slash("Bob", "status")
    await sandbox.settled()
    assert "has ended" not in second.text
    assert not any("has ended" in line or "30" in line for line in game.lines[1:])
    await game.slash("Ann", "undo")
    await game.slash("Ann", "redo")
    assert await to_notify(game, "Bob") == [1]
    assert "D&R has been sold to Ann" in (await game.slash("Bob", "orders list")).text
    assert await to_notify(game, "Bob") == [], "it was read in the list"


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10062)])
async def test_unheard_end_is_reported_again(sandbox: SandboxBot, status: int, code: int) -> None:
    """Where Discord refuses it, or has dropped the interaction."""
    game = await stopped_order(sandbox)
    sandbox.server.faults.fail("POST /api/v10/webhooks/", status=status, code=code)
    unheard = await game.press("Bob", "Pass")
    async with asyncio.timeout(20):
        while not (sandbox.server.faults.served and await to_notify(game, "Bob")):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    assert "has ended" not in unheard.text
    assert await sandbox.hears(await game.slash("Bob", "status"), SOLD)


async def test_end_is_reported_again_after_an_undo(service: TableService) -> None:
    game = await ended_order(service)
    assert [one.number for one in await orders.take_unnotified_orders(service.db, game, BOB)] == [1]
    await service.undo(game, ANN)
    assert await orders.unnotified_orders(service.db, game, BOB) == []
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    assert [one.number for one in await orders.unnotified_orders(service.db, game, BOB)] == [1]


async def test_message_has_as_many_ends_as_fit(service: TableService) -> None:
    game = await service.game()
    for number in range(1, 31):
        await give_unreadable(service, game, number, BOB, "p2")
    await service.do(game, ANN, "pass")
    text, numbers = await take_ended_orders(service.tables, game, BOB)
    *lines, more = text.splitlines()
    words = "has ended: The stored order cannot be read. The bot can no longer read it."
    expected = [f"Your order {number} {words}" for number in numbers]
    assert lines == expected[: len(lines)]
    assert sum(map(len, lines)) <= MAX_ENDED_ORDERS_LENGTH < sum(map(len, expected[: len(lines) + 1]))
    assert (numbers, more) == (
        tuple(range(1, 31)),
        f"And {30 - len(lines)} more: `/orders list` shows the last ones.",
    )


# --- by a direct message ---------------------------------------------------------------------------------------------


def about_orders(sandbox: SandboxBot, name: str) -> list[str]:
    return [one.content for one in direct_messages_to(sandbox, name) if "has ended" in one.content]


async def test_direct_message_replaces_the_answer(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await patient.person("Bob").slash("table", "pings", how="direct")
    game = await stopped_order(patient)
    await clock.restart(seconds=5)
    (message,) = about_orders(patient, "Bob")
    assert SOLD in message
    assert f"game {game.number}" in message
    await clock.restart(minutes=5)
    assert len(about_orders(patient, "Bob")) == 1
    assert "has ended" not in (await game.slash("Bob", "status")).text
    assert await to_notify(game, "Bob") == []


@pytest.mark.parametrize(
    ("chosen", "count"),
    [({}, 1), ({"quiet_from": "00:00", "quiet_to": "23:59"}, 0), ({NO_DIRECT_MESSAGES_KEY: "closed"}, 0)],
)
async def test_direct_message_waits_until_it_is_welcome(
    service: TableService, chosen: dict[str, str], count: int
) -> None:
    service.tables.clock = lambda: "2026-01-05T12:00:00.000+00:00"
    game = await ended_order(service)
    for key, value in {"how": "direct", **chosen}.items():
        await PERSON_SETTINGS.put(service.db, BOB, key, value)
    await queue_ended_order_messages(service.tables)
    where = f"[**18Chesapeake**, game {game}](https://discord.com/channels/{GUILD}/{CHANNEL})"
    written = [(one.user_id, one.text) for one in await direct_messages.unsent_messages(service.db)]
    assert written == [(BOB, f"{where}\n{SOLD}")] * count
    assert await orders.users_to_notify(service.db) == [(game, BOB)] * (1 - count)


async def test_end_is_reported_in_one_place(service: TableService) -> None:
    game = await ended_order(service)
    await PERSON_SETTINGS.put(service.db, BOB, "how", "direct")
    (answer, _), _ = await asyncio.gather(
        take_ended_orders(service.tables, game, BOB), queue_ended_order_messages(service.tables)
    )
    written = [one.text for one in await direct_messages.unsent_messages(service.db)]
    assert [SOLD in text for text in (answer, *written) if text] == [True]
