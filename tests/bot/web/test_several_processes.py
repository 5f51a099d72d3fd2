"""With several processes each serves every board, a standby, too; moves are made by the one that owns its shard."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from bot.table.clocks.away import begin_substitution
from bot.table.tables import Tables
from bot.table.votes.pauses import begin_pause
from bot.web import event_stream
from storage import ShardSet, open_database, shards
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.web.test_news import news, stream
from tests.bot.web.test_playing_there import offers
from tests.bot.web.visitors import Desk
from tests.support.own_postgres import Server

DEE = 14
OURS, OTHERS = ShardSet((0,), 2), ShardSet((1,), 2)


@pytest.fixture(params=[OTHERS, shards.NOWHERE], ids=["shards", "standby"])
async def desks(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Desk, Desk]]:
    """Two processes on one database; the first answers for the game's server, the second for others, or for none."""
    monkeypatch.setattr(event_stream, "LOOKING", 0.05)
    async with AsyncExitStack() as stack:
        where = await stack.enter_async_context(postgres.fresh())
        found = []
        for share in (OURS, request.param):
            db = await stack.enter_async_context(await open_database(where))
            found.append(
                await stack.enter_async_context(Desk.open_on(TableService.of(Tables(db, share=share))))
            )
        yield found[0], found[1]


async def test_each_process_shows_the_board_and_one_takes_moves(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.service.game()
    async with first.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    browser = await first.browser(game, user)
    elsewhere = await second.browser(game, user)
    elsewhere.secret = browser.secret
    before = (await elsewhere.get("/position")).json
    assert before["digest"] == await first.service.digest(game)
    asked = await offers(elsewhere)
    move = next(one["move"] for offer in asked["offers"] if offer["kind"] == "pass" for one in offer["quick"])
    body = {"seq": asked["seq"], "move": move}
    refused = await elsewhere.post("/play", body)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert refused.json["code"] == "elsewhere"
    assert "Another process" in refused.error
    assert (await browser.post("/play", body)).status == 200
    after = (await elsewhere.get("/position")).json
    assert (after["last"], after["digest"]) == (asked["seq"] + 1, await first.service.digest(game))


async def test_a_page_of_one_process_learns_of_moves_made_by_another(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.service.game()
    async with stream(await second.browser(game, None)) as found:
        _, begun = await news(found)
        await first.service.pass_on(game)
        _, then = await news(found)
    assert int(str(then["seq"])) == int(str(begun["seq"])) + 1


async def test_a_link_of_one_process_opens_the_board_of_another(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.service.game()
    token = await first.links.personal(game, 11, moderates=False)
    found = await second.stranger(game).ask("GET", f"/board/open/{token}")
    assert found.headers["Location"] == f"/board/{game}"
    again = await first.stranger(game).ask("GET", f"/board/open/{token}")
    assert "code=" in again.headers["Location"], "used there is used here"


async def test_a_page_of_one_process_learns_of_a_pause_and_a_substitute_of_another(
    desks: tuple[Desk, Desk],
) -> None:
    """Neither is a row of the log."""
    first, second = desks
    game = await first.service.game()
    browser = await second.browser(game, DEE)
    async with stream(browser) as found:
        await news(found)
        assert (await browser.get("/position")).json["you"]["spectator"]
        await begin_substitution(first.service.tables, game, ANN, (DEE, "Dee"), None)
        await news(found)
        assert (await browser.get("/position")).json["you"]["name"] == "Ann"
        await begin_pause(first.service.tables, game, BOB, None)
        await news(found)
        assert "pauses" in (await browser.get("/position")).json["held_up"]


@pytest.mark.parametrize("how", ["one", "all"])
async def test_a_session_ends_in_every_process(desks: tuple[Desk, Desk], how: str) -> None:
    """One process hears of it from Discord; the stream of another ends."""
    first, second = desks
    game = await first.service.game()
    browser = await second.browser(game, BOB)
    async with stream(browser) as found:
        await news(found)
        [session] = await first.links.sessions(BOB)
        await (first.links.end(BOB) if how == "all" else first.links.end_one(session.digest, BOB))
        assert (await news(found))[0] == "ended"
        assert (await browser.get("/position")).status == 401


async def test_a_process_that_stands_by_shows_what_was_and_what_may_be_done(desks: tuple[Desk, Desk]) -> None:
    first, second = desks
    game = await first.service.game()
    await first.service.pass_on(game)
    async with first.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    browser = await second.browser(game, user)
    asked = await offers(browser)
    move = next(one["move"] for offer in asked["offers"] if offer["kind"] == "pass" for one in offer["quick"])
    tried = (await browser.post("/whatif", {"seq": asked["seq"], "tried": [{"move": move}]})).json
    history = (await browser.get("/history")).json
    hex_ = await browser.get("/hex/E13")
    assert len(tried["tried"]) == 1
    assert history["last"] == asked["seq"]
    assert hex_.status == 200
    undone = await browser.post("/undo", {"seq": asked["seq"]})
    ordered = await browser.post("/orders", {"seq": asked["seq"], "choice": "pass", "what": ""})
    assert [undone.json["code"], ordered.json["code"]] == ["elsewhere", "elsewhere"]
