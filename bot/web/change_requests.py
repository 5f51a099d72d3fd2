"""Requests that change a game: reading and checking them, carrying them out, and the response."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import GameMovedOn, NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.rate_limits import RequestKind
from bot.table.tables import Outcome
from bot.web.context import PageContext
from bot.web.entry.access import Denied, RunByOtherProcess, uncached_json_response, visitor_of
from bot.web.offers_as_json import BrowserPictures, TrialRequest
from bot.web.wire import SentPicture, plain_text
from render import THEME_NAMES
from storage import StorageError

_log = logging.getLogger("stationmaster.web")

T = TypeVar("T")

GAME_MOVED_ON: Final = "The game has moved on, so nothing was done. Look at the board and decide again."
SPECTATORS_CANNOT_MOVE: Final = "You are a spectator here: only players can move."


MAX_PICKS: Final = 12
"""Maximum number of picks in one request; no offer has as many slots (parameters)."""
MAX_TEXT_LENGTH: Final = 2_000
"""Maximum length of one text in a request, in characters; typed routes are the longest texts."""
MAX_TRIED_MOVES: Final = 50
"""Maximum number of moves in one what-if."""
MAX_NUMBER: Final = 999_999_999
"""The largest number accepted in a request; every database can store it."""
INVALID_REQUEST: Final = "This is not a valid request. Reload the page and try again."
JSON_REQUIRED: Final = "Requests that change something must be JSON in UTF-8, not compressed."
REQUEST_TOO_LATE: Final = "The request did not arrive in time. Please try again."
INCOMPLETE_REQUEST: Final = "The request arrived incomplete. Please try again."
_UNSTORABLE_CHARACTERS: Final = re.compile("[\x00\ud800-\udfff]")
"""Lone surrogates and the null character, which databases reject."""
_TEXT_FIELDS: Final = (
    "offer_key",
    "acting_as",
    "move_key",
    "theme",
    "map_id",
    "market_id",
    "choice",
    "order_details",
    "session_id",
    "private",
    "when_outbid",
)


class RequestBody(NamedTuple):
    """The JSON body of a POST request, for a move, a question, or a standing order."""

    seq: int = 0
    offer_key: str = ""
    acting_as: str = ""
    """On whose behalf the visitor decides: `moderator`, `table` (the group of players), or empty (the visitor)."""
    picks: tuple[str, ...] = ()
    move_key: str = ""
    is_confirmed: bool = False
    theme: str = "ours"
    map_id: str = ""
    market_id: str = ""
    tried_moves: tuple[TrialRequest, ...] = ()
    choice: str = ""
    """The kind of a standing order, or the answer to a proposal."""
    order_details: str = ""
    session_id: str = ""
    """The session to end, or `all`."""
    private: str = ""
    when_outbid: str = ""
    """What to do if others bid more than `max_bid`: `pass` or `ask`."""
    max_bid: int = 0
    target_seq: int | None = None
    proposal_number: int = 0
    bids: dict[str, int] = {}  # noqa: RUF012 - nobody changes it

    def browser_pictures(self, pictures: Mapping[str, SentPicture]) -> BrowserPictures:
        """The requested theme, and the map and market pictures that the browser already has.

        `pictures` are the pictures known to the server, by id.
        """
        return BrowserPictures(self.theme, pictures.get(self.map_id), pictures.get(self.market_id))


async def read_body(page: PageContext, request: web.Request) -> RequestBody:
    """Read and check the JSON body of a request; raises Denied if it is invalid or arrives too late."""
    try:
        body_fields = json.loads(await _text_of(request, page.limits.request_timeout))
        if not isinstance(body_fields, dict) or "seq" not in body_fields:
            raise ValueError
        body = RequestBody(**body_fields)  # an unknown field, as from a page of another version, is an error
        if not isinstance(body.bids, dict):
            raise ValueError
        body = body._replace(
            picks=_parse_picks(body.picks),
            tried_moves=_parse_trials(body.tried_moves),
            is_confirmed=body.is_confirmed is True,
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST) from None
    numbers = [body.seq, body.max_bid, body.proposal_number, *body.bids.values()]
    numbers += [] if body.target_seq is None else [body.target_seq]
    texts = [*(getattr(body, name) for name in _TEXT_FIELDS), *body.bids]
    if (
        not all(map(_is_storable_number, numbers))
        or not all(map(_is_storable_text, texts))
        or body.theme not in THEME_NAMES
    ):
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST)
    return body


async def _text_of(request: web.Request, timeout_seconds: float) -> str:
    """The request's body as text; raises Denied, or UnicodeDecodeError if it is not UTF-8."""
    content_encoding = request.headers.get("Content-Encoding", "identity")
    if content_encoding != "identity" or (request.charset or "utf-8").lower() != "utf-8":
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, JSON_REQUIRED)
    try:
        async with asyncio.timeout(timeout_seconds):
            return (await request.read()).decode()
    except TimeoutError:
        raise Denied(HTTPStatus.REQUEST_TIMEOUT, REQUEST_TOO_LATE) from None
    except (web.RequestPayloadError, ConnectionError):
        raise Denied(HTTPStatus.BAD_REQUEST, INCOMPLETE_REQUEST) from None


