"""What the board shows: the position as the engine says it for who looks, drawn once for all who see the same."""

import asyncio
from typing import Any

import pytest

from bot.web.position_answers import Positions
from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.web.visitors import Desk


def applied(text: str, edits: list[tuple[int, int, list[str]]]) -> str:
    """A picture after these edits, as the page makes it."""
    lines = text.split("\n")
    for at, count, new in reversed(edits):
        lines[at : at + count] = new
    return "\n".join(lines)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is drawn from now on."""
    found: list[Any] = []
    plain = Positions._drawn

    async def noted(self: Positions, request: Any, visitor: Any, asked: Any) -> Any:
        found.append(asked.what)
        return await plain(self, request, visitor, asked)

    monkeypatch.setattr(Positions, "_drawn", noted)
    return found


async def test_the_position_is_that_of_the_game(desk: Desk) -> None:
    game = await desk.service.game()
    found = (await (await desk.browser(game, ANN)).get("/position")).json
    async with desk.service.tables.reading(game) as live:
        assert found["digest"] == live.game.digest()
        assert (found["last"], found["at"], found["game"]) == (live.seq, live.seq, game)
        actors = list(live.game.actors())
    assert (found["title"], found["offer"]) == ("18Chesapeake", None)
    assert found["turn"]["actors"] == actors
    assert [player["name"] for player in found["table"]["players"]] == ["Ann", "Bob", "Cy"]
    assert found["map"]["svg"].startswith("<svg ")
    assert 'id="hex-J2"' in found["map"]["svg"]
    assert found["market"]["svg"].startswith("<svg ")
    assert {tile["tile"] for tile in found["tiles"]} >= {"57", "9"}


@pytest.mark.parametrize("user", [ANN, BOB, CY, None])
async def test_each_visitor_learns_who_they_are(desk: Desk, user: int | None) -> None:
    game = await desk.service.game()
    you = (await (await desk.browser(game, user)).get("/position")).json["you"]
    names = {ANN: "Ann", BOB: "Bob", CY: "Cy", None: None}
    assert (you["name"], you["spectator"], you["moderator"]) == (names[user], user is None, False)
    async with desk.service.tables.reading(game) as live:
        on_turn = {live.user_of(player) for player in live.game.actors()}
    assert you["acting"] == (user in on_turn)


async def test_after_a_move_only_what_is_different_is_sent(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    first = (await browser.get("/position")).json
    await desk.service.pass_on(game)
    have = f"/position?have={first['map']['id']}&market={first['market']['id']}"
    second = (await browser.get(have)).json
    whole = (await browser.get("/position")).json
    assert second["last"] > first["last"]
    for name in ("map", "market"):
        assert second[name]["id"] == whole[name]["id"]
        assert second[name]["base"] == first[name]["id"]
        assert applied(first[name]["svg"], second[name]["edits"]) == whole[name]["svg"]


async def test_who_names_a_picture_that_is_not_known_gets_a_whole_one(desk: Desk) -> None:
    game = await desk.service.game()
    found = (await (await desk.browser(game, ANN)).get("/position?have=0123&market=zz")).json
    assert found["map"]["svg"].startswith("<svg ")


async def test_two_hundred_people_cost_one_rendering(desk: Desk, drawn: list[Any]) -> None:
    game = await desk.service.game()
    browsers = [await desk.browser(game, user) for user in (ANN, BOB, CY, None)] * 50
    found = await asyncio.gather(*(browser.get("/position") for browser in browsers))
    assert {answer.status for answer in found} == {200}
    assert len(drawn) == 1


async def test_each_theme_has_its_colours(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, None)
    ours, dark = [(await browser.get(f"/position?theme={name}")).json for name in ("ours", "dark")]
    assert ours["map"]["id"] != dark["map"]["id"]
    unknown = await browser.get("/position?theme=../x")
    assert (unknown.status, unknown.error.startswith("Themes: ours")) == (422, True)


async def test_the_lines_of_the_latest_moves_come_without_marks(desk: Desk) -> None:
    game = await desk.service.game()
    outcome = await desk.service.pass_on(game)
    log = (await (await desk.browser(game, ANN)).get("/position")).json["log"]
    assert log[-1][0] == outcome.seq
    assert outcome.lines[0].replace("*", "") == log[-1][1]


async def test_every_earlier_position_can_be_looked_at(desk: Desk) -> None:
    game = await desk.service.game()
    digests = [await desk.service.digest(game)]
    for _ in range(4):
        await desk.service.pass_on(game)
        digests.append(await desk.service.digest(game))
    browser = await desk.browser(game, BOB)
    moves = (await browser.get("/history")).json["moves"]
    assert len(moves) == len(digests)
    for move, digest in zip(moves, digests, strict=True):
        found = (await browser.get(f"/position?at={move['seq']}")).json
        assert (found["at"], found["digest"]) == (move["seq"], digest)
    assert not (await browser.get(f"/position?at={moves[0]['seq']}")).json["you"]["acting"]


async def test_a_move_that_was_undone_has_no_position(desk: Desk) -> None:
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    outcome = await desk.service.pass_on(game)
    await desk.service.undo(game, user)
    browser = await desk.browser(game, BOB)
    found = await browser.get(f"/position?at={outcome.seq}")
    assert (found.status, f"Move {outcome.seq} was undone, or is none" in found.error) == (422, True)
    history = (await browser.get("/history")).json
    assert outcome.seq not in [move["seq"] for move in history["moves"]]
    assert "undone by" in history["undone"][0][1]


async def test_the_history_says_who_did_what_and_what_everybody_was_worth(desk: Desk) -> None:
    game = await desk.service.game()
    outcome = await desk.service.pass_on(game)
    found = (await (await desk.browser(game, ANN)).get("/history")).json
    async with desk.service.tables.reading(game) as live:
        name = live.name_of(live.counting[-1].actor)
    assert (found["last"], found["moves"][-1]["who"]) == (outcome.seq, name)
    assert name in found["moves"][-1]["lines"][0]
    assert found["charts"]["players"] == ["Ann", "Bob", "Cy"]
    assert len(found["charts"]["moments"][-1]["worth"]) == 3


async def test_a_hex_says_what_lies_there_what_it_earns_and_what_may_come(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, None)
    found = (await browser.get("/hex/j2")).json
    facts = dict(found["facts"])
    assert (found["coord"], found["hex"]["name"]) == ("J2", "Allentown")
    assert {tile["tile"] for tile in found["tiles"]} >= {"1", "55"} or found["tiles"], facts
    assert all(tile["svg"].startswith("<svg ") and tile["sides"] for tile in found["tiles"])
    nowhere = await browser.get("/hex/Z99")
    assert (nowhere.status, nowhere.error) == (422, "There is no hex Z99 on this map.")


async def test_a_company_without_a_train_has_no_route(desk: Desk) -> None:
    game = await desk.service.game()
    found = await (await desk.browser(game, ANN)).get("/routes/B&O")
    assert (found.status, found.error) == (422, "B&O has no train, or no route for one.")


async def test_a_game_that_has_not_started_says_so(desk: Desk) -> None:
    game = await desk.service.lobby()
    found = await (await desk.browser(game, ANN)).get("/position")
    assert (found.status, "has not started" in found.error) == (422, True)


async def test_answers_are_compressed_where_the_browser_takes_that(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    async with desk.session.get(
        f"{desk.url}/board/{game}/position",
        headers={"Cookie": f"stationmaster_board={browser.secret}", "Accept-Encoding": "identity"},
    ) as found:
        assert (await found.json())["game"] == game
        assert "Content-Encoding" not in found.headers
    assert (await browser.get("/position")).headers["Content-Encoding"] == "gzip"
