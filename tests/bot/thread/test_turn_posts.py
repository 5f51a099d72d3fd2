"""The post of a turn: edited while the turn continues, left with its lines when it is over."""

import pytest

from bot.sandbox.guild import messages
from bot.sandbox.model import Message, MessageFlag
from bot.table.outbox.notices import Line, TurnChange
from storage import games
from tests.bot.support.positions import played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")

GOES_ON, PASSES = TurnChange((), None).notice(), TurnChange((), None, is_new_turn=True).notice()
SETTLED = TurnChange((), None, outcome="**Bob** agrees.", is_new_turn=True).notice()
A, B = Line("`7` A.").notice(), Line("`8` B.").notice()
LAYS = Line("`7` **PRR** lays #57 on F2.", ("F2",)).notice()


def files(message: Message) -> list[str]:
    return [file.filename for file in message.attachments]


def silent(message: Message) -> bool:
    return bool(message.flags & MessageFlag.SILENT)


async def operating(sandbox: SandboxBot) -> Seated:
    """A game in which a company lays track, and nothing is for sale."""
    return await seated_at(sandbox, played_to("lay_tile"))


async def test_turn_pings_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    first, ann = game.turn, sandbox.person("Ann")
    assert first.content.startswith(f"{ann.mention}: ")
    assert (game.pings("Ann"), silent(first), files(first)) == (1, False, ["sale.png"])
    assert (await games.get_game(sandbox.db, game.number)).turn_message_id == first.id
    await game.post(A, PASSES)
    assert (game.turn.id != first.id, silent(game.turn), game.pings("Ann")) == (True, True, 1)
    assert (first.buttons, first.attachments) == ([], [])


async def test_continuing_turn_is_edited(sandbox: SandboxBot) -> None:
    """Nothing is uploaded again, and nothing is done where nothing else is to be seen."""
    game = await sandbox.game()
    first, sale = game.turn, [file.id for file in game.turn.attachments]
    assert await game.post(A, GOES_ON) == ["PATCH"]
    assert (game.turn.id, [file.id for file in first.attachments]) == (first.id, sale)
    assert game.moves[-1] == "`7` A."
    assert await game.post(GOES_ON) == []


async def test_settled_offer_keeps_its_words(sandbox: SandboxBot) -> None:
    game = await operating(sandbox)
    await game.post(A, PASSES)
    first, words = game.turn, game.turn.content
    await game.post(LAYS, SETTLED)
    assert (first.content, first.buttons) == (words, [])
    assert first.embeds[0]["description"] == "**Bob** agrees."
    assert game.turn.content.startswith("`7` **PRR** lays #57 on F2.\n\n")
    assert files(game.turn) == ["closeup.png"]
    [picture] = game.turn.attachments
    await game.post(B, GOES_ON)
    assert [file.id for file in game.turn.attachments] == [picture.id]


async def test_map_stays_with_its_lines(sandbox: SandboxBot) -> None:
    game = await operating(sandbox)
    await game.post(A, PASSES)
    first = game.turn
    assert files(first) == []
    await game.post(LAYS, GOES_ON)
    [picture] = first.attachments
    await game.post(B, GOES_ON)
    assert ([file.id for file in first.attachments], files(first)) == ([picture.id], ["closeup.png"])
    await game.post(Line("`9` **PRR** lays #9 on F6.", ("F6",)).notice(), GOES_ON)
    [other] = first.attachments
    assert (files(first), other.id != picture.id) == (["closeup.png"], True)
    await game.post(PASSES)
    assert ([file.id for file in first.attachments], first.buttons) == ([other.id], [])
    assert files(game.turn) == []


async def test_undone_lines_are_struck_out(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    first = game.turn
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    assert first.content == "`2` ~~**Ann** passes.~~"
    await game.press("Ann", "Pass")
    second = next(message for message in game.messages if "`4`" in message.content)
    messages.delete(sandbox.world, second)
    await game.slash("Ann", "undo")
    assert await game.seq() == 5
    assert game.turn_text.startswith("**Ann**: ")
