"""Somebody who plays by pressing alone, and counts taps."""

from collections.abc import Awaitable

from bot.sandbox.guild.person import InteractionResult, Modal
from bot.sandbox.model import Message
from tests.bot.support.sandbox_bot import PATIENCE, Seated


class Hand:
    """Somebody who makes moves by pressing alone, in one private message; counts taps."""

    def __init__(self, game: Seated, name: str) -> None:
        self.game = game
        self._person = game.sandbox.person(name)
        self._number = 0
        self.taps = 0

    @property
    def asked(self) -> Message:
        return self.game.sandbox.world.messages[self._number]

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.asked.buttons]

    async def open(self, label: str) -> None:
        """Press a button of the turn message that opens something."""
        self.taps += 1
        result = await self.game.press(self._person.name, label)
        assert await self.game.sandbox.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
        [message] = result.ephemeral
        self._number = message.id

    async def choose(self, label: str) -> None:
        """Type `/move`, and choose the label that reads so."""
        [message] = (await self.game.slash(self._person.name, "move")).ephemeral
        self._number = message.id
        self.taps += 2
        menu = self.asked.selects[0]
        value = next(value for name, value in menu.options if name == label)
        await self._changed(self._person.select(self.asked, menu.custom_id, [value]))

    async def what_if(self, **typed: str) -> None:
        result = await self.game.slash(self._person.name, "what-if", **typed)
        assert await self.game.sandbox.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
        [message] = result.ephemeral
        self._number = message.id

    async def shows(self, text: str) -> bool:
        return await self.game.sandbox.world.wait_until(lambda: text in self.asked.content, timeout=PATIENCE)

    async def fill(self, label: str, amount: str) -> InteractionResult:
        """Press a button of the turn message that opens a form, type an amount and send it."""
        modal = (await self.game.press(self._person.name, label)).modal
        assert modal is not None
        self.taps += 2
        result = await self._person.submit(modal, amount=amount)
        assert await self.game.sandbox.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
        self._number = result.ephemeral[0].id
        return result

    async def once(self, start: str) -> None:
        """Make a move by one press on the turn message, on the button whose label begins so."""
        self.taps += 1
        before, labels = await self.game.seq(), [button.label for button in self.game.turn.buttons]
        await self.game.press(self._person.name, next(label for label in labels if label.startswith(start)))
        assert await self.game.seq() == before + 1

    async def press(self, start: str) -> InteractionResult:
        """Press the button of the private message whose label begins so."""
        self.taps += 1
        label = next(label for label in self.labels if label.startswith(start))
        return await self._changed(self.game.press(self._person.name, label, self.asked))

    async def select(self, value: str) -> None:
        """Choose from the menu: open it, and tap the option."""
        self.taps += 2
        menu = self.asked.selects[0].custom_id
        await self._changed(self._person.select(self.asked, menu, [value]))

    async def _changed(self, used: Awaitable[InteractionResult]) -> InteractionResult:
        """Wait until a press is answered: by another step in this message, a form, or words."""
        before = self.asked.components
        result = await used
        assert await self.game.sandbox.world.wait_until(
            lambda: self.asked.components != before or bool(result.modal or result.ephemeral),
            timeout=PATIENCE,
        )
        return result

    async def type(self, start: str, amount: str) -> tuple[Modal, InteractionResult]:
        """Open the form, type an amount and send it."""
        modal = (await self.press(start)).modal
        assert modal is not None
        self.taps += 1
        return modal, await self._person.submit(modal, amount=amount)
