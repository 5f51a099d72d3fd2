"""HTTP route for positions. A position is drawn and compressed once for all viewers to whom it looks the same.

Each response adds data about the visitor.
"""

import asyncio
import gzip
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeAlias

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.clocks import clocks_and_stops as clocks
from bot.table.clocks.clocks_and_stops import Clocks
from bot.table.clocks.time_banks import parse_quiet_hours, time_when_clock_expires
from bot.table.errors import Refused
from bot.table.game_cache import GameLocks
from bot.table.live import LiveGame, ask_about_position
from bot.table.past.past_games import GameToReplay
from bot.table.rate_limits import RequestKind
from bot.table.redo import moves_to_redo, player_who_redoes
from bot.table.undo import last_undoable_row
from bot.table.votes.absent_seats import absent_seats
from bot.web.answers import CurrentFields, RunningClock, VisitorFields
from bot.web.context import CACHE_SIZE, PageContext
from bot.web.entry.access import Denied, visitor_of
from bot.web.entry.login_and_sessions import user_name
from bot.web.entry.page_and_stream_limits import queue_id_of, rate_limit_id_of
from bot.web.position_as_json import ShownPosition, shown_past_position, shown_position
from bot.web.undo_and_proposals import proposals_json
from bot.web.wire import PackedText, SentPicture, gzip_file, plain_text, rest_of_json_object
from bot.workers.errors import NotDone, PositionOutdated
from bot.workers.workers import Priority, QueuePlace
from engine import PlayerId, has_hidden_cards, may_try_moves
from render import THEME_NAMES
from storage import SeatEntry, format_timestamp

MAX_LOG_MOVES: Final = 30
"""Number of latest moves whose log lines are sent with a position."""
LOG_LINES_TIMEOUT_SECONDS: Final = 0.5
"""Maximum time, in seconds, that a response waits for its log lines."""


class ViewKey(NamedTuple):
    """Cache key of a position as a viewer sees it: game, log row, players' names, theme, and viewer.

    The viewer is None if every viewer sees the same position.
    """

    game_id: int
    seq: int
    names: tuple[tuple[PlayerId, str], ...]
    theme: str
    viewer: PlayerId | None


_ResponseKey: TypeAlias = tuple[ViewKey, str | None, str | None]
"""Cache key of a compressed response: ViewKey, and the ids of the map and market that the browser has."""


_LogLinesKey: TypeAlias = tuple[int, int, tuple[SeatEntry, ...]]
"""Cache key of log lines: game id, last log row, and seat history (which determines the players' names)."""


class _LoadedPosition(NamedTuple):
    """A position, with everything else that one request needs from the game."""

    view_key: ViewKey
    is_current: bool
    position: str
    """The game state as text; empty if the drawn position is cached, or for an earlier position."""
    game_to_replay: GameToReplay
    guild_id: int
    current_data: CurrentFields
    """Data outside the game state: clocks, proposals, and the reason why nobody can move (if any)."""
    visitor_data: VisitorFields


class PositionNews(NamedTuple):
    """A new position for an event stream: a part that several viewers share, and data about the visitor."""

    view_key: ViewKey
    packed: bytes
    """The shared part, packed as gzip in base64, for all viewers whose earlier and new positions look the same."""
    visitor_data: VisitorFields


