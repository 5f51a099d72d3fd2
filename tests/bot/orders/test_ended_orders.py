"""An order that ends automatically: its owner learns why, privately and once; and nobody waits for what it searches."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.entry import replies
from bot.client.entry.replies import reply
from bot.table.orders import automatic, player_orders
from bot.table.orders import ended_orders as messages
from bot.table.settings.person_settings import CLOSED
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Move, Standing, Stopped, new_orders, would_do
from storage import PEOPLE, orders
from storage import direct_messages as stored_direct_messages
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.support.waiting import Clock, direct_messages

SOLD = "Your order 1 has ended: Bid on D&R up to $30, then pass. D&R has been sold to Ann."
"""Why, and not what else might have ended it."""


async def stopped_order(sandbox: SandboxBot) -> Seated:
    """Bob's order has ended without any act of Bob's."""
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="D&R", maximum=30)
    await game.press("Ann", "Buy for $20: Delaware and Raritan Canal, D&R")
    return game


async def bob_bids(service: TableService, game: int, private: str, maximum: int) -> None:
    """Bob orders to bid on a private up to this many dollars, and then to pass."""
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, private, maximum, "pass")
    )


async def test_the_owner_reads_why_with_their_next_answer_and_only_once(sandbox: SandboxBot) -> None:
    game = await stopped_order(sandbox)
    first = await game.slash("Bob", "status")
    assert await sandbox.hears(first, SOLD)
    second = await game.slash("Bob", "status")
    await sandbox.settled()
    assert "has ended" not in second.text


async def test_they_read_it_after_a_press_too_and_after_a_restart(sandbox: SandboxBot) -> None:
    game = await stopped_order(sandbox)
    await sandbox.stop()
    await sandbox.start()
    assert await sandbox.hears(await game.press("Bob", "Pass"), SOLD)


async def test_nobody_else_reads_it_and_nothing_is_public(sandbox: SandboxBot) -> None:
    game = await stopped_order(sandbox)
    answer = await game.slash("Ann", "status")
    assert "has ended" not in answer.text
    assert not any("has ended" in line or "30" in line for line in game.lines[1:])


async def test_an_end_that_was_read_in_the_list_is_not_repeated(sandbox: SandboxBot) -> None:
    game = await stopped_order(sandbox)
    assert "D&R has been sold to Ann" in (await game.slash("Bob", "orders list")).text
    assert await orders.to_notify(sandbox.db, game.number, sandbox.person("Bob").id) == []


async def test_an_end_without_a_place_in_the_list_is_said_next_to_it(sandbox: SandboxBot) -> None:
    """Six maxima end at once, as all have passed; the list has the last five."""
    game = await sandbox.game()
    for private in ("D&R", "C-P", "B&S", "C&OC", "B&OR", "CV"):
        await game.slash("Bob", "orders bid", private=private, maximum=1)
    await game.press("Ann", "Pass")
    await game.press("Cy", "Pass")
    heard = await game.slash("Bob", "orders list")
    assert await sandbox.hears(
        heard, "Your order 1 has ended: Bid on D&R up to $1, then pass. All have passed"
    )
    assert "Your order 2" not in heard.text


async def test_what_ends_while_they_read_their_list_is_said_afterwards(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="D&R", maximum=30)

    async def slowly(*said: object, **more: object) -> bool:
        slow.undo()
        await game.press("Ann", "Buy for $20: Delaware and Raritan Canal, D&R")
        return await reply(*said, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as slow:
        slow.setattr("bot.client.features.orders.reply", slowly)
        heard = await game.slash("Bob", "orders list")
    assert await sandbox.hears(heard, SOLD)


async def test_what_could_not_be_said_is_said_with_the_answer_after(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await stopped_order(sandbox)

    failed = asyncio.Event()

    async def fails(*_: object, **__: object) -> None:
        failed.set()
        raise OSError("the connection broke")

    with monkeypatch.context() as broken:
        broken.setattr("bot.client.entry.replies.reply", fails)
        await game.slash("Bob", "status")
        await asyncio.wait_for(failed.wait(), PATIENCE)
        async with asyncio.timeout(PATIENCE):
            while not await orders.to_notify(sandbox.db, game.number, sandbox.person("Bob").id):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
    assert await sandbox.hears(await game.slash("Bob", "status"), SOLD)


async def test_what_came_too_late_to_be_heard_is_said_with_the_answer_after(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord has dropped the interaction: it takes no further answer to it."""
    game = await stopped_order(sandbox)
    forgotten = asyncio.Event()

    async def fails(interaction: discord.Interaction, **parts: Any) -> None:
        if "has ended" not in (parts["content"] or ""):
            await answered(interaction, **parts)
            return
        forgotten.set()
        raise discord.NotFound(SimpleNamespace(status=404, reason="Not Found"), "Unknown Webhook")

    answered = replies._send
    with monkeypatch.context() as late:
        late.setattr(replies, "_send", fails)
        await game.slash("Bob", "status")
        await asyncio.wait_for(forgotten.wait(), PATIENCE)
    assert await sandbox.hears(await game.slash("Bob", "status"), SOLD)


