"""Positions: drawn once for equal views, completed by data about the visitor."""

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
from bot.table.clocks.time_banks import is_up_at, read_quiet
from bot.table.errors import Refused
from bot.table.game_cache import Locks
from bot.table.live import LiveGame, ask_position
from bot.table.past.past_games import PastGame
from bot.table.rate_limits import Kind
from bot.table.redo import redoable, require_whose
from bot.table.undo import undoable
from bot.table.votes.absent_seats import absent_seats
from bot.web.context import KEPT, Page
from bot.web.entry.access import Denied, visitor_of
from bot.web.entry.login_and_sessions import user_name
from bot.web.entry.page_and_stream_limits import asker_of, line_of
from bot.web.position_as_json import ShownPosition, shown_past_position, shown_position
from bot.web.undo_and_proposals import proposals_json
from bot.web.wire import Packed, SentPicture, closing, gzip_file, plain_text
from bot.workers.errors import NotDone, PositionGone
from bot.workers.workers import Priority, Queue
from engine import PlayerId
from render import THEME_NAMES
from storage import SeatEntry, format_timestamp

LINES: Final = 30
"""Moves whose lines come with a position."""
LINES_SECONDS: Final = 0.5
"""Seconds that a position waits for them."""


class ViewKey(NamedTuple):
    """The key of a shared position: row, players' names, theme, and viewer."""

    game_id: int
    at: int
    names: tuple[tuple[PlayerId, str], ...]
    theme: str
    looker: PlayerId | None


_Sent: TypeAlias = tuple[ViewKey, str | None, str | None]
"""An answer: what it shows, and the pictures that are there already."""


_LinesKey: TypeAlias = tuple[int, int, tuple[SeatEntry, ...]]
"""Lines of a game up to a move; they name the players."""


class _GameRead(NamedTuple):
    """A game as read for a request."""

    view_key: ViewKey
    now: bool
    position: str
    """The game as text, where the position is not drawn yet."""
    past: PastGame
    guild_id: int
    moment: dict[str, Any]
    """All that is true now, apart from the position."""
    visitor_data: dict[str, Any]
    """The part about the visitor."""


class PositionNews(NamedTuple):
    """A position for an event stream: shared packed part, and visitor's data."""

    view_key: ViewKey
    packed: bytes
    """A gzip file in base 64: all followers who see the same, and had the same before, get this one."""
    visitor_data: dict[str, Any]


