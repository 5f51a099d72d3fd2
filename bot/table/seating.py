"""Seats that change hands in a running game: proposed, agreed to by the table and the newcomer, and done."""

import json
from collections.abc import Awaitable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from bot.table import notices
from bot.table.errors import NotYours, Refused
from bot.table.live import Live
from bot.table.names import told_apart
from bot.table.notices import Line
from bot.table.service import Tables
from bot.table.storing import SEE_LOG, certainly
from bot.table.style import strong
from engine.core.ids import PlayerId
from storage import motions, seats, sittings
from storage.motions import Motion, State, Voice
from storage.sittings import Sitting

REPLACE: Final = "replace"
"""The kind of motion by which a seat changes hands."""
LAPSES: Final = timedelta(days=7)
"""How long a motion waits for its answers."""
Warrant = Literal["own", "table", "moderator"]
"""On whose word a seat changes hands: of whoever leaves it, of the others at the table, or of a moderator."""


@dataclass(frozen=True, slots=True)
class Handing:
    """Which seat, held by whom, is to go to whom, and on whose word."""

    player: PlayerId
    leaving: int
    left_by: str
    newcomer: int
    taken_by: str
    warrant: Warrant

    @classmethod
    def read(cls, payload: str) -> "Handing":
        """From the payload of a motion."""
        return cls(**json.loads(payload))


@dataclass(frozen=True, slots=True)
class Asking:
    """A motion by which a seat changes hands, what was said to it, and who has which seat now."""

    motion: Motion
    handing: Handing
    voices: Sequence[Voice]
    live: Live

    @property
    def others(self) -> tuple[int, ...]:
        """The people whose vote counts: whoever has another seat, where the table decides."""
        if self.handing.warrant != "table":
            return ()
        return tuple(seat.user_id for seat in self.live.seats if seat.player_id != self.handing.player)

    @property
    def needed(self) -> int:
        """How many of them have to agree: more than half."""
        return len(self.others) // 2 + 1 if self.others else 0

    @property
    def agreed(self) -> int:
        """How many of them have agreed."""
        return sum(voice.agrees for voice in self.voices if voice.user_id in self.others)

    @property
    def consents(self) -> bool:
        """Whether the newcomer has agreed."""
        return Voice(self.handing.newcomer, agrees=True) in self.voices

    def state(self) -> State:
        """What has become of the motion by what was said; the newcomer, and who holds the seat, can refuse it."""
        against = {voice.user_id for voice in self.voices if not voice.agrees}
        if against & {self.handing.newcomer, self.handing.leaving}:
            return "refused"
        refused = sum(user in against for user in self.others)
        if self.others and len(self.others) - refused < self.needed:
            return "refused"
        return "carried" if self.consents and self.agreed >= self.needed else "open"

    def may_answer(self, user_id: int) -> bool:
        """Whether somebody is asked, or may object."""
        return user_id in (self.handing.newcomer, self.handing.leaving, *self.others)


