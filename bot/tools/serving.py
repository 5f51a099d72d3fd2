"""Runs the bot until it is stopped: waits until it owns its shards, connects, and serves its web pages."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
)
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import discord
from discord.http import Route

from bot.client.app import Stationmaster
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.drawing import store_printed_maps
from bot.table.rate_limits import RateLimiter
from bot.table.tables import Tables
from bot.tools.daily_backups import back_up_daily, last_backup_reader
from bot.tools.environment import Environment, SettingsError, port_errors_as_setting_errors
from bot.tools.health_port import MonitoringPages, serving_monitoring_pages
from bot.tools.login import connect, log_in, login_retry_delays, wait_until_closed
from bot.tools.process import (
    GC_THRESHOLDS,
    enforce_stop_time,
    keep_garbage_collections_short,
    raise_file_limit,
    run_unless_done,
    stop_signal,
)
from bot.version_and_commit import commit
from bot.workers.errors import NotDone
from bot.workers.worker import PRELOADED_MODULES
from bot.workers.workers import Priority, QueuePlace, Workers
from engine import correct_titles
from storage import Database, Ownership, shards

if TYPE_CHECKING:  # not needed by every bot
    from bot.web.context import OAuthClient, PageServices

_log = logging.getLogger("stationmaster")

STANDBY_LOGIN_SECONDS: Final = 10.0
"""Seconds in which a standby process (one waiting for its shards) must log in to Discord."""
DISCONNECT_SECONDS: Final = 2.0
"""Seconds after which the connection of a closed client is cancelled."""

OnConnected: TypeAlias = Callable[[Stationmaster], Awaitable[None]]
"""A function that is called once the client is connected."""
SandboxContext: TypeAlias = Callable[[Stationmaster], AbstractAsyncContextManager[None]]
"""A function that returns a context manager, which is active while a sandbox's client is connected.

