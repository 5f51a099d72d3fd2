"""Looking at a game: questions with their words and pictures, refusals, rules, and how pictures look."""

from typing import Final

import pytest

from bot.client.alt_texts import phases_alt_text, sale_alt_text, table_alt_text, tiles_alt_text
from bot.client.features.views import company_sheet, player_sheet, trains_sheet
from bot.sandbox.guild.person import InteractionResult
from bot.table.settings.themes import Themes
from engine.game import Game
from engine.record import make_record
from engine.tell.view_builders import (
    company_view,
    map_view,
    market_view,
    phases_view,
    player_view,
    privates_view,
    table_view,
    tiles_view,
    trains_view,
)
from storage import GUILD_SETTINGS
from tests.bot.support.positions import seated_at
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

PLAYERS: Final = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
REFUSED: Final[tuple[tuple[str, str, dict[str, str], str], ...]] = (
    ("Ann", "map", {"around": "Z9"}, "There is no Z9 on this map: type a hex, a company, or `all`."),
    ("Ann", "company", {"company": "XY"}, "There is no company XY. Companies: PRR, PLE, SRR, B&O, C&O, "),
    ("Ann", "player", {"player": "Dee"}, "There is no player Dee. Players: Ann, Bob, Cy."),
    ("Ann", "private", {"private": "XY"}, "There is no private XY. Privates: D&R, C-P, "),
    ("Eve", "player", {}, "You have no seat"),
    ("Bob", "why", {"move": "dance", "details": "PRR"}, "`/why` checks one command: choose it from the list"),
)


def shown(result: InteractionResult) -> list[tuple[str, str | None]]:
    """The pictures of an answer by name, with the words for each."""
    return [(file.filename, file.description) for message in result.ephemeral for file in message.attachments]


def picture(result: InteractionResult) -> bytes:
    """The first picture of an answer."""
    return result.world.picture(result.ephemeral[0].attachments[0])


def width(drawn: bytes) -> int:
    return int.from_bytes(drawn[16:20], "big")


@pytest.mark.usefixtures("undrawn")
async def test_look_has_words_and_picture(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        at = live.game
    on_map, on_market, sale = map_view(at).caption, market_view(at).caption, privates_view(at)
    assert sale is not None
    charter, of_prr = company_sheet(company_view(at, "PRR", "p1")), "The charter of Pennsylvania Railroad"
    bob, cy = player_sheet(player_view(at, "p2", "p2")), player_sheet(player_view(at, "p3"))
    trains, phases = trains_sheet(trains_view(at)), phases_alt_text(phases_view(at))
    for who, command, values, text, name, words in (
        ("Ann", "map", {}, on_map, "map.png", on_map),
        ("Ann", "map", {"around": " f2 "}, on_map, "map.png", on_map),
        ("Ann", "market", {}, on_market, "market.png", on_market),
        ("Ann", "company", {"company": " pRr "}, charter, "company.png", of_prr),
        ("Bob", "player", {}, bob, "player.png", "The sheet of Bob"),
        ("Eve", "player", {"player": "cY "}, cy, "player.png", "The sheet of Cy"),
        ("Eve", "player", {"player": "p3"}, cy, "player.png", "The sheet of Cy"),
        ("Ann", "table", {}, "", "table.png", table_alt_text(table_view(at, "p1"))),
        ("Ann", "tiles", {}, "", "tiles.png", tiles_alt_text(tiles_view(at))),
        ("Ann", "trains", {}, trains, "phases.png", phases),
        ("Ann", "private", {}, "", "privates.png", sale_alt_text(sale)),
    ):
        answer = await game.slash(who, command, **values)
        assert (answer.text, shown(answer), answer.public) == (text, [(name, words)], []), (command, values)
    for label, name in (("Map", "map.png"), ("Market", "market.png"), ("Table", "table.png")):
        assert [found for found, _ in shown(await game.press("Cy", label))] == [name]
    assert [name for name, _ in shown(await game.slash("Dee", "chart"))] == ["chart.png"]
    assert [name for name, _ in shown(await game.slash("Dee", "status"))] == ["map.png", "market.png"]
    for named in (" d&r", "Delaware and Raritan canal"):
        [(_, one)] = shown(await game.slash("Ann", "private", private=named))
        assert one
        assert [part in one for part in ("D&R", "C-P", "Ann has")] == [True, False, False]
    for who, command, values, why in REFUSED:
        assert (await game.slash(who, command, **values)).text.startswith(why), (command, values)
    assert (await game.slash("Bob", "why", move="pass")).text == "This would be possible on your turn."
    assert await game.seq() == 1


async def test_map_shows_the_part_asked_for(sandbox: SandboxBot) -> None:
    small = await sandbox.game()
    whole, same, part, close_up = [
        picture(await small.slash("Ann", "map", **({"around": around} if around else {})))
        for around in ("", "all", "prr", "f2")
    ]
    assert whole == same
    assert len({whole, part, close_up}) == 3
    large = await seated_at(sandbox, make_record(Game("18c2c", PLAYERS, 1), ()))
    company, zone = [picture(await large.slash("Ann", "map", around=part)) for part in ("b&o", "canada east")]
    assert company != zone


async def test_rules_are_of_the_title_or_thread(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    nowhere = (await ann.slash(TABLE, "rules")).text
    assert nowhere.startswith("Choose a title: 1830, ")
    assert nowhere.endswith(". In a game's thread you can leave it out.")
    for where, values, begins in (
        (TABLE, {"title": "18al"}, "**18AL**"),
        (game.thread, {}, "**18Chesapeake**"),
        (game.thread, {"topic": "trains"}, "**18Chesapeake: Trains and phases**"),
        (game.thread, {"title": "18al"}, "**18AL**"),
    ):
        assert (await ann.slash(where, "rules", **values)).text.startswith(begins), values
    assert (
        "**Rules of 18Chesapeake** in a few lines: `/rules topic:` with"
        in (await game.slash("Ann", "help")).text
    )
    assert "18Chesapeake" not in (await ann.slash(TABLE, "help")).text


async def test_theme_is_one_persons_or_the_servers(sandbox: SandboxBot) -> None:
    game, server = await sandbox.game(), sandbox.client.guilds[0].id
    people = [sandbox.person(name).id for name in ("Ann", "Bob")]

    async def table(name: str) -> bytes:
        return picture(await game.slash(name, "table"))

    async def themes() -> list[str | None]:
        return [await Themes(sandbox.db).theme_of(server, person) for person in people]

    usual = await table("Ann")
    assert "light, large text" in (await game.slash("Ann", "theme", letters="large")).text
    large = await table("Ann")
    assert width(large) < width(usual)
    assert "dark, large text" in (await game.slash("Ann", "theme", look="dark")).text
    assert width(dark := await table("Ann")) == width(large)
    assert dark != large
    assert await table("Bob") == usual
    assert await themes() == ["dark-large", None]
    await sandbox.person("Ann").slash(TABLE, "setup", look="dark")
    assert await themes() == ["dark-large", "dark"]
    assert (
        "Your own pictures will now look like this: dark."
        in (await game.slash("Ann", "theme", letters="usual")).text
    )
    assert width(await table("Ann")) == width(usual)
    await game.slash("Bob", "theme", letters="large")
    assert await themes() == ["dark", "dark-large"]
    assert await Themes(sandbox.db).theme_of(2, people[0]) is None
    await GUILD_SETTINGS.put(sandbox.db, server, f"theme:{people[0]}", "sepia")
    assert await Themes(sandbox.db).theme_of(server, people[0]) is None, "it is no longer known"