class PositionAnswers:
    """Request handler for positions, with caches."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self._tables = page.tables
        self._locks = GameLocks()
        self._visitor_locks = GameLocks()
        """One lock per visitor, so that each visitor gets one earlier position at a time."""
        self._drawn_positions: BoundedDict[ViewKey, ShownPosition] = BoundedDict(CACHE_SIZE)
        self._packed_responses: BoundedDict[_ResponseKey, PackedText] = BoundedDict(CACHE_SIZE)
        self._cached_log_lines: BoundedDict[_LogLinesKey, list[tuple[int, str]]] = BoundedDict(CACHE_SIZE)
        self._spectator_news: BoundedDict[tuple[int, str], tuple[object, ViewKey | None, PositionNews]] = (
            BoundedDict(CACHE_SIZE)
        )
        self._read_tasks: dict[_LogLinesKey, asyncio.Task[None]] = {}

    async def show(self, request: web.Request) -> web.Response:
        """Respond with the current position, or with the position after an earlier move."""
        visitor = await visitor_of(self._page, request)
        loaded_position = await self._read_game(visitor, theme_of(request), number_in_query(request, "at"))
        self._page.limits.count_request(visitor, RequestKind.COMPLETION)
        drawn_position = await self._position_for(request, visitor, loaded_position)
        known_pictures = (
            self._page.pictures.get(request.query.get(name, "")) for name in ("map_id", "market_id")
        )
        packed_start = await self._packed_start(loaded_position, drawn_position, *known_pictures)
        return packed_response(
            request,
            packed_start,
            {**await self._additional_fields(loaded_position), "you": loaded_position.visitor_data},
        )

    async def view_key_of(self, visitor: Visitor, theme: str) -> ViewKey:
        """The cache key of the current position as a visitor sees it; raises Refused."""
        return (await self._read_game(visitor, theme, None)).view_key

    async def news(
        self, request: web.Request, visitor: Visitor, theme: str, state: object, shown_key: ViewKey | None
    ) -> PositionNews:
        """The current position for a stream whose page shows `shown_key`; raises Refused, StorageError, NotDone.

        The result for one `state` of a game is reused for all spectators.
        """
        if visitor.user_id is not None:
            return await self._make_news(request, visitor, theme, shown_key)
        key = visitor.game_id, theme
        async with self._locks.lock_of(hash(key)):
            cached_state, previous_key, cached_news = self._spectator_news.get(key, (None, None, None))
            if cached_news is None or cached_state is not state or previous_key != shown_key:
                cached_news = await self._make_news(request, visitor, theme, shown_key)
                self._spectator_news[key] = state, shown_key, cached_news
        own_fields: VisitorFields = {
            **cached_news.visitor_data,
            "confirmation_code": visitor.code or None,
            "session_id": visitor.session,
        }
        return cached_news._replace(visitor_data=own_fields)

    async def _make_news(
        self, request: web.Request, visitor: Visitor, theme: str, shown_key: ViewKey | None
    ) -> PositionNews:
        loaded_position, previous_position = (
            await self._read_game(visitor, theme, None),
            shown_key and self._drawn_positions.get(shown_key),
        )
        drawn_position = await self._position_for(request, visitor, loaded_position)
        known_pictures = (
            (previous_position.map, previous_position.market) if previous_position else (None, None)
        )
        packed_start = await self._packed_start(loaded_position, drawn_position, *known_pictures)
        packed = b64encode(
            gzip_file(packed_start, rest_of_json_object(await self._additional_fields(loaded_position)))
        )
        return PositionNews(loaded_position.view_key, packed, loaded_position.visitor_data)

    async def _additional_fields(self, loaded_position: _LoadedPosition) -> dict[str, Any]:
        lines = await self._log_lines(loaded_position) if loaded_position.is_current else None
        return {
            "game_id": loaded_position.view_key.game_id,
            "seq": loaded_position.view_key.seq,
            **loaded_position.current_data,
            "log": lines,
        }

    async def _read_game(self, visitor: Visitor, theme: str, requested_seq: int | None) -> _LoadedPosition:
        async with self._tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            game_to_replay, seq = GameToReplay.of(live), shown_seq(live, requested_seq)
            is_current = seq == game_to_replay.rows[-1].seq
            # Only where money or cards are secret does it matter who looks.
            viewer = player if live.game.title.spec.secret_cash or has_hidden_cards(live.game) else None
            names = (
                live.game.players if is_current else tuple(sorted(game_to_replay.names.names_at(seq).items()))
            )
            view_key = ViewKey(live.id, seq, names, theme, viewer)
            return _LoadedPosition(
                view_key,
                is_current,
                live.game.dump() if is_current and view_key not in self._drawn_positions else "",
                game_to_replay,
                live.row.guild_id,
                await self._current_data(visitor, live, is_current),
                self._visitor_data(visitor, live, player, is_current),
            )

    async def _position_for(
        self, request: web.Request, visitor: Visitor, loaded_position: _LoadedPosition
    ) -> ShownPosition:
        """The drawn position; concurrent requests for the same position wait for a single drawing."""
        view_key = loaded_position.view_key
        async with self._locks.lock_of(hash(view_key)):
            drawn_position = self._drawn_positions.get(view_key)
            if drawn_position is None:
                drawn_position = await self._draw_position(request, visitor, loaded_position)
                self._drawn_positions[view_key] = drawn_position
        for picture in (drawn_position.map, drawn_position.market):
            self._page.pictures[picture.id] = picture
        return drawn_position

    async def _draw_position(
        self, request: web.Request, visitor: Visitor, loaded_position: _LoadedPosition
    ) -> ShownPosition:
        view_key, workers = loaded_position.view_key, self._tables.workers
        if loaded_position.is_current and not loaded_position.position:
            raise PositionOutdated  # it was there a moment ago: the page asks again
        if loaded_position.is_current:
            queue = QueuePlace(Priority.MOVE, loaded_position.guild_id)
            return await ask_about_position(
                workers, queue, loaded_position.position, shown_position, view_key.theme, view_key.viewer
            )
        queue = question_queue(visitor, loaded_position.guild_id)
        async with self._visitor_locks.lock_of(rate_limit_id_of(visitor)):
            require_connected(request)
            worker_arguments = view_key.theme, view_key.viewer
            return await self._tables.replayer.view_position(
                loaded_position.game_to_replay, view_key.seq, queue, shown_past_position, *worker_arguments
            )

    async def _packed_start(
        self,
        loaded_position: _LoadedPosition,
        drawn_position: ShownPosition,
        known_map: SentPicture | None,
        known_market: SentPicture | None,
    ) -> PackedText:
        """The compressed start of a response to browsers that already have these pictures."""
        key = (
            loaded_position.view_key,
            known_map.id if known_map else None,
            known_market.id if known_market else None,
        )
        async with self._locks.lock_of(hash(key)):
            packed = self._packed_responses.get(key)
            if packed is None:
                queue = QueuePlace(Priority.MOVE, loaded_position.guild_id)
                packed = await self._tables.workers.run(
                    queue, ShownPosition.unclosed_response, drawn_position, known_map, known_market
                )
                self._packed_responses[key] = packed
            return packed

    async def _log_lines(self, loaded_position: _LoadedPosition) -> list[tuple[int, str]] | None:
        """The log lines of the latest moves as (log row, text); None if they cannot be read in time."""
        key = (
            loaded_position.view_key.game_id,
            loaded_position.view_key.seq,
            loaded_position.game_to_replay.names.holder_entries,
        )
        if key not in self._cached_log_lines:
            if key not in self._read_tasks:
                self._read_tasks[key] = asyncio.create_task(self._load_log_lines(key, loaded_position))
                self._read_tasks[key].add_done_callback(_ignore_error)
            read_task = self._read_tasks[key]
            await asyncio.wait({read_task}, timeout=LOG_LINES_TIMEOUT_SECONDS)
            if read_task.done():
                with suppress(NotDone):  # the history says more, and says why
                    read_task.result()
        return self._cached_log_lines.get(key)

    async def _load_log_lines(self, key: _LogLinesKey, loaded_position: _LoadedPosition) -> None:
        game_to_replay = loaded_position.game_to_replay
        try:
            seqs = [seq for seq in game_to_replay.seqs if seq <= loaded_position.view_key.seq][
                -MAX_LOG_MOVES:
            ]
            # Lines that were read with the position before are not replayed.
            cached_key = next(
                (
                    lines_key
                    for seq in reversed(seqs)
                    if (lines_key := (key[0], seq, key[2])) in self._cached_log_lines
                ),
                None,
            )
            earlier_lines, after_seq = (
                ([], seqs[0] - 1)
                if cached_key is None
                else (self._cached_log_lines[cached_key], cached_key[1])
            )
            queue = QueuePlace(Priority.QUESTION, loaded_position.guild_id)
            history = await self._tables.replayer.history(game_to_replay, queue, after_seq)
            later_lines = [
                (seq, plain_text(line))
                for seq, line in history.all_lines()
                if seq <= loaded_position.view_key.seq
            ]
            self._cached_log_lines[key] = [
                line for line in (*earlier_lines, *later_lines) if line[0] >= seqs[0]
            ]
        finally:
            del self._read_tasks[key]

    async def _current_data(self, visitor: Visitor, live: LiveGame, is_current: bool) -> CurrentFields:
        now = self._tables.clock()
        obstacle = live.move_obstacle(now)
        game_clocks = await clocks.live_clocks(self._tables.db, self._tables.shards, live, now)
        open_proposals = await self._page.services.proposals.open_proposals_of(live) if is_current else []
        return {
            "name": live.row.name,
            "last_seq": live.seq,
            "move_obstacle": None if obstacle is None else plain_text(obstacle),
            "proposals": await proposals_json(self._tables.db, live, visitor, open_proposals),
            "clocks": [] if game_clocks is None else _clocks_json(live, game_clocks),
        }

    def _visitor_data(
        self, visitor: Visitor, live: LiveGame, player: PlayerId | None, is_current: bool
    ) -> VisitorFields:
        may_move = live.move_obstacle(self._tables.clock()) is None
        may_play = player is not None and may_move and not live.game.is_over
        return {
            "player": player,
            "name": None if player is None else live.name_of(player),
            "is_acting": is_current and player is not None and player in live.game.actors(),
            "may_play": may_play,
            "may_try_moves": may_play and may_try_moves(live.game, player),
            "is_substitute": player is not None and player in live.substitutes,
            "absent_players": [] if visitor.user_id is None else absent_seats(live, visitor.user_id),
            "may_undo": player is not None and may_move and _may_undo(live, player),
            "may_redo": may_move and _may_redo(live, visitor),
            "undo_target_seq": _undo_target(live, player) if may_move else None,
            "is_moderator": visitor.moderates,
            "may_share": may_share(live, visitor),
            "is_spectator": player is None,
            "own_last_seq": last_move_by_hand(live, player),
            "user_name": None
            if visitor.user_id is None
            else user_name(live, visitor.user_id, visitor.user_name),
            "confirmation_code": visitor.code or None,
            "session_id": visitor.session,
        }


def _ignore_error(read_task: "asyncio.Task[None]") -> None:
    """Mark the error of a finished task as retrieved, so that asyncio logs no warning."""
    if not read_task.cancelled():
        read_task.exception()


def last_move_by_hand(live: LiveGame, player: PlayerId | None) -> int | None:
    """Log row of the player's last move in effect that was not automatic; None if there is no such move."""
    own_seqs = (
        row.seq
        for row in reversed(live.effective_rows)
        if row.actor == player and row.seq not in live.automatic_rows
    )
    return None if player is None else next(own_seqs, None)


