"""What others must agree to, at the board: undo and redo, seats that the table plays, and answers to proposals."""

from typing import Any

import pytest

from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.pauses import PauseProposal, end_pause
from bot.table.votes.proposals import Proposals
from tests.bot.support.table_service import ANN, BOB, CY, GUILD
from tests.bot.web.test_news import news, stream
from tests.bot.web.test_playing_there import offers
from tests.bot.web.visitors import Browser, Desk
from tests.support.noted import noted


async def moved(desk: Desk) -> int:
    """A game in which Ann, and then Bob has passed."""
    game = await desk.service.game()
    await desk.service.pass_on(game)
    await desk.service.pass_on(game)
    return game


async def position(browser: Browser) -> Any:
    """What the page shows."""
    return (await browser.get("/position")).json


async def proposed(browser: Browser, **asked: Any) -> Any:
    """Ask the others to go back to before one's own last move."""
    here = await position(browser)
    body = {"seq": here["last"], "to": here["you"]["undo_to"], "sure": True, **asked}
    return await browser.post("/undo", body)


async def test_where_others_have_moved_the_page_says_what_would_be_lost_before_it_asks_them(
    desk: Desk,
) -> None:
    game = await moved(desk)
    ann = await desk.browser(game, ANN)
    before = await desk.service.digest(game)
    shown = await position(ann)
    assert (shown["you"]["may_undo"], shown["proposals"]) == (False, [])
    asked = await proposed(ann, sure=False)
    assert (asked.status, asked.json["ask"]) == (422, "Ask them")
    assert "Bob has to agree" in asked.json["question"]
    assert "passes" in asked.json["question"]
    assert (await position(ann))["proposals"] == []
    made = await proposed(ann)
    assert (made.status, made.json["proposed"]) == (200, True)
    assert await desk.service.digest(game) == before, "until Bob agrees"


async def test_who_is_asked_agrees_at_the_board_and_it_is_undone(desk: Desk) -> None:
    game = await desk.service.game()
    start = await desk.service.digest(game)
    await desk.service.pass_on(game)
    await desk.service.pass_on(game)
    await proposed(await desk.browser(game, ANN))
    bob = await desk.browser(game, BOB)
    shown = await position(bob)
    [one] = shown["proposals"]
    assert (one["by"], one["waits_for"], one["answers"]) == ("Ann", ["Bob"], ["yes", "no"])
    assert one["what"].startswith("the game goes back to where it stood after move 1")
    done = await bob.post("/answer", {"seq": shown["last"], "number": one["number"], "choice": "yes"})
    assert (done.status, done.json["lines"]) == (200, ["You agree to proposal 1."])
    assert await desk.service.digest(game) == start
    assert (await position(bob))["proposals"] == []
    assert desk.renewed == [(game, 1)], "its message in the thread says so"


async def test_what_was_undone_by_agreement_comes_back_by_agreement(desk: Desk) -> None:
    game = await moved(desk)
    ann, bob = await desk.browser(game, ANN), await desk.browser(game, BOB)
    before = await desk.service.digest(game)
    await proposed(ann)
    seq = (await position(bob))["last"]
    await bob.post("/answer", {"seq": seq, "number": 1, "choice": "yes"})
    shown = await position(ann)
    assert shown["you"]["may_redo"]
    made = await ann.post("/redo", {"seq": shown["last"]})
    assert (made.status, made.json["proposed"]) == (200, True)
    await bob.post("/answer", {"seq": shown["last"], "number": 2, "choice": "yes"})
    assert await desk.service.digest(game) == before


async def test_one_refusal_ends_a_proposal_and_its_proposer_withdraws_it(desk: Desk) -> None:
    game = await moved(desk)
    ann, bob = await desk.browser(game, ANN), await desk.browser(game, BOB)
    for browser, choice in ((bob, "no"), (ann, "withdraw")):
        await proposed(ann)
        shown = await position(browser)
        [one] = shown["proposals"]
        assert choice in one["answers"]
        body = {"seq": shown["last"], "number": one["number"], "choice": choice}
        assert (await browser.post("/answer", body)).status == 200
        assert (await position(browser))["proposals"] == []


