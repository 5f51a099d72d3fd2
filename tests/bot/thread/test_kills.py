"""A process is killed just before or after it sends a post; the next one has other words for it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.sandbox.guild import seed
from bot.sandbox.model import Message
from bot.table.outbox.notices import Line, RoundBegun, ThreadPing
from storage import Database, OutboxMessage, messages, outbox
from storage.messages import ShownMessage
from tests.bot.support.sandbox_bot import SandboxBot, Seated

TALK = 60
"""Messages that people write meanwhile: more than those among which a nonce is looked for."""
REWORDED = "Words of another version."


def said(notice: OutboxMessage) -> Callable[[SandboxBot, Seated, str], Awaitable[None]]:
    """Something is to be posted that comes with no move."""

    async def say(sandbox: SandboxBot, game: Seated, _: str) -> None:
        await outbox.put_notices(sandbox.db, game.number, await game.seq(), [notice], sandbox.clock())
        sandbox.client.tables.on_notice(game.number)

    return say


def commanded(command: str, *names: int) -> Callable[[SandboxBot, Seated, str], Awaitable[None]]:
    """Players type a command."""

    async def type_it(sandbox: SandboxBot, game: Seated, people: str) -> None:
        for name in names:
            await sandbox.person(people.split()[name]).slash(game.thread, command)

    return type_it


ROLES = {
    "ping": said(ThreadPing((1,), "Come here.").notice()),
    "line": said(Line("It pauses.").notice()),
    "round": said(RoundBegun("OR 1").notice()),
    "turn": commanded("pass", 0),
    "proposal": commanded("game pause", 0),
    "end": commanded("game abandon", 0, 1),
    "papers": commanded("game abandon", 0, 1),
}


class Killed:
    """From now on the process dies when it is about to send a post of this role in a game, or when it has sent it.

    A process of its own would die by chance in another place each time.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, game: int, role: str, *, sends: bool) -> None:
        self.begun = False
        put, note, mark = messages.put_message, messages.record_changes, outbox.mark_sent

        async def begins(db: Database, message: ShownMessage) -> ShownMessage:
            self.begun = self.begun or (message.role, message.game_id) == (role, game)
            row = await put(db, message)
            if not sends:
                self._require_alive()
            return row

        async def notes(db: Database, *changed: ShownMessage) -> None:
            self._require_alive()
            await note(db, *changed)

        async def marks(db: Database, *ids: int, **more: Any) -> None:
            self._require_alive()
            await mark(db, *ids, **more)

        monkeypatch.setattr(messages, "put_message", begins)
        monkeypatch.setattr(messages, "record_changes", notes)
        monkeypatch.setattr(outbox, "mark_sent", marks)

    def _require_alive(self) -> None:
        if self.begun:
            raise ConnectionError("the process has died")


@pytest.mark.parametrize("sends", [True, False])
@pytest.mark.parametrize("role", ROLES)
async def test_killed_post_is_made_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, role: str, *, sends: bool
) -> None:
    """As many messages as in a game of others without a kill, and the same pings."""
    calm, rough = await sandbox.game(("Dee", "Eve")), await sandbox.game(("Ann", "Bob"))
    await ROLES[role](sandbox, calm, "Dee Eve")
    await sandbox.settled()
    killed = Killed(monkeypatch, rough.number, role, sends=sends)
    there = len(rough.messages)
    await ROLES[role](sandbox, rough, "Ann Bob")
    await sandbox.learns(lambda: killed.begun and (not sends or len(rough.messages) > there))
    await sandbox.stop()
    monkeypatch.undo()
    for message in rough.messages:
        message.content = message.content and REWORDED
    for number in range(TALK):
        sandbox.person("Cy").say(rough.thread, f"talk {number}")
    await sandbox.start()
    await sandbox.settled()
    ours = [m for m in rough.messages if m.author_id == seed.BOT_ID]
    assert [shape(m) for m in ours] == [shape(m) for m in calm.messages]
    assert [rough.pings(name) for name in ("Ann", "Bob")] == [calm.pings(name) for name in ("Dee", "Eve")]
    assert await messages.in_doubt(sandbox.db, rough.number) == []


def shape(message: Message) -> tuple[object, ...]:
    """A post whatever it says: its buttons, files and embeds."""
    files = sorted(file.filename for file in message.attachments)
    shown = [name for name in files if not name.startswith("game-")]
    return (len(message.buttons), shown, len(message.embeds))
