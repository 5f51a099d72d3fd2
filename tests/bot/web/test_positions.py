"""What the board shows: the position as the engine says it for who looks, drawn once for all who see the same."""

import asyncio
from pathlib import Path

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.rate_limits import RateLimiter
from tests.bot.support.positions import first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.web.visitors import Browser, Site

GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
EARLY, LATE = 207, 259
"""Moves of a recorded game of 18AL between which tiles are laid and trains are bought."""
LOOPS = 24
"""Spectators who ask without a pause."""


async def recorded(site: Site, moves: int = LATE, people: tuple[tuple[int, str], ...] = PEOPLE) -> int:
    """A recorded game after N moves; its number."""
    begun = first_moves((GOLDEN / "18al-price-3p.json").read_text("utf-8"), moves)
    return await store_recorded_game(site.service.tables, begun, ImportTarget(GUILD, CHANNEL, people))


async def seqs(browser: Browser) -> list[int]:
    """The numbers of all positions, from the start."""
    return [move["seq"] for move in (await browser.get("/history")).json["moves"]]


def applied(text: str, edits: list[tuple[int, int, list[str]]]) -> str:
    """A picture after these edits, as the page makes it."""
    lines = text.split("\n")
    for at, count, new in reversed(edits):
        lines[at : at + count] = new
    return "\n".join(lines)


# --- the position ----------------------------------------------------------------------------------------------------


async def test_position_is_that_of_the_game(site: Site, ann: Browser) -> None:
    found = (await ann.get("/position")).json
    assert found["digest"] == await site.service.digest(ann.game)
    assert (found["last_seq"], found["seq"], found["game_id"]) == (1, 1, ann.game)
    assert (found["title"], found["proposed_deal"], found["turn"]["actors"]) == ("18Chesapeake", None, ["p1"])
    assert [player["name"] for player in found["table"]["players"]] == ["Ann", "Bob", "Cy"]
    assert all(found[name]["svg"].startswith("<svg ") for name in ("map", "market"))
    assert 'id="hex-J2"' in found["map"]["svg"]
    assert {tile["tile"] for tile in found["tiles"]} >= {"57", "9"}


async def test_visitor_is_named(site: Site, game: int) -> None:
    for user, name in (*PEOPLE, (None, None)):
        you = (await (await site.browser(game, user)).get("/position")).json["you"]
        assert (you["name"], you["is_spectator"], you["is_moderator"]) == (name, user is None, False)
        assert you["is_acting"] == (user == ANN)


async def test_only_changes_are_sent(site: Site, ann: Browser) -> None:
    first = (await ann.get("/position")).json
    await site.service.pass_on(ann.game)
    second = (await ann.get(f"/position?map_id={first['map']['id']}&market_id={first['market']['id']}")).json
    whole = (await ann.get("/position")).json
    assert second["last_seq"] > first["last_seq"]
    for name in ("map", "market"):
        assert (second[name]["id"], second[name]["base"]) == (whole[name]["id"], first[name]["id"])
        assert applied(first[name]["svg"], second[name]["edits"]) == whole[name]["svg"]
    unknown = (await ann.get("/position?map_id=0123&market_id=zz")).json
    assert unknown["map"]["svg"] == whole["map"]["svg"]


async def test_theme_has_its_colours(site: Site, game: int) -> None:
    browser = await site.browser(game, None)
    ours, dark = [(await browser.get(f"/position?theme={name}")).json for name in ("ours", "dark")]
    assert ours["map"]["id"] != dark["map"]["id"]
    unknown = await browser.get("/position?theme=../x")
    assert (unknown.status, "Themes: ours" in unknown.error) == (422, True)


async def test_unstarted_game_has_no_position(site: Site) -> None:
    found = await (await site.browser(await site.service.lobby(), ANN)).get("/position")
    assert (found.status, "has not started" in found.error) == (422, True)


async def test_answers_are_compressed(site: Site, ann: Browser) -> None:
    cookie = {"Cookie": f"stationmaster_board={ann.secret}", "Accept-Encoding": "identity"}
    async with site.session.get(f"{site.url}/board/{ann.game}/position", headers=cookie) as found:
        assert (await found.json())["game_id"] == ann.game
        assert "Content-Encoding" not in found.headers
    assert (await ann.get("/position")).headers["Content-Encoding"] == "gzip"


# --- looking back ----------------------------------------------------------------------------------------------------


