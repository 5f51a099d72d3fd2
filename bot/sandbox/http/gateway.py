"""Discord's gateway: sessions that can be resumed, and events selected by each client's intents."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox.guild import seed
from bot.sandbox.guild.wire import (
    channel_json,
    guild_core_json,
    guild_json,
    interaction_json,
    member_json,
    message_json,
    role_json,
    thread_member_json,
    user_json,
)
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import Channel, Guild, Message
from bot.sandbox.refusal import Json

GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, DM_MESSAGES, MESSAGE_CONTENT = 1 << 0, 1 << 1, 1 << 9, 1 << 12, 1 << 15
"""Bits of gateway intents (docs.discord.com, "Gateway Intents")."""
Events = Iterator[tuple[str, Json]]
PRIVILEGED_INTENTS = 1 << 1 | 1 << 8 | 1 << 15
"""Intent bits that must be granted to the application: members, presences, message content."""
_MAX_REPLAYED_EVENTS = 1000
"""Number of past events that a session keeps, so that they can be replayed after a resume."""
_ACK_DELAY_SECONDS = 0.05
"""Seconds before a heartbeat is acknowledged."""
_HEARTBEAT_MS = 41_250
SendFrame = Callable[[web.WebSocketResponse, Json], Awaitable[None]]
"""A function that sends a frame (a JSON object) over a WebSocket."""


async def send_frame(socket: web.WebSocketResponse, frame: Json) -> None:
    """Send a frame as JSON text."""
    # Text frames are accepted although the client asks for compression (docs/discord.md, client).
    await socket.send_str(json.dumps(frame))


class GatewaySession:
    """The session of an identified client: shard, intents, past events and, while it is connected, a queue."""

    def __init__(self, intents: int, shard: Sequence[int]) -> None:
        self.object_id = secrets.token_hex(16)
        self.intents = intents
        self.shard_id, self.shard_count = shard
        self.last_seq = 0
        self.past_frames: deque[Json] = deque(maxlen=_MAX_REPLAYED_EVENTS)
        self.queue: asyncio.Queue[Json] | None = None

    def serves_guild(self, guild_id: int) -> bool:
        """True if a server belongs to the session's shard (docs.discord.com, "Sharding")."""
        return (guild_id >> 22) % self.shard_count == self.shard_id

    def gets_events_of(self, guild: Guild | None) -> bool:
        """True if the session gets the events of a server or, if `guild` is None, of direct messages (only shard 0)."""
        return self.shard_id == 0 if guild is None else self.serves_guild(guild.id)

    def dispatch(self, event: str, data: Json) -> None:
        """Number an event, keep it for a resume, and send it if the client is connected."""
        self.last_seq += 1
        frame: Json = {"op": 0, "t": event, "s": self.last_seq, "d": data}
        self.past_frames.append(frame)
        if self.queue is not None:
            self.queue.put_nowait(frame)


