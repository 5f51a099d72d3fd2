"""A known move of a person: a press on the turn message where it has a button, else a command."""

import random
from itertools import islice

from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.model import Message
from bot.table.moves.moves import OneClickMove
from engine.core.actions import Action
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot
from tests.bot.support.spelling import to_confirm, typed
from tests.torture.week.ledger import Table

PRESSES = 0.6
LOOKED_AT = 3_000
"""Messages of the whole server among which the turn message is looked for."""


async def make(
    sandbox: SandboxBot, person: Person, table: Table, action: Action, chance: random.Random
) -> InteractionResult:
    """Make a move; what the person read."""
    assert table.game is not None
    asked = to_confirm(table.game, action)
    wanted = f"g:{table.number}:{table.seq}:{OneClickMove('', action).key}"
    message = with_button(sandbox, table, wanted) if chance.random() < PRESSES else None
    if message is not None:
        answer = await person.press(message, wanted)
    else:
        name, values = typed(table.game, action)
        answer = await person.slash(table.thread, name, **values)
    if asked:
        assert await sandbox.world.wait_until(lambda: bool(answer.ephemeral), timeout=PATIENCE)
        question = answer.ephemeral[-1]
        await person.press(question, question.buttons[0].label)
    return answer


def with_button(sandbox: SandboxBot, table: Table, wanted: str) -> Message | None:
    """The message of a thread that has a button, if it is among the newest."""
    newest = islice(reversed(sandbox.world.messages.values()), LOOKED_AT)
    return next(
        (
            message
            for message in newest
            if message.channel_id == table.thread and any(b.custom_id == wanted for b in message.buttons)
        ),
        None,
    )
