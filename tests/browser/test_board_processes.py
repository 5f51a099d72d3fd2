"""The board page of several processes: whichever serves it, a move reaches the one that makes the table's moves."""

from __future__ import annotations

import asyncio

from storage import ALL_SHARDS, shards
from tests.bot.support.table_service import ANN
from tests.browser.board_room import Room


async def test_move_waits_for_a_process(room: Room) -> None:
    """The page sends it again, and says meanwhile why that takes so long."""
    game = await room.service.game()
    room.service.tables.shards = shards.NO_SHARDS
    async with room.seat(game, ANN) as ann:
        before = await room.moves(game)
        await ann.play.get_by_role("button", name="Pass").click()
        await ann.page.locator("#waits", has_text="The page keeps your move").wait_for()
        assert await room.moves(game) == before
        room.service.tables.shards = ALL_SHARDS
        await ann.reads("Ann passes")
        await ann.page.locator("#waits").wait_for(state="detached")
        assert await room.moves(game) == before + 1


async def test_decision_stays_without_a_process(room: Room) -> None:
    """After many attempts the page says so, and the bid stands there to be sent by another press."""
    game = await room.service.game()
    room.service.tables.shards = shards.NO_SHARDS
    async with room.seat(game, ANN, new=True) as ann:
        await ann.page.clock.install()
        await ann.sheet("cards")
        card = ann.page.locator(".card", has_text="Cornelius Vanderbilt")
        await card.get_by_role("button", name="Bid…").click()
        await ann.page.locator("#amount").fill("230")
        await ann.play.get_by_role("button", name="Continue").click()
        await ann.play.locator("[data-key=confirm]").click()
        said = ann.play.get_by_role("alert").filter(has_text="Nothing was done")
        async with asyncio.timeout(60):
            while not await said.count():
                await ann.page.clock.run_for(5_000)
        assert await ann.page.locator("#waits").count() == 0
        room.service.tables.shards = ALL_SHARDS
        await ann.page.clock.resume()
        await ann.play.locator("[data-key=confirm]").click()
        await ann.reads("bids $230 on CV")