async def test_an_undo_that_gives_an_order_back_lets_its_end_be_said_again(service: TableService) -> None:
    game = await service.game()
    await bob_bids(service, game, "D&R", 30)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    assert [one.number for one in await orders.notify(service.db, game, BOB)] == [1]
    await service.undo(game, ANN)
    assert await orders.to_notify(service.db, game, BOB) == []
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    assert [one.number for one in await orders.to_notify(service.db, game, BOB)] == [1]


async def test_the_event_loop_continues_while_an_order_searches(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that takes long is made elsewhere: it ends here because something else could happen meanwhile."""
    game = await service.game()
    await bob_bids(service, game, "CV", 300)
    asked, answer = threading.Event(), threading.Event()

    def slowly(now: Game, player: PlayerId, kept: Sequence[Standing]) -> Move | Stopped | None:
        asked.set()
        assert answer.wait(10), "the event loop stood still"
        return would_do(now, player, kept)

    async def meanwhile() -> None:
        while not asked.is_set():  # noqa: ASYNC110 - the search tells another thread
            await asyncio.sleep(0.001)
        answer.set()

    monkeypatch.setattr(automatic, "may_search_routes", lambda *_: True)
    monkeypatch.setattr("engine.orders.would_do", slowly)
    await asyncio.gather(service.do(game, ANN, "pass"), meanwhile())
    assert set(await orders.automatic_moves(service.db, game)) == {3}


async def test_nobody_else_moves_while_an_order_searches(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game's lock is held: a second move waits, and is then refused or made in the position it finds."""
    game = await service.game()
    await bob_bids(service, game, "CV", 300)
    inside: list[int] = []

    def slowly(now: Game, player: PlayerId, kept: Sequence[Standing]) -> Move | Stopped | None:
        inside.append(now.seq)
        threading.Event().wait(0.05)
        inside.append(now.seq)
        return would_do(now, player, kept)

    monkeypatch.setattr(automatic, "may_search_routes", lambda *_: True)
    monkeypatch.setattr("engine.orders.would_do", slowly)
    both = (service.do(game, ANN, "pass"), service.do(game, ANN, "pass"))
    found = await asyncio.gather(*both, return_exceptions=True)
    assert sum(isinstance(one, Exception) for one in found) == 1
    assert inside[::2] == inside[1::2]


async def test_a_message_has_as_many_ended_orders_as_fit_and_says_how_many_there_are_more(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    for private in ("D&R", "C-P", "B&S"):
        await bob_bids(service, game, private, 1)
    await service.do(game, ANN, "pass")
    await service.do(game, CY, "pass")
    found = await orders.to_notify(service.db, game, BOB)
    async with service.tables.reading(game) as live:
        lines = messages._ended_orders_text(live, found).splitlines()
        assert [line.partition(" has ended: Bid on ")[0] for line in lines] == [
            f"Your order {number}" for number in (1, 2, 3)
        ]
        monkeypatch.setattr(messages, "ROOM", len(lines[0]) + len(lines[1]))
        more = "And 1 more: `/orders list` has the last ones."
        assert messages._ended_orders_text(live, found).splitlines() == [*lines[:2], more]
        monkeypatch.setattr(messages, "ROOM", len(lines[0]) + len(lines[1]) - 1)
        assert messages._ended_orders_text(live, found).splitlines() == [lines[0], more.replace("1", "2")]


# --- by a direct message ---------------------------------------------------------------------------------------------


def about_orders(sandbox: SandboxBot, name: str) -> list[str]:
    return [message.content for message in direct_messages(sandbox, name) if "has ended" in message.content]


async def test_an_owner_who_wants_direct_messages_gets_one_and_no_repetition(patient: SandboxBot) -> None:
    """With a restart between the end and the letter; and after the letter."""
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
    assert await orders.to_notify(patient.db, game.number, patient.person("Bob").id) == []


async def test_who_has_chosen_nothing_gets_no_direct_message(patient: SandboxBot) -> None:
    """Bob reads it with the next answer."""
    clock = Clock(patient)
    game = await stopped_order(patient)
    await clock.on(minutes=1)
    assert direct_messages(patient, "Bob") == []
    assert await patient.hears(await game.slash("Bob", "status"), SOLD)


async def test_an_owner_who_reads_it_just_before_the_direct_message_is_written_gets_none(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob reads why in an answer, between the look for direct messages and the message."""
    game = await service.game()
    await bob_bids(service, game, "D&R", 30)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await PEOPLE.put(service.db, BOB, "how", "direct")
    looked = await orders.owed(service.db)
    assert looked == [(game, BOB)]
    text, _ = await messages.ended_since(service.tables, game, BOB)
    assert "has ended" in text

    async def before(*_: object) -> list[tuple[int, int]]:
        return looked

    monkeypatch.setattr(orders, "owed", before)
    await messages.write_ended(service.tables)
    assert await stored_direct_messages.unsent(service.db) == []


@pytest.mark.parametrize(
    ("chosen", "count"), [({}, 1), ({"quiet_from": "00:00", "quiet_to": "23:59"}, 0), ({CLOSED: "closed"}, 0)]
)
async def test_a_direct_message_is_queued_where_the_owner_takes_it_now(
    service: TableService, chosen: dict[str, str], count: int
) -> None:
    service.tables.clock = lambda: "2026-01-05T12:00:00.000+00:00"
    game = await service.game()
    await bob_bids(service, game, "D&R", 30)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    for key, value in {"how": "direct", **chosen}.items():
        await PEOPLE.put(service.db, BOB, key, value)
    await messages.write_ended(service.tables)
    where = f"[**18Chesapeake**, game {game}](https://discord.com/channels/{GUILD}/{CHANNEL})"
    written = [(one.user_id, one.text) for one in await stored_direct_messages.unsent(service.db)]
    assert written == [(BOB, f"{where}\n{SOLD}")] * count
    assert await orders.owed(service.db) == [(game, BOB)] * (1 - count)


async def test_nobody_is_written_to_in_their_quiet_hours(patient: SandboxBot) -> None:
    """MONDAY is noon: the letter comes when they are over."""
    clock = Clock(patient)
    quiet = {"quiet_from": "11:00", "quiet_to": "14:00", "zone": "Europe/London"}
    await patient.person("Bob").slash("table", "pings", how="direct", **quiet)
    await stopped_order(patient)
    await clock.on(hours=1)
    assert about_orders(patient, "Bob") == []
    await clock.on(hours=1)
    assert len(about_orders(patient, "Bob")) == 1


async def test_where_no_direct_message_can_be_delivered_it_is_said_with_the_next_answer(
    patient: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    """The thread learns that Bob accepts none, and nothing of any order; and it is not tried again."""
    caplog.set_level(logging.INFO, "stationmaster.direct_messages")
    clock = Clock(patient)
    await patient.person("Bob").slash("table", "pings", how="direct")
    patient.person("Bob").user.closed = True
    game = await stopped_order(patient)
    for _ in range(3):
        await clock.on(seconds=5)
    assert caplog.text.count("takes no direct messages") == 1
    assert about_orders(patient, "Bob") == []
    assert not any("has ended" in line for line in game.lines)
    assert await patient.hears(await game.slash("Bob", "status"), SOLD)
