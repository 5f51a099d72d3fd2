"""How things stood: `/map at:`, and the log that leads to the position after each of its moves."""

from pathlib import Path

from bot.sandbox.model import Message
from bot.table.rate_limits import Kind
from engine.record import read_record
from tests.bot.support.declared import used
from tests.bot.support.positions import first_moves, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated

RECORDED = (Path(__file__).parents[2] / "golden" / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")


async def _at(sandbox: SandboxBot, kind: str) -> tuple[Seated, int]:
    """A game a few moves after the first of a kind, and the number of that move in the log of the table."""
    actions = read_record(RECORDED).actions
    first = next(number for number, action in enumerate(actions, 1) if action.kind == kind)
    game = await seated_at(sandbox, first_moves(RECORDED, first + 5))
    return game, first + 1


def _pictures(message: Message) -> list[str]:
    return [picture.filename for picture in message.attachments]


async def test_the_map_after_an_earlier_move_is_that_of_then(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "lay_tile")
    [then] = (await game.slash("Ann", "map", at=number)).ephemeral
    [before] = (await game.slash("Ann", "map", at=number - 1)).ephemeral
    assert then.content.startswith(f"**After move {number}**\n")
    assert " lays #" in then.content
    assert " lays #" not in before.content
    assert sandbox.world.picture(then.attachments[0]) != sandbox.world.picture(before.attachments[0])


async def test_a_run_is_shown_with_its_routes(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "run_routes")
    [ran] = (await game.slash("Bob", "map", at=number)).ephemeral
    assert _pictures(ran) == ["map.png"]
    assert " runs for $" in ran.content
    sums = (ran.attachments[0].description or "").partition(". ")[2]
    assert "-train" not in sums
    assert " = $" in sums
    [paid] = (await game.slash("Bob", "map", at=number + 1)).ephemeral
    assert " = $" not in (paid.attachments[0].description or "")


async def test_from_a_position_one_goes_to_the_next_and_back(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "run_routes")
    [shown] = (await game.slash("Cy", "map", at=number)).ephemeral
    assert [b.label for b in shown.buttons] == [f"← Move {number - 1}", f"→ Move {number + 1}", "Market"]
    await game.press("Cy", f"→ Move {number + 1}", shown)
    assert await sandbox.world.until(
        lambda: sandbox.world.messages[shown.id].content.startswith(f"**After move {number + 1}**"),
        timeout=PATIENCE,
    )
    assert _pictures(sandbox.world.messages[shown.id]) == ["map.png"]
    await game.press("Cy", f"← Move {number}", sandbox.world.messages[shown.id])
    assert await sandbox.world.until(
        lambda: sandbox.world.messages[shown.id].content == shown.content, timeout=PATIENCE
    )
    assert await game.seq() == number + 5


async def test_the_log_leads_to_the_position_after_each_of_its_moves(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "run_routes")
    log = (await game.slash("Ann", "log")).ephemeral[-1]
    [menu] = log.selects
    label = next(label for label, value in menu.options if value == str(number))
    assert label.startswith(f"{number} ")
    assert " runs for $" in label
    assert "*" not in label
    result = await sandbox.person("Ann").select(log, menu.custom_id, [str(number)])
    assert await sandbox.hears(result, f"**After move {number}**")
    assert _pictures(result.ephemeral[0]) == ["map.png"]
    assert sandbox.world.messages[log.id].selects, "the log stays"


async def test_the_start_is_a_position_and_a_move_that_was_undone_is_none(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    await game.press("Ann", "Pass")
    [start] = (await game.slash("Ann", "map", at=1)).ephemeral
    assert start.content == "**The start**"
    assert [b.label for b in start.buttons] == ["→ Move 4", "Market"]
    assert (await game.slash("Ann", "map", at=2)).text == "Move 2 was undone, or is none. The last one is 4."
    assert (await game.slash("Ann", "map", at=9)).text == "There is no move 9. The last one is 4."


async def test_an_earlier_map_is_shown_around_a_hex_too(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "lay_tile")
    [whole] = (await game.slash("Ann", "map", at=number)).ephemeral
    [part] = (await game.slash("Ann", "map", at=number, around="f2")).ephemeral
    assert part.attachments[0].size < whole.attachments[0].size
    assert "There is no hex Z9" in (await game.slash("Ann", "map", at=number, around="Z9")).text


async def test_a_look_is_no_move_to_the_gate_but_a_picture() -> None:
    for custom_id in ("v:1:map", "h:1:34:market", "h:1"):
        assert used(custom_id).cost is Kind.PICTURE, custom_id


async def test_the_market_of_then_is_a_press_away(sandbox: SandboxBot) -> None:
    game, number = await _at(sandbox, "dividend")
    [shown] = (await game.slash("Bob", "map", at=number)).ephemeral
    await game.press("Bob", "Market", shown)
    assert await sandbox.world.until(
        lambda: _pictures(sandbox.world.messages[shown.id]) == ["market.png"], timeout=PATIENCE
    )
    market = sandbox.world.messages[shown.id]
    assert [b.label for b in market.buttons] == [f"← Move {number - 1}", f"→ Move {number + 1}", "Map"]
    [now] = (await game.slash("Bob", "market")).ephemeral
    assert sandbox.world.picture(market.attachments[0]) != sandbox.world.picture(now.attachments[0])