A process with such a function makes no daily backups.
"""


class _StandbyPage:
    """Serves the board page read-only while this process waits for its shards.

    The workers are started at once, so that they are ready when this process takes over.
    """

    def __init__(self, db: Database, settings: Environment, token: str) -> None:
        self._db = db
        self._settings = settings
        self._token = token
        self._workers = workers_for_settings(settings)
        self._has_handed_over_workers = False
        self._serving_task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._start_task = asyncio.create_task(self._workers.start())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop_serving()
        if not self._has_handed_over_workers:
            await self._workers.close()
        await asyncio.gather(self._start_task, return_exceptions=True)

    def start_serving(self) -> None:
        if self._settings.web is not None and self._serving_task is None:
            self._serving_task = asyncio.create_task(self._serve())

    async def stop_serving(self) -> None:
        """Stop serving the board page and free its port."""
        if self._serving_task is not None:
            self._serving_task.cancel()
            (task_result,) = await asyncio.gather(self._serving_task, return_exceptions=True)
            if isinstance(task_result, Exception):
                _log.error("this standby can no longer serve the board page", exc_info=task_result)
            self._serving_task = None

    def hand_over_workers(self) -> Workers:
        """The worker processes. From now on, the client that takes over owns them."""
        self._has_handed_over_workers = True
        return self._workers

    async def _serve(self) -> None:
        from bot.tools.board_page import games_that_user_may_see, may_see_event, may_see_thread
        from bot.web.context import PageServices

        settings = self._settings
        tables = Tables(self._db, shards=shards.NO_SHARDS, workers=self._workers)
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(discord.Client(intents=discord.Intents.none()))
                await _log_in_for_requests(client, self._token)
                services, rate_limiter = (
                    PageServices.without_client(
                        tables,
                        partial(may_see_thread, client),
                        partial(may_see_event, client),
                        partial(games_that_user_may_see, client),
                    ),
                    RateLimiter(settings.rate_limit_factor),
                )
                await stack.enter_async_context(
                    _serving_board_page(services, rate_limiter, settings, client.application_id)
                )
                _log.info("serving the board page; the other process accepts the moves")
                await asyncio.Event().wait()
        except SettingsError as error:
            # Two processes on one machine may share their settings; the port will be free when this one takes over.
            _log.warning("cannot serve the board page while standing by: %s", error)


async def serve(
    db: Database,
    settings: Environment,
    token: str,
    on_connected: OnConnected | None = None,
    sandbox_context: SandboxContext | None = None,
) -> None:
    """Run the bot whenever this process owns its shards, until it is stopped; raises SettingsError, StorageError."""
    # Loaded libraries stay in memory; if collections visited them, they would block the event loop for 60 ms.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    stop_future = stop_signal()
    monitoring_pages = MonitoringPages()
    with enforce_stop_time(stop_future):
        async with serving_monitoring_pages(monitoring_pages, settings.health_port):
            while not stop_future.done():
                async with AsyncExitStack() as stack:
                    standby = await stack.enter_async_context(_StandbyPage(db, settings, token))
                    ownership_context = db.own_shards(settings.shard_set, standby.start_serving)
                    ownership = await run_unless_done(
                        stop_future, stack.enter_async_context(ownership_context)
                    )
                    if ownership is None:
                        return
                    end_future = asyncio.create_task(
                        run_unless_done(stop_future, ownership.shard_lost.wait())
                    )
                    await _run_connected(
                        ownership,
                        end_future,
                        settings,
                        token,
                        on_connected,
                        monitoring_pages,
                        standby,
                        sandbox_context,
                    )
                    on_connected = None
                    if not ownership.shard_lost.is_set():
                        return


async def _run_connected(
    ownership: Ownership,
    end_future: "asyncio.Future[Any]",
    settings: Environment,
    token: str,
    on_connected: OnConnected | None,
    monitoring_pages: MonitoringPages,
    standby: _StandbyPage,
    sandbox_context: SandboxContext | None,
) -> None:
    """Run a connected client until the future `end_future` is done or an error is raised."""
    async with (
        Stationmaster(
            ownership.db,
            shards=ownership.shards,
            theme=settings.theme,
            guild=settings.discord_guild,
            rate_limiter=RateLimiter(settings.rate_limit_factor),
            ping_delay=settings.ping_delay,
            workers=standby.hand_over_workers(),
            **_sandbox_options(settings),
            **_shard_options(settings),
        ) as client,
        AsyncExitStack() as stack,
    ):
        stack.enter_context(monitoring_pages.reporting_health_of(client.health))
        if sandbox_context is None:
            client.health.find_last_backup = last_backup_reader(settings)
        await run_unless_done(end_future, log_in(client, token, login_retry_delays()))
        if end_future.done():
            return
        # Before connecting, so that a port in use is reported at once.
        page_stack = await stack.enter_async_context(AsyncExitStack())
        await standby.stop_serving()
        await page_stack.enter_async_context(
            _serving_client_page(client, settings, is_sandbox=sandbox_context is not None)
        )
        connection_task = asyncio.create_task(connect(client, login_retry_delays()))
        backup_task = asyncio.create_task(back_up_daily(settings)) if sandbox_context is None else None
        collection_task = asyncio.create_task(
            keep_garbage_collections_short(lambda: client.admission.is_idle)
        )
        _start_preparations(client, settings)
        try:
            async with nullcontext() if sandbox_context is None else sandbox_context(client):
                if on_connected is not None:
                    await run_unless_done(connection_task, client.wait_until_ready())
                    if not connection_task.done():
                        await on_connected(client)
                await asyncio.wait({connection_task, end_future}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # No move must come from the page while the client closes.
            await page_stack.aclose()
            collection_task.cancel()
            if backup_task is not None:
                backup_task.cancel()
            await _disconnect(client, connection_task)
        await asyncio.wait({connection_task})
        if not connection_task.cancelled():
            await wait_until_closed(connection_task)


def _start_preparations(client: Stationmaster, settings: Environment) -> None:
    """Look up the commit and draw printed maps in the background, before somebody asks for them."""
    client.run_in_background(asyncio.to_thread(commit))  # may call git
    if settings.workers:
        client.run_in_background(_refresh_printed_maps(client.tables.workers, settings.theme))


async def _disconnect(client: Stationmaster, connection_task: "asyncio.Task[None]") -> None:
    """Close the client. If its connection does not end within DISCONNECT_SECONDS, cancel it."""
    await client.close()
    # discord.py keeps trying to connect a shard even after the client is closed.
    await asyncio.wait({connection_task}, timeout=DISCONNECT_SECONDS)
    connection_task.cancel()


@asynccontextmanager
async def _serving_client_page(
    client: Stationmaster, settings: Environment, *, is_sandbox: bool
) -> AsyncIterator[None]:
    """Context manager that serves the board page, if the settings ask for one or this is a sandbox.

    Raises SettingsError if the port is in use.
    """
    if settings.web is None and not is_sandbox:
        yield
        return
    from bot.tools.board_page import page_services

    rate_limiter = client.admission.rate_limiter
    async with _serving_board_page(page_services(client), rate_limiter, settings, client.application_id):
        yield


@asynccontextmanager
async def _serving_board_page(
    services: "PageServices", rate_limiter: RateLimiter, settings: Environment, application_id: int | None
) -> AsyncIterator[None]:
    from bot.web.board_server import BoardPage
    from bot.web.entry.page_and_stream_limits import PageCapacity

    capacity, oauth_client = (
        PageCapacity.for_open_files(raise_file_limit()),
        _oauth_client(settings, application_id),
    )
    page = BoardPage(
        services, rate_limiter, settings.rate_limit_factor, oauth_client, capacity, settings.web_proxies
    )
    async with AsyncExitStack() as stack:
        with port_errors_as_setting_errors(settings.web_port, "STATIONMASTER_WEB_PORT"):
            server_context = page.serving(settings.web_port, settings.web, settings.web_host)
            await stack.enter_async_context(server_context)
        yield


def workers_for_settings(settings: Environment) -> Workers:
    """The worker processes for these settings, with the operator's corrections of titles."""
    if settings.workers == 0:
        return Workers()
    prepare_worker = (
        None
        if settings.corrections_file is None
        else partial(correct_titles, settings.corrections_file.read_text("utf-8"))
    )
    return Workers.of_processes(settings.workers, prepare_worker, PRELOADED_MODULES)


