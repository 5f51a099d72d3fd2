"""Routes of channels and threads."""

from __future__ import annotations

from collections.abc import Sequence

from aiohttp import web

from bot.sandbox.guild import bot_permissions, forums, messages, permissions, seed, threads
from bot.sandbox.guild.wire import channel_json, message_json, thread_member_json
from bot.sandbox.guild.world import World
from bot.sandbox.http.requests import answer, ident, nothing, read_body
from bot.sandbox.model import Channel, ChannelKind, Message, Upload
from bot.sandbox.refusal import Json, Refusal, form_error, unknown

_API = "/api/v10"
_MEMBERS = _API + "/channels/{channel}/thread-members"


class ChannelRoutes:
    """Channels and threads."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> list[web.RouteDef]:
        """All routes of this class."""
        return [
            web.get(_API + "/channels/{channel}", self.fetch),
            web.patch(_API + "/channels/{channel}", self.change),
            web.delete(_API + "/channels/{channel}", self.delete),
            web.post(_API + "/channels/{channel}/threads", self.open_thread),
            web.get(_API + "/channels/{channel}/threads/archived/public", self.archived),
            web.get(_API + "/guilds/{guild}/threads/active", self.active),
            web.get(_API + "/guilds/{guild}/channels", self.guild_channels),
            web.get(_MEMBERS, self.people),
            web.get(_MEMBERS + "/{user}", self.one_of_people),
            web.put(_MEMBERS + "/{user}", self.add),
            web.delete(_MEMBERS + "/{user}", self.remove),
            web.post(_API + "/users/@me/channels", self.open_dm),
        ]

    def _channel(self, request: web.Request) -> Channel:
        """A channel that the bot sees."""
        channel = self._world.channel(ident(request, "channel"))
        bot_permissions.require(self._world, channel)
        return channel

    async def fetch(self, request: web.Request) -> web.Response:
        """One channel."""
        return answer(channel_json(self._world, self._channel(request)))

    async def change(self, request: web.Request) -> web.Response:
        """Rename, archive, lock or describe a channel."""
        channel = self._channel(request)
        payload, _ = await read_body(request)
        bot_permissions.require_to_change(self._world, channel, payload)
        return answer(channel_json(self._world, threads.change(self._world, channel, payload)))

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a channel or thread."""
        channel = self._channel(request)
        bot_permissions.require_to_remove(self._world, channel)
        body = channel_json(self._world, channel)
        threads.remove(self._world, channel)
        return answer(body)

    async def open_thread(self, request: web.Request) -> web.Response:
        """Open a thread without a message, or a post in a forum."""
        parent = self._channel(request)
        payload, uploads = await read_body(request)
        wanted = threads.ThreadRequest.read(payload)
        bot_permissions.require_to_open(self._world, parent, wanted.kind)
        if parent.kind != ChannelKind.FORUM:
            thread = threads.open_alone(self._world, parent, wanted, seed.BOT_ID)
            return answer(channel_json(self._world, thread), 201)
        bot_permissions.require_parts(self._world, parent, payload.get("message") or {}, uploads)
        message = _open_post(self._world, parent, wanted, payload, uploads)
        channel = channel_json(self._world, self._world.channel(message.channel_id))
        return answer(channel | {"message": message_json(self._world, message)}, 201)

    async def archived(self, request: web.Request) -> web.Response:
        """Archived public threads of a channel, newest first."""
        parent = self._channel(request)
        if not bot_permissions.may(self._world, parent, permissions.READ_HISTORY):
            raise Refusal(403, 50013, "Missing Permissions")
        return answer(self._listing(parent.guild_id, parent.id, archived=True))

    async def active(self, request: web.Request) -> web.Response:
        """Threads of the guild that are not archived."""
        guild = self._world.guild(ident(request, "guild"))
        return answer(self._listing(guild.id, None, archived=False))

    def _listing(self, guild: int | None, parent: int | None, *, archived: bool) -> Json:
        found = [
            c
            for c in self._world.channels.values()
            if c.is_thread
            and c.guild_id == guild
            and c.archived == archived
            and parent in (None, c.parent_id)
            if self._world.may_see(seed.BOT_ID, c) and not (archived and c.kind == ChannelKind.PRIVATE_THREAD)
        ]
        return {
            "threads": [channel_json(self._world, c) for c in reversed(found)],
            "members": [thread_member_json(c, seed.BOT_ID) for c in found if seed.BOT_ID in c.people],
            "has_more": False,
        }

    async def guild_channels(self, request: web.Request) -> web.Response:
        """Channels of the guild, without threads."""
        guild = self._world.guild(ident(request, "guild"))
        found = [c for c in self._world.channels.values() if c.guild_id == guild.id and not c.is_thread]
        return answer([channel_json(self._world, c) for c in found])

    async def people(self, request: web.Request) -> web.Response:
        """People of a thread."""
        thread = self._channel(request)
        return answer([thread_member_json(thread, i) for i in thread.people])

    async def one_of_people(self, request: web.Request) -> web.Response:
        """One of the people of a thread."""
        thread, user_id = self._channel(request), self._user_id(request)
        if user_id not in thread.people:
            raise unknown("Member")
        return answer(thread_member_json(thread, user_id))

    def _user_id(self, request: web.Request) -> int:
        return seed.BOT_ID if request.match_info["user"] == "@me" else ident(request, "user")

    async def add(self, request: web.Request) -> web.Response:
        """Add a person to a thread."""
        thread = self._channel(request)
        bot_permissions.require_to_add(self._world, thread)
        threads.add_person(self._world, thread, self._user_id(request))
        return nothing()

    async def remove(self, request: web.Request) -> web.Response:
        """Take a person out of a thread."""
        thread, user_id = self._channel(request), self._user_id(request)
        bot_permissions.require_to_take_out(self._world, thread, user_id)
        threads.remove_person(self._world, thread, user_id)
        return nothing()

    async def open_dm(self, request: web.Request) -> web.Response:
        """The direct conversation with a person."""
        payload, _ = await read_body(request)
        user = self._world.user(int(payload.get("recipient_id", 0)))
        if user.bot:
            # docs.discord.com, JSON error codes: 50007.
            raise Refusal(403, 50007, "Cannot send messages to this user")
        return answer(channel_json(self._world, self._world.dm_with(user.id)))


def _open_post(
    world: World, forum: Channel, wanted: threads.ThreadRequest, payload: Json, uploads: Sequence[Upload]
) -> Message:
    """Open a post of the bot; its first message. Nothing is left of one whose message is refused."""
    if "message" not in payload:
        raise form_error("message", "This field is required", "BASE_TYPE_REQUIRED")
    tags = forums.check_tags(world, forum, payload.get("applied_tags") or [])
    thread = threads.opened(world, forum, wanted, seed.BOT_ID, ChannelKind.PUBLIC_THREAD, tags=tags)
    origin = messages.Origin(seed.BOT_ID, ident=thread.id)
    try:
        return messages.post(world, thread, payload["message"] or {}, uploads, origin)
    except Refusal:
        threads.remove(world, thread)
        raise