async def test_who_is_not_asked_sees_what_is_open_and_answers_nothing(desk: Desk) -> None:
    game = await moved(desk)
    await proposed(await desk.browser(game, ANN))
    for user, status in ((CY, 403), (None, 403)):
        browser = await desk.browser(game, user)
        shown = await position(browser)
        [one] = shown["proposals"]
        assert (one["waits_for"], one["answers"]) == (["Bob"], [])
        refused = await browser.post("/answer", {"seq": shown["last"], "number": 1, "choice": "yes"})
        assert refused.status == status


async def test_a_proposal_leads_to_its_message_in_the_thread(desk: Desk) -> None:
    game = await moved(desk)
    ann = await desk.browser(game, ANN)
    await proposed(ann)
    assert (await position(ann))["proposals"][0]["link"] is None, "it is not posted yet"
    await desk.service.tables.show_in(game, 77)
    await noted(desk.service.db, game, "proposal", 99, "1")
    assert (await position(ann))["proposals"][0]["link"] == f"https://discord.com/channels/{GUILD}/77/99"


async def test_a_page_learns_of_proposals_and_votes(desk: Desk) -> None:
    game = await moved(desk)
    ann = await desk.browser(game, ANN)
    async with stream(await desk.browser(game, CY)) as found:
        first = await news(found)
        await proposed(ann)
        assert await news(found) == first
        await ann.post("/answer", {"seq": first[1]["seq"], "number": 1, "choice": "withdraw"})
        assert await news(found) == first


async def test_a_pause_is_agreed_to_at_the_board(desk: Desk) -> None:
    game, proposals = await desk.service.game(), Proposals(desk.service.tables)
    await proposals.put(game, ANN, lambda live: PauseProposal(None))
    bob = await desk.browser(game, BOB)
    shown = await position(bob)
    [one] = shown["proposals"]
    assert (one["needed"], one["voters"]) == (1, ["Bob", "Cy"])
    await bob.post("/answer", {"seq": shown["last"], "number": 1, "choice": "yes"})
    assert "pauses" in (await position(bob))["held_up"]
    await end_pause(desk.service.tables, game, ANN)


@pytest.mark.usefixtures("absent_players")
async def test_the_page_knows_which_seats_the_table_plays_and_who_may_propose_for_them(desk: Desk) -> None:
    game, proposals = await desk.service.game(), Proposals(desk.service.tables)
    asked = await proposals.put(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await proposals.answer(game, asked.number, CY, "yes")
    seen = {
        user: (await position(await desk.browser(game, user)))["you"]["table"]
        for user in (ANN, BOB, CY, None)
    }
    assert seen == {ANN: [], BOB: ["p1"], CY: ["p1"], None: []}
    bob, cy = await desk.browser(game, BOB), await desk.browser(game, CY)
    found = await offers(bob, "?as=table&player=p1")
    passing = next(offer for offer in found["offers"] if offer["kind"] == "pass")
    await bob.post("/play", {"seq": found["seq"], "key": passing["key"], "capacity": "table"})
    [one] = (await position(cy))["proposals"]
    assert one["what"].startswith("for Ann: ")
    done = await cy.post("/answer", {"seq": found["seq"], "number": one["number"], "choice": "yes"})
    assert done.json["seq"] == found["seq"] + 1


async def test_own_moves_further_back_are_undone_without_asking(desk: Desk) -> None:
    """As `/undo to:` does."""
    game = await desk.service.game()
    start = await desk.service.digest(game)
    await desk.service.pass_on(game)
    made = await proposed(await desk.browser(game, ANN), sure=False)
    assert (made.status, made.json["proposed"]) == (200, False)
    assert await desk.service.digest(game) == start


@pytest.mark.parametrize("body", [{"number": "1", "choice": "yes"}, {"number": 1, "choice": "perhaps"}, {}])
async def test_an_answer_that_makes_no_sense_is_refused(desk: Desk, body: dict[str, Any]) -> None:
    game = await moved(desk)
    browser = await desk.browser(game, BOB)
    found = await browser.post("/answer", {"seq": 3, **body})
    assert (found.status, found.error) == (400, "That is no question and no move.")
    unknown = await browser.post("/answer", {"seq": 3, "number": 9, "choice": "yes"})
    assert (unknown.status, "no proposal 9" in unknown.error) == (422, True)
