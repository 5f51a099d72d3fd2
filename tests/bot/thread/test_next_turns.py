"""A player who has just moved sees the next buttons at once: in the answer to their press."""

import pytest

from bot.sandbox.guild.interactions import ResponseKind
from bot.table.outbox.notices import Line, TurnChange
from storage import outbox
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

pytestmark = pytest.mark.usefixtures("undrawn")


async def test_turn_that_continues(sandbox: SandboxBot) -> None:
    """Shown in the answer to a press; after a command its message is edited."""
    game = await seated_at(sandbox, played_to("run_routes"))
    name, turn, begun = actor_of(game), game.turn, len(sandbox.server.requests)
    reply = await game.press(name, "Best run $60")
    assert reply.interaction.response_kind == ResponseKind.UPDATE
    assert (game.turn.id, game.changes(begun)) == (turn.id, [])
    assert "Withhold" in turn.buttons[1].label
    assert game.moves[-1] in turn.content
    begun = len(sandbox.server.requests)
    await game.slash(name, "pay")
    assert (game.turn.id, game.changes(begun)) == (turn.id, ["PATCH"])
    assert "Withhold" not in turn.buttons[1].label


async def test_turn_waits_for_no_other_post(sandbox: SandboxBot) -> None:
    """After a command the next buttons are there at once, whatever else is still being posted."""
    game = await seated_at(sandbox, played_to("run_routes"))
    name, turn = actor_of(game), game.turn
    await game.press(name, "Best run $60")
    sandbox.server.faults.hold_up(f"POST /api/v10/channels/{game.thread}/messages", 8.0)
    await outbox.queue_notices(
        sandbox.db, game.number, await game.seq(), [Line("Bob waits.").notice()], sandbox.clock()
    )
    sandbox.client.tables.on_notice(game.number)
    await sandbox.learns(lambda: sandbox.server.faults.served == 1)
    await sandbox.person(name).slash(game.thread, "pay")
    await sandbox.learns(lambda: "Withhold" not in turn.buttons[1].label)
    assert "Bob waits." not in game.lines


async def test_turn_that_others_must_see(sandbox: SandboxBot) -> None:
    """It continues in a new message: the one that was pressed never shows the next buttons."""
    game = await seated_at(sandbox, played_to("run_routes"))
    turn, loud = game.turn, Line("`94` Phase 3 begins.", is_new_post=True).notice()
    await outbox.queue_notices(sandbox.db, game.number, await game.seq(), [loud], sandbox.clock())
    reply = await game.press(actor_of(game), "Best run $60")
    assert reply.interaction.response_kind != ResponseKind.UPDATE
    assert (game.turn.id > turn.id, turn.buttons) == (True, [])


async def test_turn_that_ends(sandbox: SandboxBot) -> None:
    """The answer shows its lines alone; the next turn is a new message."""
    game = await sandbox.game()
    first, begun = game.turn, len(sandbox.server.requests)
    reply = await game.press("Ann", "Pass")
    assert reply.interaction.response_kind == ResponseKind.UPDATE
    assert (first.content, first.buttons, first.attachments) == ("`2` **Ann** passes.", [], [])
    assert game.changes(begun)[0] == "POST"
    second, begun = game.turn, len(sandbox.server.requests)
    await game.slash("Bob", "pass")
    assert (second.content, second.buttons) == ("`3` **Bob** passes.", [])
    assert game.changes(begun).count("PATCH") <= 2, "that of the board, too"


async def test_turn_without_room(sandbox: SandboxBot) -> None:
    """It is shown with the move, in a new message."""
    game = await seated_at(sandbox, played_to("run_routes"))
    name, turn = actor_of(game), game.turn
    await game.post(Line("`94` " + "a" * 1700).notice(), TurnChange((), None).notice())
    await game.press(name, "Best run $60")
    assert game.turn.id > turn.id
    assert turn.buttons == []
