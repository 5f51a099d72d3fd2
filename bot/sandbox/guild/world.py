"""The sandbox's state: guilds, channels, users, messages, files, commands, interactions, sample games.

Independent of HTTP. The gateway, the page and waiting tests listen for changes.
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
from bot.sandbox.refusal import Json, Refusal, SandboxError, unknown

GRACE_SECONDS: Final = 0.3
GAME_COMING: Final = 0
"""Channel id that stands for a game still being prepared."""


@dataclass(slots=True)
class Interaction:
    """One use of a command, button, menu or form, with its answer."""

    id: int
    kind: int
    user_id: int
    channel_id: int
    data: Json
    message_id: int | None = None
    shown_message: Json | None = None
    """The message it was made on, as the person saw it."""
    opened_by: Interaction | None = None
    """The interaction that opened the submitted form."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    opened_at: float = field(default_factory=time.monotonic)
    answer: int | None = None
    """Type of the first response, as Discord numbers them; None while there is none."""
    original_id: int | None = None
    message_ids: list[int] = field(default_factory=list)
    token_uses: int = 0
    """Number of times the bot used the token after its first response."""
    modal: Json | None = None
    choices: list[Json] | None = None
    refusals: list[Refusal] = field(default_factory=list)

    def _command_steps(self) -> list[Json]:
        """The command, group and sub-command, each with its options."""
        path = [self.data]
        while (options := path[-1].get("options")) and options[0].get("type") in (1, 2):
            path.append(options[0])
        return path

    @property
    def name(self) -> str:
        """The full name of the command; empty for other interactions."""
        return " ".join(step.get("name", "") for step in self._command_steps())

    @property
    def focused_kind(self) -> int:
        """The type of the option being typed."""
        options = self._command_steps()[-1].get("options", [])
        return next((int(o["type"]) for o in options if o.get("focused")), 3)


@dataclass(frozen=True, slots=True)
class Change:
    """A change: its kind (as ``message_create``) and the records concerned."""

    kind: str
    message: Message | None = None
    channel: Channel | None = None
    interaction: Interaction | None = None
    user_id: int | None = None
    guild: Guild | None = None


@dataclass(frozen=True, slots=True)
class SampleOpening:
    """A sample opening: name, button, and description.

    ``command`` is typed for the person, who fills in the rest; without one the sandbox is asked to begin
    it.
    """

    name: str
    label: str
    text: str
    watched: bool = False
    """True for a game to watch, not to play."""
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Playback:
    """Progress of a recorded game: moves made, out of all."""

    made: int
    moves: int


class SampleGames(Protocol):
    """The process that runs bot and sandbox, which can open sample games."""

    @property
    def openings(self) -> Sequence[SampleOpening]:
        """The sample openings, in order of the greeting's buttons."""

    async def open_game(self, name: str) -> int:
        """Open an opening's game; returns its channel. Raises SandboxError."""

    async def playback(self, channel_id: int) -> Playback | None:
        """Progress of a channel's recorded game; None without one, or after another move."""

    def has_board(self, channel_id: int) -> bool:
        """True if a channel's game has a board page."""

    async def board_url(self, channel_id: int, user_id: int) -> str:
        """The board page's URL for a user. Raises SandboxError."""

    async def make_next_moves(self, channel_id: int, moves: int) -> None:
        """Make the next recorded moves. Raises SandboxError."""


