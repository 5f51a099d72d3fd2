"""Where money is secret the board shows each player their own, and spectators nobody's."""

from pathlib import Path
from typing import Any

from bot.table.imports import ImportTarget, store_recorded_game
from engine.record import load_record
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD
from tests.bot.web.visitors import Browser, Site

GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))


async def cash(browser: Browser, query: str = "") -> dict[str, Any]:
    """Everybody's money as this browser shows it."""
    found = (await browser.get(f"/position{query}")).json
    return {player["name"]: player["cash"] for player in found["table"]["players"]}


async def test_money_is_shown_to_its_owner(site: Site) -> None:
    whole = load_record((GOLDEN / "18c2c-bank-3p.json").read_text("utf-8"), 40)
    game = await store_recorded_game(site.service.tables, whole, ImportTarget(GUILD, CHANNEL, PEOPLE))
    for user, name in PEOPLE:
        seen = await cash(await site.browser(game, user))
        assert [one for one, dollars in seen.items() if dollars is not None] == [name]
    assert set((await cash(await site.browser(game, None))).values()) == {None}
    history = (await (await site.browser(game, ANN)).get("/history")).json
    assert history["charts"]["players"] == []
    assert {tuple(moment["net_worths"]) for moment in history["charts"]["rounds"]} == {()}
    earlier = f"?at={history['moves'][20]['seq']}"
    assert set((await cash(await site.browser(game, None), earlier)).values()) == {None}
    assert [
        one for one, dollars in (await cash(await site.browser(game, BOB), earlier)).items() if dollars
    ] == ["Bob"]
