"""The board page for everybody: what axe-core finds, high zoom, colours, notices that are in nobody's way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from render.theme import THEMES
from tests.bot.support.table_service import ANN
from tests.browser.axe import violations
from tests.browser.board_room import Room
from tests.browser.test_board_page import BY_PHONE
from tests.browser.windows import DESKTOP, HEIGHT, PHONE
from tests.support.long_runs import one_of

Scheme = Literal["light", "dark"]
LOOKS: Sequence[tuple[int, Scheme]] = ((DESKTOP, "light"), (PHONE, "dark"))
MORE_LOOKS: Sequence[tuple[int, Scheme]] = ((PHONE, "light"), (DESKTOP, "dark"))
PANELS = ("table", "market", "cards", "trains", "tiles", "plan", "charts")
ON_A_PHONE = ("play", "log")
TRACK = ("18al-price-3p", 97)
TABLES = {
    "18AL": ("18al-price-3p", 181),
    "18Chesapeake": ("18chesapeake-bankruptcy-3p", 250),
    "18NewEngland": ("18newengland-bank-3p", 160),
    "18TN": ("18tn-bank-3p", 200),
    "18C2C": ("18c2c_full-bank-2p", 600),
}
"""A position of each title with companies, trains and tokens."""
SIZES = [(320, 200), (320, 256), (427, 267), (640, 256), (640, 400), (853, 533), (390, 561), (1280, 320)]
"""Windows of common screens at 150 to 400 % zoom."""
LEAST = 100
"""Pixels of decisions that are seen at once, if there are as many."""
PAINT = """(name) => {
    const node = document.createElement("p");
    node.className = name;
    document.body.append(node);
    const found = getComputedStyle(node).getPropertyValue("--paint");
    node.remove();
    return found;
}"""
"""The paint of a class."""
NO_MAP = "() => document.querySelector('#stage .plate').replaceChildren()"
"""Hexes and lines of the log, alike a hundred times, are examined once."""
FOCUS_UNSEEN = """() => [...document.querySelectorAll("button, input, select, [tabindex='0']")]
    .filter((node) => node.getClientRects().length && !node.disabled && !node.closest("svg"))
    .filter((node) => {
        node.focus({ focusVisible: true, preventScroll: true });
        const style = getComputedStyle(node);
        return document.activeElement === node && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2);
    }).map((node) => node.outerHTML.slice(0, 120))"""
COVERED = """() => {
    const parts = ["#notices", "main"].map((name) => document.querySelector(name));
    const [one, other] = parts.map((node) => node.getBoundingClientRect());
    return one.top < other.bottom && other.top < one.bottom;
}"""
SEEN = """(node) => {
    node.scrollIntoView({ block: "start" });
    const [box, foot] = [node, document.querySelector("footer")].map((one) => one.getBoundingClientRect());
    return [Math.min(box.bottom, foot.top) - Math.max(box.top, 0), node.scrollHeight];
}"""
"""Pixels of a pane that are seen when it is scrolled to, and of all that is in it."""


@pytest.mark.parametrize("title", one_of(len(TABLES), TABLES, str))
async def test_axe_finds_nothing_on_any_panel(room: Room, title: str, whole_games: bool) -> None:
    """On a desk by day and on a phone at night; in long runs in all looks."""
    game, looks = await room.recorded(*TABLES[title]), (*LOOKS, *MORE_LOOKS) if whole_games else LOOKS
    async with room.seat(game, await room.acting(game)) as player:
        assert await violations(player) == []
        await player.page.get_by_label("Find in the log").fill("OR 1.1")
        for width, scheme in looks:
            await player.page.emulate_media(color_scheme=scheme)
            await player.page.set_viewport_size({"width": width, "height": HEIGHT})
            assert await player.page.evaluate(FOCUS_UNSEEN) == []
            for panel in (*PANELS, *(ON_A_PHONE if width == PHONE else ())):
                await player.sheet(panel)
                await player.page.evaluate(NO_MAP)
                await player.keep(f"{panel}-{width}-{scheme}")
                part = f"#{panel}" if panel in ON_A_PHONE else f"#panel-{panel}"
                assert (panel, await violations(player, "html" if panel == PANELS[0] else part)) == (
                    panel,
                    [],
                )


@BY_PHONE
async def test_axe_finds_nothing_in_a_decision(room: Room, width: int) -> None:
    """A tile to be chosen, the card of a hex, the charter of a company, an earlier position compared, a what-if."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game), width) as player:
        if width == DESKTOP:
            await player.page.get_by_label("Find in the log").fill("OR 1.1")
        await player.hex("G6")
        assert await violations(player, "#map") == []
        await player.page.locator("#hex").get_by_role("button", name="Close").click()
        await player.press("Lay track")
        await player.play.locator(".tile").first.click()
        await player.rest()
        assert await violations(player, "#play") == []
        await player.press("Cancel")
        await player.press("What if")
        assert await violations(player, "#play") == []
        await player.press("End the what-if")
        await player.page.get_by_role("button", name="Compare").click()
        await player.page.get_by_role("button", name="One move back").click()
        await player.rest()
        assert await violations(player, "#past") == await violations(player, "#play") == []
        await player.sheet("table")
        await player.page.locator("[data-key=company-ABC]").click()
        assert await violations(player, "dialog[open]") == []


async def test_decisions_are_reached_at_any_zoom(room: Room) -> None:
    """Up to 400 %: the pane is seen, every button of it can be pressed, nothing needs scrolling sideways."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game)) as player:
        for width, height in SIZES:
            await player.page.set_viewport_size({"width": width, "height": height})
            await player.keep(f"{width}-{height}")
            seen, whole = await player.play.evaluate(SEEN)
            assert seen >= min(LEAST, whole), f"{width} x {height}"
            for button in await player.play.get_by_role("button").all():
                await button.click(trial=True)


async def test_notice_covers_nothing_and_goes(room: Room) -> None:
    """It stays as long as it is pointed at."""
    game = await room.service.game()
    async with room.seat(game, ANN, new=True) as ann:
        await ann.page.clock.install()
        notice = ann.page.locator("#notices p")
        for width, label, said in (
            (DESKTOP, "^Pass", "Ann passes"),
            (PHONE, "Undo my last move", "Ann undoes move 2"),
        ):
            await ann.page.set_viewport_size({"width": width, "height": HEIGHT})
            await ann.press(label)
            assert said in await notice.inner_text()
            assert await ann.page.locator("#notices").get_attribute("role") == "status"
            assert not await ann.page.evaluate(COVERED)
            await notice.hover()
            await ann.page.clock.fast_forward("01:00")
            assert await notice.count() == 1
            await ann.page.mouse.move(5, 5)
            await ann.page.clock.fast_forward("00:20")
            assert await notice.count() == 0


async def test_routes_and_tiles_have_the_themes_paints(room: Room) -> None:
    """The page and its pictures take them from one statement."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, None) as watcher:
        for name, theme in THEMES.items():
            await watcher.page.locator("#look").select_option(name)
            await watcher.rest()
            lines = [await watcher.page.evaluate(PAINT, f"line-{i}") for i in range(len(theme.lines))]
            assert tuple(lines) == theme.lines
            assert await watcher.page.evaluate(PAINT, "tile-green") == theme.tiles["green"]
