"""What others must agree to, at the board: undo and redo, seats that the table plays, and answers to proposals."""

from typing import Any

import pytest

from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposals import Proposals
from tests.bot.support.table_service import ANN, BOB, CY, GUILD
from tests.bot.web.test_news import news, stream
from tests.bot.web.test_playing import offered, offers
from tests.bot.web.visitors import Answer, Browser, Site
from tests.support.noted import noted


@pytest.fixture
async def moved(site: Site, game: int) -> int:
    for _ in range(2):
        await site.service.pass_on(game)
    return game


async def position(browser: Browser) -> Any:
    return (await browser.get("/position")).json


async def proposed(browser: Browser, **asked: Any) -> Answer:
    """Ask the others to go back to before one's own last move."""
    here = await position(browser)
    return await browser.post(
        "/undo",
        {
            "seq": here["last_seq"],
            "target_seq": here["you"]["undo_target_seq"],
            "is_confirmed": True,
            **asked,
        },
    )


async def answer(browser: Browser, number: int, choice: str) -> Answer:
    seq = (await position(browser))["last_seq"]
    return await browser.post("/answer", {"seq": seq, "proposal_number": number, "choice": choice})


async def test_undo_and_redo_are_agreed_on(site: Site, moved: int, ann: Browser, bob: Browser) -> None:
    before, shown = await site.service.digest(moved), await position(ann)
    assert (shown["you"]["may_undo"], shown["proposals"]) == (False, [])
    asked = await proposed(ann, is_confirmed=False)
    assert (asked.status, asked.json["confirm_label"]) == (422, "Ask them")
    assert "if Bob agrees" in asked.json["question"]
    assert "passes" in asked.json["question"]
    assert (await position(ann))["proposals"] == []
    made = await proposed(ann)
    assert (made.status, made.json["is_proposed"]) == (200, True)
    assert await site.service.digest(moved) == before, "until Bob agrees"
    [one] = (await position(bob))["proposals"]
    assert (one["proposer_name"], one["must_still_agree"], one["possible_answers"]) == (
        "Ann",
        ["Bob"],
        ["yes", "no"],
    )
    assert one["description"].startswith("undo back to move 1")
    done = await answer(bob, one["number"], "yes")
    assert (done.status, done.json["lines"]) == (200, ["You agreed to proposal 1."])
    assert await site.service.digest(moved) == (await bob.get("/position?at=1")).json["digest"]
    assert (await position(bob))["proposals"] == []
    assert site.renewed == [(moved, 1)], "its message in the thread says so"
    shown = await position(ann)
    assert shown["you"]["may_redo"]
    made = await ann.post("/redo", {"seq": shown["last_seq"]})
    assert (made.status, made.json["is_proposed"]) == (200, True)
    await answer(bob, 2, "yes")
    assert await site.service.digest(moved) == before


async def test_proposal_is_refused_or_withdrawn(site: Site, moved: int, ann: Browser, bob: Browser) -> None:
    cy, watcher = await site.browser(moved, CY), await site.browser(moved, None)
    for browser, choice in ((bob, "no"), (ann, "withdraw")):
        await proposed(ann)
        [one] = (await position(browser))["proposals"]
        assert choice in one["possible_answers"]
        for other in (cy, watcher):
            [seen] = (await position(other))["proposals"]
            assert (seen["must_still_agree"], seen["possible_answers"]) == (["Bob"], [])
            assert (await answer(other, one["number"], "yes")).status == 403
        assert (await answer(browser, one["number"], choice)).status == 200
        assert (await position(browser))["proposals"] == []


async def test_proposal_leads_to_its_message(site: Site, moved: int, ann: Browser) -> None:
    await proposed(ann)
    assert (await position(ann))["proposals"][0]["message_url"] is None, "it is not posted yet"
    await site.service.tables.record_thread_of_game(moved, 77)
    await noted(site.service.db, moved, "proposal", 99, "1")
    assert (await position(ann))["proposals"][0][
        "message_url"
    ] == f"https://discord.com/channels/{GUILD}/77/99"


async def test_page_hears_of_proposals_and_votes(site: Site, moved: int, ann: Browser) -> None:
    async with stream(await site.browser(moved, CY)) as found:
        first = await news(found)
        await proposed(ann)
        assert await news(found) == first
        await answer(ann, 1, "withdraw")
        assert await news(found) == first


async def test_pause_is_agreed_on(site: Site, game: int, bob: Browser) -> None:
    await Proposals(site.service.tables).propose(game, ANN, lambda _: PauseProposal(None))
    [one] = (await position(bob))["proposals"]
    assert (one["missing_vote_count"], one["missing_voters"]) == (1, ["Bob", "Cy"])
    await answer(bob, 1, "yes")
    assert "is paused" in (await position(bob))["move_obstacle"]


@pytest.mark.usefixtures("absent_players")
async def test_move_is_proposed_for_an_absent_seat(site: Site, game: int, bob: Browser) -> None:
    proposals, start = Proposals(site.service.tables), await site.service.digest(game)
    asked = await proposals.propose(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await proposals.vote(game, asked.number, CY, "yes")
    browsers = {user: await site.browser(game, user) for user in (ANN, BOB, CY, None)}
    seen = {user: (await position(browser))["you"]["absent_players"] for user, browser in browsers.items()}
    assert seen == {ANN: [], BOB: ["p1"], CY: ["p1"], None: []}
    found = await offers(bob, "?as=table&player=p1")
    body = {"seq": found["seq"], "offer_key": offered(found, "pass")["key"], "acting_as": "table"}
    made = await bob.post("/play", body)
    assert (made.status, made.json["is_proposed"], "proposal 2" in made.json["lines"][0]) == (200, True, True)
    not_theirs = await bob.get("/offers?as=table&player=p3")
    assert (not_theirs.status, "does not play for Cy" in not_theirs.error) == (403, True)
    [one] = (await position(browsers[CY]))["proposals"]
    assert one["description"].startswith("for Ann: ")
    assert await site.service.digest(game) == start, "until another agrees"
    done = await answer(browsers[CY], one["number"], "yes")
    assert done.json["seq"] == found["seq"] + 1


@pytest.mark.usefixtures("moved")
async def test_senseless_answer_is_refused(bob: Browser) -> None:
    for body in ({"proposal_number": "1", "choice": "yes"}, {"proposal_number": 1, "choice": "perhaps"}, {}):
        found = await bob.post("/answer", {"seq": 3, **body})
        assert (found.status, found.error) == (
            400,
            "This is not a valid request. Reload the page and try again.",
        )
    unknown = await bob.post("/answer", {"seq": 3, "proposal_number": 9, "choice": "yes"})
    assert (unknown.status, "no proposal 9" in unknown.error) == (422, True)
