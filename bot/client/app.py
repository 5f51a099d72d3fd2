"""The running Discord client: startup, registration of commands, dispatch of components and gateway events."""

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, cast

import discord
from discord import app_commands

from bot.client import command_sync
from bot.client.bot_client import BotClient, PeriodicCheck
from bot.client.clock_checks import ClockChecks
from bot.client.component import Component
from bot.client.entry.renamed_commands import use_new_command_name
from bot.client.entry.replies import report_error, tell_about_ended_orders
from bot.client.entry.rights import Requirements, require_right, requirements
from bot.client.features import COMMANDS, COMPONENTS, PERIODIC_CHECKS, deleted_threads
from bot.client.features.health import Health
from bot.client.features.left_servers import handle_guild_removal, handle_guild_return
from bot.client.features.proposals import close_outdated_proposals, record_presence
from bot.client.pictures import Pictures
from bot.client.poster import Poster
from bot.client.requests.permission_problems import is_temporary
from bot.client.requests.retries import MINUTE_SECONDS, repeat_check
from bot.table.errors import Refused
from bot.table.outbox.sender import Sender
from bot.table.past.statistics import add_missing_results
from bot.table.pings import PING_DELAY
from bot.table.rate_limits import RateLimiter, RequestKind
from bot.table.rights import RIGHTS_IN_ONE_GAME
from bot.table.tables import Tables
from bot.workers.workers import Workers
from storage import ALL_SHARDS, Database, ShardSet, old_rows

_log = logging.getLogger("stationmaster")


class CommandTree(app_commands.CommandTree["Stationmaster"]):
    """The bot's slash commands. Checks rate limits and rights first, and tells users about errors privately."""

    async def interaction_check(self, interaction: discord.Interaction["Stationmaster"], /) -> bool:
        """True if rate limits and the user's rights allow the command or autocomplete request."""
        admission = interaction.client.admission
        if interaction.type is discord.InteractionType.autocomplete:
            if interaction.command is not None:
                return await admission.admits(interaction, RequestKind.COMPLETION)
            await interaction.response.autocomplete([])
            return False
        use_new_command_name(interaction)
        command = interaction.command
        if not isinstance(command, app_commands.Command):
            return await admission.admits(interaction, RequestKind.QUESTION)
        command_requirements = requirements(command)
        return await admission.admits(
            interaction, command_requirements.request_kind
        ) and await self._has_right(interaction, command_requirements)

    async def _has_right(
        self, interaction: discord.Interaction["Stationmaster"], command_requirements: Requirements
    ) -> bool:
        required_right, shown_game_id = (
            command_requirements.right,
            interaction.client.tables.game_shown_in(interaction.channel_id),
        )
        command_game_id = (
            getattr(interaction.namespace, command_requirements.game)
            if command_requirements.game
            else shown_game_id
        )
        try:
            # Without a game the command itself replies; commands for lobbies find the lobby themselves.
            if command_game_id is not None or required_right not in RIGHTS_IN_ONE_GAME:
                await require_right(interaction, required_right, command_game_id)
            if required_right == "play" and command_game_id is not None:
                interaction.client.record_activity(command_game_id, interaction.user.id)
        except Exception as error:  # noqa: BLE001 - discord.py would only log it, and the user would get no reply
            await report_error(interaction, error)
            return False
        return True

    async def on_error(
        self, interaction: discord.Interaction["Stationmaster"], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the user privately why their command failed."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            await report_error(
                interaction, Refused("This command has changed. Wait a moment, then type it again.")
            )
            return
        await report_error(interaction, cause)


