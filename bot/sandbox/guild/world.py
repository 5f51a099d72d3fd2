"""The sandbox's whole state: servers, channels, users, messages, files, commands, interactions, sample games.

This module does not depend on HTTP. The gateway, the page, and tests that wait listen for changes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.journal import Journal, MemoryStore
from bot.sandbox.message_limits import ANSWER_SECONDS
from bot.sandbox.model import EPOCH_MS, Attachment, Channel, ChannelKind, Guild, Message, User
from bot.sandbox.refusal import Json, Refusal, SandboxError, unknown_record

LATER_MESSAGE_SECONDS: Final = 0.3
GAME_IN_PREPARATION: Final = 0
"""Used in place of a channel id while a game is being prepared."""


@dataclass(slots=True)
class Interaction:
    """A user's use of a command, button, menu or modal, with the bot's response."""

    id: int
    kind: int
    user_id: int
    channel_id: int
    data: Json
    message_id: int | None = None
    shown_message: Json | None = None
    """The message with the used button or menu, as the user saw it at that time."""
    opened_by: Interaction | None = None
    """For a submitted modal: the id of the interaction that opened the modal."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    opened_at: float = field(default_factory=time.monotonic)
    response_kind: int | None = None
    """Type of the bot's first response, by Discord's number; None if it has not responded."""
    original_id: int | None = None
    message_ids: list[int] = field(default_factory=list)
    token_uses: int = 0
    """Number of times the bot has used the token after its first response."""
    modal: Json | None = None
    choices: list[Json] | None = None
    refusals: list[Refusal] = field(default_factory=list)

    def _command_steps(self) -> list[Json]:
        """JSON of the command, followed by its group and its subcommand if it has them."""
        path = [self.data]
        while (options := path[-1].get("options")) and options[0].get("type") in (1, 2):
            path.append(options[0])
        return path

    @property
    def name(self) -> str:
        """The full name of the command, such as ``game new``; empty for other interactions."""
        return " ".join(step.get("name", "") for step in self._command_steps())

    @property
    def focused_kind(self) -> int:
        """Type of the option that is being autocompleted, by Discord's number."""
        options = self._command_steps()[-1].get("options", [])
        return next((int(o["type"]) for o in options if o.get("focused")), 3)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the sandbox's state: its kind, such as ``message_create``, and the changed records."""

    kind: str
    message: Message | None = None
    channel: Channel | None = None
    interaction: Interaction | None = None
    user_id: int | None = None
    guild: Guild | None = None


@dataclass(frozen=True, slots=True)
class SampleOpening:
    """A sample game that a user can open: name, button label, and description.

    If ``command`` is given, the page types this command for the user to complete. Otherwise the sandbox opens the game.
    """

    name: str
    label: str
    text: str
    watched: bool = False
    """True for a recorded game that the user watches, False for a game that the user plays."""
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Playback:
    """Progress of a recorded game: the number of moves made, and the number of all its moves."""

    moves_made: int
    move_count: int


class SampleGames(Protocol):
    """Interface to sample games. It is implemented in the process that runs both bot and sandbox."""

    @property
    def openings(self) -> Sequence[SampleOpening]:
        """The sample games, in the order of their buttons."""

    async def open_game(self, name: str) -> int:
        """Open the sample game with this name and return its channel's id; raises SandboxError."""

    async def playback(self, channel_id: int) -> Playback | None:
        """Progress of the recorded game in a channel; None for other games, or after a move that was not recorded."""

    def has_board(self, channel_id: int) -> bool:
        """True if the game in a channel has a board page."""

    async def board_url(self, channel_id: int, user_id: int) -> str:
        """The URL of a user's board page; raises SandboxError."""

    async def make_next_moves(self, channel_id: int, move_count: int) -> None:
        """Make the next recorded moves, `move_count` in number. Raises SandboxError."""