class Positions:
    """Answers about positions, with recent ones cached."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._tables = page.tables
        self._locks = Locks()
        self._turns = Locks()
        """By who asks: one earlier position at a time."""
        self._shown: BoundedDict[ViewKey, ShownPosition] = BoundedDict(KEPT)
        self._sent: BoundedDict[_Sent, Packed] = BoundedDict(KEPT)
        self._lines: BoundedDict[_LinesKey, list[tuple[int, str]]] = BoundedDict(KEPT)
        self._spectated: BoundedDict[tuple[int, str], tuple[object, ViewKey | None, PositionNews]] = (
            BoundedDict(KEPT)
        )
        """The latest news for spectators by game and theme: of which state of the game, and after what they had."""
        self._reading: dict[_LinesKey, asyncio.Task[None]] = {}
        """Readings of lines that are under way."""

    async def show(self, request: web.Request) -> web.Response:
        """The current position, or the one after a move."""
        visitor = await visitor_of(self._page, request)
        asked = await self._asked(visitor, theme_of(request), number(request, "at"))
        self._page.limits.require(visitor, Kind.COMPLETION)
        whole = await self._whole(request, visitor, asked)
        bases = (self._page.pictures.get(request.query.get(name, "")) for name in ("have", "market"))
        begun = await self._begun(asked, whole, *bases)
        return packed_answer(request, begun, {**await self._rest(asked), "you": asked.visitor_data})

    async def key_for(self, visitor: Visitor, theme: str) -> ViewKey:
        """The key of a visitor's view of the current position; raises Refused."""
        return (await self._asked(visitor, theme, None)).view_key

    async def news(
        self, request: web.Request, visitor: Visitor, theme: str, state: object, previous: ViewKey | None
    ) -> PositionNews:
        """The current position for a follower who had another one; raises Refused, StorageError, NotDone.

        The same state of a game is the same news for all spectators, so they are made once.
        """
        if visitor.user_id is not None:
            return await self._news(request, visitor, theme, previous)
        key = visitor.game_id, theme
        async with self._locks.of(hash(key)):
            at, after, cached = self._spectated.get(key, (None, None, None))
            if cached is None or at is not state or after != previous:
                cached = await self._news(request, visitor, theme, previous)
                self._spectated[key] = state, previous, cached
        return cached._replace(visitor_data={**cached.visitor_data, **_own(visitor)})

    async def _news(
        self, request: web.Request, visitor: Visitor, theme: str, previous: ViewKey | None
    ) -> PositionNews:
        asked, before = await self._asked(visitor, theme, None), previous and self._shown.get(previous)
        whole = await self._whole(request, visitor, asked)
        bases = (before.map, before.market) if before else (None, None)
        begun = await self._begun(asked, whole, *bases)
        packed = b64encode(gzip_file(begun, closing(await self._rest(asked))))
        return PositionNews(asked.view_key, packed, asked.visitor_data)

    async def _rest(self, game_read: _GameRead) -> dict[str, Any]:
        """The part of an answer between the position and the visitor's data."""
        lines = await self._lines_of(game_read) if game_read.now else None
        return {
            "game": game_read.view_key.game_id,
            "at": game_read.view_key.at,
            **game_read.moment,
            "log": lines,
        }

    async def _asked(self, visitor: Visitor, theme: str, at: int | None) -> _GameRead:
        async with self._tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            past, seq = PastGame.of(live), seq_of(live, at)
            now = seq == past.rows[-1].seq
            # Only where money is secret does it matter who looks.
            looker = player if live.game.title.spec.secret_cash else None
            names = live.game.players if now else tuple(sorted(past.names.names_at(seq).items()))
            what = ViewKey(live.id, seq, names, theme, looker)
            return _GameRead(
                what,
                now,
                live.game.dump() if now and what not in self._shown else "",
                past,
                live.row.guild_id,
                await self._moment(visitor, live, now),
                self._you(visitor, live, player, now),
            )

    async def _whole(self, request: web.Request, visitor: Visitor, game_read: _GameRead) -> ShownPosition:
        """The position; concurrent requests for the same share one."""
        what = game_read.view_key
        async with self._locks.of(hash(what)):
            shown = self._shown.get(what)
            if shown is None:
                shown = await self._drawn(request, visitor, game_read)
                self._shown[what] = shown
        for picture in (shown.map, shown.market):
            self._page.pictures[picture.id] = picture
        return shown

    async def _drawn(self, request: web.Request, visitor: Visitor, game_read: _GameRead) -> ShownPosition:
        what, workers = game_read.view_key, self._tables.workers
        if game_read.now and not game_read.position:
            raise PositionGone  # it was there a moment ago: the page asks again
        if game_read.now:
            queue = Queue(Priority.MOVE, game_read.guild_id)
            return await ask_position(
                workers, queue, game_read.position, shown_position, what.theme, what.looker
            )
        queue = question_of(visitor, game_read.guild_id)
        async with self._turns.of(asker_of(visitor)):
            require_there(request)
            looks = what.theme, what.looker
            return await self._tables.past.view_position(
                game_read.past, what.at, queue, shown_past_position, *looks
            )

    async def _begun(
        self,
        game_read: _GameRead,
        whole: ShownPosition,
        on_map: SentPicture | None,
        on_market: SentPicture | None,
    ) -> Packed:
        """The shared part for browsers with these pictures of map and market."""
        key = game_read.view_key, on_map.id if on_map else None, on_market.id if on_market else None
        async with self._locks.of(hash(key)):
            packed = self._sent.get(key)
            if packed is None:
                queue = Queue(Priority.MOVE, game_read.guild_id)
                packed = await self._tables.workers.run(
                    queue, ShownPosition.unclosed_answer, whole, on_map, on_market
                )
                self._sent[key] = packed
            return packed

    async def _lines_of(self, game_read: _GameRead) -> list[tuple[int, str]] | None:
        """Lines of the latest moves; None if that would take long."""
        key = game_read.view_key.game_id, game_read.view_key.at, game_read.past.names.held
        if key not in self._lines:
            if key not in self._reading:
                self._reading[key] = asyncio.create_task(self._read(key, game_read))
                self._reading[key].add_done_callback(_noticed)
            reading = self._reading[key]
            await asyncio.wait({reading}, timeout=LINES_SECONDS)
            if reading.done():
                with suppress(NotDone):  # the history says more, and says why
                    reading.result()
        return self._lines.get(key)

    async def _read(self, key: _LinesKey, game_read: _GameRead) -> None:
        past = game_read.past
        try:
            numbers = [seq for seq in past.numbers if seq <= game_read.view_key.at][-LINES:]
            # Lines that were read with the position before are not replayed.
            read = next(
                (one for seq in reversed(numbers) if (one := (key[0], seq, key[2])) in self._lines), None
            )
            before, since = ([], numbers[0] - 1) if read is None else (self._lines[read], read[1])
            queue = Queue(Priority.QUESTION, game_read.guild_id)
            history = await self._tables.past.history(past, queue, since)
            later = [
                (seq, plain_text(line)) for seq, line in history.all_lines() if seq <= game_read.view_key.at
            ]
            self._lines[key] = [line for line in (*before, *later) if line[0] >= numbers[0]]
        finally:
            del self._reading[key]

    async def _moment(self, visitor: Visitor, live: LiveGame, now: bool) -> dict[str, Any]:
        clock = self._tables.clock()
        held_up = live.move_obstacle(clock)
        there = await clocks.live_clocks(self._tables.db, self._tables.share, live, clock)
        asked = await self._page.behind.proposals.open_in(live) if now else []
        return {
            "name": live.row.name,
            "last": live.seq,
            "held_up": None if held_up is None else plain_text(held_up),
            "proposals": await proposals_json(self._tables.db, live, visitor, asked),
            "clocks": [] if there is None else _clocks(live, there),
        }

    def _you(self, visitor: Visitor, live: LiveGame, player: PlayerId | None, now: bool) -> dict[str, Any]:
        runs = live.move_obstacle(self._tables.clock()) is None
        return {
            "player": player,
            "name": None if player is None else live.name_of(player),
            "acting": now and player is not None and player in live.game.actors(),
            "may_play": player is not None and runs and not live.game.over,
            "substitute": player is not None and player in live.substitutes,
            "table": [] if visitor.user_id is None else absent_seats(live, visitor.user_id),
            "may_undo": player is not None and runs and _may_undo(live, player),
            "may_redo": runs and _may_redo(live, visitor),
            "undo_to": _before_own_last(live, player) if runs else None,
            "moderator": visitor.moderates,
            "spectator": player is None,
            "last_move": last_move_by_hand(live, player),
            "user": None if visitor.user_id is None else user_name(live, visitor.user_id, visitor.user_name),
            **_own(visitor),
        }


