"""Past positions: `/map at:`, and the log that leads to the position after each of its moves."""

import pytest

from bot.client.features.history import DEFAULT_LOG_LINES
from bot.sandbox.model import Message
from bot.table.rate_limits import RequestKind
from tests.bot.support.declared import used
from tests.bot.support.positions import recorded, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated

RECORDED = "18chesapeake-bankruptcy-3p"


async def _at(sandbox: SandboxBot, kind: str) -> tuple[Seated, int]:
    """A game a few moves after the first of a kind, and the number of that move in the log of the table."""
    actions = recorded(RECORDED).actions
    first = next(number for number, action in enumerate(actions, 1) if action.kind == kind)
    game = await seated_at(sandbox, recorded(RECORDED, first + 5))
    return game, first + 1


def _pictures(message: Message) -> list[str]:
    return [picture.filename for picture in message.attachments]


def _numbers(text: str) -> list[int]:
    return [int(line.split("`")[1]) for line in text.split("\n") if line.startswith("`")]


async def test_map_after_an_earlier_move(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "lay_tile")
    [then] = (await game.slash("Ann", "map", at=number)).ephemeral
    [before] = (await game.slash("Ann", "map", at=number - 1)).ephemeral
    assert then.content.startswith(f"**After move {number}**\n")
    assert (" lays #" in then.content, " lays #" in before.content) == (True, False)
    assert sandbox.world.picture(then.attachments[0]) != sandbox.world.picture(before.attachments[0])
    [part] = (await game.slash("Ann", "map", at=number, around=" f2 ")).ephemeral
    assert part.attachments[0].size < then.attachments[0].size
    assert "There is no hex Z9 on this map." in (await game.slash("Ann", "map", at=number, around="z9")).text


async def test_buttons_lead_through_the_past(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "dividend")
    [shown] = (await game.slash("Cy", "map", at=number)).ephemeral
    before, after = f"← Move {number - 1}", f"→ Move {number + 1}"

    async def pressed(label: str, *pictures: str) -> Message:
        there = sandbox.world.messages[shown.id]
        await game.press("Cy", label, there)
        files = list(pictures)
        assert await sandbox.world.wait_until(
            lambda: (
                label not in [b.label for b in sandbox.world.messages[shown.id].buttons]
                and _pictures(sandbox.world.messages[shown.id]) == files
            ),
            timeout=PATIENCE,
        )
        return sandbox.world.messages[shown.id]

    assert [b.label for b in shown.buttons] == [before, after, "Market"]
    later = await pressed(after, "map.png")
    assert later.content.startswith(f"**After move {number + 1}**")
    assert (await pressed(f"← Move {number}", "map.png")).content == shown.content
    market = await pressed("Market", "market.png")
    assert [b.label for b in market.buttons] == [before, after, "Map"]
    [now] = (await game.slash("Bob", "market")).ephemeral
    assert sandbox.world.picture(market.attachments[0]) != sandbox.world.picture(now.attachments[0])
    assert await game.seq() == number + 5


async def test_start_is_a_position(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert (await game.slash("Ann", "log")).text == "No moves yet."
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    struck = "`3` ~~move 2~~, undone by **Ann**."
    for since, found in ((None, struck), (3, struck), (4, "Nothing has happened since move 4.")):
        log = await game.slash("Ann", "log", **({} if since is None else {"since": since}))
        assert (log.text, log.ephemeral[-1].selects) == (found, [])
    await game.press("Ann", "Pass")
    [start] = (await game.slash("Ann", "map", at=1)).ephemeral
    assert start.content == "**The start**"
    assert [b.label for b in start.buttons] == ["→ Move 4", "Market"]
    assert (
        await game.slash("Ann", "map", at=2)
    ).text == "Move 2 was undone or does not exist. The last one is 4."
    assert (await game.slash("Ann", "map", at=9)).text == "There is no move 9. The last one is 4."


async def test_log_leads_to_its_positions(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "run_routes")
    [ran] = (await game.slash("Bob", "map", at=number)).ephemeral
    assert _pictures(ran) == ["map.png"]
    assert " runs for $" in ran.content
    sums = (ran.attachments[0].description or "").partition(". ")[2]
    assert ("-train" in sums, " = $" in sums) == (False, True)
    [paid] = (await game.slash("Bob", "map", at=number + 1)).ephemeral
    assert " = $" not in (paid.attachments[0].description or "")
    last = await game.seq()
    for since, first in ((None, last + 1 - DEFAULT_LOG_LINES), (30, 30), (1, 2)):
        result = await game.slash("Ann", "log", **({} if since is None else {"since": since}))
        assert await sandbox.world.wait_until(lambda said=result: any(m.selects for m in said.ephemeral))  # type: ignore[misc]
        [menu] = result.ephemeral[-1].selects
        assert _numbers(result.text) == list(range(first, last + 1))
        assert [int(value) for _, value in menu.options] == list(range(first, last + 1))[-25:]
    later = await game.slash("Ann", "log", since=last + 1)
    assert later.text == f"Nothing has happened since move {last + 1}."
    label = next(label for label, value in menu.options if value == str(number))
    assert label.startswith(f"{number} ")
    assert " runs for $" in label
    assert not [label for label, _ in menu.options if "*" in label or len(label) > 100]
    log = result.ephemeral[-1]
    shown = await sandbox.person("Ann").select(log, menu.custom_id, [str(number)])
    assert await sandbox.hears(shown, f"**After move {number}**")
    assert _pictures(shown.ephemeral[0]) == ["map.png"]
    assert sandbox.world.messages[log.id].selects, "the log stays"


@pytest.mark.parametrize("custom_id", ["v:1:map", "h:1:34:market", "h:1"])
def test_looks_cost_a_picture(custom_id: str) -> None:
    assert used(custom_id).request_kind is RequestKind.PICTURE
