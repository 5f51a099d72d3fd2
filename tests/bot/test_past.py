"""How things stood: `/map at:`, and the log that leads to the position after each of its moves."""

from pathlib import Path

from bot.sandbox.model import Message
from engine.record import load_record, read_record
from tests.bot.house import House, Seated
from tests.bot.positions import seated_at

RECORDED = (Path(__file__).parents[1] / "golden" / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")


async def _at(house: House, name: str, kind: str) -> tuple[Seated, int]:
    """A game a few moves after the first of a kind, and the number of that move in the log of the table."""
    actions = read_record(RECORDED).actions
    first = next(number for number, action in enumerate(actions, 1) if action.kind == kind)
    game = await seated_at(house, load_record(RECORDED, first + 5))
    return game, first + 1


def _pictures(message: Message) -> list[str]:
    return [picture.filename for picture in message.attachments]


async def test_the_map_after_an_earlier_move_is_that_of_then(house: House) -> None:
    game, number = await _at(house, "Ann", "lay_tile")
    [then] = (await game.slash("Ann", "map", at=number)).ephemeral
    [before] = (await game.slash("Ann", "map", at=number - 1)).ephemeral
    assert then.content.startswith(f"**After move {number}**\n")
    assert " lays #" in then.content
    assert " lays #" not in before.content
    assert house.world.picture(then.attachments[0]) != house.world.picture(before.attachments[0])