def _own(visitor: Visitor) -> dict[str, Any]:
    """The part that differs between spectators."""
    return {"code": visitor.code or None, "session": visitor.session}


def _noticed(reading: "asyncio.Task[None]") -> None:
    """Ignore an error that nobody waits for."""
    if not reading.cancelled():
        reading.exception()


def last_move_by_hand(live: LiveGame, player: PlayerId | None) -> int | None:
    """A player's last effective move by hand."""
    mine = (
        row.seq for row in reversed(live.counting) if row.actor == player and row.seq not in live.automatic
    )
    return None if player is None else next(mine, None)


def question_of(visitor: Visitor, guild_id: int, about: int | None = None) -> Queue:
    """The queue for a visitor's question."""
    return Queue(Priority.QUESTION, line_of(visitor, guild_id), asker_of(visitor), about)


def require_there(request: web.Request) -> None:
    """Raise Denied if the browser has disconnected."""
    if request.transport is None:
        raise Denied(HTTPStatus.REQUEST_TIMEOUT, "Nobody is waiting for this answer any more.")


def seq_of(live: LiveGame, at: int | None) -> int:
    """The row of the requested position: the last effective one by default."""
    return live.counting[-1].seq if at is None or at == live.seq else at


def number(request: web.Request, name: str) -> int | None:
    """A number in the query, None if missing; raises Denied if invalid."""
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Denied(HTTPStatus.BAD_REQUEST, f"{name} is a number.")
    return int(text)


def theme_of(request: web.Request) -> str:
    """The theme in the query; raises Denied for an unknown one."""
    theme = request.query.get("theme", "ours")
    if theme not in THEME_NAMES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"Themes: {', '.join(THEME_NAMES)}.")
    return theme


def packed_answer(request: web.Request, begun: Packed, rest: Mapping[str, Any] = {}) -> web.Response:
    """Packed JSON completed with more fields, as a gzip file."""
    body = gzip_file(begun, closing(rest))
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
        require_whose(live, redoable(live), visitor.user_id, moderates=visitor.moderates)
    except Refused:
        return False
    return True


def _before_own_last(live: LiveGame, player: PlayerId | None) -> int | None:
    """The target of an undo of the player's own last move; None if it cannot be undone."""
    last, numbers = last_move_by_hand(live, player), [row.seq for row in live.counting]
    return None if last is None or live.game.over else numbers[numbers.index(last) - 1]


def _may_undo(live: LiveGame, player: PlayerId) -> bool:
    try:
        undoable(live, player)
    except Refused:
        return False
    return True


def _clocks(live: LiveGame, clocks: Clocks) -> list[dict[str, Any]]:
    """Running turns with deadlines; none for stopped clocks."""
    return [
        {
            "player": turn.player_id,
            "name": live.name_of(turn.player_id),
            "seconds": round(clocks.time_left(turn).total_seconds()),
            "stands": clocks.is_stopped(turn),
            "up_at": None
            if clocks.is_stopped(turn)
            else format_timestamp(is_up_at(clocks.time_left(turn), clocks.now, read_quiet(turn.quiet))),
        }
        for turn in clocks.running_turns
    ]
