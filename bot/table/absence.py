"""Seats whose holders have vanished: the table decides to play them, and makes each move by agreement."""

from dataclasses import dataclass
from typing import ClassVar, Final

from bot.table import notices
from bot.table.errors import NotYours, Refused
from bot.table.live import Live
from bot.table.matters import Electorate, Matter
from bot.table.moves import ASIDE
from bot.table.notices import Line
from bot.table.seating import more_than_half, others_than
from bot.table.service import Compose, Tables
from bot.table.style import MARKDOWN, strong
from engine.core.actions import read_action
from engine.core.ids import PlayerId
from engine.play.steps.base import Wish
from engine.tell.foretelling import foretell
from storage import sittings
from storage.motions import Motion
from storage.outbox import Notice
from storage.sittings import Sitting

TWO: Final = 2
"""Players of whom one, when the other has vanished, has nobody to agree with but a moderator."""


@dataclass(frozen=True, slots=True)
class Absence(Matter):
    """The table is to play a seat until its holder is back, or somebody takes it over."""

    kind: ClassVar[str] = "absence"

    player: PlayerId
    holder: int
    name: str

    def says(self) -> str:
        """Whose seat."""
        return f"the table plays the seat of {strong(self.name)} by agreement until somebody is found for it"

    def electorate(self, live: Live, by: int) -> Electorate:
        """More than half of the others; the holder is there if he says so."""
        others = others_than(live, self.player)
        return Electorate(
            (), others, more_than_half(others), (self.holder,), moderator=len(live.seats) == TWO, by=by
        )

    def gone(self, live: Live) -> str | None:
        """The seat is somebody else's, or played by the table already."""
        if live.holder_of(self.player) != self.holder:
            return "The seat has changed hands meanwhile; this proposal is about nothing any more."
        return "The table plays that seat already." if self.player in live.by_table else None

    async def carry(self, tables: Tables, live: Live, motion: Motion) -> None:
        """Note it, and call the others where the seat has to act."""
        now, player = tables.clock(), self.player
        text = (
            f"From move {live.seq + 1} on the table plays the seat of {strong(self.name)} (proposal {motion.number}): "
            "one proposes a move with `/game propose`, another agrees. As soon as "
            f"{strong(self.name)} acts, that is over; `/game replace` gives the seat to somebody else."
        )
        sitting = Sitting(player, "table", self.holder, self.name, live.seq, None, now)
        await sittings.sit(
            tables.db, live.id, sitting, motion=motion, notices=[Line(text).notice(), *_call(live, player)]
        )


@dataclass(frozen=True, slots=True)
class Proposed(Matter):
    """A move for a seat that the table plays, found after which row of the log."""

    kind: ClassVar[str] = "move"

    player: PlayerId
    holder: int
    name: str
    seq: int
    action: str
    """As JSON."""
    deed: str

    def says(self) -> str:
        """Whose move, and what it does."""
        return f"for {strong(self.name)}: {self.deed}"

    def electorate(self, live: Live, by: int) -> Electorate:
        """One of the others but the proposer."""
        others = tuple(user for user in others_than(live, self.player) if user != by)
        two = not others
        return Electorate((), others, 0 if two else 1, moderator=two, by=by)

    def gone(self, live: Live) -> str | None:
        """Another move was made, or the seat is not the table's any more."""
        if self.player not in live.by_table:
            return f"The table does not play the seat of {self.name} any more."
        return "The game has moved on since then." if self.is_overtaken(live.seq) else None

    def is_overtaken(self, seq: int) -> bool:
        """Another move was made."""
        return seq != self.seq

    async def carry(self, tables: Tables, live: Live, motion: Motion) -> None:
        """Make the move; whoever proposed it stands in the log, and who agreed with the motion."""
        tables.require_going_on(live)
        wish = Wish.of(read_action(self.action))
        who = f"-# For {self.name}: proposed by <@{motion.by_user}>, agreed to by the table (proposal {motion.number})."
        await tables.make(live, self.player, motion.by_user, lambda game, _: game.walk(wish), (who,), motion)


def absence(live: Live, by: int, player: PlayerId) -> Absence:
    """That the table plays this seat; raises Refused."""
    name = live.name_of(player)
    if player in live.by_table:
        raise Refused(f"The table plays the seat of {name} already; `/game propose` proposes a move.")
    if player in live.substitutes:
        raise Refused(f"<@{live.user_of(player)}> plays for {name} now.")
    if by not in others_than(live, player):
        raise Refused("Another player of this game proposes that.")
    return Absence(player, live.holder_of(player), name)


def absent_seat(live: Live, user_id: int) -> PlayerId:
    """The seat that the table plays and for which somebody else of it may propose a move now; raises Refused."""
    if user_id not in [seat.user_id for seat in live.seats]:
        raise NotYours("Moves for a seat that the table plays are proposed by the other players.")
    found = [player for player in sorted(live.by_table) if live.holder_of(player) != user_id]
    if not found:
        raise Refused("The table plays no seat of this game. `/game agreement` lets it decide to.")
    return next((player for player in found if player in live.game.actors()), found[0])


def proposed(live: Live, player: PlayerId, compose: Compose) -> Proposed:
    """A move for a seat that the table plays; raises Refused, IllegalAction."""
    name = live.name_of(player)
    if player not in live.by_table:
        raise Refused(f"The table does not play the seat of {name}.")
    walk = compose(live.game, player)
    if walk.offer.actor != player or walk.offer.kind in ASIDE:
        raise Refused(f"That is no move of {name}.")
    told = foretell(live.game, walk, MARKDOWN)
    action = walk.action().model_dump_json()
    return Proposed(player, live.holder_of(player), name, live.seq, action, told.full)


def back(live: Live, player: PlayerId, now: str) -> tuple[Sitting, list[Notice]]:
    """The row and the notices of a holder who is back."""
    holder, name = live.holder_of(player), live.name_of(player)
    text = f"{strong(name)} is back, from move {live.seq + 1} on."
    return Sitting(player, "holder", holder, name, live.seq, None, now), [
        Line(text).notice(),
        *_call(live, player),
    ]


def _call(live: Live, player: PlayerId) -> list[Notice]:
    return [notices.HandOver((player,), None).notice()] if player in live.game.actors() else []
