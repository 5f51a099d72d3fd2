"""What was posted just before a crash is found again, however much was written since, and is not posted twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.client.places.threads import HOUR
from bot.client.thread.board_post import Boards
from bot.sandbox.guild import threads
from bot.sandbox.model import Message
from bot.table.outbox import notices
from storage import Database, games, messages, outbox
from tests.bot.support.positions import first_moves, seated_at
from tests.bot.support.records import numbers, record_lines
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.support.unsent import unsent

RECORDED = Path(__file__).parents[2] / "golden" / "18tn-bankruptcy-3p.json"
OFFERED = 77
"""In the recorded game with this action a private is offered to another player."""
TALK = 500
"""Messages that people write while the bot is away: several pages of a thread's history."""


async def dead(*_: Any, **__: Any) -> None:
    """In place of something that a process did not do any more."""
    raise ConnectionError("the process has died")


def dies_before_ticking_off(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """From now on rows of this kind are posted, and the process dies before it can say so."""
    sent = outbox.mark_sent

    async def dies(db: Database, *ids: int, **more: Any) -> None:
        if any(row.id in ids and row.kind == kind for row in await unsent(db)):
            await dead()
        await sent(db, *ids, **more)

    monkeypatch.setattr(outbox, "mark_sent", dies)


async def crashed(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, game: Seated, posted: Callable[[], bool]
) -> None:
    """The bot stops as soon as that is posted; people talk; it starts again."""
    await sandbox.learns(posted)
    await sandbox.stop()
    monkeypatch.undo()
    sandbox.server.faults.clear()
    for number in range(TALK):
        sandbox.person("Cy").say(game.thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()


def turns(game: Seated) -> list[Message]:
    """The messages with buttons."""
    return [message for message in game.messages if message.buttons]


# --- lines and turns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [notices.LINE, notices.TURN])
async def test_line_and_turn_are_posted_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    game, bob = await sandbox.game(), sandbox.person("Bob").mention
    dies_before_ticking_off(monkeypatch, kind)
    await sandbox.person("Ann").press(game.turn, "Pass")
    shows = "`2`" if kind == notices.LINE else bob
    await crashed(sandbox, monkeypatch, game, lambda: any(shows in m.content for m in game.messages))
    assert sum("`2`" in line for line in game.lines) == 1
    assert turns(game) == [game.turn]
    assert game.turn.content.startswith(bob)
    assert game.pings("Bob") == 1


async def test_next_turn_is_posted_after_a_crash(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post before had got its line and lost its buttons; the process died before it posted the next."""
    game = await sandbox.game()
    old = game.turn
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "pass")
    over = sandbox.world.messages[old.id]
    await sandbox.learns(lambda: not over.buttons)
    sandbox.server.faults.clear()
    await crashed(sandbox, monkeypatch, game, lambda: True)
    assert over.content == "`2` **Ann** passes."
    assert sum("`2`" in line for line in game.lines) == 1
    assert turns(game) == [game.turn]
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert game.pings("Bob") == 1


async def test_old_turn_message_goes_after_a_crash(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new one was posted in place of one without lines; the process died before it deleted that."""
    game = await sandbox.game()
    old, rung = game.turn, game.pings("Ann")
    sandbox.server.faults.fail(f"DELETE /api/v10/channels/{game.thread}/messages/", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "game repair")
    await sandbox.learns(lambda: len(turns(game)) == 2)
    sandbox.server.faults.clear()
    await crashed(sandbox, monkeypatch, game, lambda: True)
    assert turns(game) == [game.turn]
    assert game.turn.id != old.id
    assert game.pings("Ann") == rung


# --- offers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [notices.LINE, notices.TURN, ""])
async def test_end_of_an_offer_is_posted_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Its line stands in the post of the turn that follows; the process died before it ticked off one, or any."""
    game = await seated_at(sandbox, first_moves(RECORDED.read_text("utf-8"), OFFERED))
    offer, rung = game.turn.id, game.pings("Cy")
    if kind:
        dies_before_ticking_off(monkeypatch, kind)
    else:
        monkeypatch.setattr(outbox, "mark_sent", dead)
    await sandbox.person("Ann").slash(game.thread, "refuse")
    await crashed(sandbox, monkeypatch, game, lambda: game.pings("Cy") > rung)
    said = sandbox.world.messages[offer]
    assert (said.buttons, [embed["description"] for embed in said.embeds]) == ([], ["**Ann** refuses."])
    assert turns(game) == [game.turn]
    assert record_lines(game.turn) == ["`79` **Ann** refuses: Cy sells MCR to Ann for $89."]
    assert numbers(game.messages).count(79) == 1
    assert game.pings("Cy") == rung + 1
    assert not await unsent(sandbox.db)


async def test_end_of_an_offer_is_posted_after_a_crash(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
    game = await seated_at(sandbox, first_moves(RECORDED.read_text("utf-8"), OFFERED))
    rung, faults = game.pings("Cy"), sandbox.server.faults
    faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "refuse")
    await crashed(sandbox, monkeypatch, game, lambda: faults.served > 0)
    assert numbers(game.messages).count(79) == 1
    assert (turns(game), game.pings("Cy")) == ([game.turn], rung + 1)


# --- the end ---------------------------------------------------------------------------------------------------------


async def ended(sandbox: SandboxBot) -> Seated:
    """A game of two that agree to stop; the second is just about to."""
    game = await sandbox.game(("Ann", "Cy"))
    await game.slash("Ann", "game abandon")
    return game


async def agree(game: Seated) -> None:
    """The last move, without waiting for what it leads to."""
    await game.sandbox.person("Cy").slash(game.thread, "game abandon")


def farewells(game: Seated) -> int:
    return sum("Thank you for the game" in line for line in game.lines)


async def test_end_is_posted_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process died before it noted that the thread was archived."""
    game = await ended(sandbox)
    dies_before_ticking_off(monkeypatch, notices.END)
    await agree(game)
    thread = sandbox.world.channel(game.thread)
    await crashed(sandbox, monkeypatch, game, lambda: thread.archive_minutes == HOUR)
    assert (farewells(game), thread.archive_minutes) == (1, HOUR)
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"


async def test_thread_is_archived_after_a_crash(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The score sheet was posted; the process died before it archived the thread."""
    game = await ended(sandbox)
    sandbox.server.faults.fail(f"PATCH /api/v10/channels/{game.thread}\n", status=403, times=1000)
    await agree(game)
    await crashed(sandbox, monkeypatch, game, lambda: farewells(game) == 1)
    assert (farewells(game), sandbox.world.channel(game.thread).archive_minutes) == (1, HOUR)


# --- boards ----------------------------------------------------------------------------------------------------------


async def test_board_is_edited_in_an_archived_thread(sandbox: SandboxBot) -> None:
    """After the end it archives itself."""
    game = await ended(sandbox)
    await agree(game)
    await sandbox.settled()
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    before = [a.id for a in game.messages[0].attachments]
    for change in (
        "UPDATE outbox SET sent_at = NULL WHERE kind = 'board' AND seq = 3",
        "UPDATE messages SET shows = '' WHERE role = 'board'",
    ):
        await sandbox.db.write(lambda tx, change=change: tx.run(change))  # type: ignore[misc]
    await sandbox.stop()
    await sandbox.start()
    await sandbox.settled()
    assert [a.id for a in game.messages[0].attachments] != before
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR


@pytest.mark.parametrize(("owner", "name"), [(Boards, "pin"), (messages, "note")])
async def test_board_is_posted_and_pinned_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    """The board was posted; the process died before it pinned it, or before it noted which message that is."""
    monkeypatch.setattr(owner, name, dead)
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Cy").press(sandbox.lobby(), "Join")
    lobby = sandbox.lobby()
    await ann.press(lobby, "Start")
    game = Seated(sandbox, 1, lobby.id)
    await crashed(sandbox, monkeypatch, game, lambda: any(m.embeds for m in game.messages))
    assert [m.pinned for m in game.messages if m.embeds] == [True]
    assert not await unsent(sandbox.db)