def may_share(live: LiveGame, visitor: Visitor) -> bool:
    """True if a visitor is a player or moderator, who may create public links to the game."""
    return visitor.moderates or (visitor.user_id is not None and live.player_of(visitor.user_id) is not None)


def question_queue(visitor: Visitor, guild_id: int, game_id: int | None = None) -> QueuePlace:
    """The worker queue for a visitor's question."""
    return QueuePlace(Priority.QUESTION, queue_id_of(visitor, guild_id), rate_limit_id_of(visitor), game_id)


def require_connected(request: web.Request) -> None:
    """Raise Denied if the browser has disconnected."""
    if request.transport is None:
        raise Denied(HTTPStatus.REQUEST_TIMEOUT, "Nobody is waiting for this answer any more.")


def shown_seq(live: LiveGame, requested_seq: int | None) -> int:
    """Log row of the position to show: `requested_seq` if given, otherwise the last row in effect."""
    return (
        live.effective_rows[-1].seq if requested_seq is None or requested_seq == live.seq else requested_seq
    )


def number_in_query(request: web.Request, name: str) -> int | None:
    """A number in the URL's query, None if missing; raises Denied if invalid."""
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Denied(HTTPStatus.BAD_REQUEST, f"{name} must be a number.")
    return int(text)


def theme_of(request: web.Request) -> str:
    """The theme in the URL's query; raises Denied if it is unknown."""
    theme = request.query.get("theme", "ours")
    if theme not in THEME_NAMES:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"There is no such theme. Themes: {', '.join(THEME_NAMES)}."
        )
    return theme