class Seating:
    """Hands seats over; each method raises Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._db = tables.db

    async def propose(
        self, game_id: int, by: int, leaving: int, newcomer: tuple[int, str], warrant: Warrant
    ) -> Motion:
        """Propose that the newcomer, by number and name, takes over the seat that `leaving` holds."""
        async with self._tables.reading(game_id) as live:
            if live.game.over or live.row.status != "running":
                raise Refused(f"Game {game_id} has ended.")
            player = _held(live, leaving)
            if warrant == "table":
                self._tables.seat_of(live, by)
                _require_a_vote(live)
            if live.player_of(newcomer[0]) is not None:
                raise Refused(f"<@{newcomer[0]}> plays in this game already.")
            handing = Handing(player, leaving, live.name_of(player), *newcomer, warrant)
            now = self._tables.clock()
            motion = await motions.propose(
                self._db,
                game_id,
                REPLACE,
                json.dumps(asdict(handing)),
                by_user=by,
                now=now,
                until=_later(now, LAPSES),
                seq=live.seq,
                notice=notices.motion,
            )
            if warrant == "table" and by != leaving:
                await motions.say(self._db, motion, Voice(by, agrees=True), now)
        self._tables.on_notice(game_id)
        return motion

    async def asking(self, game_id: int, number: int) -> Asking:
        """How a motion stands."""
        async with self._tables.reading(game_id) as live:
            return await self._asking(live, number)

    async def answer(self, game_id: int, number: int, user_id: int, wish: str) -> Asking:
        """Note what somebody says to a motion (`yes` or `no`), and do what is agreed then."""
        async with self._tables.reading(game_id) as live:
            asking = await self._asking(live, number)
            self._require_open(asking, user_id)
            now = self._tables.clock()
            await motions.say(self._db, asking.motion, Voice(user_id, agrees=wish == "yes"), now)
            asking = await self._asking(live, number)
            if asking.state() == "carried":
                await self._hand_over(asking, now)
            elif asking.state() == "refused":
                text = f"{_proposal(asking)} is refused by <@{user_id}>."
                told = [Line(text).notice()]
                await motions.close(self._db, asking.motion, "refused", seq=live.seq, notices=told, now=now)
            asking = await self._asking(live, number)
        if asking.motion.state == "carried":
            self._tables.forget(game_id)
        self._tables.on_notice(game_id)
        return asking

    async def _hand_over(self, asking: Asking, now: str) -> None:
        handing, live = asking.handing, asking.live
        others = [seat.display_name for seat in live.seats if seat.player_id != handing.player]
        name = told_apart(handing.taken_by, others)
        sitting = Sitting(handing.player, "holder", handing.newcomer, name, live.seq, None, now)
        text = (
            f"{strong(name)} takes over the seat of {strong(handing.left_by)} (proposal {asking.motion.number}); "
            f"moves up to {live.seq} stay {handing.left_by}'s."
        )
        pending = [Line(text).notice(), notices.board()]
        if handing.player in live.game.actors():
            pending.append(notices.HandOver((handing.player,), None).notice())
        write = sittings.replace(
            self._db, live.id, sitting, leaving=handing.leaving, motion=asking.motion, notices=pending
        )
        await certainly(_true(write), lambda: self._handed(live.id, handing), SEE_LOG)

    async def _handed(self, game_id: int, handing: Handing) -> bool | None:
        taken = await seats.seats(self._db, game_id)
        return any((s.player_id, s.user_id) == (handing.player, handing.newcomer) for s in taken) or None

    async def _asking(self, live: Live, number: int) -> Asking:
        found = await motions.find(self._db, live.id, number)
        if found is None or found[0].kind != REPLACE:
            raise Refused(f"There is no proposal {number} in game {live.id}.")
        motion, voices = found
        return Asking(motion, Handing.read(motion.payload), voices, live)

    def _require_open(self, asking: Asking, user_id: int) -> None:
        """Raise Refused unless the motion still waits for an answer of this person."""
        if asking.motion.state != "open":
            raise Refused("This proposal has been settled already.")
        if asking.motion.until <= self._tables.clock():
            raise Refused("This proposal has lapsed: not everybody answered in time. It can be made anew.")
        if asking.live.holder_of(asking.handing.player) != asking.handing.leaving:
            raise Refused("The seat has changed hands meanwhile; this proposal is about nothing any more.")
        if asking.live.player_of(asking.handing.newcomer) is not None:
            raise Refused(f"<@{asking.handing.newcomer}> plays in this game already.")
        if not asking.may_answer(user_id):
            raise NotYours("This proposal is not for you to answer.")


def asking_text(asking: Asking) -> str:
    """What the message of a motion says: what is proposed, by whom, who is asked, and until when."""
    handing, motion = asking.handing, asking.motion
    head = f"{_proposal(asking)}, proposed by <@{motion.by_user}>."
    if motion.state != "open":
        return f"{head}\n-# It was {motion.state}."
    asks = (
        f"<@{handing.newcomer}> has agreed." if asking.consents else f"<@{handing.newcomer}>, do you agree?"
    )
    lines = [head, asks]
    if asking.others:
        people = ", ".join(f"<@{user}>" for user in asking.others)
        lines.append(f"{asking.agreed} of {asking.needed} needed agree; {people} are asked.")
        lines.append(f"<@{handing.leaving}> can refuse it, too.")
    ends = int(datetime.fromisoformat(motion.until).timestamp())
    lines.append(f"-# It lapses <t:{ends}:R>, at <t:{ends}:f>.")
    return "\n".join(lines)


def _proposal(asking: Asking) -> str:
    handing = asking.handing
    whom, seat = f"<@{handing.newcomer}>", f"the seat of {strong(handing.left_by)}"
    return f"Proposal {asking.motion.number}: {whom} takes over {seat}"


def _held(live: Live, user_id: int) -> PlayerId:
    for seat in live.seats:
        if seat.user_id == user_id:
            return seat.player_id
    raise Refused(f"<@{user_id}> has no seat in game {live.id}.")


def _require_a_vote(live: Live) -> None:
    """Two players have nobody to decide between them but a moderator."""
    if len(live.seats) < 3:
        raise Refused(
            "Of two players neither can give the other's seat away: whoever leaves does it, or a moderator "
            "with `/mod replace`."
        )


def _later(now: str, by: timedelta) -> str:
    return (datetime.fromisoformat(now) + by).isoformat(timespec="milliseconds")


async def _true(write: Awaitable[None]) -> bool:
    await write
    return True
