"""HTTP routes for a game's history with charts, and for details of one hex."""

from collections.abc import Callable
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.game_cache import GameLocks
from bot.table.live import ask_about_position
from bot.table.past.game_record import undo_lines
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import current_net_worth
from bot.table.rate_limits import RequestKind
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import visitor_of
from bot.web.entry.page_and_stream_limits import rate_limit_id_of
from bot.web.position_answers import (
    last_move_by_hand,
    number_in_query,
    packed_response,
    question_queue,
    require_connected,
    shown_seq,
    theme_of,
)
from bot.web.position_as_json import history_json, packed_hex, packed_past
from bot.web.wire import PackedText

MAX_CACHED_HISTORIES: Final = 50
"""Maximum number of cached histories, about 20 KB each."""


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for a game's history and for details of one hex."""
    history, close_ups = History(page), CloseUps(page)
    return [
        web.get(f"{GAME_PATH}/history", history.show),
        web.get(rf"{GAME_PATH}/hex/{{coord:[A-Za-z0-9]{{1,6}}}}", close_ups.show_hex),
    ]


class CloseUps:
    """Request handler for close-ups, which show details of one hex."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self._visitor_locks = GameLocks()
        """One lock per visitor, so that each visitor gets one hex at a time."""

    async def show_hex(self, request: web.Request) -> web.Response:
        """Respond with a hex: tile, revenue by phase, and possible upgrades."""
        visitor, coord = await visitor_of(self._page, request), request.match_info["coord"].upper()
        theme = theme_of(request)
        async with self._visitor_locks.lock_of(rate_limit_id_of(visitor)):
            require_connected(request)
            return await detail_response(
                self._page, request, visitor, RequestKind.COMPLETION, packed_hex, coord, theme
            )


async def detail_response(
    page: PageContext,
    request: web.Request,
    visitor: Visitor,
    kind: RequestKind,
    view_function: Callable[..., PackedText],
    *view_arguments: object,
) -> web.Response:
    """Run `view_function` in a worker on the requested position, and respond with its result."""
    tables, requested_seq = page.tables, number_in_query(request, "at")
    async with tables.reading(visitor.game_id) as live:
        guild_id, game_to_replay, seq = (
            live.row.guild_id,
            GameToReplay.of(live),
            shown_seq(live, requested_seq),
        )
        position = live.game.dump() if seq == game_to_replay.rows[-1].seq else None
    page.limits.count_request(visitor, kind, guild_id)
    if position is not None:
        queue = question_queue(visitor, guild_id, visitor.game_id)
        packed_start = await ask_about_position(
            tables.workers, queue, position, view_function, *view_arguments
        )
    else:
        queue = question_queue(visitor, guild_id)
        packed_start = await tables.replayer.view_position(
            game_to_replay, seq, queue, packed_past, view_function, *view_arguments
        )
    return packed_response(request, packed_start, {"seq": seq})


class History:
    """Request handler for a game's history."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self._locks = GameLocks()
        self._cached_histories: BoundedDict[tuple[int, int, object], PackedText] = BoundedDict(
            MAX_CACHED_HISTORIES
        )

    async def show(self, request: web.Request) -> web.Response:
        """Respond with the game's history: all moves in effect, undone moves, and charts."""
        visitor = await visitor_of(self._page, request)
        tables = self._page.tables
        async with tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            game_to_replay, current_chart, undone_lines = (
                GameToReplay.of(live),
                current_net_worth(live.game),
                undo_lines(live),
            )
            own_last_seq, guild_id = last_move_by_hand(live, player), live.row.guild_id
            automatic_seqs = sorted(live.automatic_rows)
            computer_players = sorted(map(live.name_of, live.caretaker_players))
        self._page.limits.count_request(visitor, RequestKind.COMPLETION)
        key = visitor.game_id, game_to_replay.last_seq, live.game.players
        async with self._locks.lock_of(hash(key)):
            if key not in self._cached_histories:
                queue = question_queue(visitor, guild_id)
                history = await tables.replayer.history(game_to_replay, queue)
                self._cached_histories[key] = await tables.workers.run(
                    queue, history_json, game_to_replay, history, current_chart, undone_lines
                )
        other_fields = {
            "last_seq": game_to_replay.last_seq,
            "own_last_seq": own_last_seq,
            "automatic_seqs": automatic_seqs,
            "computer_players": computer_players,
        }
        return packed_response(request, self._cached_histories[key], other_fields)
