"""Server-sent event streams to open pages: new positions, and the end of a session.

If the stream's URL names a theme, its events contain whole positions, which are built once for all spectators.
Otherwise, the page requests the position after each event.
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
from bot.table.game_cache import GameLocks
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.web.context import PageContext
from bot.web.entry.access import NO_SESSION_TEXT, Denied, add_headers, address_of, game_id_of, visitor_of
from bot.web.entry.page_and_stream_limits import StreamLimits
from bot.web.position_answers import PositionAnswers, ViewKey, theme_of
from bot.web.wire import as_json
from bot.workers.errors import NotDone
from engine import PlayerId
from storage import StorageError

_log = logging.getLogger("stationmaster.web")


KEEP_ALIVE_SECONDS: Final = 20.0
"""Seconds between keep-alive events, so that neither page nor proxy considers the stream dead."""
SECONDS_BETWEEN_CHECKS: Final = 1.0
"""Seconds between checks of the database for ended sessions and for moves made by other processes."""
TOO_MANY_BOARDS: Final = (
    "You have too many boards open, or too many are open in total. Close some of yours, or reload this page "
    "later."
)


class StreamSession:
    """The browser session of an open event stream."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor: Visitor | None = visitor
        """The session's visitor at the last check; None once the session has ended."""


class SessionChangeDetector:
    """Detects that sessions of open streams have ended or changed, in any process."""

    def __init__(self, links: BoardLinks) -> None:
        self._links = links
        self._streams: defaultdict[str, set[StreamSession]] = defaultdict(set)

    @contextmanager
    def watch_session(self, visitor: Visitor) -> Iterator[StreamSession]:
        """A context in which the session of an event stream is watched, so that the stream ends with it."""
        stream_session = StreamSession(visitor)
        self._streams[visitor.session].add(stream_session)
        try:
            yield stream_session
        finally:
            self._streams[visitor.session].discard(stream_session)
            if not self._streams[visitor.session]:
                del self._streams[visitor.session]

    async def find_changed_games(self) -> set[int]:
        """Check all watched sessions; return the ids of games with a session that has changed or ended."""
        sessions = list(self._streams)
        try:
            visitors = await self._links.visitors(sessions)
        except StorageError as error:
            _log.info("cannot check the sessions of open pages: %s", error)
            return set()
        changed_games = set()
        for session in sessions:
            for stream_session in self._streams.get(session, ()):
                previous_visitor, stream_session.visitor = stream_session.visitor, visitors.get(session)
                if previous_visitor is not None and previous_visitor != stream_session.visitor:
                    changed_games.add(previous_visitor.game_id)
        return changed_games


class _GameState(NamedTuple):
    """The parts of a game's state whose change requires a new event."""

    seq: int
    move_obstacle: str | None
    names: tuple[tuple[PlayerId, str], ...]
    substitutes: tuple[PlayerId, ...]
    proposals: tuple[tuple[int, int], ...]
    """(number, count of votes) of each open proposal."""


class _GameStates:
    """Cache of the states of games that have open streams."""

    def __init__(self, tables: Tables, proposals: Proposals) -> None:
        self._tables = tables
        self._proposals = proposals
        self._locks = GameLocks()
        self._cached_states: dict[int, tuple[int, _GameState]] = {}

    async def state_of(self, game_id: int) -> _GameState | None:
        """The current state of a game; the last known state if the current one cannot be read now."""
        version = self._tables.followers.version_of(game_id)
        async with self._locks.lock_of(game_id):
            cached_version, state = self._cached_states.get(game_id, (-1, None))
            if cached_version < version:
                try:
                    async with self._tables.reading(game_id) as live:
                        move_obstacle = live.move_obstacle(self._tables.clock())
                        open_proposals = await self._proposals.open_proposals_of(live)
                        proposal_votes = tuple(
                            (open_proposal.proposal.number, len(open_proposal.votes))
                            for open_proposal in open_proposals
                        )
                        state = _GameState(
                            live.seq,
                            move_obstacle,
                            live.game.players,
                            tuple(live.substitutes),
                            proposal_votes,
                        )
                except (Refused, StorageError) as error:
                    _log.info("game %s: cannot read the changes for its boards: %s", game_id, error)
                if state is not None:
                    self._cached_states[game_id] = version, state
            return state

    def forget_unfollowed(self) -> None:
        """Forget the states of games that have no open stream."""
        followed_games = set(self._tables.followers.followed_games)
        self._cached_states = {
            game: state for game, state in self._cached_states.items() if game in followed_games
        }