def _parse_picks(value: Any) -> tuple[str, ...]:
    if (
        not isinstance(value, list | tuple)
        or len(value) > MAX_PICKS
        or not all(map(_is_storable_text, value))
    ):
        raise ValueError
    return tuple(value)


def _parse_trials(value: Any) -> tuple[TrialRequest, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_TRIED_MOVES:
        raise ValueError
    trials = [
        TrialRequest(
            entry.get("move_key", ""), entry.get("offer_key", ""), _parse_picks(entry.get("picks", []))
        )
        for entry in value
    ]
    if not all(_is_storable_text(trial.move_key) and _is_storable_text(trial.offer_key) for trial in trials):
        raise ValueError
    return tuple(trials)


def _is_storable_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= MAX_TEXT_LENGTH
        and _UNSTORABLE_CHARACTERS.search(value) is None
    )


def _is_storable_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_NUMBER


async def require_player(page: PageContext, request: web.Request) -> Visitor:
    """Return the visitor of a request; raises NotPermitted for a spectator."""
    visitor = await visitor_of(page, request)
    if visitor.user_id is None:
        raise NotPermitted(SPECTATORS_CANNOT_MOVE)
    return visitor


async def read_request(
    page: PageContext, request: web.Request, kind: RequestKind
) -> tuple[Visitor, RequestBody]:
    """Count a player's request against the rate limits; return the visitor and the body.

    Raises NotPermitted, RateLimitReached, Denied.
    """
    visitor = await require_player(page, request)
    async with page.tables.reading(visitor.game_id) as live:
        page.limits.count_request(visitor, kind, live.row.guild_id)
    return visitor, await read_body(page, request)


async def require_writing_process(page: PageContext, visitor: Visitor) -> None:
    """Raise RunByOtherProcess if another process serves the game; otherwise record that the user is active."""
    async with page.tables.reading(visitor.game_id) as live:
        _require_own_shard(page, live)
    page.services.on_activity(visitor.game_id, user_id_of(visitor))


async def require_current_position(page: PageContext, visitor: Visitor, body: RequestBody) -> None:
    """Require that this process serves the game, the page shows its last move, and a move is possible now.

    Also records that the user is active. Raises RunByOtherProcess, Denied or Refused.
    """
    async with page.tables.reading(visitor.game_id) as live:
        _require_own_shard(page, live)
        require_seq(live, body)
        page.tables.require_playable(live)
    page.services.on_activity(visitor.game_id, user_id_of(visitor))


async def require_visible_thread(page: PageContext, visitor: Visitor) -> None:
    """Raise Refused if no move can be posted in the game's thread."""
    async with page.tables.reading(visitor.game_id) as live:
        page.services.require_visible_thread(live.row)


def require_seq(live: LiveGame, body: RequestBody) -> None:
    """Raise Denied unless the page shows the game's last move."""
    if body.seq != live.seq:
        raise Denied(HTTPStatus.CONFLICT, GAME_MOVED_ON, seq=live.seq)


async def carry_out(page: PageContext, visitor: Visitor, change: Coroutine[Any, Any, T]) -> T:
    """Run a change to its end, even if the browser disconnects; raises Denied if another move came first."""
    try:
        return await asyncio.shield(asyncio.ensure_future(change))
    except GameMovedOn:
        async with page.tables.reading(visitor.game_id) as live:
            raise Denied(HTTPStatus.CONFLICT, GAME_MOVED_ON, seq=live.seq) from None


async def make_change(
    page: PageContext, visitor: Visitor, change: Callable[[], Coroutine[Any, Any, Outcome]]
) -> web.Response:
    """Change a game if its thread can show the move, and respond with the move's log lines.

    `change` is a function that returns the coroutine of the change.
    """
    await require_visible_thread(page, visitor)
    outcome = await carry_out(page, visitor, change())
    return await change_response(page, visitor, outcome.lines)


async def change_response(
    page: PageContext, visitor: Visitor, lines: Iterable[str], is_proposed: bool = False
) -> web.Response:
    """The response after a change: the log lines, and the number of the game's last log row (None if unknown)."""
    seq = None
    try:
        async with page.tables.reading(visitor.game_id) as live:
            seq = live.seq
    except (Refused, StorageError) as error:
        # What is done stays done: the page looks for itself.
        _log.info("game %s: a move was made, but its result cannot be shown: %s", visitor.game_id, error)
    return uncached_json_response(
        {"seq": seq, "lines": [plain_text(line) for line in lines], "is_proposed": is_proposed}
    )


def _require_own_shard(page: PageContext, live: LiveGame) -> None:
    if not page.tables.shards.holds(live.row.guild_id):
        raise RunByOtherProcess


def user_id_of(visitor: Visitor) -> int:
    """The user id of a visitor who is not a spectator."""
    assert visitor.user_id is not None
    return visitor.user_id
