"""Discord's REST routes for servers, channels, threads, users, the application and its commands."""

from __future__ import annotations

from collections.abc import Sequence

from aiohttp import web

from bot.sandbox.guild import (
    bot_permissions,
    messages,
    registered_commands,
    seed,
    threads,
)
from bot.sandbox.guild.wire import (
    channel_json,
    guild_core_json,
    member_json,
    message_json,
    thread_member_json,
    user_json,
)
from bot.sandbox.guild.world import World
from bot.sandbox.http.requests import RouteHandlers, json_response, no_content_response, path_id, read_body
from bot.sandbox.model import Channel, ChannelKind, Guild, Message, Upload
from bot.sandbox.refusal import Json, Refusal, invalid_form_body, unknown_record

_API = "/api/v10"
_UNSET_GUILD_FIELDS = (
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
_USUAL_GUILD_FIELDS = {
    "region": "deprecated",
    "widget_enabled": False,
    "nsfw": False,
    "max_members": 500_000,
    "max_video_channel_users": 25,
    "max_stage_video_channel_users": 50,
    "premium_subscription_count": 0,
}


class GuildAndUserRoutes(RouteHandlers):
    """REST routes for users, servers, the application and its commands."""

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(_API + "/users/@me", self.own_user),
            web.get(_API + "/guilds/{guild}", self.guild),
            web.get(_API + "/guilds/{guild}/members/{user}", self.member),
            web.get(_API + "/oauth2/applications/@me", self.application),
            web.get(_API + "/gateway/bot", self.gateway),
            web.get(_API + "/gateway", self.gateway),
            web.put(_API + "/applications/{application}/commands", self.sync),
            web.put(_API + "/applications/{application}/guilds/{guild}/commands", self.sync),
        ]

    def _guild(self, request: web.Request) -> Guild:
        return self._world.guild(path_id(request, "guild"))

    async def own_user(self, _: web.Request) -> web.Response:
        account_fields = {"verified": True, "mfa_enabled": False, "locale": "en-US"}
        return json_response(user_json(self._world.users[seed.BOT_ID]) | account_fields)

    async def guild(self, request: web.Request) -> web.Response:
        guild = self._guild(request)
        body = dict.fromkeys(_UNSET_GUILD_FIELDS) | guild_core_json(self._world, guild)
        return json_response(body | _USUAL_GUILD_FIELDS | {"approximate_member_count": len(guild.members)})

    async def member(self, request: web.Request) -> web.Response:
        guild, user_id = self._guild(request), path_id(request, "user")
        if user_id not in guild.members:
            raise unknown_record("Member")
        return json_response(member_json(guild, self._world.users[user_id]))

    async def application(self, _: web.Request) -> web.Response:
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
        return json_response(body)

    async def gateway(self, _: web.Request) -> web.Response:
        """Respond with the gateway's URL and one recommended shard."""
        session_start_limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        url = self._world.base_url.replace("http://", "ws://") + "/gateway"
        return json_response({"url": url, "shards": 1, "session_start_limit": session_start_limit})

    def _command_scope(self, request: web.Request) -> int:
        if path_id(request, "application") != seed.APPLICATION_ID:
            raise unknown_record("Application")
        if "guild" not in request.match_info:
            return seed.GLOBAL_SCOPE
        guild = self._world.guilds.get(path_id(request, "guild"))
        if guild is None or seed.BOT_ID not in guild.members:
            raise Refusal(403, 50001, "Missing Access")
        return guild.id

    async def sync(self, request: web.Request) -> web.Response:
        scope = self._command_scope(request)
        return json_response(registered_commands.sync(self._world, scope, await request.json()))


