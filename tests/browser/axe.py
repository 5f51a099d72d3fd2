"""Findings of axe-core on a page."""

from __future__ import annotations

from importlib.resources import files

from tests.browser.board_room import Player

THERE = "() => 'axe' in window"
RUN = """async (part) => {
    const rules = axe.getRules().filter((rule) => !rule.tags.includes("wcag2aaa")).map((rule) => rule.ruleId);
    const found = await axe.run(part, { runOnly: rules, resultTypes: ["violations"], preload: false });
    return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}"""
"""All rules but those of WCAG's level AAA."""


async def violations(player: Player, part: str = "html") -> list[str]:
    """The violations on the page, or in a part of it, as it is seen now."""
    if not await player.page.evaluate(THERE):
        script = files("axe_playwright_python").joinpath("axe.min.js")
        await player.page.evaluate(script.read_text("utf-8"))
    found: list[str] = await player.page.evaluate(RUN, part)
    return found
