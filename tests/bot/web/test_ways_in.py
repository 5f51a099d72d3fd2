"""From Discord to the board: the button below the turn message, links in private answers, and for spectators."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, CookieJar, DummyCookieJar

from bot.client.buttons import BOARD_LABEL
from bot.client.features.board_link import (
    MAX_SESSIONS_LISTED,
    NO_BOARD_PAGE_TEXT,
    NO_SESSIONS_TEXT,
    SESSIONS_ENDED_TEXT,
    EndSessionSelect,
)
from bot.sandbox.guild import threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.refusal import SandboxError
from bot.table.board_links_and_sessions import SESSION_HAS_ENDED_TEXT, Browser
from bot.tools.board_page import page_services
from bot.tools.showcase import Showcase
from bot.web.board_server import BoardPage
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.waiting import direct_messages, handed_over
from tests.bot.web.test_login import hide
from tests.bot.web.test_playing import offers, passing
from tests.bot.web.visitors import Browser as Window


@asynccontextmanager
async def page_of(sandbox: SandboxBot) -> AsyncIterator[ClientSession]:
    """The board page of a house, and what opens it."""
    client = sandbox.client
    page = BoardPage(page_services(client), client.admission.rate_limiter, 1000.0)
    async with page.serving(0), ClientSession(cookie_jar=DummyCookieJar()) as session:
        yield session


@pytest.fixture
async def session(sandbox: SandboxBot) -> AsyncIterator[ClientSession]:
    async with page_of(sandbox) as opened:
        yield opened


def link(result: InteractionResult) -> str:
    """The address behind the first link button of a private answer."""
    [url] = [button.url for message in result.ephemeral for button in message.buttons if button.url]
    return url


async def opened(session: ClientSession, sandbox: SandboxBot, url: str) -> Window:
    """The browser that has opened a link."""
    address = sandbox.client.tables.board_links.address
    assert address is not None
    assert url.startswith(f"{address}/board/open/")
    async with session.get(url, allow_redirects=False) as found:
        assert found.status == 303, await found.text()
        cookie = found.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
        game = int(re.sub(r".*/board/([0-9]+).*", r"\1", found.headers["Location"]))
    return Window(session, address, game, cookie)


async def test_turn_message_leads_to_own_board(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    for name, seat, moderates in (("Ann", "Ann", True), ("Bob", "Bob", False), ("Dee", None, False)):
        browser = await opened(session, sandbox, link(await game.press(name, BOARD_LABEL)))
        you = (await browser.get("/position")).json["you"]
        assert (browser.game, you["name"], you["user_name"]) == (game.number, seat, name)
        assert (you["is_moderator"], you["is_spectator"]) == (moderates, seat is None), "Ann owns the server"


async def test_help_names_the_board(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    without = (await game.slash("Ann", "help")).text
    assert "/board" not in without
    async with page_of(sandbox):
        text = (await game.slash("Ann", "help")).text
    assert "`/board open`" in text
    assert len(text) < 1600


async def test_private_answers_lead_to_own_board(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    for command in ("status", "map", "board open", "mine"):
        browser = await opened(session, sandbox, link(await game.slash("Cy", command)))
        assert (browser.game, (await browser.get("/position")).json["you"]["name"]) == (game.number, "Cy")


async def test_list_of_games_leads_to_their_page(sandbox: SandboxBot, session: ClientSession) -> None:
    """It shows the games whose channel the member sees."""
    game = await sandbox.game()
    links = {name: link(await game.slash(name, "game list")) for name in ("Bob", "Cy")}
    hide(sandbox, game, ("Bob",))
    cards = {}
    for name, url in links.items():
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser, browser.get(url) as page:
            cards[name] = (await page.text()).count('<li class="card"')
    assert cards == {"Bob": 1, "Cy": 0}


async def test_players_share_a_link(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    refused = await game.slash("Dee", "board share")
    assert "no seat" in refused.text
    url = re.search(r"<(http.*?)>", (await game.slash("Ann", "board share")).text)
    assert url is not None
    for _ in range(2):
        browser = await opened(session, sandbox, url[1])
        assert (await browser.get("/position")).json["you"]["is_spectator"]


async def test_move_at_the_board_is_posted(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    browser = await opened(session, sandbox, link(await game.press("Ann", BOARD_LABEL)))
    found = await offers(browser)
    address = {"Origin": browser.url, "Sec-Fetch-Site": "same-origin"}
    made = await browser.post("/play", {"seq": found["seq"], **passing(found)}, address)
    assert made.status == 200
    await sandbox.settled()
    assert game.lines[-1].startswith(f"`{made.json['seq']}` **Ann** passes")
    assert "Bob" in game.turn.content


async def test_locked_thread_refuses_at_the_board(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    browser = await opened(session, sandbox, link(await game.press("Ann", BOARD_LABEL)))
    address = {"Origin": browser.url, "Sec-Fetch-Site": "same-origin"}
    found = await offers(browser)
    seq = found["seq"]
    requests = {
        "/play": {"seq": seq, **passing(found)},
        "/undo": {"seq": seq},
        "/orders": {"seq": seq, "choice": "max", "private": "CV", "max_bid": 120},
    }
    thread = sandbox.world.channel(game.thread)
    threads.change_channel(sandbox.world, thread, {"locked": True})
    await sandbox.learns(lambda: sandbox.client.get_channel(game.thread).locked)  # type: ignore[union-attr]
    for path, body in requests.items():
        refused = await browser.post(path, body, address)
        assert (refused.status, "this thread is locked" in refused.error) == (
            422,
            True,
        )
    assert await game.seq() == seq
    threads.change_channel(sandbox.world, thread, {"locked": False})
    await sandbox.learns(lambda: not sandbox.client.get_channel(game.thread).locked)  # type: ignore[union-attr]
    assert (await browser.post("/play", requests["/play"], address)).status == 200


async def test_answer_at_the_board_settles_a_proposal(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    for name in ("Ann", "Bob"):
        await game.press(name, "Pass")
    ann, bob = [
        await opened(session, sandbox, link(await game.press(name, BOARD_LABEL))) for name in ("Ann", "Bob")
    ]
    address = {"Origin": ann.url, "Sec-Fetch-Site": "same-origin"}
    here = (await ann.get("/position")).json
    asked = {"seq": here["last_seq"], "target_seq": here["you"]["undo_target_seq"], "is_confirmed": True}
    assert (await ann.post("/undo", asked, address)).json["is_proposed"]
    await sandbox.settled()
    assert [one.label for one in game.proposal(1).buttons] == ["Agree", "Refuse", "Withdraw"]
    answer = {"seq": here["last_seq"], "proposal_number": 1, "choice": "yes"}
    assert (await bob.post("/answer", answer, address)).status == 200
    await sandbox.settled()
    assert ("It was accepted." in game.proposal(1).content, game.proposal(1).buttons) == (True, [])
    assert any("undoes" in line for line in game.lines)


async def test_second_browser_is_let_in_by_a_code(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    url = link(await game.press("Ann", BOARD_LABEL))
    await opened(session, sandbox, url)
    second = await opened(session, sandbox, url)
    code = (await second.get("/position")).json["you"]["confirmation_code"]
    nobody_elses = await game.press("Bob", BOARD_LABEL)
    assert code not in nobody_elses.text
    answer = await game.press("Ann", BOARD_LABEL)
    assert "a second time" in answer.text
    await sandbox.person("Ann").press(answer.ephemeral[0], f"Yes, {code} is my browser")
    assert (await second.get("/position")).json["you"]["name"] == "Ann"


async def test_sessions_are_listed_and_ended(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    assert (await game.slash("Bob", "board sessions")).text == NO_SESSIONS_TEXT
    ann = await opened(session, sandbox, link(await game.press("Ann", BOARD_LABEL)))
    first, second, third = [
        await opened(session, sandbox, link(await game.press("Bob", BOARD_LABEL))) for _ in range(3)
    ]

    async def open_now() -> list[int]:
        return [(await browser.get("/position")).status for browser in (ann, first, second, third)]

    stale, answer = [await sandbox.person("Bob").slash(TABLE, "board sessions") for _ in range(2)]
    assert "You have 3 sessions on the board page:" in answer.text
    assert f"3. game {game.number} (" in answer.text
    digest = (await first.get("/position")).json["you"]["session_id"]
    await sandbox.person("Bob").select(answer.ephemeral[0], EndSessionSelect.id_pattern, [digest])
    assert await open_now() == [200, 401, 200, 200]
    assert "You have 2 sessions" in answer.ephemeral[0].content
    late = await sandbox.person("Bob").select(stale.ephemeral[0], EndSessionSelect.id_pattern, [digest])
    assert SESSION_HAS_ENDED_TEXT in late.text
    unused = link(await game.press("Bob", BOARD_LABEL))
    await sandbox.person("Bob").press(answer.ephemeral[0], "End all sessions")
    assert await open_now() == [200, 401, 401, 401]
    assert answer.ephemeral[0].content == SESSIONS_ENDED_TEXT
    async with session.get(unused) as found:
        assert found.status == 403


async def test_long_list_of_sessions_is_counted(sandbox: SandboxBot, session: ClientSession) -> None:
    game = await sandbox.game()
    links = sandbox.client.tables.board_links
    for _ in range(MAX_SESSIONS_LISTED + 2):
        token = await links.personal_token(game.number, sandbox.person("Bob").id, moderates=False)
        await links.open(token, Browser(device="Firefox on Linux"))
    answer = await game.slash("Bob", "board sessions")
    assert "Firefox on Linux" in answer.text
    assert "And 2 older ones." in answer.text


async def test_direct_message_leads_to_the_board(patient: SandboxBot) -> None:
    async with page_of(patient) as session:
        await patient.person("Bob").slash(TABLE, "pings", how="direct")
        clock, game = await handed_over(patient)
        await clock.on(seconds=30)
        (ping,) = direct_messages(patient, "Bob")
        assert [button.label for button in ping.buttons] == [BOARD_LABEL, "Mute for this turn"]
        browser = await opened(session, patient, link(await patient.person("Bob").press(ping, BOARD_LABEL)))
        assert (browser.game, (await browser.get("/position")).json["you"]["name"]) == (game.number, "Bob")


async def test_sandbox_table_leads_to_its_board(sandbox: SandboxBot) -> None:
    showcase = Showcase(sandbox.client.tables)
    thread = await showcase.open_game("continue")
    with pytest.raises(SandboxError, match="no game with a board page"):
        await showcase.board_url(thread, sandbox.person("Ann").id)
    async with page_of(sandbox) as session:
        assert showcase.has_board(thread)
        assert not showcase.has_board(7)
        browser = await opened(session, sandbox, await showcase.board_url(thread, sandbox.person("Ann").id))
        assert (await browser.get("/position")).json["you"]["name"] == "Ann"


async def test_nothing_leads_to_no_page(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert BOARD_LABEL not in [button.label for button in game.turn.buttons]
    status = await game.slash("Ann", "status")
    assert not any(button.url for message in status.ephemeral for button in message.buttons)
    assert (await game.slash("Ann", "board open")).text == NO_BOARD_PAGE_TEXT