class Gateway:
    """The sandbox's gateway server."""

    def __init__(self, world: World, relay: SendFrame = send_frame) -> None:
        self._world = world
        self._relay = relay
        self._session_by_id: dict[str, GatewaySession] = {}
        self._session_by_socket: dict[web.WebSocketResponse, GatewaySession | None] = {}
        self.resume_count = 0
        """Number of sessions resumed since the start."""
        world.listen(self._on_change)

    @property
    def is_connected(self) -> bool:
        """True if a client is connected and identified."""
        return any(session is not None for session in self._session_by_socket.values())

    def _on_change(self, change: Change) -> None:
        record = change.message or change.interaction
        channel = change.channel if record is None else self._world.channels.get(record.channel_id)
        if channel is None and change.guild is None:
            return  # no event, or the channel was deleted
        guild = change.guild or (self._world.guild_of(channel) if channel else None)
        if guild is not None and seed.BOT_ID not in (*guild.members, change.user_id):
            return
        for session in [session for session in self._session_by_id.values() if session.gets_events_of(guild)]:
            for event, data in gateway_events_for(self._world, change, session.intents):
                session.dispatch(event, data)

    async def close_sockets(self, code: int = 4000) -> None:
        """Close all WebSockets with this code. After code 4000, clients resume their sessions."""
        for socket in tuple(self._session_by_socket):
            await socket.close(code=code)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a WebSocket until it is closed."""
        socket = web.WebSocketResponse(max_msg_size=1 << 20)
        await socket.prepare(request)
        self._session_by_socket[socket] = None
        queue: asyncio.Queue[Json] = asyncio.Queue()
        send_task = asyncio.create_task(self._send(socket, queue))
        queue.put_nowait({"op": 10, "d": {"heartbeat_interval": _HEARTBEAT_MS}, "s": None, "t": None})
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(socket, queue, json.loads(frame.data))
        finally:
            session = self._session_by_socket.pop(socket, None)
            if session is not None and session.queue is queue:
                session.queue = None
            send_task.cancel()
        return socket

    async def _send(self, socket: web.WebSocketResponse, queue: asyncio.Queue[Json]) -> None:
        while True:
            frame = await queue.get()
            if socket.closed:
                return
            try:
                await self._relay(socket, frame)
            except ConnectionError:
                return  # the client is gone; its session keeps the events

    async def _receive(self, socket: web.WebSocketResponse, queue: asyncio.Queue[Json], frame: Json) -> None:
        op, data = frame.get("op"), frame.get("d") or {}
        if op == 1:
            # Delayed: an acknowledgement before the client has stored the time of its heartbeat would look like a long
            # delay.
            ack: Json = {"op": 11, "d": None, "s": None, "t": None}
            asyncio.get_running_loop().call_later(_ACK_DELAY_SECONDS, queue.put_nowait, ack)
        elif op in (2, 6) and data.get("token") != seed.DUMMY_TOKEN:
            # docs.discord.com, gateway close event codes: 4004 authentication failed.
            await socket.close(code=4004, message=b"Authentication failed.")
        elif op == 2 and not _is_shard(data.get("shard")):
            await socket.close(code=4010, message=b"Invalid shard.")
        elif op == 2 and int(data.get("intents", 0)) & PRIVILEGED_INTENTS & ~self._world.privileged_intents:
            await socket.close(code=4014, message=b"Disallowed intent(s).")
        elif op == 2:
            self._identify(socket, queue, data)
        elif op == 6:
            self._resume(socket, queue, data)

    def _identify(self, socket: web.WebSocketResponse, queue: asyncio.Queue[Json], data: Json) -> None:
        shard = data.get("shard") or (0, 1)
        session = GatewaySession(int(data.get("intents", 0)), shard)
        self._session_by_id = {s.object_id: s for s in self._session_by_id.values() if s.queue is not None}
        self._session_by_id[session.object_id] = session
        session.queue = queue
        self._session_by_socket[socket] = session
        session.dispatch("READY", self._ready_event_data(session, data.get("shard")))
        for guild in self._session_guilds(session):
            session.dispatch("GUILD_CREATE", guild_json(self._world, guild))
        self._world.publish(Change("bot"))

    def _session_guilds(self, session: GatewaySession) -> list[Guild]:
        guilds = self._world.guilds.values()
        return [guild for guild in guilds if seed.BOT_ID in guild.members and session.serves_guild(guild.id)]

    def _ready_event_data(self, session: GatewaySession, shard: Any) -> Json:
        ready_data: Json = {
            "v": 10,
            "user": user_json(self._world.users[seed.BOT_ID]) | {"verified": True, "mfa_enabled": False},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self._session_guilds(session)],
            "session_id": session.object_id,
            # This must be our own URL, or the client would resume at the real Discord (docs/discord.md, client).
            "resume_gateway_url": self._world.base_url.replace("http://", "ws://") + "/gateway",
            "application": {"id": str(seed.APPLICATION_ID), "flags": 0},
        }
        if shard:
            ready_data["shard"] = shard
        return ready_data

    def _resume(self, socket: web.WebSocketResponse, queue: asyncio.Queue[Json], data: Json) -> None:
        session = self._session_by_id.get(str(data.get("session_id")))
        last_seen_seq = int(data.get("seq") or 0)
        if (
            session is None
            or last_seen_seq > session.last_seq
            or (session.past_frames and session.past_frames[0]["s"] > last_seen_seq + 1)
        ):
            queue.put_nowait({"op": 9, "d": False, "s": None, "t": None})
            return
        for frame in session.past_frames:
            if frame["s"] > last_seen_seq:
                queue.put_nowait(frame)
        session.queue = queue
        self._session_by_socket[socket] = session
        self.resume_count += 1
        session.dispatch("RESUMED", {})


def _is_shard(shard: Any) -> bool:
    if shard is None:
        return True
    return isinstance(shard, list) and len(shard) == 2 and 0 <= shard[0] < shard[1]


def gateway_events_for(world: World, change: Change, intents: int) -> Events:
    """The gateway events (name, data) that a client with these intents gets for a change."""
    if change.kind == "interaction" and change.interaction is not None:
        yield "INTERACTION_CREATE", interaction_json(world, change.interaction)
    elif change.message is not None:
        yield from _message_events(world, change.kind, change.message, intents)
    elif change.guild is not None:
        yield from _guild_events(world, change, intents)
    elif change.channel is not None and intents & GUILDS and not change.channel.is_dm:
        yield from _channel_events(world, change, change.channel, intents)


def _message_events(world: World, kind: str, message: Message, intents: int) -> Events:
    channel = world.channels[message.channel_id]
    needed_intent = DM_MESSAGES if channel.is_dm else GUILD_MESSAGES
    if message.ephemeral or not intents & needed_intent:  # ephemeral messages: docs/discord.md, messages
        return
    if not channel.is_dm and not world.may_see(seed.BOT_ID, channel):
        return
    if kind == "message_delete":
        data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
    else:
        data = message_json(world, message)
        if not _may_read_content(message, channel, intents):
            # docs.discord.com, "Message Content Intent": without it these fields are empty.
            data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    guild = world.guild_of(channel)
    if guild is not None:
        data["guild_id"] = str(guild.id)
        if kind != "message_delete":
            member = member_json(guild, world.users[message.author_id])
            del member["user"]
            data["member"] = member
    event_names = {"message_create": "MESSAGE_CREATE", "message_delete": "MESSAGE_DELETE"}
    yield event_names.get(kind, "MESSAGE_UPDATE"), data


def _may_read_content(message: Message, channel: Channel, intents: int) -> bool:
    message_concerns_bot = message.author_id == seed.BOT_ID or seed.BOT_ID in message.mentions
    return message_concerns_bot or channel.is_dm or bool(intents & MESSAGE_CONTENT)


def _channel_events(world: World, change: Change, channel: Channel, intents: int) -> Events:
    if channel.is_thread and not _sees_thread_event(world, change, channel):
        return
    if change.kind == "pins":
        yield "CHANNEL_PINS_UPDATE", {"guild_id": str(channel.guild_id), "channel_id": str(channel.id)}
    elif change.kind == "thread_people":
        # docs.discord.com, "Thread Members Update": without the members intent, only changes of the bot itself.
        if intents & GUILD_MEMBERS or change.user_id == seed.BOT_ID:
            yield "THREAD_MEMBERS_UPDATE", _thread_members_data(world, channel, change.user_id or 0)
    else:
        verb_by_kind = {"channel_create": "CREATE", "channel_update": "UPDATE", "channel_delete": "DELETE"}
        if change.kind in verb_by_kind:
            event_family = "THREAD" if channel.is_thread else "CHANNEL"
            yield f"{event_family}_{verb_by_kind[change.kind]}", _channel_payload(world, change.kind, channel)


def _sees_thread_event(world: World, change: Change, thread: Channel) -> bool:
    """True if the bot can see the thread, or the parent channel of a deleted thread."""
    parent = world.channels.get(thread.parent_id or 0)
    if change.kind == "channel_delete":
        return parent is None or world.may_see(seed.BOT_ID, parent)
    return world.may_see(seed.BOT_ID, thread) or change.user_id == seed.BOT_ID


def _channel_payload(world: World, kind: str, channel: Channel) -> Json:
    body = channel_json(world, channel)
    if channel.is_thread and kind == "channel_delete":
        # docs.discord.com, "Thread Delete": only these fields are sent.
        return {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
    return body | ({"newly_created": True} if channel.is_thread and kind == "channel_create" else {})


def _thread_members_data(world: World, thread: Channel, user_id: int) -> Json:
    body: Json = {
        "id": str(thread.id),
        "guild_id": str(thread.guild_id),
        "member_count": len(thread.people),
    }
    guild = world.guild_of(thread)
    if guild is None or user_id not in thread.people:
        return body | {"removed_member_ids": [str(user_id)]}
    member = thread_member_json(thread, user_id) | {"member": member_json(guild, world.users[user_id])}
    return body | {"added_members": [member]}


def _guild_events(world: World, change: Change, intents: int) -> Events:
    guild = change.guild
    assert guild is not None
    guild_field = {"guild_id": str(guild.id)}
    if change.kind in ("member_add", "member_remove"):
        is_joining = change.kind == "member_add"
        if change.user_id == seed.BOT_ID and is_joining:
            yield "GUILD_CREATE", guild_json(world, guild)
        elif change.user_id == seed.BOT_ID:
            yield "GUILD_DELETE", {"id": str(guild.id)}
        elif intents & GUILD_MEMBERS:
            user = world.users[change.user_id or 0]
            data = member_json(guild, user) if is_joining else {"user": user_json(user)}
            yield f"GUILD_{change.kind.upper()}", guild_field | data
    elif change.kind == "member_update" and (intents & GUILD_MEMBERS or change.user_id == seed.BOT_ID):
        # docs.discord.com, "List of Intents": the bot always gets events about itself.
        yield "GUILD_MEMBER_UPDATE", guild_field | member_json(guild, world.users[change.user_id or 0])
    elif change.kind == "roles" and intents & GUILDS:
        for position, role in enumerate(guild.roles.values()):
            yield "GUILD_ROLE_UPDATE", guild_field | {"role": role_json(world, role, position)}
    elif change.kind == "guild_update" and intents & GUILDS:
        yield "GUILD_UPDATE", guild_core_json(world, guild)
