"""A process is killed just before or after it sends a post; the next one has other words for it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.guild import messages as world_messages
from bot.sandbox.guild import seed
from bot.sandbox.model import Message
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, RoundStart, ThreadPing, TurnChange
from storage import Database, OutboxMessage, games, messages, outbox
from storage.messages import ThreadMessage
from tests.bot.support.sandbox_bot import SandboxBot, Seated, is_board

TALK = 60
"""Messages that people write meanwhile: more than those among which a nonce is looked for."""
REWORDED = "Words of another version."
PASSES, SETTLED = (
    TurnChange((), None, is_new_turn=True, outcome=said).notice() for said in ("", "Bob agrees.")
)
MOVE: Final = Line("`2` A.").notice()

Says = Callable[[SandboxBot, Seated, str], Awaitable[None]]


def said(*rows: OutboxMessage) -> Says:
    """Something is to be posted that comes with no move."""

    async def say(sandbox: SandboxBot, game: Seated, _: str) -> None:
        await outbox.queue_notices(sandbox.db, game.number, await game.seq(), rows, sandbox.clock())
        sandbox.client.tables.on_notice(game.number)

    return say


def commanded(command: str, *names: int) -> Says:
    """Players type a command."""

    async def type_it(sandbox: SandboxBot, game: Seated, people: str) -> None:
        for name in names:
            await sandbox.person(people.split()[name]).slash(game.thread, command)

    return type_it


async def board_deleted(sandbox: SandboxBot, game: Seated, _: str) -> None:
    """Somebody deletes the board, and it is posted again."""
    for board in filter(is_board, game.messages):
        world_messages.delete(sandbox.world, board)
    await said(notices.board_notice(post_may_be_deleted=True))(sandbox, game, _)


CASES: Final[dict[str, tuple[str, Says]]] = {
    "ping": ("ping", said(ThreadPing((1,), "Come here.").notice())),
    "line": ("line", said(Line("It pauses.").notice())),
    "round": ("round", said(RoundStart("OR 1").notice())),
    "turn": ("turn", commanded("pass", 0)),
    "turn with a note": ("turn", said(Line("Bob is back.", is_note=True).notice(), PASSES)),
    "round before a turn": ("round", said(MOVE, RoundStart("OR 1").notice(), PASSES)),
    "turn after a round": ("turn", said(MOVE, RoundStart("OR 1").notice(), PASSES)),
    "turn after an offer": ("turn", said(MOVE, SETTLED)),
    "board": ("board", board_deleted),
    "proposal": ("proposal", commanded("game pause", 0)),
    "end": ("end", commanded("game abandon", 0, 1)),
    "papers": ("papers", commanded("game abandon", 0, 1)),
}
"""The role of the post with which a process is killed, and what leads to it."""
MOMENTS: Final = [
    *((case, "unsent") for case in ("line", "turn", "board", "proposal", "papers")),
    *((case, "sent") for case in CASES),
    *((case, "unticked") for case in CASES if case.startswith("turn")),
]


class Killed:
    """From now on the process dies when it is about to send a post of this role in a game, or when it has sent it;
    or before it ticks any row off.

    A process of its own would die by chance in another place each time.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, game: int, role: str, when: str) -> None:
        self.begun = when == "unticked"
        put, note, mark = messages.put_message, messages.record_message_changes, outbox.mark_sent

        async def begins(db: Database, message: ThreadMessage) -> ThreadMessage:
            self.begun = self.begun or (message.role, message.game_id) == (role, game)
            row = await put(db, message)
            if when == "unsent":
                self._require_alive()
            return row

        async def notes(db: Database, *changed: ThreadMessage) -> None:
            self._require_alive()
            await note(db, *changed)

        async def marks(db: Database, *ids: int, **more: Any) -> None:
            self._require_alive()
            await mark(db, *ids, **more)

        monkeypatch.setattr(messages, "put_message", begins)
        monkeypatch.setattr(messages, "record_message_changes", notes)
        monkeypatch.setattr(outbox, "mark_sent", marks)

    def _require_alive(self) -> None:
        if self.begun:
            raise ConnectionError("the process has died")


@pytest.mark.parametrize(("case", "when"), MOMENTS)
async def test_killed_post_is_made_once(
    sandbox: SandboxBot, undrawn: None, unfilmed: None, monkeypatch: pytest.MonkeyPatch, case: str, when: str
) -> None:
    """As many messages as in a game of others without a kill, and the same pings."""
    role, says = CASES[case]
    calm, rough = await sandbox.game(("Dee", "Eve")), await sandbox.game(("Ann", "Bob"))
    await says(sandbox, calm, "Dee Eve")
    await sandbox.settled()
    with monkeypatch.context() as patch:
        killed = Killed(patch, rough.number, role, when)
        there = shapes(rough)
        await says(sandbox, rough, "Ann Bob")
        await sandbox.learns(lambda: killed.begun and (when == "unsent" or shapes(rough) != there))
        await sandbox.stop()
    for message in rough.messages:
        message.content = message.content and REWORDED
    for number in range(TALK):
        sandbox.person("Cy").say(rough.thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()
    assert shapes(rough) == shapes(calm)
    assert [rough.pings(name) for name in ("Ann", "Bob")] == [calm.pings(name) for name in ("Dee", "Eve")]
    assert await messages.possibly_unsent_messages(sandbox.db, rough.number) == []


def shapes(game: Seated) -> list[tuple[object, ...]]:
    """Our posts whatever they say: their buttons, files and embeds."""
    return [shape(message) for message in game.messages if message.author_id == seed.BOT_ID]


def shape(message: Message) -> tuple[object, ...]:
    files = sorted(file.filename for file in message.attachments)
    shown = [name for name in files if not name.startswith("game-")]
    return (len(message.buttons), shown, len(message.embeds), message.pinned)


@pytest.mark.usefixtures("hasty")
async def test_old_turn_message_goes_after_a_crash(sandbox: SandboxBot) -> None:
    """The new one was posted in place of one without lines; the process died before it deleted that."""
    game = await sandbox.game()
    old, rung = game.turn, game.pings("Ann")
    sandbox.server.faults.fail(f"DELETE /api/v10/channels/{game.thread}/messages/", status=500, times=1000)
    await sandbox.person("Ann").slash(game.thread, "game repair")
    await sandbox.learns(lambda: len([message for message in game.messages if message.buttons]) == 2)
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    assert [message for message in game.messages if message.buttons] == [game.turn]
    assert (game.turn.id != old.id, game.pings("Ann")) == (True, rung)


def farewells(game: Seated) -> int:
    return sum("Thank you for the game" in line for line in game.lines)


async def test_thread_is_archived_after_a_crash(sandbox: SandboxBot) -> None:
    """The score sheet was posted; the process died before it archived the thread, which then archives itself."""
    game = await sandbox.game(("Ann", "Cy"))
    await game.slash("Ann", "game abandon")
    sandbox.server.faults.fail(f"PATCH /api/v10/channels/{game.thread}\n", status=403, times=1000)
    await sandbox.person("Cy").slash(game.thread, "game abandon")
    await sandbox.learns(lambda: farewells(game) == 1)
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    assert (farewells(game), sandbox.world.channel(game.thread).archive_minutes) == (1, HOUR_MINUTES)
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
