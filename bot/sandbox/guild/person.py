"""Acting as a user of the sandbox: commands, buttons, and reading."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.sandbox.component_limits import check_picks, fill_modal, modal_inputs
from bot.sandbox.guild import messages, options, permissions, threads
from bot.sandbox.guild.interactions import InteractionKind, ResponseKind, finished, open_interaction
from bot.sandbox.guild.world import Interaction, World
from bot.sandbox.model import Channel, Message, User
from bot.sandbox.refusal import Json, SandboxError

Where = Channel | int | str
"""A channel: itself, its id or its name."""
Choice = tuple[str, str | int | float]
"""A suggestion: what is shown, and what is sent."""
NO_ANSWER = "The application did not respond"
PATIENCE = 10.0
"""Seconds to wait for a bot that has deferred."""


@dataclass(frozen=True, slots=True)
class Modal:
    """A form on the user's screen; ``fields`` are Discord's component objects, each with its label."""

    title: str
    custom_id: str
    fields: tuple[Json, ...]
    body: Json
    opened_by: Interaction


@dataclass(frozen=True, slots=True)
class InteractionResult:
    """The result of an interaction; messages are read afresh each time."""

    world: World
    interaction: Interaction
    failed: str | None = None
    """Discord's message when the bot did not answer in time."""

    @property
    def messages(self) -> list[Message]:
        """The bot's messages in answer, oldest first."""
        return [self.world.messages[i] for i in self.interaction.made if i in self.world.messages]

    @property
    def ephemeral(self) -> list[Message]:
        """Messages that only the user sees."""
        return [m for m in self.messages if m.ephemeral]

    @property
    def public(self) -> list[Message]:
        """Messages that everybody sees, without other posts of the bot."""
        return [m for m in self.messages if not m.ephemeral]

    @property
    def text(self) -> str:
        """The text of all messages made in answer."""
        return "\n".join(m.content for m in self.messages)

    @property
    def modal(self) -> Modal | None:
        """The form the bot opened, if it did."""
        body = self.interaction.modal
        if body is None:
            return None
        return Modal(body["title"], body["custom_id"], tuple(modal_inputs(body)), body, self.interaction)


