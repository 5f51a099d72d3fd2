"""Routes of people, guilds, the application and its commands."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.guild import changes, registered_commands, seed
from bot.sandbox.guild.guild_wire import guild_core_json
from bot.sandbox.guild.guilds import Guild
from bot.sandbox.guild.wire import member_json, user_json
from bot.sandbox.guild.world import World
from bot.sandbox.http.requests import answer, ident, nothing
from bot.sandbox.refusal import Json, Refusal, unknown

_API = "/api/v10"
_UNSET = (
    "description",
    "home_header",
    "splash",
    "discovery_splash",
    "banner",
    "application_id",
    "afk_channel_id",
    "system_channel_id",
    "widget_channel_id",
    "max_presences",
    "vanity_url_code",
    "rules_channel_id",
    "safety_alerts_channel_id",
    "public_updates_channel_id",
    "incidents_data",
)
"""What a guild may choose, and these have not."""
_USUAL = {
    "region": "deprecated",
    "widget_enabled": False,
    "nsfw": False,
    "max_members": 500_000,
    "max_video_channel_users": 25,
    "max_stage_video_channel_users": 50,
    "premium_subscription_count": 0,
}


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
            web.delete(_API + "/users/@me/guilds/{guild}", self.leave),
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

    def _guild(self, request: web.Request) -> Guild:
        return self._world.guild(ident(request, "guild"))

    async def me(self, _: web.Request) -> web.Response:
        """The bot."""
        own = {"verified": True, "mfa_enabled": False, "locale": "en-US"}
        return answer(user_json(self._world.users[seed.BOT_ID]) | own)

    async def user(self, request: web.Request) -> web.Response:
        """One person."""
        return answer(user_json(self._world.user(ident(request, "user"))))

    async def guild(self, request: web.Request) -> web.Response:
        """The guild."""
        guild = self._guild(request)
        body = dict.fromkeys(_UNSET) | guild_core_json(self._world, guild)
        return answer(body | _USUAL | {"approximate_member_count": len(guild.members)})

    async def leave(self, request: web.Request) -> web.Response:
        """Leave a guild."""
        changes.leave(self._world, self._guild(request), seed.BOT_ID)
        return nothing()

    async def members(self, request: web.Request) -> web.Response:
        """Refused: the list needs the members intent, which the bot does not ask for (docs/discord.md, permissions)."""
        self._guild(request)
        raise Refusal(403, 50001, "Missing Access")

    async def member(self, request: web.Request) -> web.Response:
        """One member of the guild."""
        guild, user_id = self._guild(request), ident(request, "user")
        if user_id not in guild.members:
            raise unknown("Member")
        return answer(member_json(guild, self._world.users[user_id]))

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
            "flags_new": "0",
            "type": None,
            "team": None,
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": [],
            "approximate_guild_count": len(self._world.guilds),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
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
            return registered_commands.EVERYWHERE
        guild = self._world.guilds.get(ident(request, "guild"))
        if guild is None or seed.BOT_ID not in guild.members:
            raise Refusal(403, 50001, "Missing Access")
        return guild.id

    async def commands(self, request: web.Request) -> web.Response:
        """The synced commands of a scope."""
        return answer(self._world.commands.get(self._scope(request), []))

    async def sync(self, request: web.Request) -> web.Response:
        """Replace the commands of a scope."""
        scope = self._scope(request)
        return answer(registered_commands.sync(self._world, scope, await request.json()))