def _oauth_client(settings: Environment, application_id: int | None) -> "OAuthClient | None":
    """The OAuth2 client for Discord logins on the board page; None if it is not set."""
    from bot.web.context import OAuthClient

    secret = settings.client_secret and settings.client_secret.get_secret_value().strip()
    return OAuthClient(application_id, secret, Route.BASE) if secret and application_id is not None else None


async def _log_in_for_requests(client: discord.Client, token: str) -> None:
    """Log in to Discord without connecting to the gateway. A failure is logged; the page then cannot check access."""
    try:
        async with asyncio.timeout(STANDBY_LOGIN_SECONDS):
            await client.login(token)
    except (*DISCORD_ERRORS, discord.LoginFailure) as error:
        _log.warning("the board page cannot ask Discord while this process stands by: %r", error)


async def _refresh_printed_maps(workers: Workers, theme: str) -> None:
    """Let a worker draw all titles' printed maps and store them in a file, unless that file is up to date."""
    try:
        await workers.run(QueuePlace(Priority.SEARCH), store_printed_maps, theme)
    except (NotDone, OSError) as error:
        _log.warning("cannot store the printed maps, so the next start draws them again: %s", error)


def _shard_options(settings: Environment) -> dict[str, Any]:
    """The client's shard options from the settings. They are empty if Discord may choose the number of shards."""
    if settings.shards is None and settings.database_url is None:
        return {}
    return {"shard_ids": list(settings.shard_set.shards), "shard_count": settings.shard_set.shard_count}


def _sandbox_options(settings: Environment) -> dict[str, Any]:
    """The client's extra options in a sandbox, whose server is known at the start; empty on Discord."""
    is_on_discord = settings.discord_token is not None
    return {} if is_on_discord else {"guild_ready_timeout": 0.1, "sync_always": True}
