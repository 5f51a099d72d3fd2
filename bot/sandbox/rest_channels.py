"""Routes of channels, threads, people, the guild and the application."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox import seed, threads
from bot.sandbox.command_limits import check_commands
from bot.sandbox.model import ChannelKind
from bot.sandbox.refusal import Json, Refusal, unknown
from bot.sandbox.wire import channel_json, guild_core_json, member_json, thread_member_json, user_json
from bot.sandbox.wishes import answer, ident, nothing, read_body
from bot.sandbox.world import World

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
            web.post(_API + "/channels/{channel}/threads", self.open_thread),
            web.get(_API + "/channels/{channel}/threads/archived/public", self.archived),
            web.get(_API + "/guilds/{guild}/threads/active", self.active),
            web.get(_API + "/guilds/{guild}/channels", self.guild_channels),
            web.get(_MEMBERS, self.people),
            web.put(_MEMBERS + "/{user}", self.add),
            web.delete(_MEMBERS + "/{user}", self.remove),
            web.post(_API + "/users/@me/channels", self.open_dm),
        ]

    async def fetch(self, request: web.Request) -> web.Response:
        """One channel."""
        return answer(channel_json(self._world, self._world.channel(ident(request, "channel"))))

    async def change(self, request: web.Request) -> web.Response:
        """Rename, archive, lock or describe a channel."""
        channel = self._world.channel(ident(request, "channel"))
        payload, _ = await read_body(request)
        return answer(channel_json(self._world, threads.change(self._world, channel, payload)))

    async def open_thread(self, request: web.Request) -> web.Response:
        """Open a thread without a message."""
        parent = self._world.channel(ident(request, "channel"))
        payload, _ = await read_body(request)
        thread = threads.open_alone(self._world, parent, threads.ThreadWish.read(payload), seed.BOT_ID)
        return answer(channel_json(self._world, thread), 201)

    async def archived(self, request: web.Request) -> web.Response:
        """Archived public threads of a channel, newest first."""
        parent = self._world.channel(ident(request, "channel")).id
        return answer(self._listing(parent=parent, archived=True))

    async def active(self, request: web.Request) -> web.Response:
        """Threads of the guild that are not archived."""
        check_guild(request)
        return answer(self._listing(parent=None, archived=False))

    def _listing(self, parent: int | None, *, archived: bool) -> Json:
        found = [
            c
            for c in self._world.channels.values()
            if c.is_thread and c.archived == archived and parent in (None, c.parent_id)
        ]
        return {
            "threads": [channel_json(self._world, c) for c in reversed(found)],
            "members": [thread_member_json(c, seed.BOT_ID) for c in found if seed.BOT_ID in c.people],
            "has_more": False,
        }

    async def guild_channels(self, request: web.Request) -> web.Response:
        """Text channels of the guild."""
        check_guild(request)
        found = [c for c in self._world.channels.values() if c.kind == ChannelKind.TEXT]
        return answer([channel_json(self._world, c) for c in found])

    async def people(self, request: web.Request) -> web.Response:
        """People of a thread."""
        thread = self._world.channel(ident(request, "channel"))
        return answer([thread_member_json(thread, i) for i in thread.people])

    def _user_id(self, request: web.Request) -> int:
        return seed.BOT_ID if request.match_info["user"] == "@me" else ident(request, "user")

    async def add(self, request: web.Request) -> web.Response:
        """Add a person to a thread."""
        thread = self._world.channel(ident(request, "channel"))
        threads.add_person(self._world, thread, self._user_id(request))
        return nothing()

    async def remove(self, request: web.Request) -> web.Response:
        """Take a person out of a thread."""
        thread = self._world.channel(ident(request, "channel"))
        threads.remove_person(self._world, thread, self._user_id(request))
        return nothing()

    async def open_dm(self, request: web.Request) -> web.Response:
        """The direct conversation with a person."""
        payload, _ = await read_body(request)
        user = self._world.user(int(payload.get("recipient_id", 0)))
        if user.bot:
            # docs.discord.com, JSON error codes: 50007.
            raise Refusal(403, 50007, "Cannot send messages to this user")
        return answer(channel_json(self._world, self._world.dm_with(user.id)))


def check_guild(request: web.Request) -> None:
    """Refuse a guild that is not the seeded one."""
    if ident(request, "guild") != seed.GUILD_ID:
        raise unknown("Guild")


class PeopleRoutes:
    """People, the guild, the application and its commands."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> list[web.RouteDef]:
        """All routes of this class."""
        commands = _API + "/applications/{application}/commands"
        guild_commands = _API + "/applications/{application}/guilds/{guild}/commands"
        return [
            web.get(_API + "/users/@me", self.me),
            web.get(_API + "/users/{user}", self.user),
            web.get(_API + "/guilds/{guild}", self.guild),
            web.get(_API + "/guilds/{guild}/members", self.members),
            web.get(_API + "/guilds/{guild}/members/{user}", self.member),
            web.get(_API + "/oauth2/applications/@me", self.application),
            web.get(_API + "/gateway/bot", self.gateway),
            web.get(_API + "/gateway", self.gateway),
            web.get(commands, self.commands),
            web.put(commands, self.sync),
            web.get(guild_commands, self.commands),
            web.put(guild_commands, self.sync),
        ]

    async def me(self, _: web.Request) -> web.Response:
        """The bot."""
        return answer(user_json(self._world.users[seed.BOT_ID]) | {"verified": True, "mfa_enabled": False})

    async def user(self, request: web.Request) -> web.Response:
        """One person."""
        return answer(user_json(self._world.user(ident(request, "user"))))

    async def guild(self, request: web.Request) -> web.Response:
        """The guild."""
        check_guild(request)
        return answer(guild_core_json(self._world) | {"approximate_member_count": len(self._world.users)})

    async def members(self, request: web.Request) -> web.Response:
        """Refused: the list needs the members intent, which the bot does not ask for (docs/discord.md, permissions)."""
        check_guild(request)
        raise Refusal(403, 50001, "Missing Access")

    async def member(self, request: web.Request) -> web.Response:
        """One member of the guild."""
        check_guild(request)
        user = self._world.users.get(ident(request, "user"))
        if user is None or user.id in self._world.left:
            raise unknown("Member")
        return answer(member_json(user))

    async def application(self, _: web.Request) -> web.Response:
        """The application."""
        body: Json = {
            "id": str(seed.APPLICATION_ID),
            "name": "Stationmaster",
            "description": "",
            "icon": None,
            "bot_public": False,
            "bot_require_code_grant": False,
            "owner": user_json(self._world.users[seed.OWNER_ID]),
            "verify_key": "0" * 64,
            "flags": 0,
            "team": None,
        }
        return answer(body)

    async def gateway(self, _: web.Request) -> web.Response:
        """Where the event socket is, and that one shard is enough."""
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        url = self._world.base_url.replace("http://", "ws://") + "/gateway"
        return answer({"url": url, "shards": 1, "session_start_limit": limit})

    def _scope(self, request: web.Request) -> int:
        if ident(request, "application") != seed.APPLICATION_ID:
            raise unknown("Application")
        if "guild" not in request.match_info:
            return 0
        check_guild(request)
        return seed.GUILD_ID

    async def commands(self, request: web.Request) -> web.Response:
        """The synced commands of a scope."""
        return answer(self._world.commands.get(self._scope(request), []))

    async def sync(self, request: web.Request) -> web.Response:
        """Replace the commands of a scope."""
        scope = self._scope(request)
        commands = await request.json()
        check_commands(commands)
        return answer(self._world.sync_commands(scope, commands))
