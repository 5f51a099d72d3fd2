"""With several processes each serves every board; moves are made by the one that answers for the game's server."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from bot.table.tables import Tables
from bot.web import event_stream
from storage import open_database
from storage.leases import Share
from tests.bot.support.tables import Bench
from tests.bot.web.test_news import news, stream
from tests.bot.web.test_playing_there import offers
from tests.bot.web.visitors import Desk
from tests.support.own_postgres import Server

OURS, OTHERS = Share((0,), 2), Share((1,), 2)


@pytest.fixture
async def desks(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Desk, Desk]]:
    """Two processes on one database; the server of the game is in the share of the first."""
    monkeypatch.setattr(event_stream, "LOOKING", 0.05)
    async with AsyncExitStack() as stack:
        where = await stack.enter_async_context(postgres.fresh())
        found = []
        for share in (OURS, OTHERS):
            db = await stack.enter_async_context(await open_database(where))
            found.append(await stack.enter_async_context(Desk.open_on(Bench.of(Tables(db, share=share)))))
        yield found[0], found[1]


async def test_each_process_shows_the_board_and_one_takes_moves(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.bench.game()
    async with first.bench.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    browser = await first.browser(game, user)
    elsewhere = await second.browser(game, user)
    elsewhere.secret = browser.secret
    before = (await elsewhere.get("/position")).json
    assert before["digest"] == await first.bench.digest(game)
    asked = await offers(elsewhere)
    move = next(one["move"] for offer in asked["offers"] if offer["kind"] == "pass" for one in offer["quick"])
    body = {"seq": asked["seq"], "move": move}
    refused = await elsewhere.post("/play", body)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert "Another process" in refused.error
    assert (await browser.post("/play", body)).status == 200
    after = (await elsewhere.get("/position")).json
    assert (after["last"], after["digest"]) == (asked["seq"] + 1, await first.bench.digest(game))


async def test_a_page_of_one_process_learns_of_moves_made_by_another(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.bench.game()
    async with stream(await second.browser(game, None)) as found:
        _, begun = await news(found)
        await first.bench.pass_on(game)
        _, then = await news(found)
    assert int(str(then["seq"])) == int(str(begun["seq"])) + 1


async def test_a_link_of_one_process_opens_the_board_of_another(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.bench.game()
    token = await first.links.personal(game, 11, moderates=False)
    found = await second.stranger(game).ask("GET", f"/board/open/{token}")
    assert found.headers["Location"] == f"/board/{game}"
    again = await first.stranger(game).ask("GET", f"/board/open/{token}")
    assert "code=" in again.headers["Location"], "used there is used here"
