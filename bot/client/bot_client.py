"""BotClient: the base class of the bot, with the services that commands and components use."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any, Final, NamedTuple, TypeAlias

import discord
from yarl import URL

from bot.client.caretaker_moves import CaretakerMoves
from bot.client.direct_messages import DirectMessages, ExpiredDirectMessages
from bot.client.entry.admission import Admission
from bot.client.entry.move_confirmations import MoveConfirmations
from bot.client.entry.showable import ThreadVisibility
from bot.client.pictures import Pictures
from bot.client.places.departed_members import DepartedMembers
from bot.client.places.lost_threads import LostThreads
from bot.client.places.threads import Threads
from bot.client.requests.invalid_requests import InvalidRequestBudget, RequestGuard, request_budget_for_shards
from bot.client.requests.old_edits import OldEdits
from bot.client.requests.permission_problems import DeliveryProblems
from bot.client.requests.retries import use_quick_reconnects
from bot.client.thread.apply import Applier
from bot.client.thread.turns import TurnMessages
from bot.table.errors import Refused
from bot.table.events.events import Events
from bot.table.game_cache import GameLocks
from bot.table.live import LiveGame
from bot.table.lobby import Lobbies
from bot.table.markdown import sentence_list
from bot.table.moves.turn_buttons import Buttons
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.rate_limits import RateLimiter
from bot.table.rematch import Rematches
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.table.what_ifs import WhatIfs
from bot.workers.workers import Priority

_log = logging.getLogger("stationmaster")

GAME_LOADING_TIMEOUT_SECONDS: Final = 2.0
"""Seconds that autocomplete waits for a game to load; Discord waits three seconds for suggestions."""
RATE_LIMIT_WAIT_SECONDS: Final = 30.0
"""Maximum wait in seconds that Discord's rate limit may ask for; a request that must wait longer fails.

discord.py accepts no lower value.
"""
FINISH_REQUESTS_SECONDS: Final = 10.0
"""Seconds for requests in progress to finish before the client disconnects."""
LAST_REPLIES_SECONDS: Final = 1.0
"""Extra seconds before the client disconnects, in which users are told that their questions were cancelled."""


class BotClient(discord.AutoShardedClient):
    """A Discord client with the games of its shards (`tables`) and the services that show them."""

    on_user_active: Callable[[int, int], Coroutine[Any, Any, None]]
    """Function called with game id and user id when a user acts in a game; it ends their absence there."""

    def __init__(
        self,
        tables: Tables,
        pictures: Pictures,
        rate_limiter: RateLimiter,
        ping_delay: timedelta,
        **options: Any,
    ) -> None:
        self.breaker = CircuitBreaker()
        guard = RequestGuard(self.breaker, InvalidRequestBudget(request_budget_for_shards(tables.shards)))
        super().__init__(
            http_trace=guard.trace_config(), max_ratelimit_timeout=RATE_LIMIT_WAIT_SECONDS, **options
        )
        self._jobs: set[asyncio.Task[Any]] = set()
        # The games, and the players who left or are absent.
        self.tables, self.pictures = tables, pictures
        self.lobbies = Lobbies(tables)
        self.rematches = Rematches(tables, self.lobbies)
        self.events = Events(tables)
        self.departed_members = DepartedMembers(self, tables)
        self.proposals = Proposals(tables, self.departed_members.check_departed)
        self.buttons = Buttons(tables)
        # The threads and messages that show them.
        self.admission, self.thread_visibility = Admission(rate_limiter), ThreadVisibility(self)
        self.delivery_problems, self.move_confirmations = DeliveryProblems(self.breaker), MoveConfirmations()
        self.old_edits = OldEdits()
        self.threads = Threads(self, tables)
        self.lost_threads = LostThreads(self, tables, self.threads, self.delivery_problems)
        self.ping_delay = ping_delay
        self.direct_messages = DirectMessages(self, tables, self.breaker)
        self.expired_direct_messages = ExpiredDirectMessages(self, tables)
        self.applier = Applier(tables, self.threads, pictures, self.old_edits)
        self.turns = TurnMessages(tables, self.applier, ping_delay, self.buttons)
        self.lobby_locks, self.claim_locks, self.event_post_locks = GameLocks(), GameLocks(), GameLocks()
        """Locks for editing lobbies (by game), claiming imported seats (by message) and event posts (by event)."""
        self.caretakers = CaretakerMoves(tables, self.run_in_background)
        self.what_ifs = WhatIfs()

    async def launch_shard(self, gateway: URL, shard_id: int, **flags: bool) -> None:
        """Connect a shard to the gateway, with quick reconnects after a lost connection."""
        await super().launch_shard(gateway, shard_id, **flags)
        use_quick_reconnects(self, shard_id)

    async def close(self) -> None:
        """Refuse new requests, finish those in progress, stop background jobs, and disconnect."""
        await self.admission.close(FINISH_REQUESTS_SECONDS)
        await self.tables.workers.close(Priority.QUESTION)
        await self.admission.close(LAST_REPLIES_SECONDS)
        for job in list(self._jobs):
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        await self.tables.drain()
        await super().close()
        await self.tables.workers.close()

    async def load_for_autocomplete(self, game_id: int) -> LiveGame | None:
        """The live game; None if it does not load in time for autocomplete. Loading continues in the background."""
        if self.tables.find_cached(game_id) is None:
            await asyncio.wait(
                {self.run_in_background(self._load_game(game_id))}, timeout=GAME_LOADING_TIMEOUT_SECONDS
            )
        return self.tables.find_cached(game_id)

    def run_in_background(self, job: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine in the background; it is cancelled when the client closes."""
        task: asyncio.Task[Any] = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task

    def record_activity(self, game_id: int, user_id: int) -> None:
        """In the background, record that a user acts in a game, and delete their last move's private confirmation."""
        self.run_in_background(self.on_user_active(game_id, user_id))
        self.run_in_background(self.move_confirmations.delete(user_id, game_id))

    async def _load_game(self, game_id: int) -> None:
        try:
            async with self.tables.reading(game_id):
                return
        except Exception as error:  # noqa: BLE001 - the next request for this game reports the problem
            _log.warning("game %s cannot be loaded: %s", game_id, error)


class PeriodicCheck(NamedTuple):
    """A check that a feature runs periodically while the client is connected, such as for expired pauses."""

    purpose: str
    """The check's purpose in a few words for log lines, such as `expired pauses and substitutions`."""
    check: Callable[[BotClient], Awaitable[None]]
    check_interval_seconds: float
    """Seconds between two checks."""


BotInteraction: TypeAlias = discord.Interaction[BotClient]
"""A Discord interaction whose client is a BotClient."""


def game_id_here(interaction: BotInteraction) -> int:
    """The id of the game shown in this thread; raises Refused outside a game's thread."""
    game_id = interaction.client.tables.game_shown_in(interaction.channel_id)
    if game_id is None:
        lost_games = interaction.client.tables.game_threads.games_without_thread(interaction.channel_id)
        if lost_games:
            repair_commands = sentence_list(f"`/game repair number:{number}`" for number in lost_games)
            raise Refused(
                f"Several games in this channel have lost their threads. Make new ones with {repair_commands}."
            )
        raise Refused(
            "This is not a game's thread. `/mine` lists your games, `/game list` the games of this server."
        )
    return game_id