class ChannelRoutes(RouteHandlers):
    """REST routes for channels and threads."""

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(_API + "/channels/{channel}", self.fetch),
            web.patch(_API + "/channels/{channel}", self.change),
            web.post(_API + "/channels/{channel}/threads", self.open_thread),
            web.get(_API + "/guilds/{guild}/channels", self.guild_channels),
            web.get(_API + "/channels/{channel}/thread-members/{user}", self.thread_member),
            web.put(_API + "/channels/{channel}/thread-members/{user}", self.add_member),
            web.post(_API + "/users/@me/channels", self.open_dm),
        ]

    async def fetch(self, request: web.Request) -> web.Response:
        return json_response(channel_json(self._world, self._channel(request)))

    async def change(self, request: web.Request) -> web.Response:
        """Rename, archive, lock or describe a channel or thread."""
        channel = self._channel(request)
        payload, _ = await read_body(request)
        bot_permissions.require_to_change_channel(self._world, channel, payload)
        return json_response(channel_json(self._world, threads.change_channel(self._world, channel, payload)))

    async def open_thread(self, request: web.Request) -> web.Response:
        """Open a thread without a message, or a forum post."""
        parent = self._channel(request)
        payload, uploads = await read_body(request)
        thread_request = threads.ThreadRequest.from_payload(payload)
        bot_permissions.require_to_open_thread(self._world, parent, thread_request.kind)
        if parent.kind != ChannelKind.FORUM:
            thread = threads.open_without_message(self._world, parent, thread_request, seed.BOT_ID)
            return json_response(channel_json(self._world, thread), 201)
        bot_permissions.require_embeds_and_files(self._world, parent, payload.get("message") or {}, uploads)
        message = _open_forum_post(self._world, parent, thread_request, payload, uploads)
        channel = channel_json(self._world, self._world.channel(message.channel_id))
        return json_response(channel | {"message": message_json(self._world, message)}, 201)

    async def guild_channels(self, request: web.Request) -> web.Response:
        guild = self._world.guild(path_id(request, "guild"))
        channels = [c for c in self._world.channels.values() if c.guild_id == guild.id and not c.is_thread]
        return json_response([channel_json(self._world, c) for c in channels])

    async def thread_member(self, request: web.Request) -> web.Response:
        thread, user_id = self._channel(request), self._user_id(request)
        if user_id not in thread.people:
            raise unknown_record("Member")
        return json_response(thread_member_json(thread, user_id))

    def _user_id(self, request: web.Request) -> int:
        return seed.BOT_ID if request.match_info["user"] == "@me" else path_id(request, "user")

    async def add_member(self, request: web.Request) -> web.Response:
        thread = self._channel(request)
        bot_permissions.require_to_add_people(self._world, thread)
        threads.add_person(self._world, thread, self._user_id(request))
        return no_content_response()

    async def open_dm(self, request: web.Request) -> web.Response:
        """Respond with the bot's direct-message channel with a user."""
        payload, _ = await read_body(request)
        user = self._world.user(int(payload.get("recipient_id", 0)))
        if user.bot:
            # docs.discord.com, JSON error codes: 50007.
            raise Refusal(403, 50007, "Cannot send messages to this user")
        return json_response(channel_json(self._world, self._world.dm_channel_with(user.id)))


def _open_forum_post(
    world: World,
    forum: Channel,
    thread_request: threads.ThreadRequest,
    payload: Json,
    uploads: Sequence[Upload],
) -> Message:
    """Open a forum post by the bot. If its first message is refused, nothing is changed."""
    if "message" not in payload:
        raise invalid_form_body("message", "This field is required", "BASE_TYPE_REQUIRED")
    tags = threads.check_post_tags(world, forum, payload.get("applied_tags") or [])
    thread = threads.open_thread(
        world, forum, thread_request, seed.BOT_ID, ChannelKind.PUBLIC_THREAD, tags=tags
    )
    origin = messages.MessageOrigin(seed.BOT_ID, object_id=thread.id)
    try:
        return messages.post(world, thread, payload["message"] or {}, uploads, origin)
    except Refusal:
        threads.delete_channel(world, thread)
        raise
