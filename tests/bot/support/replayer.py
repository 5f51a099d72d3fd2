"""People who play a recorded game over again at a table: each move by a button, or by a slash command."""

from collections.abc import Callable
from itertools import islice

from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Message
from bot.table.moves.moves import OneClickMove
from engine.core.actions import Action, read_action
from tests.bot.support.player import position
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.bot.support.spelling import to_confirm, typed

BUTTON_EVERY = 7
"""One of this many moves is made by a button of the turn message, if there is one for it."""


LOOKED_AT = 20
"""Messages of the thread among which the one waited for must be."""


class Replayer:
    """Makes recorded moves at a table; `made` are the kinds, `pressed` counts buttons."""

    def __init__(self, sandbox: SandboxBot, seated: Seated, names: dict[str, str]) -> None:
        self._house = sandbox
        self._seated = seated
        self._names = names
        self._answers: list[str] = []
        self.pressed = 0
        self.made: set[str] = set()
        self._asks = False

    async def play(self, action: Action, number: int) -> None:
        """Make this move, the `number`-th of the game, as the person whose seat it is, unless it makes itself."""
        async with self._house.client.tables.reading(self._seated.number) as live:
            if live.seq > number:
                assert read_action(live.effective_rows[number].payload) == action, (number, action)
                return
            self._asks = to_confirm(live.game, action)
        if number % BUTTON_EVERY == 0 and await self._press(action, number):
            self.pressed += 1
        else:
            await self._type(action, number)
        self.made.add(action.kind)
        async with self._house.client.tables.reading(self._seated.number) as live:
            assert read_action(live.effective_rows[number].payload) == action, (number, action, self._answers)

    async def _press(self, action: Action, number: int) -> bool:
        """Press the button for exactly this move on the turn message of the moment."""
        turn = await self._posted(lambda message: position(message) == number)
        wanted = f"g:{self._seated.number}:{number}:{OneClickMove('', action).key}"
        label = next((b.label for b in turn.buttons if b.custom_id == wanted), None)
        if label is None:
            return False
        person = self._house.person(self._names[action.actor])
        result = await person.press(turn, wanted)
        self._answers = [m.content for m in result.ephemeral]
        await self._confirm(result, action, number)
        # A press is answered by what is posted in the thread.
        await self._posted(lambda message: _shows(message, number + 1))
        return True

    async def _posted(self, test: Callable[[Message], bool]) -> Message:
        found: list[Message] = []

        def shown() -> bool:
            newest_first = reversed(self._house.world.messages.values())
            here = (m for m in newest_first if m.channel_id == self._seated.thread)
            found[:] = [m for m in islice(here, LOOKED_AT) if test(m)]
            return bool(found)

        assert await self._house.world.wait_until(shown, timeout=PATIENCE)
        return found[0]

    async def _type(self, action: Action, number: int) -> None:
        """Type it, with every slot spelt out."""
        async with self._house.client.tables.reading(self._seated.number) as live:
            name, values = typed(live.game, action)
        person = self._house.person(self._names[action.actor])
        result = await person.slash(self._seated.thread, name, **values)
        self._answers = [m.content for m in result.ephemeral]
        await self._confirm(result, action, number)

    async def _confirm(self, result: InteractionResult, action: Action, number: int) -> None:
        if self._asks:
            # A press may be acknowledged before the question is there.
            assert await self._house.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
            question = result.ephemeral[-1]
            await self._house.person(self._names[action.actor]).press(question, question.buttons[0].label)
            await self._posted(lambda message: _shows(message, number + 1))


def _shows(message: Message, number: int) -> bool:
    return number in numbers([message]) or position(message) >= number