class EventStreams:
    """Request handler for event streams."""

    def __init__(
        self,
        page: PageContext,
        position_answers: PositionAnswers,
        stream_limits: StreamLimits,
        keep_alive_seconds: float,
    ) -> None:
        """`keep_alive_seconds` are the seconds between keep-alive events."""
        self._page = page
        self._position_answers = position_answers
        self._streams = stream_limits
        self._keep_alive_event = _event_bytes(
            "alive", {"version": page.files.version, "seconds": keep_alive_seconds}
        )
        self._keep_alive_seconds = keep_alive_seconds
        self._followers = page.tables.followers
        self._game_states = _GameStates(page.tables, page.services.proposals)
        self._sessions = SessionChangeDetector(page.links)
        self._close_event = asyncio.Event()

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """Respond with an event stream: the number of the last move at once, then an event for each new position."""
        visitor = await visitor_of(self._page, request)
        theme = theme_of(request) if "theme" in request.query else None
        with (
            self._streams.hold_stream(visitor, address_of(request)) as is_within_limits,
            self._sessions.watch_session(visitor) as stream_session,
            self._followers.follow(visitor.game_id) as news_event,
        ):
            if not is_within_limits:
                raise Denied(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY_BOARDS)
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
                await self._send_events(request, stream, theme, stream_session, news_event)
            return stream

    async def watch(self) -> None:
        """Check periodically for ended sessions and for moves made by other processes, until cancelled."""
        sessions_changed = self._page.links.sessions_changed
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_BETWEEN_CHECKS):
                    await sessions_changed.wait()
            sessions_changed.clear()
            self._game_states.forget_unfollowed()
            for game_id in await self._sessions.find_changed_games():
                self._followers.wake(game_id)
            if self._page.tables.db.is_shared:
                self._followers.wake_all()

    def close(self) -> None:
        """End all streams; the pages reconnect automatically."""
        self._close_event.set()
        self._followers.wake_all()

    async def _send_events(
        self,
        request: web.Request,
        stream: web.StreamResponse,
        theme: str | None,
        stream_session: StreamSession,
        news_event: asyncio.Event,
    ) -> None:
        shown_state, previous_key, next_keep_alive_at, clock = (
            None,
            None,
            0.0,
            asyncio.get_running_loop().time,
        )
        while not self._close_event.is_set():
            news_event.clear()
            visitor = stream_session.visitor
            if visitor is None:
                await stream.write(_event_bytes("ended", {"error": NO_SESSION_TEXT}))
                return
            if clock() >= next_keep_alive_at:
                await stream.write(self._keep_alive_event)
                next_keep_alive_at = clock() + self._keep_alive_seconds
            game_state = await self._game_states.state_of(game_id_of(request))
            if game_state is not None and (game_state, visitor) != shown_state:
                is_first, shown_state = shown_state is None, (game_state, visitor)
                extra_lines, previous_key = await self._position_lines(
                    request, visitor, theme, game_state, previous_key, is_first=is_first
                )
                await stream.write(_event_bytes("position", {"seq": game_state.seq}, extra_lines))
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_keep_alive_at):
                    await news_event.wait()

    async def _position_lines(
        self,
        request: web.Request,
        visitor: Visitor,
        theme: str | None,
        game_state: _GameState,
        previous_key: ViewKey | None,
        *,
        is_first: bool,
    ) -> tuple[tuple[bytes, ...], ViewKey | None]:
        if theme is None:
            return (), None
        try:
            if is_first:
                return (), await self._position_answers.view_key_of(visitor, theme)
            news = await self._position_answers.news(request, visitor, theme, game_state, previous_key)
        except (Refused, StorageError, NotDone) as error:
            _log.info("game %s: cannot send its position to a board: %s", visitor.game_id, error)
            return (), None
        return (news.packed, as_json({"you": news.visitor_data}).encode()), news.view_key


def _event_bytes(name: str, data: object, extra_lines: tuple[bytes, ...] = ()) -> bytes:
    return b"\ndata: ".join([f"event: {name}".encode(), as_json(data).encode(), *extra_lines]) + b"\n\n"
