"""A running game in memory: the engine's game, who sits where, and which rows of the log count."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.table.style import marked, strong
from engine.core.actions import read_action
from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction, ReplayDiverged
from engine.core.events import Event
from engine.core.ids import PlayerId
from engine.core.offers import Offer
from engine.game import Game
from engine.play.steps.base import Wish
from engine.tell.narrate import sentences
from engine.tell.teller import Teller
from storage import games, log, seats
from storage.db import Database
from storage.games import Game as GameRow
from storage.log import Row
from storage.seats import Seat


@dataclass(slots=True)
class Live:
    """One running or finished game; `seq` is the last row of its log, `counting` the rows not undone."""

    row: GameRow
    seats: tuple[Seat, ...]
    game: Game
    seq: int
    counting: list[Row] = field(default_factory=list)

    @property
    def id(self) -> int:
        """The game's number."""
        return self.row.id

    def player_of(self, user_id: int) -> PlayerId | None:
        """The player this person plays, None for an onlooker."""
        return next((seat.player_id for seat in self.seats if seat.user_id == user_id), None)

    def user_of(self, player: PlayerId) -> int:
        """The person who plays this player."""
        return next(seat.user_id for seat in self.seats if seat.player_id == player)

    def name_of(self, player: PlayerId) -> str:
        """What the person who plays this player is called."""
        return next(seat.display_name for seat in self.seats if seat.player_id == player)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game starts: the first row of its log."""

    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]

    def payload(self) -> str:
        """As JSON text."""
        return json.dumps(
            {
                "title": self.title,
                "profile": self.profile,
                "options": list(self.options),
                "seed": self.seed,
                "players": [list(pair) for pair in self.players],
            }
        )

    @classmethod
    def read(cls, payload: str) -> "Opening":
        """From JSON text."""
        content = json.loads(payload)
        return cls(
            title=content["title"],
            profile=content["profile"],
            options=tuple(content["options"]),
            seed=content["seed"],
            players=tuple((player, name) for player, name in content["players"]),
        )

    def begin(self) -> Game:
        """The engine's game before the first move; raises TitleError."""
        return Game(
            self.title, self.players, self.seed, profile=self.profile, options=frozenset(self.options)
        )


def replayed(rows: Sequence[Row]) -> Game:
    """The game after these rows (the start, then actions), each checked; raises ReplayDiverged."""
    game = Opening.read(rows[0].payload).begin()
    _compare(game, rows[0])
    for row in rows[1:]:
        try:
            game.apply(read_action(row.payload))
        except IllegalAction as problem:
            raise ReplayDiverged(row.seq, str(problem)) from problem
        _compare(game, row)
    return game


def retold(rows: Sequence[Row]) -> list[tuple[int, str]]:
    """What each of these rows (the start, then actions) did, in public words, by its number in the log."""
    game = Opening.read(rows[0].payload).begin()
    told = []
    for row in rows[1:]:
        _, lines = played(game, game.walk(Wish.of(read_action(row.payload))))
        told.append((row.seq, f"`{row.seq}` " + "\n".join(lines)))
    return told


def played(game: Game, walk: Cursor) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Make a move; what happened, and the public lines that tell of it, at least one.

    Raises IllegalAction, and changes nothing then.
    """
    events = game.play(walk)
    return events, tuple(sentences(events, game)) or (_quiet(marked(game), walk.offer),)


def _quiet(words: Teller, offer: Offer) -> str:
    """Ending a step is no event; what the button said tells of it."""
    return f"{strong(words.name(offer.entity))}: {words.say(offer.label).lower()}."


def _compare(game: Game, row: Row) -> None:
    if game.digest() != row.digest:
        raise ReplayDiverged(row.seq, "the position differs from the one that was stored")


async def load(db: Database, game_id: int) -> Live:
    """Read a started game and replay it; raises NoSuchGame, ReplayDiverged, StorageError."""
    row = await games.get_game(db, game_id)
    taken = await seats.seats(db, game_id)
    rows = await log.read(db, game_id)
    counting = log.fold(rows)
    # A long game takes a good part of a second to replay; the event loop must go on meanwhile.
    game = await asyncio.to_thread(replayed, counting)
    return Live(row, tuple(taken), game, rows[-1].seq, counting)