def packed_response(
    request: web.Request, packed_start: PackedText, more_fields: Mapping[str, Any] = {}
) -> web.Response:
    """A response of compressed JSON to which `more_fields` are added; browsers without gzip get it uncompressed."""
    body = gzip_file(packed_start, rest_of_json_object(more_fields))
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(
            body=body, content_type="application/json", headers={**headers, "Content-Encoding": "gzip"}
        )
    return web.Response(body=gzip.decompress(body), content_type="application/json", headers=headers)


def _may_redo(live: LiveGame, visitor: Visitor) -> bool:
    if visitor.user_id is None:
        return False
    try:
        player_who_redoes(live, moves_to_redo(live), visitor.user_id, is_moderator=visitor.moderates)
    except Refused:
        return False
    return True


def _undo_target(live: LiveGame, player: PlayerId | None) -> int | None:
    """The log row to which a player's undo of their own last move goes back; None if they cannot undo it."""
    last_seq, seqs = last_move_by_hand(live, player), [row.seq for row in live.effective_rows]
    return None if last_seq is None or live.game.is_over else seqs[seqs.index(last_seq) - 1]


def _may_undo(live: LiveGame, player: PlayerId) -> bool:
    try:
        last_undoable_row(live, player)
    except Refused:
        return False
    return True


def _clocks_json(live: LiveGame, clocks: Clocks) -> list[RunningClock]:
    return [
        {
            "player": turn.player_id,
            "name": live.name_of(turn.player_id),
            "seconds_left": round(clocks.time_left(turn).total_seconds()),
            "is_stopped": clocks.is_stopped(turn),
            "expires_at": None
            if clocks.is_stopped(turn)
            else format_timestamp(
                time_when_clock_expires(clocks.time_left(turn), clocks.now, parse_quiet_hours(turn.quiet))
            ),
        }
        for turn in clocks.running_turns
    ]
