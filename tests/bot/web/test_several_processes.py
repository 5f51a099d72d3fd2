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
from tests.bot.web.test_playing import offers, passing
from tests.bot.web.visitors import Site
from tests.support.own_postgres import Server

DEE = 14
OURS, OTHERS = ShardSet((0,), 2), ShardSet((1,), 2)


@pytest.fixture
def owned() -> ShardSet:
    """What the second process answers for: nothing, as a standby."""
    return shards.NO_SHARDS


@pytest.fixture
async def sites(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, owned: ShardSet
) -> AsyncIterator[tuple[Site, Site]]:
    """Two processes on one database; the first answers for the game's server."""
    monkeypatch.setattr(event_stream, "SECONDS_BETWEEN_CHECKS", 0.05)  # time
    async with AsyncExitStack() as stack:
        where = await stack.enter_async_context(postgres.fresh())
        found = []
        for share in (OURS, owned):
            db = await stack.enter_async_context(await open_database(where))
            found.append(
                await stack.enter_async_context(Site.open_on(TableService.of(Tables(db, shards=share))))
            )
        yield found[0], found[1]


@pytest.mark.parametrize("owned", [OTHERS, shards.NO_SHARDS], ids=["shards", "standby"])
async def test_one_process_takes_moves(sites: tuple[Site, Site]) -> None:
    first, second = sites
    game = await first.service.game()
    browser, elsewhere = await first.browser(game, ANN), await second.browser(game, ANN)
    elsewhere.secret = browser.secret
    before = (await elsewhere.get("/position")).json
    assert before["digest"] == await first.service.digest(game)
    asked = await offers(elsewhere)
    body = {"seq": asked["seq"], **passing(asked)}
    refused = await elsewhere.post("/play", body)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert refused.json["code"] == "elsewhere"
    assert "The part of the bot that runs this game did not answer" in refused.error
    assert (await browser.post("/play", body)).status == 200
    after = (await elsewhere.get("/position")).json
    assert (after["last_seq"], after["digest"]) == (asked["seq"] + 1, await first.service.digest(game))


async def test_page_hears_of_another_process(sites: tuple[Site, Site]) -> None:
    first, second = sites
    game = await first.service.game()
    browser = await second.browser(game, DEE)
    async with stream(browser) as found:
        _, begun = await news(found)
        await first.service.pass_on(game)
        _, then = await news(found)
        assert (begun["seq"], then["seq"]) == (1, 2)
        assert (await browser.get("/position")).json["you"]["is_spectator"]
        await begin_substitution(first.service.tables, game, ANN, (DEE, "Dee"), None)
        await news(found)
        assert (await browser.get("/position")).json["you"]["name"] == "Ann"
        await begin_pause(first.service.tables, game, BOB, None)
        await news(found)
        assert "is paused" in (await browser.get("/position")).json["move_obstacle"]


async def test_link_opens_everywhere_once(sites: tuple[Site, Site]) -> None:
    first, second = sites
    game = await first.service.game()
    token = await first.links.personal_token(game, 11, moderates=False)
    found = await second.stranger(game).ask("GET", f"/board/open/{token}")
    assert found.headers["Location"] == f"/board/{game}"
    again = await first.stranger(game).ask("GET", f"/board/open/{token}")
    assert "code=" in again.headers["Location"], "used there is used here"


async def test_session_ends_in_every_process(sites: tuple[Site, Site]) -> None:
    first, second = sites
    game = await first.service.game()
    for how in ("one", "all"):
        browser = await second.browser(game, BOB)
        async with stream(browser) as found:
            await news(found)
            [session] = await first.links.sessions_of(BOB)
            await (
                first.links.end_sessions(BOB)
                if how == "all"
                else first.links.end_session(session.digest, BOB)
            )
            assert (await news(found))[0] == "ended"
            assert (await browser.get("/position")).status == 401


async def test_standby_shows_what_may_be_done(sites: tuple[Site, Site]) -> None:
    first, second = sites
    game = await first.service.game()
    await first.service.pass_on(game)
    browser = await second.browser(game, BOB)
    asked = await offers(browser)
    tried = (await browser.post("/whatif", {"seq": asked["seq"], "tried_moves": [passing(asked)]})).json
    history = (await browser.get("/history")).json
    hex_ = await browser.get("/hex/E13")
    assert len(tried["lines_by_move"]) == 1
    assert history["last_seq"] == asked["seq"]
    assert hex_.status == 200
    undone = await browser.post("/undo", {"seq": asked["seq"]})
    ordered = await browser.post("/orders", {"seq": asked["seq"], "choice": "pass", "order_details": ""})
    assert [undone.json["code"], ordered.json["code"]] == ["elsewhere", "elsewhere"]
