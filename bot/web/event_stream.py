"""Event streams of open pages: positions of their game, and the end of their session.

A stream that names a theme gets positions whole, made once for all spectators; after any other news the
page asks.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Final, NamedTuple

from aiohttp import web

from bot.table.board_links_and_sessions import BoardLinks, Visitor
from bot.table.errors import Refused
from bot.table.game_cache import Locks
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.web.context import Page
from bot.web.entry.access import NO_SESSION, Denied, add_headers, address_of, game_of, visitor_of
from bot.web.entry.page_and_stream_limits import Streams
from bot.web.position_answers import Positions, ViewKey, theme_of
from bot.web.wire import as_json
from bot.workers.errors import NotDone
from engine import PlayerId
from storage import StorageError

_log = logging.getLogger("stationmaster.web")


ALIVE: Final = 20.0
"""Seconds from one sign of life to the next, so that neither page nor proxy takes the stream for dead."""
LOOKING: Final = 1.0
"""Seconds between two looks at a database: at sessions, and at moves where other processes make some."""
TOO_MANY: Final = (
    "Too many boards are open, yours or in total. Close some of your pages, or reload this one later."
)


class WatchedSession:
    """A stream's session."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor: Visitor | None = visitor
        """As last seen; None once the session is over."""


class SessionWatch:
    """Detects sessions that ended or changed, in any process."""

    def __init__(self, links: BoardLinks) -> None:
        self._links = links
        self._streams: defaultdict[str, set[WatchedSession]] = defaultdict(set)

    @contextmanager
    def watched(self, visitor: Visitor) -> Iterator[WatchedSession]:
        """A stream's session while it is open."""
        stream = WatchedSession(visitor)
        self._streams[visitor.session].add(stream)
        try:
            yield stream
        finally:
            self._streams[visitor.session].discard(stream)
            if not self._streams[visitor.session]:
                del self._streams[visitor.session]

    async def changed(self) -> set[int]:
        """Check every session; returns the games of changed ones."""
        asked = list(self._streams)
        try:
            visitors = await self._links.visitors(asked)
        except StorageError as error:
            _log.info("cannot check the sessions of open pages: %s", error)
            return set()
        games = set()
        for session in asked:
            for stream in self._streams.get(session, ()):
                before, stream.visitor = stream.visitor, visitors.get(session)
                if before is not None and before != stream.visitor:
                    games.add(before.game_id)
        return games


class _GameState(NamedTuple):
    """The parts of a game's state after whose change a page must update."""

    seq: int
    held_up: str | None
    names: tuple[tuple[PlayerId, str], ...]
    substitutes: tuple[PlayerId, ...]
    proposals: tuple[tuple[int, int], ...]
    """Those that are open, by number, and how many have answered."""


class _GameStates:
    """Cached states of followed games."""

    def __init__(self, tables: Tables, proposals: Proposals) -> None:
        self._tables = tables
        self._proposals = proposals
        self._locks = Locks()
        self._cached_states: dict[int, tuple[int, _GameState]] = {}
        """By game, what was found, and the number of what had happened then."""

    async def of(self, game_id: int) -> _GameState | None:
        """The current state of a game; the last one if it cannot be read."""
        times = self._tables.followers.version_of(game_id)
        async with self._locks.of(game_id):
            at, state = self._cached_states.get(game_id, (-1, None))
            if at < times:
                try:
                    async with self._tables.reading(game_id) as live:
                        held_up = live.move_obstacle(self._tables.clock())
                        asked = await self._proposals.open_in(live)
                        votes = tuple((asking.proposal.number, len(asking.votes)) for asking in asked)
                        state = _GameState(
                            live.seq, held_up, live.game.players, tuple(live.substitutes), votes
                        )
                except (Refused, StorageError) as error:
                    _log.info("game %s: cannot read its news: %s", game_id, error)
                if state is not None:
                    self._cached_states[game_id] = times, state
            return state

    def forget_others(self) -> None:
        """Forget games without followers."""
        followed = set(self._tables.followers.games)
        self._cached_states = {game: state for game, state in self._cached_states.items() if game in followed}


class Events:
    """The event streams."""

    def __init__(self, page: Page, positions: Positions, streams: Streams, alive: float) -> None:
        """`alive`: seconds between signs of life."""
        self._page = page
        self._positions = positions
        self._streams = streams
        self._sign = _event("alive", {"version": page.files.version, "seconds": alive})
        self._alive = alive
        self._followers = page.tables.followers
        self._states = _GameStates(page.tables, page.behind.proposals)
        self._sessions = SessionWatch(page.links)
        self._closed = asyncio.Event()

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """Send the number of the last move now, and positions whenever they change."""
        visitor = await visitor_of(self._page, request)
        theme = theme_of(request) if "theme" in request.query else None
        with (
            self._streams.holding(visitor, address_of(request)) as fits,
            self._sessions.watched(visitor) as watched,
            self._followers.follow(visitor.game_id) as news,
        ):
            if not fits:
                raise Denied(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY)
            stream = web.StreamResponse(
                headers={
                    "Content-Type": "text/event-stream",
                    "Cache-Control": "no-store",
                    "X-Accel-Buffering": "no",
                }
            )
            add_headers(self._page, stream)
            await stream.prepare(request)
            with suppress(ConnectionError):  # the page has gone away
                await self._send(request, stream, theme, watched, news)
            return stream

    async def watch(self) -> None:
        """Check periodically for ended sessions and other processes' moves, until cancelled."""
        changed = self._page.links.changed
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOKING):
                    await changed.wait()
            changed.clear()
            self._states.forget_others()
            for game_id in await self._sessions.changed():
                self._followers.wake(game_id)
            if self._page.tables.db.shared:
                self._followers.wake_all()

    def close(self) -> None:
        """End all streams; pages reconnect."""
        self._closed.set()
        self._followers.wake_all()

    async def _send(
        self,
        request: web.Request,
        stream: web.StreamResponse,
        theme: str | None,
        watched: WatchedSession,
        news: asyncio.Event,
    ) -> None:
        shown, had, due, clock = None, None, 0.0, asyncio.get_running_loop().time
        while not self._closed.is_set():
            news.clear()
            whose = watched.visitor
            if whose is None:
                await stream.write(_event("ended", {"error": NO_SESSION}))
                return
            if clock() >= due:
                await stream.write(self._sign)
                due = clock() + self._alive
            here = await self._states.of(game_of(request))
            if here is not None and (here, whose) != shown:
                first, shown = shown is None, (here, whose)
                more, had = await self._position(request, whose, theme, here, had, first=first)
                await stream.write(_event("position", {"seq": here.seq}, more))
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await news.wait()

    async def _position(
        self,
        request: web.Request,
        visitor: Visitor,
        theme: str | None,
        here: _GameState,
        previous: ViewKey | None,
        *,
        first: bool,
    ) -> tuple[tuple[bytes, ...], ViewKey | None]:
        """Lines of an event with its position; none for the first event."""
        if theme is None:
            return (), None
        try:
            if first:
                return (), await self._positions.key_for(visitor, theme)
            sent = await self._positions.news(request, visitor, theme, here, previous)
        except (Refused, StorageError, NotDone) as error:
            _log.info("game %s: news without a position: %s", visitor.game_id, error)
            return (), None
        return (sent.packed, as_json({"you": sent.visitor_data}).encode()), sent.view_key


def _event(name: str, data: object, more: tuple[bytes, ...] = ()) -> bytes:
    return b"\ndata: ".join([f"event: {name}".encode(), as_json(data).encode(), *more]) + b"\n\n"
