"""What was posted just before a crash is found again, however much was written since, and is not posted twice."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.client.places.threads import HOUR
from bot.client.thread.board_post import Boards
from bot.sandbox.guild import threads
from bot.table.outbox import notices
from storage import Database, Posting, games, messages, outbox
from tests.bot.support.positions import first_moves, seated_at
from tests.bot.support.records import numbers, record_lines
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.support.unsent import unsent

RECORDED = Path(__file__).parents[2] / "golden" / "18tn-bankruptcy-3p.json"
OFFERED = 77
"""In the recorded game with this action a private is offered to another player."""
TALK = 500
"""Messages that people write while the bot is away: several pages of a thread's history."""


def dies_before_ticking_off(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """From now on rows of this kind are posted, and the process dies before it can say so."""
    sent = outbox.mark_sent

    async def dead(db: Database, *ids: int, **more: Any) -> None:
        rows = await unsent(db)
        if any(row.id in ids and row.kind == kind for row in rows):
            raise ConnectionError("the process has died")
        await sent(db, *ids, **more)

    monkeypatch.setattr(outbox, "mark_sent", dead)


async def crashed(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, game: Seated, posted: Callable[[], bool]
) -> None:
    """The bot stops as soon as that is posted; people talk; it starts again."""
    assert await sandbox.world.until(posted, timeout=20)
    await sandbox.stop()
    monkeypatch.undo()
    for number in range(TALK):
        sandbox.person("Cy").say(game.thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()


async def test_a_line_is_posted_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await sandbox.game()
    dies_before_ticking_off(monkeypatch, notices.LINE)
    await sandbox.person("Ann").press(game.turn, "Pass")
    await crashed(sandbox, monkeypatch, game, lambda: any("`2`" in line for line in game.lines))
    assert sum("`2`" in line for line in game.lines) == 1
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert game.pings("Bob") == 1


async def test_a_turn_message_is_posted_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await sandbox.game()
    dies_before_ticking_off(monkeypatch, notices.TURN)
    bob = sandbox.person("Bob").mention
    await sandbox.person("Ann").press(game.turn, "Pass")
    await crashed(sandbox, monkeypatch, game, lambda: any(m.content.startswith(bob) for m in game.messages))
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings("Bob") == 1


async def _offered(sandbox: SandboxBot) -> Seated:
    """Cy has offered a private to Ann."""
    return await seated_at(sandbox, first_moves(RECORDED.read_text("utf-8"), OFFERED))


async def _ended_once(game: Seated, offer: int, rung: int) -> None:
    """The offer says how it ended; the turn after it begins with that line, once, and has pinged Cy once."""
    said = game.sandbox.world.messages[offer]
    assert (said.buttons, [embed["description"] for embed in said.embeds]) == ([], ["**Ann** refuses."])
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert record_lines(game.turn) == ["`79` **Ann** refuses: Cy sells MCR to Ann for $89."]
    assert numbers(game.messages).count(79) == 1
    assert game.pings("Cy") == rung + 1
    assert not await _left(game.sandbox)


@pytest.mark.parametrize("kind", [notices.LINE, notices.TURN])
async def test_the_end_of_an_offer_is_posted_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Its line stands in the post of the turn that follows; the process died before it ticked off one of them."""
    game = await _offered(sandbox)
    offer, rung = game.turn.id, game.pings("Cy")
    dies_before_ticking_off(monkeypatch, kind)
    await sandbox.person("Ann").slash(game.thread, "refuse")
    await crashed(sandbox, monkeypatch, game, lambda: game.pings("Cy") > rung)
    await _ended_once(game, offer, rung)


async def test_the_turn_after_an_offer_is_posted_once_although_the_crash_came_before_its_number_was_noted(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dead(*_: Any, **__: Any) -> None:
        raise ConnectionError("the process has died")

    game = await _offered(sandbox)
    offer, rung = game.turn.id, game.pings("Cy")
    monkeypatch.setattr(outbox, "mark_sent", dead)
    await sandbox.person("Ann").slash(game.thread, "refuse")
    await crashed(sandbox, monkeypatch, game, lambda: game.pings("Cy") > rung)
    await _ended_once(game, offer, rung)


async def test_the_end_of_an_offer_is_posted_although_the_crash_came_first(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
    game = await _offered(sandbox)
    offer, rung = game.turn.id, game.pings("Cy")
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "refuse")
    await sandbox.learns(lambda: sandbox.server.faults.served > 0)
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    await _ended_once(game, offer, rung)


async def test_the_next_turn_is_posted_although_the_crash_came_when_the_one_before_was_over(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post before had got its line and lost its buttons; the process died before it posted the next."""
    game = await sandbox.game()
    old = game.turn
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "pass")

    def over() -> list[str]:
        return [m.content for m in game.messages if m.id == old.id and not m.buttons]

    assert await sandbox.world.until(lambda: bool(over()), timeout=20)
    sandbox.server.faults.clear()
    await crashed(sandbox, monkeypatch, game, lambda: True)
    assert over() == ["`2` **Ann** passes."]
    assert sum("`2`" in line for line in game.lines) == 1
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert game.pings("Bob") == 1


async def test_the_turn_message_before_goes_although_the_crash_came_first(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new one was posted in place of one without lines; the process died before it deleted that."""
    game = await sandbox.game()
    old, rung = game.turn, game.pings("Ann")
    sandbox.server.faults.fail(f"DELETE /api/v10/channels/{game.thread}/messages/", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "game repair")
    assert await sandbox.world.until(lambda: len([m for m in game.messages if m.buttons]) == 2, timeout=20)
    sandbox.server.faults.clear()
    await crashed(sandbox, monkeypatch, game, lambda: True)
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.turn.id != old.id
    assert game.pings("Ann") == rung


async def ended(sandbox: SandboxBot) -> Seated:
    """A game of two that agree to stop; the second is just about to."""
    game = await sandbox.game(("Ann", "Bob"))
    await game.slash("Ann", "game abandon")
    return game


async def agree(game: Seated) -> None:
    """The last move, without waiting for what it leads to."""
    await game.sandbox.person("Bob").slash(game.thread, "game abandon")


def farewells(game: Seated) -> int:
    """How often the score sheet was posted."""
    return sum("Thank you for the game" in line for line in game.lines)


async def test_a_thread_archived_but_not_noted_is_left_as_it_is(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await ended(sandbox)
    dies_before_ticking_off(monkeypatch, notices.END)
    await agree(game)
    assert await sandbox.world.until(
        lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR, timeout=20
    )
    await sandbox.stop()
    monkeypatch.undo()
    await sandbox.start()
    await sandbox.settled()
    assert farewells(game) == 1
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR
    row = await games.get_game(sandbox.db, game.number)
    assert row.status == "finished"


async def test_the_end_is_finished_after_a_crash_before_the_archive(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await ended(sandbox)
    sandbox.server.faults.fail(f"PATCH /api/v10/channels/{game.thread}\n", status=403, times=1000)
    await agree(game)
    assert await sandbox.world.until(lambda: farewells(game) == 1, timeout=20)
    await sandbox.stop()
    sandbox.server.faults.clear()
    for number in range(TALK):
        sandbox.person("Ann").say(game.thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()
    assert farewells(game) == 1
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR


async def test_a_board_is_brought_up_to_date_in_an_archived_thread(sandbox: SandboxBot) -> None:
    """After the end it archives itself."""
    game = await ended(sandbox)
    await agree(game)
    await sandbox.settled()
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR
    before = [a.id for a in game.messages[0].attachments]
    await sandbox.stop()
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        conn.execute("UPDATE outbox SET sent_at = NULL WHERE kind = 'board' AND seq = 3")
        conn.execute("UPDATE messages SET shows = '' WHERE role = 'board'")
    await sandbox.start()
    await sandbox.settled()
    assert [a.id for a in game.messages[0].attachments] != before
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR


async def test_a_board_that_was_not_pinned_before_a_crash_is_pinned_later(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dead(*_: Any) -> None:
        raise ConnectionError("the process has died")

    monkeypatch.setattr(Boards, "pin", dead)
    ann = sandbox.person("Ann")
    await ann.slash("table", "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await ann.press(sandbox.lobby(), "Start")
    assert await sandbox.world.until(
        lambda: any(m.embeds for m in sandbox.world.messages.values()), timeout=20
    )
    await sandbox.stop()
    monkeypatch.undo()
    await sandbox.start()
    await sandbox.settled()
    boards = [m for m in sandbox.world.messages.values() if m.embeds]
    assert [m.pinned for m in boards] == [True]


async def test_a_thread_and_its_board_are_made_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board was posted; the process died before it noted which message that is."""

    async def dead(*_: Any, **__: Any) -> None:
        raise ConnectionError("the process has died")

    monkeypatch.setattr(messages, "note", dead)
    ann = sandbox.person("Ann")
    await ann.slash("table", "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await ann.press(sandbox.lobby(), "Start")
    posted: Callable[[], Sequence[Any]] = lambda: [m for m in sandbox.world.messages.values() if m.embeds]  # noqa: E731
    assert await sandbox.world.until(lambda: bool(posted()), timeout=20)
    await sandbox.stop()
    monkeypatch.undo()
    thread = posted()[0].channel_id
    for number in range(TALK):
        ann.say(thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()
    assert len(posted()) == 1
    assert posted()[0].pinned
    assert not await _left(sandbox)


async def _left(sandbox: SandboxBot) -> list[Posting]:
    return await unsent(sandbox.db)
