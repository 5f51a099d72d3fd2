"""The stored records: servers, channels, messages and users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum, IntFlag

from bot.sandbox.refusal import Json

EPOCH_MS = 1_420_070_400_000
"""Milliseconds from 1970 to the start of 2015, the epoch of snowflake ids."""


class ChannelKind(IntEnum):
    """Channel types of the sandbox, by Discord's numbers."""

    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


THREAD_KINDS = (ChannelKind.ANNOUNCEMENT_THREAD, ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)
VOICE_KINDS = (ChannelKind.VOICE, ChannelKind.STAGE)
EMBED_PICTURE_FIELDS = (
    ("image", "url"),
    ("thumbnail", "url"),
    ("author", "icon_url"),
    ("footer", "icon_url"),
)
"""Fields of an embed that contain a picture's URL."""
REQUIRE_TAG_FLAG = 1 << 4
"""Channel flag of a forum in which each post must have a tag."""


class MessageKind(IntEnum):
    """Message types of the sandbox, by Discord's numbers."""

    DEFAULT = 0
    MEMBER_ADDED = 1
    THREAD_RENAMED = 4
    MESSAGE_PINNED = 6
    THREAD_CREATED = 18
    COMMAND = 20
    THREAD_STARTER = 21


class MessageFlag(IntFlag):
    """Message flags of the sandbox, by Discord's numbers."""

    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SILENT = 1 << 12


@dataclass(slots=True)
class User:
    """A user, or the bot."""

    id: int
    name: str
    bot: bool = False
    refuses_dms: bool = False
    """True if the user accepts no direct messages."""


@dataclass(slots=True)
class Attachment:
    """A file of a message. Its bytes are stored separately under the same id."""

    id: int
    filename: str
    size: int
    content_type: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file: name, bytes, and alternative text."""

    filename: str
    data: bytes
    description: str | None = None


@dataclass(slots=True)
class Channel:
    """A channel of a server, a thread, or a direct-message channel."""

    id: int
    kind: int
    name: str
    guild_id: int | None = None
    parent_id: int | None = None
    owner_id: int | None = None
    topic: str | None = None
    flags: int = 0
    overwrites: dict[str, list[int]] = field(default_factory=dict)
    """Allowed and denied permission bits, by the id of a role or user."""
    tags: list[Json] = field(default_factory=list)
    """The tags that a forum offers for its posts."""
    applied_tags: list[str] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    """Members of a thread, or the one user of a direct-message channel."""
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    archive_minutes: int = 4320
    archive_changed: str = ""
    pins: list[int] = field(default_factory=list)
    last_message_id: int | None = None
    message_count: int = 0

    @property
    def is_thread(self) -> bool:
        return self.kind in THREAD_KINDS

    @property
    def is_dm(self) -> bool:
        return self.kind == ChannelKind.DM


@dataclass(frozen=True, slots=True)
class Button:
    """A button of a message."""

    label: str
    custom_id: str | None
    url: str | None
    style: int
    disabled: bool


SELECT_TYPES = (3, 6, 8)
"""Component types of text, role and channel select menus, by Discord's numbers."""


@dataclass(frozen=True, slots=True)
class Select:
    """A select menu of a message. Options are pairs of label and value; role and channel menus have none."""

    custom_id: str
    placeholder: str
    options: tuple[tuple[str, str], ...]
    min_values: int
    max_values: int
    disabled: bool
    chosen: tuple[str, ...] = ()
    """The values that are selected by default."""


