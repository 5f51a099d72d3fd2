"""Database storage: games with their move logs, and posts that are not sent yet. This package knows no game rules.

    async with await open_database("games.db") as db:    # or a `postgresql://` URL
        game = await games.get_game(db, 7)
        rows = await log.read_rows(db, game.id)
        move = NewLogRow("action", payload, digest, actor="p1", user_id=42)
        now = format_timestamp(datetime.now(UTC))
        last = await log.commit_move(db, game.id, rows[-1].seq, [move], now=now)

Other packages import only the names below, and one module for each kind of rows, as in `from storage import games, log,
seats`. Every error is a StorageError; if one is raised, nothing was changed, except perhaps after OutcomeUnknown.
"""

from storage.board_page import PageId
from storage.contract import (
    Database,
    Ownership,
    ParsedQuery,
    RowValues,
    Transaction,
    fetch,
    format_timestamp,
    later_timestamp,
    parse_timestamp,
)
from storage.errors import *  # noqa: F403 - every error is for all
from storage.event_tables import EntrantMessage, EventGame, EventTable, NewEventGame
from storage.events import Entrant, EventRow
from storage.games import GameRow
from storage.log import LogRow, NewLogRow, SideEffects
from storage.messages import ThreadMessage
from storage.open_database import is_server_url, open_database
from storage.orders import Order
from storage.outbox import OutboxMessage, Posting
from storage.personal_data import ANONYMISED_USER, CARETAKER_USER, FORMER_PLAYER_NAME
from storage.pings import Notification, Ping
from storage.proposals import StoredProposal
from storage.results import GameResult
from storage.seats import Seat, SeatEntry
from storage.settings import GAME_SETTINGS, GUILD_SETTINGS, PERSON_SETTINGS
from storage.shards import ALL_SHARDS, ShardSet
