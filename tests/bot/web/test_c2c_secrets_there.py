"""Where money is secret the board shows each player their own, and spectators nobody's."""

from pathlib import Path
from typing import Any

from bot.table.imports import TablePlace, add_recorded
from engine.record import load_record
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD
from tests.bot.web.visitors import Browser, Desk

GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))


async def cash(browser: Browser, query: str = "") -> dict[str, Any]:
    """Everybody's money as this browser shows it."""
    found = (await browser.get(f"/position{query}")).json
    return {player["name"]: player["cash"] for player in found["table"]["players"]}


async def test_each_player_sees_their_own_money_and_a_spectator_nobodys(desk: Desk) -> None:
    whole = load_record((GOLDEN / "18c2c-bank-3p.json").read_text("utf-8"), 40)
    game = await add_recorded(desk.service.tables, whole, TablePlace(GUILD, CHANNEL, PEOPLE))
    for user, name in PEOPLE:
        seen = await cash(await desk.browser(game, user))
        assert [one for one, dollars in seen.items() if dollars is not None] == [name]
    assert set((await cash(await desk.browser(game, None))).values()) == {None}
    history = (await (await desk.browser(game, ANN)).get("/history")).json
    assert history["charts"]["players"] == []
    assert {tuple(moment["worth"]) for moment in history["charts"]["moments"]} == {()}
    earlier = f"?at={history['moves'][20]['seq']}"
    assert set((await cash(await desk.browser(game, None), earlier)).values()) == {None}
    assert [
        one for one, dollars in (await cash(await desk.browser(game, BOB), earlier)).items() if dollars
    ] == ["Bob"]