@dataclass(slots=True)
class Message:
    """A stored message. Discord's message object is made from it by `message_json`."""

    id: int
    channel_id: int
    author_id: int
    content: str = ""
    kind: int = MessageKind.DEFAULT
    flags: int = 0
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinged: list[int] = field(default_factory=list)
    """Users whom the message pinged when it was posted. Edits ping nobody (docs/discord.md, messages)."""
    only_for: int | None = None
    """The user who sees an ephemeral message; None for messages that everybody sees."""
    edited: str | None = None
    nonce: str | None = None
    pinned: bool = False
    thread_id: int | None = None
    reference: Json | None = None
    interaction_id: int | None = None
    interaction_kind: int = 0
    interaction_user_id: int | None = None
    interaction_name: str = ""
    interaction_message_id: int | None = None
    """If this message responds to a click, the message with the clicked button or menu."""
    interaction_opened_by: int | None = None
    """If this message responds to a submitted modal, the interaction that opened the modal."""

    @property
    def ephemeral(self) -> bool:
        return self.only_for is not None

    @property
    def loading(self) -> bool:
        """True while the message shows "thinking"."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def timestamp(self) -> str:
        """The time at which the message was posted (ISO 8601), taken from its id."""
        return iso_time_of_id(self.id)

    @property
    def embedded_file_names(self) -> set[str]:
        """Names of the attachments shown by the message's embeds."""
        return embedded_file_names_in(self.embeds)

    @property
    def buttons(self) -> list[Button]:
        """All buttons of the message, in reading order."""
        return [
            Button(
                label=c.get("label") or "",
                custom_id=c.get("custom_id"),
                url=c.get("url"),
                style=c.get("style", 2),
                disabled=bool(c.get("disabled")),
            )
            for c in walk_components(self.components)
            if c.get("type") == 2
        ]

    @property
    def selects(self) -> list[Select]:
        """All select menus of the message, in reading order."""
        return [parse_select(c) for c in walk_components(self.components) if c.get("type") in SELECT_TYPES]


def parse_select(component: Json) -> Select:
    """The select menu described by a component's JSON."""
    return Select(
        custom_id=component["custom_id"],
        placeholder=component.get("placeholder") or "",
        options=tuple((o["label"], o["value"]) for o in component.get("options", [])),
        min_values=component.get("min_values", 1),
        max_values=component.get("max_values", 1),
        disabled=bool(component.get("disabled")),
        chosen=tuple(
            [o["value"] for o in component.get("options", []) if o.get("default")]
            + [str(default_value["id"]) for default_value in component.get("default_values") or []]
        ),
    )


def walk_components(components: list[Json]) -> Iterator[Json]:
    """All components in a tree. A container comes before its children."""
    for component in components:
        yield component
        yield from walk_components(component.get("components", []))


def embedded_file_names_in(embeds: list[Json]) -> set[str]:
    """Names of the attachments that embeds show, which Discord does not list otherwise (discord-api-docs #8279)."""
    urls = [
        (embed.get(embed_part) or {}).get(key) or ""
        for embed in embeds
        for embed_part, key in EMBED_PICTURE_FIELDS
    ]
    return {url.removeprefix("attachment://") for url in urls if url.startswith("attachment://")}


def iso_time_of_id(snowflake: int) -> str:
    """The time contained in a snowflake id (ISO 8601 in UTC)."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC).isoformat()


def iso_time_now() -> str:
    """The current time (ISO 8601 in UTC)."""
    return datetime.now(UTC).isoformat()


@dataclass(slots=True)
class Role:
    """A role; ``permissions`` are bits. The role that all members have has the server's id."""

    id: int
    name: str
    permissions: int
    managed: bool = False
    """True if the role was created by a bot's invitation."""
    mentionable: bool = False


@dataclass(slots=True)
class Guild:
    """A server: owner, roles, and members with the ids of their roles."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)

    def roles_of(self, user_id: int) -> list[int]:
        """The ids of a member's roles. The role that all members have comes first."""
        return [self.id, *self.members.get(user_id, [])]

    @classmethod
    def read_stored(cls, stored_guild: Json) -> Guild:
        """A server from stored JSON, whose keys are strings instead of ids."""
        roles = [Role(**role) for role in stored_guild["roles"].values()]
        members = {int(user): list(role_ids) for user, role_ids in stored_guild["members"].items()}
        return cls(
            stored_guild["id"],
            stored_guild["name"],
            stored_guild["owner_id"],
            {role.id: role for role in roles},
            members,
        )