class Stationmaster(BotClient):
    """The bot: a Discord client with a database. A process can serve all shards or only some of them."""

    periodic_checks: Sequence[PeriodicCheck] = PERIODIC_CHECKS

    def __init__(
        self,
        db: Database,
        *,
        shards: ShardSet = ALL_SHARDS,
        theme: str = "ours",
        guild: int | None = None,
        sync_always: bool = False,
        rate_limiter: RateLimiter,
        ping_delay: float = PING_DELAY.total_seconds(),
        workers: Workers | None = None,
        **options: Any,
    ) -> None:
        tables = Tables(db, shards=shards, workers=workers)
        pictures = Pictures(theme, tables.workers, tables.themes.theme_of)
        super().__init__(
            tables,
            pictures,
            rate_limiter,
            timedelta(seconds=ping_delay),
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **options,
        )
        self.db = db
        self.shard_set = shards
        self.tree = CommandTree(self)
        self.health = Health(
            tables,
            self.is_ready,
            self.breaker,
            pictures=pictures,
            waiting_pictures=tables.workers,
            allowances=rate_limiter,
        )
        self.on_user_active = partial(record_presence, self)
        self.clock_checker = ClockChecks(self)
        self.sender = Sender(
            db,
            Poster(self).deliver,
            tables.clock,
            is_temporary,
            self.breaker,
            send_probe=self.application_info,
            shards=shards,
        )
        tables.on_notice = self._on_game_change
        self.admission.on_act = partial(self.sender.wake, has_new_rows=False)
        self._guild = None if guild is None else discord.Object(guild)
        self._sync_always = sync_always

    async def setup_hook(self) -> None:
        """Prepare games, commands and background jobs before the client connects."""
        await self.tables.open()
        await self.lobbies.abandon_unposted_lobbies()
        await old_rows.delete_old_rows(self.db, datetime.now(UTC))
        for command in COMMANDS:
            self.tree.add_command(command, guild=self._guild, override=True)
        if 0 in self.shard_set.shards:
            await self._register_commands()
        self.run_in_background(self.health.lag.keep_measuring())
        self.run_in_background(self._start_sending())
        self.run_in_background(self.tables.check_running_games())
        self.run_in_background(add_missing_results(self.tables))

    def _on_game_change(self, game_id: int) -> None:
        """After a game has changed, post its notices, update open board pages, and let computer players move."""
        self.sender.wake(game_id)
        self.tables.followers.wake(game_id)
        self.caretakers.wake(game_id)
        if self.proposals.may_have_outdated_proposal(game_id):
            self.run_in_background(close_outdated_proposals(self, game_id))

    async def _register_commands(self) -> None:
        await command_sync.register(self.db, self.tree, self._guild, is_forced=self._sync_always)

    async def on_interaction(self, interaction: discord.Interaction["Stationmaster"]) -> None:
        """Pass a used component or submitted modal to its class; discord.py itself dispatches commands."""
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            component = component_for_click(cast(Mapping[str, Any], interaction.data or {}))
            if component is not None:
                await component.on_use(interaction)

    async def on_app_command_completion(
        self, interaction: discord.Interaction["Stationmaster"], command: object
    ) -> None:
        """After a command in a game's thread, tell the user which of their standing orders have ended."""
        game_id = self.tables.game_shown_in(interaction.channel_id)
        if game_id is not None:
            await tell_about_ended_orders(interaction, game_id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """If a running game's thread was deleted, post advice for the players in its channel."""
        await deleted_threads.handle_deleted_thread(self, payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the lobbies of a deleted channel. Its running games wait until a moderator moves them."""
        await deleted_threads.handle_deleted_channel(self, channel.guild.id, channel.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Record a thread's new state; reopen a running game's thread that Discord archived for inactivity."""
        self.thread_visibility.record_thread(payload.data)
        await deleted_threads.handle_thread_update(self, payload.data)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Look for threads and channels that were deleted while this shard was disconnected."""
        self.run_in_background(deleted_threads.check_shard(self, shard_id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that the bot was removed from a server, or that the server was deleted.

        Discord does not send this event in an outage.
        """
        await handle_guild_removal(self, guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Post a server's waiting notices when the bot is invited again."""
        await handle_guild_return(self, guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Post a server's waiting notices after an outage, in case the bot was invited again meanwhile."""
        await handle_guild_return(self, guild.id)

    async def on_ready(self) -> None:
        """Log that the client is connected; Discord may send this event several times."""
        _log.info("connected as %s", self.user)

    async def _start_sending(self) -> None:
        # Threads are made in channels, which are known only once the gateway has listed them.
        await self.wait_until_ready()
        for periodic_check in self.periodic_checks:
            self.run_in_background(
                repeat_check(
                    periodic_check.purpose,
                    partial(periodic_check.check, self),
                    periodic_check.check_interval_seconds,
                )
            )
        self.run_in_background(repeat_check("deadlines", self.clock_checker.check_clocks, MINUTE_SECONDS))
        self.run_in_background(repeat_check("caretakers", self.caretakers.wake_all, MINUTE_SECONDS))
        await self.sender.run()


def component_for_click(data: Mapping[str, Any]) -> Component | None:
    """The component (button, menu or modal) whose id pattern matches Discord's data; None if none matches.

    This replaces discord.py's own dispatch, which would first rebuild the message with all its buttons.
    """
    custom_id = data.get("custom_id", "")
    matches = (
        (component_class, re.fullmatch(component_class.id_pattern, custom_id))
        for component_class in COMPONENTS
    )
    return next(
        (component_class(match, data) for component_class, match in matches if match is not None), None
    )