class World:
    """All servers with their contents: stored on disk if a path is given, else in memory.

    ``answer_seconds`` is the number of seconds in which the bot must respond to an interaction.
    ``later_message_seconds`` is the number of seconds that users wait for another message if the response showed
    nothing.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        answer_seconds: float = ANSWER_SECONDS,
        later_message_seconds: float = LATER_MESSAGE_SECONDS,
    ) -> None:
        self.answer_seconds = answer_seconds
        self.later_message_seconds = later_message_seconds
        self.base_url = "http://127.0.0.1"
        self.users = {user.id: user for user in seed.seeded_users()}
        self.guilds = {guild.id: guild for guild in seed.seeded_guilds()}
        """All servers, including those that the bot has left."""
        self.channels = {channel.id: channel for channel in seed.seeded_channels()}
        self.messages: dict[int, Message] = {}
        self.commands: dict[int, list[Json]] = {}
        """Registered commands by scope: 0 for global commands, or a server's id."""
        self.creation_times_by_scope: dict[int, list[float]] = {}
        """By scope (0 or a server's id): times at which commands were created, on the monotonic clock."""
        self.interactions: dict[str, Interaction] = {}
        self.unattached_files: dict[int, Attachment] = {}
        """Files that users uploaded as command options. They belong to no message."""
        self.seen_ids_by_user: dict[int, list[int]] = {}
        """By user id: ids of the messages that pinged the user and that the user has seen."""
        self.sample_games: SampleGames | None = None
        """The interface to sample games, if any."""
        self.shown_channel_id: int | None = None
        """Id of the channel at which the page opens; GAME_IN_PREPARATION while its game is being prepared."""
        self.refusals: list[Refusal] = []
        self.privileged_intents = 0
        """Bits of the privileged intents granted to the application."""
        self.withheld_permissions = 0
        """Permission bits withheld from the bot in every channel by a test."""
        self._last_id = 0
        self._listeners: list[Callable[[Change], None]] = []
        self.store: MemoryStore = MemoryStore() if path is None else Journal(path)
        self._load()

    def _load(self) -> None:
        for (kind, object_id), value in self.store.load().items():
            if kind == "channel":
                self.channels[int(object_id)] = Channel(**_with_guild_id(value))
            elif kind == "guild":
                self.guilds[int(object_id)] = Guild.read_stored(value)
            elif kind == "message":
                attachments = [Attachment(**a) for a in value.pop("attachments")]
                self.messages[int(object_id)] = Message(**value, attachments=attachments)
            elif kind == "commands":
                self.commands[int(object_id)] = value["list"]
            elif kind == "seen":
                self.seen_ids_by_user[int(object_id)] = value["list"]
        self.messages = dict(sorted(self.messages.items()))
        self._last_id = max([0, *self.messages, *self.channels])
        for channel in self.channels.values():  # computed again, since they are not stored with every message
            self.update_counts(channel)

    def new_id(self) -> int:
        """A new snowflake, larger than all earlier ones."""
        now = (time.time_ns() // 1_000_000 - EPOCH_MS) << 22
        self._last_id = max(self._last_id + 1, now)
        return self._last_id

    # -- listening --

    def listen(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` on every change. The returned function ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, change: Change) -> None:
        """Store a change and pass it to all listeners."""
        if change.message is not None and change.kind != "message_delete":
            self.store.put("message", change.message.id, change.message)
        elif change.message is not None:
            self.store.put("message", change.message.id, None)
        if change.channel is not None:
            is_deleted = change.kind == "channel_delete"
            self.store.put("channel", change.channel.id, None if is_deleted else change.channel)
        if change.guild is not None:
            self.store.put("guild", change.guild.id, change.guild)
        for listener in tuple(self._listeners):
            listener(change)

    async def wait_until(self, condition: Callable[[], bool], *, timeout: float = 5.0) -> bool:  # noqa: ASYNC109
        """Wait until a condition, which is checked after every change, is true. False after ``timeout`` seconds."""
        change_event = asyncio.Event()
        stop_listening = self.listen(lambda _: change_event.set())
        try:
            async with asyncio.timeout(timeout):
                while not condition():
                    await change_event.wait()
                    change_event.clear()
        except TimeoutError:
            return condition()
        finally:
            stop_listening()
        return True

    def offer_games(self, sample_games: SampleGames) -> None:
        """Set the interface to sample games."""
        self.sample_games = sample_games
        self.publish(Change("bot"))

    # -- looking up --

    def channel(self, object_id: int) -> Channel:
        """The channel with this id; raises Refusal (10003) if there is none."""
        if object_id not in self.channels:
            raise unknown_record("Channel")
        return self.channels[object_id]

    def channel_named(self, name: str) -> Channel:
        """The newest channel or thread with this name; raises SandboxError if there is none."""
        channels = [c for c in self.channels.values() if c.name == name and not c.is_dm]
        if not channels:
            raise SandboxError(f"There is no channel named {name!r}.")
        return channels[-1]

    def message(self, channel_id: int, object_id: int) -> Message:
        """The message with this id in a channel; raises Refusal if there is none, or if it is ephemeral.

        Discord's channel routes do not find ephemeral messages either (docs/discord.md, messages).
        """
        self.channel(channel_id)
        message = self.messages.get(object_id)
        if message is None or message.channel_id != channel_id or message.ephemeral:
            raise unknown_record("Message")
        return message

    def user(self, object_id: int) -> User:
        """The user with this id; raises Refusal (10013) if there is none."""
        if object_id not in self.users:
            raise unknown_record("User")
        return self.users[object_id]

    def history(self, channel_id: int) -> list[Message]:
        """All messages of a channel except ephemeral ones, oldest first."""
        return [m for m in self.messages.values() if m.channel_id == channel_id and not m.ephemeral]

    def update_counts(self, channel: Channel) -> None:
        """Recompute a channel's message count, last message and pins."""
        channel_messages = self.history(channel.id)
        channel.message_count, channel.last_message_id = (
            len(channel_messages),
            channel_messages[-1].id if channel_messages else None,
        )
        channel.pins = [i for i in channel.pins if i in self.messages]

    def dm_channel_with(self, user_id: int) -> Channel:
        """The bot's direct-message channel with a user, which is created if missing."""
        self.user(user_id)
        for channel in self.channels.values():
            if channel.is_dm and channel.people == [user_id]:
                return channel
        channel = Channel(self.new_id(), ChannelKind.DM, "", people=[user_id])
        self.channels[channel.id] = channel
        self.publish(Change("channel_create", channel=channel))
        return channel

    def may_see(self, user_id: int, channel: Channel) -> bool:
        if channel.is_dm:
            return user_id in channel.people
        return bool(self.permissions(user_id, channel) & permissions.VIEW_CHANNEL)

    def permissions(self, user_id: int, channel: Channel) -> int:
        """A user's permission bits in a channel."""
        guild = self.guild_of(channel)
        if guild is None:
            return permissions.DM_PERMISSIONS if user_id in (*channel.people, seed.BOT_ID) else 0
        parent = self.channels.get(channel.parent_id or 0) if channel.is_thread else None
        held_bits = permissions.channel_permissions(guild, user_id, channel, parent)
        if user_id == seed.BOT_ID and self.withheld_permissions:
            return permissions.without_ineffective_bits(held_bits & ~self.withheld_permissions, channel)
        return held_bits

    def guild(self, object_id: int) -> Guild:
        """The server with this id; raises Refusal (10004) if there is none, or if the bot is not on it."""
        guild = self.guilds.get(object_id)
        if guild is None or seed.BOT_ID not in guild.members:
            raise unknown_record("Guild")
        return guild

    def guild_of(self, channel: Channel) -> Guild | None:
        """The server of a channel; None for direct messages."""
        return self.guilds.get(channel.guild_id or 0)

    def file(self, attachment_id: int) -> tuple[Attachment, bytes] | None:
        """The attachment with this id and its bytes; None if it was deleted."""
        data = self.store.read_file(attachment_id)
        attachments = [a for m in self.messages.values() for a in m.attachments if a.id == attachment_id]
        attachments += [a for a in self.unattached_files.values() if a.id == attachment_id]
        return (attachments[0], data) if attachments and data is not None else None

    def picture(self, attachment: Attachment) -> bytes:
        """An attachment's bytes; raises SandboxError if its message was deleted."""
        data = self.store.read_file(attachment.id)
        if data is None:
            raise SandboxError(f"{attachment.filename} is gone.")
        return data

    # -- messages that users have seen --

    def unseen_pings(self, user_id: int) -> list[Message]:
        """Messages that notified a user and that they have not seen, oldest first."""
        seen_ids = set(self.seen_ids_by_user.get(user_id, []))
        return [m for m in self.messages.values() if user_id in m.pinged and m.id not in seen_ids]

    def show_channel(self, channel_id: int) -> None:
        """Let the page open at this channel."""
        self.shown_channel_id = channel_id
        self.publish(Change("shown"))

    def mark_seen(self, user_id: int, channel_id: int) -> None:
        """Record that a user has seen all messages of a channel."""
        newly_seen_ids = [m.id for m in self.unseen_pings(user_id) if m.channel_id == channel_id]
        if newly_seen_ids:
            self.seen_ids_by_user.setdefault(user_id, []).extend(newly_seen_ids)
            self.store.put("seen", user_id, {"list": self.seen_ids_by_user[user_id]})
            self.publish(Change("seen", user_id=user_id))


def _with_guild_id(channel: Json) -> Json:
    """A stored channel with its server's id, which earlier versions did not store for the first server."""
    has_guild_id = channel["kind"] == ChannelKind.DM or channel.get("guild_id") is not None
    return channel if has_guild_id else {**channel, "guild_id": seed.GUILD_ID}