class World:
    """All guilds with their contents, kept on disk if a path is given, else in memory.

    ``answer_limit`` is how many seconds the bot has for the first response to an interaction, ``grace`` how
    many seconds people look for more after a response that showed nothing.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        answer_limit: float = ANSWER_SECONDS,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self.answer_limit = answer_limit
        self.grace = grace
        self.base_url = "http://127.0.0.1"
        self.users = {user.id: user for user in seed.seeded_users()}
        self.guilds = {guild.id: guild for guild in seed.seeded_guilds()}
        """Every server, also those that the bot has left."""
        self.channels = {channel.id: channel for channel in seed.seeded_channels()}
        self.messages: dict[int, Message] = {}
        self.commands: dict[int, list[Json]] = {}
        """Synced commands: key 0 for the global ones, else a guild id."""
        self.creations: dict[int, list[float]] = {}
        """Monotonic times of the creation of commands, by the same key."""
        self.interactions: dict[str, Interaction] = {}
        self.loose_files: dict[int, Attachment] = {}
        """Files given to a command's option; they belong to no message."""
        self.seen: dict[int, list[int]] = {}
        """Ids of pinging messages that each user has looked at, by user id."""
        self.sample_games: SampleGames | None = None
        """The source of sample games, if any."""
        self.shown: int | None = None
        """The channel of the game that the page opens at; COMING while there is none yet."""
        self.refusals: list[Refusal] = []
        self.privileged = 0
        """Intents, as bits, that the application was granted in addition to those that all have."""
        self.withheld = 0
        """Permissions, as bits, that the bot lacks in every channel."""
        self._last = 0
        self._listeners: list[Callable[[Change], None]] = []
        self.store: MemoryStore = MemoryStore() if path is None else Journal(path)
        self._load()

    def _load(self) -> None:
        for (kind, ident), value in self.store.load().items():
            if kind == "channel":
                self.channels[int(ident)] = Channel(**_with_guild_id(value))
            elif kind == "guild":
                self.guilds[int(ident)] = Guild.read_stored(value)
            elif kind == "message":
                files = [Attachment(**a) for a in value.pop("attachments")]
                self.messages[int(ident)] = Message(**value, attachments=files)
            elif kind == "commands":
                self.commands[int(ident)] = value["list"]
            elif kind == "seen":
                self.seen[int(ident)] = value["list"]
        self.messages = dict(sorted(self.messages.items()))
        self._last = max([0, *self.messages, *self.channels])
        for channel in self.channels.values():  # counted again rather than saved with every message
            self.update_counts(channel)

    def new_id(self) -> int:
        """A fresh snowflake, larger than every earlier one."""
        now = (time.time_ns() // 1_000_000 - EPOCH_MS) << 22
        self._last = max(self._last + 1, now)
        return self._last

    # -- listening --

    def listen(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` on every change; the returned function stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, change: Change) -> None:
        """Store a change and notify all listeners."""
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
        """Wait for a condition, checked after every change; False after the timeout."""
        changed = asyncio.Event()
        stop_listening = self.listen(lambda _: changed.set())
        try:
            async with asyncio.timeout(timeout):
                while not condition():
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            return condition()
        finally:
            stop_listening()
        return True

    def offer_games(self, sample_games: SampleGames) -> None:
        """Register a process with sample games."""
        self.sample_games = sample_games
        self.publish(Change("bot"))

    # -- looking up --

    def channel(self, ident: int) -> Channel:
        """The channel of that id; refused as 10003 when there is none."""
        if ident not in self.channels:
            raise unknown("Channel")
        return self.channels[ident]

    def channel_named(self, name: str) -> Channel:
        """The channel or thread of that name (the newest, if several); a SandboxError when there is none."""
        channels = [c for c in self.channels.values() if c.name == name and not c.is_dm]
        if not channels:
            raise SandboxError(f"There is no channel named {name!r}.")
        return channels[-1]

    def message(self, channel_id: int, ident: int) -> Message:
        """A message for channel routes; ephemeral ones do not exist there (docs/discord.md, messages)."""
        self.channel(channel_id)
        message = self.messages.get(ident)
        if message is None or message.channel_id != channel_id or message.ephemeral:
            raise unknown("Message")
        return message

    def user(self, ident: int) -> User:
        """The user of that id; refused as 10013 when there is none."""
        if ident not in self.users:
            raise unknown("User")
        return self.users[ident]

    def history(self, channel_id: int) -> list[Message]:
        """All messages of a channel that are not ephemeral, oldest first."""
        return [m for m in self.messages.values() if m.channel_id == channel_id and not m.ephemeral]

    def update_counts(self, channel: Channel) -> None:
        """Update a channel's message count, last message and pins."""
        channel_messages = self.history(channel.id)
        channel.message_count, channel.last_message_id = (
            len(channel_messages),
            channel_messages[-1].id if channel_messages else None,
        )
        channel.pins = [i for i in channel.pins if i in self.messages]

    def dm_with(self, user_id: int) -> Channel:
        """The direct channel of the bot and a user, created if missing."""
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
        """A user's permissions in a channel, as bits."""
        guild = self.guild_of(channel)
        if guild is None:
            return permissions.DM_PERMISSIONS if user_id in (*channel.people, seed.BOT_ID) else 0
        parent = self.channels.get(channel.parent_id or 0) if channel.is_thread else None
        held_bits = permissions.channel_permissions(guild, user_id, channel, parent)
        if user_id == seed.BOT_ID and self.withheld:
            return permissions.without_implied(held_bits & ~self.withheld, channel)
        return held_bits

    def guild(self, ident: int) -> Guild:
        """The server of that id; refused as 10004 when there is none in which the bot is."""
        guild = self.guilds.get(ident)
        if guild is None or seed.BOT_ID not in guild.members:
            raise unknown("Guild")
        return guild

    def guild_of(self, channel: Channel) -> Guild | None:
        """The server of a channel; None for direct conversations."""
        return self.guilds.get(channel.guild_id or 0)

    def file(self, ident: int) -> tuple[Attachment, bytes] | None:
        """A file by its id, with its bytes; None when it is gone."""
        data = self.store.read_file(ident)
        attachments = [a for m in self.messages.values() for a in m.attachments if a.id == ident]
        attachments += [a for a in self.loose_files.values() if a.id == ident]
        return (attachments[0], data) if attachments and data is not None else None

    def picture(self, attachment: Attachment) -> bytes:
        """The bytes of an attachment of a message that still exists; a SandboxError otherwise."""
        data = self.store.read_file(attachment.id)
        if data is None:
            raise SandboxError(f"{attachment.filename} is gone.")
        return data

    # -- what people have looked at --

    def unseen_pings(self, user_id: int) -> list[Message]:
        """Pings that a user has not looked at yet, oldest first."""
        seen_ids = set(self.seen.get(user_id, []))
        return [m for m in self.messages.values() if user_id in m.pinged and m.id not in seen_ids]

    def show_channel(self, channel_id: int) -> None:
        """Open the page at this channel."""
        self.shown = channel_id
        self.publish(Change("shown"))

    def mark_seen(self, user_id: int, channel_id: int) -> None:
        """Record that a user looked at a channel."""
        newly_seen = [m.id for m in self.unseen_pings(user_id) if m.channel_id == channel_id]
        if newly_seen:
            self.seen.setdefault(user_id, []).extend(newly_seen)
            self.store.put("seen", user_id, {"list": self.seen[user_id]})
            self.publish(Change("seen", user_id=user_id))


def _with_guild_id(channel: Json) -> Json:
    """A stored channel with its guild; old files lack the seeded guild's id."""
    known = channel["kind"] == ChannelKind.DM or channel.get("guild_id") is not None
    return channel if known else {**channel, "guild_id": seed.GUILD_ID}
