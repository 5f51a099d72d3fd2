"""Turns of each player, from the stored rows of each game, played by an engine of its own."""

from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from bot.table.games.game_log import GameStart
from engine.core.actions import Action, read_action
from engine.core.ids import PlayerId
from engine.game import Game
from storage import Database, LogRow, log, seats


@dataclass
class Leadership:
    """A person has to act at a table."""

    game: int
    user: int
    since: datetime
    knows: bool
    heard: list[tuple[datetime, bool]] = field(default_factory=list)
    """When they were pinged for it, and whether by a direct message."""
    judged: bool = False


@dataclass
class Table:
    """A game as its stored rows tell it."""

    number: int
    thread: int
    title: str
    people: dict[PlayerId, int] = field(default_factory=dict)
    rows: list[LogRow] = field(default_factory=list)
    """Those that count."""
    seq: int = 0
    """The last row."""
    game: Game | None = None
    duties: dict[PlayerId, Leadership] = field(default_factory=dict)
    moved: datetime | None = None
    """When something was stored last."""
    moves: int = 0
    """Moves that people made."""

    @property
    def ended(self) -> bool:
        return self.game is not None and self.game.is_over

    def made_after(self, seq: int) -> list[Action]:
        """The moves that were stored after a row."""
        return [read_action(row.payload) for row in self.rows if row.seq > seq]

    def due(self, user: int) -> Leadership | None:
        return next((duty for duty in self.duties.values() if duty.user == user), None)

    async def catch_up(self, db: Database) -> None:
        """Take in what was stored since the last time; rows of one moment were stored together."""
        new = await log.read_rows(db, self.number, after_seq=self.seq)
        if new and not self.people:
            self.people = {seat.player_id: seat.user_id for seat in await seats.seats(db, self.number)}
        for at, rows in groupby(new, key=lambda row: row.created_at):
            self._stored(datetime.fromisoformat(at), list(rows))

    def _stored(self, at: datetime, rows: list[LogRow]) -> None:
        before = set() if self.game is None else set(self.game.actors())
        for row in rows:
            self._take(row)
        assert self.game is not None
        self.moves += any(row.kind == "action" for row in rows)
        self.moved = at
        self._hand_over(at, before, set(self.game.actors()), rows[0].actor)

    def _take(self, row: LogRow) -> None:
        self.seq = row.seq
        if row.kind == "undo":
            to = log.undo_target(row.seq, row.payload)
            self.rows = [kept for kept in self.rows if kept.seq <= to]
            self.game = _played(self.rows)
            return
        self.rows.append(row)
        if self.game is None:
            self.game = GameStart.read(row.payload).initial_game()
        else:
            self.game.apply(read_action(row.payload))

    def _hand_over(self, at: datetime, before: set[PlayerId], after: set[PlayerId], mover: PlayerId) -> None:
        for player in sorted(before):
            if player not in after or player == mover:
                del self.duties[player]
        for player in sorted(after - self.duties.keys()):
            self.duties[player] = Leadership(self.number, self.people[player], at, knows=player == mover)


def _played(rows: list[LogRow]) -> Game:
    game = GameStart.read(rows[0].payload).initial_game()
    game.apply_all([read_action(row.payload) for row in rows[1:]])
    return game