@dataclass(frozen=True, slots=True)
class Person:
    """One user of the guild."""

    world: World
    user: User

    @classmethod
    def find_by_name(cls, world: World, name: str) -> Person:
        """The person of that name; a SandboxError when there is none."""
        for user in world.users.values():
            if user.name == name and not user.bot:
                return cls(world, user)
        raise SandboxError(f"No member is named {name!r}.")

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return f"<@{self.user.id}>"

    # -- reading --

    def channel(self, where: Where) -> Channel:
        """A channel visible to this user; else a SandboxError."""
        if isinstance(where, str):
            channel = self.world.channel_named(where)
        else:
            channel = where if isinstance(where, Channel) else self.world.channel(where)
        if not self.world.may_see(self.id, channel):
            raise SandboxError(f"{self.name} cannot see that channel.")
        return channel

    def may(self, channel: Channel, permission: int) -> bool:
        return bool(self.world.permissions(self.id, channel) & permission)

    def commands(self, where: Where) -> list[str]:
        """Names of the commands that are offered to this person there; doubles are listed twice."""
        channel = self.channel(where)
        offered = options.verbs(self.world, channel.guild_id)
        return [verb.name for verb in offered if options.may_use(self.world, verb, self.id, channel)]

    def messages(self, where: Where) -> list[Message]:
        """Messages that this person sees in a channel, oldest first."""
        channel = self.channel(where)
        return [
            m
            for m in self.world.messages.values()
            if m.channel_id == channel.id and m.only_for in (None, self.id)
        ]

    def direct(self) -> list[Message]:
        """The direct messages with the bot, oldest first."""
        dms = [c.id for c in self.world.channels.values() if c.is_dm and c.people == [self.id]]
        return [m for m in self.world.messages.values() if m.channel_id in dms]

    def pings(self, where: Where | None = None) -> list[Message]:
        """Messages that notified this user, everywhere or in one channel, oldest first."""
        only = None if where is None else self.channel(where).id
        return [
            m for m in self.world.messages.values() if self.id in m.pinged and only in (None, m.channel_id)
        ]

    # -- acting --

    async def slash(self, where: Where, command: str, /, **values: Any) -> InteractionResult:
        """Use a command, as ``slash("table", "game new", title="18Chesapeake")``, and wait for its result."""
        channel = self._open_channel(where)
        verb = options.verb_named(self.world, command, self.id, channel)
        data = options.fill(self.world, verb, channel, values)
        return await self._use(InteractionKind.COMMAND, channel.id, data)

    async def autocomplete(
        self, where: Where, command: str, /, *, focused: str, **values: Any
    ) -> list[Choice]:
        """Suggestions for the focused option; ``values[focused]`` is the typed text.

        None at all if the bot failed.
        """
        channel = self._open_channel(where)
        verb = options.verb_named(self.world, command, self.id, channel)
        data = options.fill(self.world, verb, channel, values, focused)
        interaction = open_interaction(self.world, InteractionKind.AUTOCOMPLETE, self.id, channel.id, data)
        await self.world.wait_until(
            lambda: interaction.choices is not None or bool(interaction.refused),
            timeout=self.world.answer_limit,
        )
        return [(c["name"], c["value"]) for c in interaction.choices or []]

    async def press(self, message: Message, button: str) -> InteractionResult:
        """Press a button by label or custom_id; a SandboxError if it is missing or disabled."""
        return await self.prepare_press(message, button)()

    def prepare_press(self, message: Message, button: str) -> Callable[[], Awaitable[InteractionResult]]:
        """A function that sends a press on the message as it is now."""
        self._check_visible(message)
        components = [b for b in message.buttons if button in (b.label, b.custom_id)]
        if not components:
            raise SandboxError(f"No button {button!r} here; there are {[b.label for b in message.buttons]}.")
        if components[0].disabled or components[0].custom_id is None:
            raise SandboxError(f"Button {button!r} cannot be pressed.")
        data: Json = {"component_type": 2, "custom_id": components[0].custom_id}
        shown = copy.deepcopy(message)
        return lambda: self._component(shown, data)

    async def press_late(self, message: Message, custom_id: str) -> InteractionResult:
        """A press on a button that the message once had."""
        self._check_visible(message)
        shown = copy.deepcopy(message)
        if custom_id not in [button.custom_id for button in message.buttons]:
            old: Json = {"type": 2, "style": 2, "label": "…", "custom_id": custom_id}
            shown.components = [{"type": 1, "components": [old]}]
        return await self._component(shown, {"component_type": 2, "custom_id": custom_id})

    async def select(self, message: Message, custom_id: str, values: Sequence[str]) -> InteractionResult:
        """Choose options of a menu by value; a SandboxError for values that are not offered."""
        self._check_visible(message)
        menu = next((s for s in message.selects if s.custom_id == custom_id), None)
        if menu is None or menu.disabled:
            raise SandboxError(f"No menu {custom_id!r} can be used here.")
        check_picks(menu, values)
        data: Json = {"component_type": 3, "custom_id": custom_id, "values": list(values)}
        return await self._component(message, data)

    async def submit(self, modal: Modal, /, **values: Any) -> InteractionResult:
        """Send a form; values by the custom_id of their field. A SandboxError for what the form does not take."""
        data: Json = {
            "custom_id": modal.custom_id,
            "components": fill_modal(modal.body, modal.fields, values),
        }
        source = modal.opened_by
        message = self.world.messages.get(source.message_id or 0)
        return await self._use(InteractionKind.MODAL, source.channel_id, data, message, source)

    def say(self, where: Where, text: str) -> Message:
        channel = self._open_channel(where)
        needed = permissions.SEND_IN_THREADS if channel.is_thread else permissions.SEND_MESSAGES
        if not channel.is_dm and not self.may(channel, needed):
            raise SandboxError(f"{self.name} may not write there.")
        return messages.post(self.world, channel, {"content": text}, (), messages.MessageOrigin(self.id))

    # -- within --

    def _open_channel(self, where: Where) -> Channel:
        channel = self.channel(where)
        if channel.is_thread and channel.archived and channel.locked:
            raise SandboxError("The thread is closed.")
        return channel

    def _check_visible(self, message: Message) -> None:
        if message.id not in self.world.messages or message.only_for not in (None, self.id):
            raise SandboxError(f"{self.name} does not see that message.")
        self._open_channel(message.channel_id)

    def _wake(self, channel: Channel) -> None:
        """Open an archived thread before a press, as Discord's client does, if permitted."""
        if not (channel.is_thread and channel.archived):
            return
        if self.id not in channel.people and not self.may(channel, permissions.MANAGE_THREADS):
            # reported, discord-api-docs #8474
            raise SandboxError(f"{self.name} is not in that thread, which is archived.")
        threads.change(self.world, channel, {"archived": False})

    async def _component(self, message: Message, data: Json) -> InteractionResult:
        self._wake(self.channel(message.channel_id))
        return await self._use(InteractionKind.COMPONENT, message.channel_id, data, message)

    async def _use(
        self,
        kind: InteractionKind,
        channel_id: int,
        data: Json,
        message: Message | None = None,
        opened_by: Interaction | None = None,
    ) -> InteractionResult:
        """Open an interaction and wait for its result."""
        world = self.world
        interaction = open_interaction(world, kind, self.id, channel_id, data, message, opened_by)
        limit = max(0.0, world.answer_limit) + 0.05
        if not await world.wait_until(lambda: interaction.answer is not None, timeout=limit):
            return InteractionResult(world, interaction, NO_ANSWER)
        silent = interaction.answer == ResponseKind.DEFER_UPDATE
        done = await world.wait_until(
            lambda: finished(world, interaction), timeout=world.grace if silent else PATIENCE
        )
        if not done and not silent:
            return InteractionResult(world, interaction, "The bot is still thinking")
        return InteractionResult(world, interaction)