async def test_earlier_positions_are_shown(site: Site, bob: Browser) -> None:
    digests = [await site.service.digest(bob.game)]
    for _ in range(4):
        outcome = await site.service.pass_on(bob.game)
        digests.append(await site.service.digest(bob.game))
    history = (await bob.get("/history")).json
    assert len(history["moves"]) == len(digests)
    for move, digest in zip(history["moves"], digests, strict=True):
        found = (await bob.get(f"/position?at={move['seq']}")).json
        assert (found["seq"], found["digest"]) == (move["seq"], digest)
    assert not (await bob.get("/position?at=1")).json["you"]["is_acting"]
    assert (history["last_seq"], history["moves"][-1]["player_name"]) == (outcome.seq, "Ann")
    assert "Ann" in history["moves"][-1]["lines"][0]
    assert history["charts"]["players"] == ["Ann", "Bob", "Cy"]
    assert len(history["charts"]["rounds"][-1]["net_worths"]) == 3
    log = (await bob.get("/position")).json["log"]
    assert log[-1] == [outcome.seq, outcome.lines[0].replace("*", "")]


async def test_undone_move_has_no_position(site: Site, bob: Browser) -> None:
    outcome = await site.service.pass_on(bob.game)
    await site.service.undo(bob.game, ANN)
    for path in ("/position", "/hex/J2"):
        found = await bob.get(f"{path}?at={outcome.seq}")
        assert (found.status, f"Move {outcome.seq} was undone or does not exist" in found.error) == (
            422,
            True,
        )
    history = (await bob.get("/history")).json
    assert outcome.seq not in [move["seq"] for move in history["moves"]]
    assert "undone by" in history["undone_lines"][0][1]


# --- looking closer --------------------------------------------------------------------------------------------------


async def test_hex_says_what_lies_there(site: Site, game: int) -> None:
    browser = await site.browser(game, None)
    found = (await browser.get("/hex/j2")).json
    assert (found["coord"], found["hex"]["name"]) == ("J2", "Allentown")
    assert found["tiles"]
    assert all(tile["svg"].startswith("<svg ") and tile["sides"] for tile in found["tiles"])
    nowhere = await browser.get("/hex/Z99")
    assert (nowhere.status, nowhere.error) == (422, "There is no hex Z99 on this map.")
    trainless = await browser.get("/routes/B&O")
    assert (trainless.status, trainless.error) == (422, "B&O has no train or no route.")


async def test_closer_look_is_at_the_position_shown(site: Site) -> None:
    browser = await site.browser(await recorded(site), BOB)
    earlier = await site.browser(await recorded(site, EARLY), BOB)
    seq = (await seqs(browser))[EARLY]
    for path in ("/hex/K6", "/hex/C4", "/hex/L5", "/routes/L&N", "/routes/ABC"):
        then, asked_then = (await browser.get(f"{path}?at={seq}")).json, (await earlier.get(path)).json
        assert then.pop("seq") == seq
        asked_then.pop("seq", None)
        assert then == asked_then
    *_, before, last = await seqs(browser)
    for query, at in (("", last), (f"?at={last}", last), (f"?at={before}", before)):
        assert (await browser.get(f"/hex/C4{query}")).json["seq"] == at


async def test_sliding_fast_is_answered(site: Site) -> None:
    browser = await site.browser(await recorded(site), BOB)
    wanted = (await seqs(browser))[-11:-1]
    found = await asyncio.gather(*(browser.get(f"/position?at={seq}") for seq in wanted))
    assert [(one.status, one.json["seq"]) for one in found] == [(200, seq) for seq in wanted]


async def test_abandoned_request_costs_nothing(service: TableService) -> None:
    async with Site.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as site:
        browser = await site.browser(await service.game(), BOB)
        asked = [asyncio.create_task(browser.get("/hex/J2")) for _ in range(100)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        for one in asked:
            one.cancel()
        assert [(await browser.get("/hex/J2")).status for _ in range(40)] == [200] * 40


async def loop(browser: Browser, path: str) -> None:
    while True:
        await browser.get(path)


async def test_spectators_take_no_answer_from_a_player(site: Site) -> None:
    game = await recorded(site)
    player = await site.browser(game, BOB)
    watching = [await site.browser(game, None) for _ in range(LOOPS)]
    loops = [asyncio.create_task(loop(one, "/routes/L&N")) for one in watching]
    found = [(await player.get(f"/hex/{coord}")).status for coord in ("K6", "C4", "L5", "B3") * 3]
    for one in loops:
        one.cancel()
    assert found == [200] * 12


async def test_spectators_have_their_own_allowance(service: TableService) -> None:
    async with Site.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as site:
        game = await service.game()
        for _ in range(8):
            browser = await site.browser(game, None)
            for _ in range(20):
                await browser.get("/routes/B&O")
        assert (await browser.get("/routes/B&O")).status == 429
        assert (await (await site.browser(game, BOB)).get("/routes/B&O")).status == 422
