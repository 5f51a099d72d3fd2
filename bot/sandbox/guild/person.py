"""A user of the sandbox, who reads messages and uses commands, buttons, menus and modals."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.sandbox.component_limits import check_picked_values, filled_modal_components, modal_inputs
from bot.sandbox.guild import messages, options, permissions, threads
from bot.sandbox.guild.interactions import InteractionKind, ResponseKind, has_bot_answered, open_interaction
from bot.sandbox.guild.pickers import picker_options, picker_with_id
from bot.sandbox.guild.world import Interaction, World
from bot.sandbox.model import Channel, Message, User
from bot.sandbox.refusal import Json, SandboxError

ChannelRef = Channel | int | str
"""A channel record, or a channel's id or name."""
Suggestion = tuple[str, str | int | float]
"""An autocomplete suggestion: shown text and value."""
NO_ANSWER_TEXT = "The application did not respond"
DEFERRED_ANSWER_SECONDS = 10.0
"""Seconds to wait for the bot's message after it has deferred its response."""


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal shown to a user; ``fields`` are Discord's component objects, each with its label."""

    title: str
    custom_id: str
    fields: tuple[Json, ...]
    body: Json
    opened_by: Interaction


@dataclass(frozen=True, slots=True)
class InteractionResult:
    """The result of an interaction. Its messages are looked up on each access, so later edits are visible."""

    world: World
    interaction: Interaction
    failure_text: str | None = None
    """Discord's error message if the bot did not respond in time, else None."""

    @property
    def messages(self) -> list[Message]:
        """The bot's messages in response to the interaction that still exist, oldest first."""
        return [self.world.messages[i] for i in self.interaction.message_ids if i in self.world.messages]

    @property
    def ephemeral(self) -> list[Message]:
        """The ephemeral messages in response, which only the user sees."""
        return [m for m in self.messages if m.ephemeral]

    @property
    def public(self) -> list[Message]:
        """The messages in response that everyone in the channel sees."""
        return [m for m in self.messages if not m.ephemeral]

    @property
    def text(self) -> str:
        """The text of all messages in response, joined by line breaks."""
        return "\n".join(m.content for m in self.messages)

    @property
    def modal(self) -> Modal | None:
        """The modal that the bot opened in response; None if it opened none."""
        body = self.interaction.modal
        if body is None:
            return None
        return Modal(body["title"], body["custom_id"], tuple(modal_inputs(body)), body, self.interaction)


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the sandbox. A test, or the page, acts as this user."""

    world: World
    user: User

    @classmethod
    def find_by_name(cls, world: World, name: str) -> Person:
        """The user with this name; raises SandboxError if there is none."""
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

    def channel(self, channel_ref: ChannelRef) -> Channel:
        """The channel with this record, id or name; raises SandboxError if the user cannot see it."""
        if isinstance(channel_ref, str):
            channel = self.world.channel_named(channel_ref)
        else:
            channel = channel_ref if isinstance(channel_ref, Channel) else self.world.channel(channel_ref)
        if not self.world.may_see(self.id, channel):
            raise SandboxError(f"{self.name} cannot see that channel.")
        return channel

    def has_permission(self, channel: Channel, permission: int) -> bool:
        return bool(self.world.permissions(self.id, channel) & permission)

    def commands(self, channel_ref: ChannelRef) -> list[str]:
        """Full names of the commands that Discord offers this user in a channel. A name can occur twice."""
        channel = self.channel(channel_ref)
        offered_commands = options.list_commands(self.world, channel.guild_id)
        return [
            command.name
            for command in offered_commands
            if options.may_use(self.world, command, self.id, channel)
        ]

    def messages(self, channel_ref: ChannelRef) -> list[Message]:
        """The messages in a channel that this user can see, oldest first."""
        channel = self.channel(channel_ref)
        return [
            m
            for m in self.world.messages.values()
            if m.channel_id == channel.id and m.only_for in (None, self.id)
        ]

    def direct_messages(self) -> list[Message]:
        """The user's direct messages with the bot, oldest first."""
        dm_ids = [c.id for c in self.world.channels.values() if c.is_dm and c.people == [self.id]]
        return [m for m in self.world.messages.values() if m.channel_id in dm_ids]

    def pings(self, channel_ref: ChannelRef | None = None) -> list[Message]:
        """The messages that notified this user, in all channels or in one, oldest first."""
        only_channel_id = None if channel_ref is None else self.channel(channel_ref).id
        return [
            m
            for m in self.world.messages.values()
            if self.id in m.pinged and only_channel_id in (None, m.channel_id)
        ]

    # -- acting --

    async def slash(self, channel_ref: ChannelRef, command: str, /, **values: Any) -> InteractionResult:
        """Use a slash command and wait for its result: ``slash("table", "game new", title="18Chesapeake")``."""
        channel = self._writable_channel(channel_ref)
        usable_command = options.find_command(self.world, command, self.id, channel)
        data = options.command_interaction_data(self.world, usable_command, channel, values)
        return await self._run_interaction(InteractionKind.COMMAND, channel.id, data)

    async def autocomplete(
        self, channel_ref: ChannelRef, command: str, /, *, focused: str, **values: Any
    ) -> list[Suggestion]:
        """Autocomplete suggestions for the option `focused`, whose typed text is ``values[focused]``.

        Empty if the bot does not respond.
        """
        channel = self._writable_channel(channel_ref)
        usable_command = options.find_command(self.world, command, self.id, channel)
        data = options.command_interaction_data(self.world, usable_command, channel, values, focused)
        interaction = open_interaction(self.world, InteractionKind.AUTOCOMPLETE, self.id, channel.id, data)
        await self.world.wait_until(
            lambda: interaction.choices is not None or bool(interaction.refusals),
            timeout=self.world.answer_seconds,
        )
        return [(c["name"], c["value"]) for c in interaction.choices or []]

    async def press(self, message: Message, button: str) -> InteractionResult:
        """Press the button with this label or custom_id. Raises SandboxError if it is missing or disabled."""
        return await self.prepare_press(message, button)()

    def prepare_press(self, message: Message, button: str) -> Callable[[], Awaitable[InteractionResult]]:
        """A function that presses the message's button. The message may change before the function is called."""
        self._check_visible(message)
        matching_buttons = [b for b in message.buttons if button in (b.label, b.custom_id)]
        if not matching_buttons:
            raise SandboxError(f"No button {button!r} here; there are {[b.label for b in message.buttons]}.")
        if matching_buttons[0].disabled or matching_buttons[0].custom_id is None:
            raise SandboxError(f"Button {button!r} cannot be pressed.")
        data: Json = {"component_type": 2, "custom_id": matching_buttons[0].custom_id}
        shown_message = copy.deepcopy(message)
        return lambda: self._use_component(shown_message, data)

    async def press_removed_button(self, message: Message, custom_id: str) -> InteractionResult:
        """Press a button that the message may no longer have, like a user who still sees the old message."""
        self._check_visible(message)
        shown_message = copy.deepcopy(message)
        if custom_id not in [button.custom_id for button in message.buttons]:
            old_button: Json = {"type": 2, "style": 2, "label": "…", "custom_id": custom_id}
            shown_message.components = [{"type": 1, "components": [old_button]}]
        return await self._use_component(shown_message, {"component_type": 2, "custom_id": custom_id})

    async def select(self, message: Message, custom_id: str, values: Sequence[str]) -> InteractionResult:
        """Choose values in a select menu. Raises SandboxError for values that the menu does not have."""
        self._check_visible(message)
        menu = next((s for s in message.selects if s.custom_id == custom_id), None)
        if menu is None or menu.disabled:
            raise SandboxError(f"No menu {custom_id!r} can be used here.")
        picker = picker_with_id(message.components, custom_id)
        if picker is not None:
            entries = picker_options(self.world, self.channel(message.channel_id), picker)
            menu = replace(menu, options=tuple((entry["label"], entry["value"]) for entry in entries))
        check_picked_values(menu, values)
        kind = 3 if picker is None else picker["type"]
        data: Json = {"component_type": kind, "custom_id": custom_id, "values": list(values)}
        return await self._use_component(message, data)

    async def submit(self, modal: Modal, /, **values: Any) -> InteractionResult:
        """Submit a modal with values by custom_id. Raises SandboxError if a field does not accept its value."""
        data: Json = {
            "custom_id": modal.custom_id,
            "components": filled_modal_components(modal.body, modal.fields, values),
        }
        form_interaction = modal.opened_by
        message = self.world.messages.get(form_interaction.message_id or 0)
        return await self._run_interaction(
            InteractionKind.MODAL, form_interaction.channel_id, data, message, form_interaction
        )

    def say(self, channel_ref: ChannelRef, text: str) -> Message:
        channel = self._writable_channel(channel_ref)
        needed_permission = permissions.SEND_IN_THREADS if channel.is_thread else permissions.SEND_MESSAGES
        if not channel.is_dm and not self.has_permission(channel, needed_permission):
            raise SandboxError(f"{self.name} may not write there.")
        return messages.post(self.world, channel, {"content": text}, (), messages.MessageOrigin(self.id))

    # -- private --

    def _writable_channel(self, channel_ref: ChannelRef) -> Channel:
        channel = self.channel(channel_ref)
        if channel.is_thread and channel.archived and channel.locked:
            raise SandboxError("The thread is closed.")
        return channel

    def _check_visible(self, message: Message) -> None:
        if message.id not in self.world.messages or message.only_for not in (None, self.id):
            raise SandboxError(f"{self.name} does not see that message.")
        self._writable_channel(message.channel_id)

    def _reopen_archived(self, channel: Channel) -> None:
        """Reopen an archived thread before a button in it is pressed, as Discord's client does if the user may."""
        if not (channel.is_thread and channel.archived):
            return
        if self.id not in channel.people and not self.has_permission(channel, permissions.MANAGE_THREADS):
            # reported in discord-api-docs #8474
            raise SandboxError(f"{self.name} is not in that thread, which is archived.")
        threads.change_channel(self.world, channel, {"archived": False})

    async def _use_component(self, message: Message, data: Json) -> InteractionResult:
        self._reopen_archived(self.channel(message.channel_id))
        return await self._run_interaction(InteractionKind.COMPONENT, message.channel_id, data, message)

    async def _run_interaction(
        self,
        kind: InteractionKind,
        channel_id: int,
        data: Json,
        message: Message | None = None,
        opened_by: Interaction | None = None,
    ) -> InteractionResult:
        world = self.world
        interaction = open_interaction(world, kind, self.id, channel_id, data, message, opened_by)
        limit_seconds = max(0.0, world.answer_seconds) + 0.05
        if not await world.wait_until(lambda: interaction.response_kind is not None, timeout=limit_seconds):
            return InteractionResult(world, interaction, NO_ANSWER_TEXT)
        is_silent = interaction.response_kind == ResponseKind.DEFER_UPDATE
        is_finished = await world.wait_until(
            lambda: has_bot_answered(world, interaction),
            timeout=world.later_message_seconds if is_silent else DEFERRED_ANSWER_SECONDS,
        )
        if not is_finished and not is_silent:
            return InteractionResult(world, interaction, "The bot is still thinking")
        return InteractionResult(world, interaction)
