"""A player who knows only what Discord shows: reads the turn message, presses buttons, types commands."""

import random
import re
from dataclasses import dataclass

from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.guild.person import Person
from bot.sandbox.model import Message
from bot.sandbox.server import LoopbackServer
from tests.bot.support.records import turn_part

CHOICES = (
    r"^Take a card",
    r"^Buy for \$\d+: ",
    r"^Agree",
    r"^(Give up|Discard) ",
    r" at \$95$",
    r"^Start a company",
    r"^Buy .* from the",
    r"^Lay track …",
    r"^Token in",
    r"^(Best run|Run \$)",
    r"^Pay out \$",
    r"train from the bank",
    r"^(Pass|Done|End the turn|Place no token|Leave)",
    r"^Issue \d",
    r"^(Buy a train|Sell shares|Declare)",
)
IN_THE_AUCTION_ONLY = CHOICES[1]
COMMANDS = {"Pass": "pass", "Pay out $": "pay", "Best run": "run"}
"""Buttons that have a command without parameters, which is used now and then instead."""


@dataclass
class Players:
    """Everybody at one table, acting in turn."""

    server: LoopbackServer
    thread: int
    names: tuple[str, ...]
    chance: random.Random

    def turn(self) -> Message | None:
        newest_first = reversed(self.server.world.messages.values())
        return next((m for m in newest_first if self._is_turn(m)), None)

    def _is_turn(self, message: Message) -> bool:
        """Private messages to one person have buttons, too."""
        return message.channel_id == self.thread and not message.ephemeral and bool(position(message))

    def over(self) -> bool:
        return self.server.world.channel(self.thread).archive_minutes == HOUR_MINUTES

    def actor(self, turn: Message) -> Person:
        for name in self.names:
            person = self.server.person(name)
            if turn_part(turn).startswith((person.mention, f"**{name}**")):
                return person
        raise AssertionError(turn.content)

    async def act(self, turn: Message) -> None:
        """One move of the acting player."""
        labels = [button.label for button in turn.buttons]
        choice, label = self._wanted(labels)
        person = self.actor(turn)
        if choice.startswith("^Lay"):
            await self._typed(person, "lay", "hex", "tile", "rotation")
        elif choice.startswith("^Start"):
            await self._typed(person, "par", "company", "price")
        elif label.endswith("…"):
            await self._menus(person, turn, label)
        elif self.chance.random() < 0.3 and (command := _command(label)):
            result = await person.slash(self.thread, command)
            if command == "run":
                await person.press(result.ephemeral[0], label)
        else:
            pressed = await person.press(turn, label)
            for question in pressed.ephemeral:
                await person.press(question, question.buttons[0].label)

    def _wanted(self, labels: list[str]) -> tuple[str, str]:
        auction = any(label.startswith("Bid") for label in labels)
        for choice in CHOICES:
            if choice == IN_THE_AUCTION_ONLY and not auction:
                continue  # elsewhere these buttons buy privates for companies
            for label in labels:
                if re.search(choice, label):
                    return choice, label
        raise AssertionError(labels)

    async def _typed(self, person: Person, command: str, *names: str) -> None:
        """A command whose every option is taken from what autocomplete offers."""
        values: dict[str, str | int | float] = {}
        for name in names:
            offered = await person.autocomplete(self.thread, command, focused=name, **{**values, name: ""})
            assert offered, (command, name, values)
            values[name] = offered[-1][1] if name == "price" else self.chance.choice(offered)[1]
        await person.slash(self.thread, command, **values)

    async def _menus(self, person: Person, turn: Message, label: str) -> None:
        """A move by private menus; the last choice of each costs the most, or sells the most."""
        pressed = await person.press(turn, label)
        # The menu may come a moment after the press is answered.
        await self.server.world.wait_until(
            lambda: bool(pressed.ephemeral) or self.over() or self.turn() is not turn
        )
        if not pressed.ephemeral:
            return  # too late
        number = pressed.ephemeral[0].id
        while not (make := _button(self.server.world.messages[number], "c")):
            await self._choose(person, self.server.world.messages[number])
        await person.press(self.server.world.messages[number], make)

    async def _choose(self, person: Person, menu: Message) -> None:
        """Answer the question of a private message, and wait for what comes next."""
        asked = menu.components
        if menu.selects:
            await person.select(menu, menu.selects[0].custom_id, [menu.selects[0].options[-1][1]])
        else:
            choice = _button(menu, "p")
            assert choice, menu.content
            await person.press(menu, choice)
        assert await self.server.world.wait_until(lambda: menu.components != asked)


def _button(message: Message, kind: str) -> str:
    """The id of the last button of a kind that does not lead back; empty if there is none."""
    there = [button.custom_id or "" for button in message.buttons if button.label != "Back"]
    return next((number for number in reversed(there) if number.startswith(f"{kind}:")), "")


def position(message: Message) -> int:
    """The number of the log row after which a turn message was made; 0 if it is none."""
    for button in message.buttons:
        found = re.fullmatch(r"[guw]:\d+:(\d+)(:.*)?", button.custom_id or "")
        if found:
            return int(found[1])
    return 0


def _command(label: str) -> str | None:
    return next((command for start, command in COMMANDS.items() if label.startswith(start)), None)
