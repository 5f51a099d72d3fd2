"""Moves made at the board: the same offers, rights and writer as in Discord."""

from typing import Any

import pytest

from bot.table.clocks.away import begin_substitution, end_substitution
from bot.table.orders import sealed_auction
from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.pauses import begin_pause
from bot.table.votes.proposals import Proposals
from storage import GAMES, DatabaseUnreachable
from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.web.visitors import Browser, Desk

DEE = 14


@pytest.fixture
async def on_turn(desk: Desk) -> Browser:
    """The browser of who must act in a new game."""
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    return await desk.browser(game, user)


async def offers(browser: Browser, query: str = "") -> dict[str, Any]:
    """What may be decided there."""
    found: dict[str, Any] = (await browser.get(f"/offers{query}")).json
    return found


async def walk(browser: Browser, seq: int, key: str, *picks: str) -> dict[str, Any]:
    """The next question, or what the move would do."""
    found = await browser.post("/walk", {"seq": seq, "key": key, "picks": picks})
    assert found.status == 200, found.body
    step: dict[str, Any] = found.json["step"]
    return step


async def test_offers_are_those_of_the_engine(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    async with desk.service.tables.reading(on_turn.game) as live:
        player = live.game.actors()[0]
        kinds = [offer.kind for offer in live.game.offers(player) if offer.kind != "end_game"]
    assert (found["for"], [offer["kind"] for offer in found["offers"]]) == (player, kinds)


async def test_who_is_not_on_turn_is_offered_nothing_that_blocks(desk: Desk, on_turn: Browser) -> None:
    async with desk.service.tables.reading(on_turn.game) as live:
        idle = next(user for user in (ANN, BOB, CY) if live.player_of(user) not in live.game.actors())
    found = await offers(await desk.browser(on_turn.game, idle))
    assert not any(offer["blocking"] for offer in found["offers"])


async def test_a_spectator_is_offered_nothing_and_moves_nothing(desk: Desk, on_turn: Browser) -> None:
    spectator = await desk.browser(on_turn.game, None)
    found = await offers(on_turn)
    quick = found["offers"][0]["quick"][0]["move"]
    assert (await offers(spectator))["offers"] == []
    answer = await spectator.post("/play", {"seq": found["seq"], "move": quick, "sure": True})
    assert (answer.status, answer.error) == (403, "You look at this board as a spectator: only players move.")


async def test_a_move_of_one_click_is_made_and_announced(desk: Desk, on_turn: Browser) -> None:
    woken = desk.service.woken()
    found = await offers(on_turn)
    quick = next(one for offer in found["offers"] for one in offer["quick"] if offer["kind"] == "pass")
    answer = (await on_turn.post("/play", {"seq": found["seq"], "move": quick["move"]})).json
    async with desk.service.tables.reading(on_turn.game) as live:
        assert (answer["seq"], live.seq) == (live.seq, found["seq"] + 1)
        name = live.name_of(live.counting[-1].actor)
        user = live.counting[-1].user_id
    assert woken == [on_turn.game]
    assert desk.seen == [(on_turn.game, user)]
    assert name in answer["lines"][0]
    assert "**" not in "".join(answer["lines"])


async def test_while_seals_are_asked_for_no_press_bids(desk: Desk, on_turn: Browser) -> None:
    await GAMES.put(desk.service.db, on_turn.game, sealed_auction.SEALED, "on")
    found = await offers(on_turn)
    assert {one["kind"]: len(one["quick"]) for one in found["offers"]} == {"bid": 0, "pass": 1}


async def test_a_move_is_walked_to_and_made_as_it_was_shown(desk: Desk, on_turn: Browser) -> None:
    """A bid: the private, then the amount within its limits, then what it would do."""
    found = await offers(on_turn)
    bid = next(offer for offer in found["offers"] if offer["kind"] == "bid")
    assert bid["slots"] == ["private", "amount"]
    first = await walk(on_turn, found["seq"], bid["key"])
    assert (first["ask"], first["slot"]) == ("choice", "private")
    choice = first["choices"][-1]
    second = await walk(on_turn, found["seq"], bid["key"], *choice["pick"])
    assert (second["ask"], second["picked"], second["back"]) == ("amount", choice["pick"], [])
    assert second["low"] < second["high"]
    amount = second["low"] + second["step"]
    whole = await walk(on_turn, found["seq"], bid["key"], *choice["pick"], str(amount))
    assert (whole["ask"], whole["picked"]) == ("nothing", [*choice["pick"], str(amount)])
    assert f"${amount}" in whole["summary"]
    made = await on_turn.post(
        "/play", {"seq": found["seq"], "key": bid["key"], "picks": [*choice["pick"], str(amount)]}
    )
    assert (made.status, f"${amount}" in made.json["lines"][0]) == (200, True)


async def test_what_the_rules_refuse_is_said_in_their_words(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    before = await desk.service.digest(on_turn.game)
    bid = next(offer for offer in found["offers"] if offer["kind"] == "bid")
    choice = (await walk(on_turn, found["seq"], bid["key"]))["choices"][-1]["pick"]
    for path in ("/walk", "/play"):
        answer = await on_turn.post(
            path, {"seq": found["seq"], "key": bid["key"], "picks": [*choice, "1000000"]}
        )
        assert (answer.status, "$" in answer.error) == (422, True)
    assert await desk.service.digest(on_turn.game) == before


async def test_a_move_that_comes_too_late_is_refused_and_nothing_is_done(
    desk: Desk, on_turn: Browser
) -> None:
    found = await offers(on_turn)
    quick = found["offers"][0]["quick"][0]["move"]
    outcome = await desk.service.pass_on(on_turn.game)
    digest = await desk.service.digest(on_turn.game)
    for path, body in (
        ("/play", {"move": quick}),
        ("/walk", {"key": found["offers"][0]["key"]}),
        ("/undo", {}),
    ):
        answer = await on_turn.post(path, {"seq": found["seq"], **body})
        assert (answer.status, answer.json["seq"], "moved on" in answer.error) == (409, outcome.seq, True)
    assert await desk.service.digest(on_turn.game) == digest


async def test_nobody_makes_the_move_of_another_player(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    async with desk.service.tables.reading(on_turn.game) as live:
        idle = next(user for user in (ANN, BOB, CY) if live.player_of(user) not in live.game.actors())
    other = await desk.browser(on_turn.game, idle)
    bid = next(offer for offer in found["offers"] if offer["slots"])
    quick = found["offers"][0]["quick"][0]["move"]
    for path, body in (
        ("/play", {"move": quick}),
        ("/play", {"key": bid["key"], "picks": []}),
        ("/walk", {"key": bid["key"]}),
    ):
        answer = await other.post(path, {"seq": found["seq"], **body})
        assert (answer.status, "turn" in answer.error) == (403, True)


async def test_own_moves_are_undone_and_redone(desk: Desk, on_turn: Browser) -> None:
    before = await desk.service.digest(on_turn.game)
    found = await offers(on_turn)
    await desk.service.pass_on(on_turn.game)
    after = await desk.service.digest(on_turn.game)
    assert (await on_turn.get("/position")).json["you"]["may_undo"]
    undone = await on_turn.post("/undo", {"seq": found["seq"] + 1})
    assert (undone.status, await desk.service.digest(on_turn.game)) == (200, before)
    redone = await on_turn.post("/redo", {"seq": undone.json["seq"]})
    assert (redone.status, await desk.service.digest(on_turn.game)) == (200, after)


async def test_while_a_game_pauses_nobody_moves(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    await begin_pause(desk.service.tables, on_turn.game, ANN, None)
    position = (await on_turn.get("/position")).json
    assert not position["you"]["may_play"]
    assert "pauses" in position["held_up"]
    answer = await on_turn.post(
        "/play", {"seq": found["seq"], "move": found["offers"][0]["quick"][0]["move"]}
    )
    assert (answer.status, "pauses" in answer.error) == (422, True)


async def test_a_moderator_moves_for_a_player_and_the_line_says_so(desk: Desk, on_turn: Browser) -> None:
    outsider = 99
    async with desk.service.tables.reading(on_turn.game) as live:
        player = live.game.actors()[0]
    officer = await desk.browser(on_turn.game, outsider, moderates=True)
    query = f"?as=moderator&player={player}"
    found = await offers(officer, query)
    passing = next(offer for offer in found["offers"] if offer["kind"] == "pass")
    body = {"seq": found["seq"], "key": passing["key"], "picks": [], "capacity": "moderator"}
    plain = await desk.browser(on_turn.game, outsider)
    assert (await plain.get(f"/offers{query}")).status == 403
    assert (await plain.post("/play", body)).status == 403
    made = await officer.post("/play", body)
    assert (made.status, "as a moderator" in "".join(made.json["lines"])) == (200, True)


@pytest.mark.parametrize("capacity", ["what-if", "own", "m"])
async def test_a_page_moves_in_three_capacities(on_turn: Browser, capacity: str) -> None:
    """As a player, as a moderator, and for the table."""
    found = await offers(on_turn)
    body = {"seq": found["seq"], "key": found["offers"][0]["key"], "capacity": capacity}
    for path in ("/play", "/walk"):
        answer = await on_turn.post(path, body)
        assert (answer.status, answer.error) == (422, "As: moderator, table.")


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"seq": "1", "move": "x"},
        {"seq": True},
        {"seq": 1, "picks": ["x" * 3000]},
        {"seq": 1, "picks": [1]},
        {"seq": 1, "picks": "no list"},
        {"seq": 1, "picks": ["x"] * 40},
        {"seq": 1, "key": None},
        {"seq": 1, "theme": "/etc/passwd"},
    ],
)
async def test_what_makes_no_sense_is_refused(desk: Desk, on_turn: Browser, body: object) -> None:
    for path in ("/walk", "/play", "/undo"):
        found = await on_turn.post(path, body)
        assert found.status in {400, 422}, (path, found.body)
        assert (
            found.error in {"That is no question and no move.", "That is not possible any more."}
            or path == "/undo"
        )


async def test_a_substitute_plays_there_for_as_long_as_they_substitute(desk: Desk) -> None:
    game = await desk.service.game()
    await begin_substitution(desk.service.tables, game, ANN, (DEE, "Dee"), None)
    browser = await desk.browser(game, DEE)
    found = await offers(browser)
    assert found["name"] == "Ann"
    quick = next(one for offer in found["offers"] for one in offer["quick"] if offer["kind"] == "pass")
    assert (await browser.post("/play", {"seq": found["seq"], "move": quick["move"]})).status == 200
    async with desk.service.tables.reading(game) as live:
        assert (live.counting[-1].actor, live.counting[-1].user_id) == ("p1", DEE)
    await end_substitution(desk.service.tables, game, ANN)
    assert (await browser.get("/position")).json["you"]["spectator"]
    assert (await offers(browser))["offers"] == []


@pytest.mark.usefixtures("absent_players")
async def test_for_a_seat_that_the_table_plays_a_move_is_proposed(desk: Desk) -> None:
    service = desk.service
    game, proposals = await service.game(), Proposals(desk.service.tables)
    asked = await proposals.put(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await proposals.answer(game, asked.number, CY, "yes")
    browser, before = await desk.browser(game, BOB), await service.digest(game)
    found = await offers(browser, "?as=table&player=p1")
    passing = next(offer for offer in found["offers"] if offer["kind"] == "pass")
    made = await browser.post("/play", {"seq": found["seq"], "key": passing["key"], "capacity": "table"})
    assert (made.status, made.json["proposed"], "Proposal 2" in made.json["lines"][0]) == (200, True, True)
    assert await service.digest(game) == before, "until another agrees"
    await proposals.answer(game, 2, CY, "yes")
    assert await service.digest(game) != before
    not_theirs = await browser.get("/offers?as=table&player=p3")
    assert (not_theirs.status, "does not play for Cy" in not_theirs.error) == (403, True)


async def test_a_move_that_is_stored_is_said_to_be_so_whatever_fails_then(
    desk: Desk, on_turn: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await offers(on_turn)
    quick = next(one for offer in found["offers"] for one in offer["quick"] if offer["kind"] == "pass")
    submit = desk.service.tables.submit

    async def then_blind(*values: Any) -> Any:
        outcome = await submit(*values)

        def reading(game_id: int) -> Any:
            raise DatabaseUnreachable("no route to it")

        monkeypatch.setattr(desk.service.tables, "reading", reading)
        return outcome

    monkeypatch.setattr(desk.service.tables, "submit", then_blind)
    made = await on_turn.post("/play", {"seq": found["seq"], "move": quick["move"]})
    assert (made.status, made.json["seq"], "passes" in made.json["lines"][0]) == (200, None, True)


async def test_while_the_database_is_away_the_page_is_asked_to_come_again(
    desk: Desk, on_turn: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> Any:
        raise DatabaseUnreachable("no route to it")

    monkeypatch.setattr(desk.links, "visitor", away)
    answer = await on_turn.get("/position")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
