"""Pings are judged by who was to act, not by what the bot has noted."""

from datetime import datetime, timedelta
from typing import Final

from tests.torture.week.crowd import Somebody
from tests.torture.week.ledger import Leadership, Table

SOON: Final = timedelta(minutes=12)
"""Within this time all who may be pinged are: the bot looks less often here than it does by default."""
DEBOUNCE: Final = timedelta(minutes=1)
"""The bot waits for at most this time before it pings somebody."""
REMINDED: Final = timedelta(hours=12)
"""Nobody is pinged again before."""
AT_LAST: Final = timedelta(hours=48)
"""Until then a player who has gone in the middle of their turn is reminded."""
STAYS: Final = timedelta(minutes=30)
"""Within this time a stale direct message is deleted."""
STALLED: Final = timedelta(hours=48)
"""A table at which nothing happens for so long has stopped."""


class Judge:
    """Compares each ping with what was to be done at the time, and looks for those that have not come."""

    def __init__(self, people: dict[int, Somebody]) -> None:
        self._people = people
        self.faults: list[str] = []
        self.down: list[tuple[datetime, datetime]] = []
        """When the bot did not run."""

    def heard(self, at: datetime, who: Somebody, game: int, duty: Leadership | None, *, direct: bool) -> None:
        """Somebody was pinged for a game, in its thread or by a direct message, for this turn (None: for nothing)."""
        what = f"{at:%a %H:%M:%S}: {who.person.name} called to game {game}" + " directly" * direct
        if duty is None:
            self.faults.append(f"{what}, where he has nothing to do")
            return
        before = [when for when, how in duty.heard if how == direct]
        duty.heard.append((at, direct))
        if who.not_to_be_pinged(at):
            self.faults.append(f"{what}, where it is {who.zone} night")
        if direct not in who.ways:
            self.faults.append(f"{what}, who wants {who.how}")
        self._not_too_often(what, duty, who, at, before)

    def order_ended(self, at: datetime, who: Somebody) -> None:
        """Somebody was notified by a direct message why an order of theirs has ended."""
        if who.not_to_be_pinged(at):
            self.faults.append(
                f"{at:%a %H:%M:%S}: {who.person.name} notified of an order, where it is {who.zone} night"
            )

    def _not_too_often(
        self, what: str, duty: Leadership, who: Somebody, at: datetime, before: list[datetime]
    ) -> None:
        if not before and not duty.knows:
            return
        last = before[-1] if before else duty.since
        if at - last < REMINDED:
            self.faults.append(f"{what} again after {at - last}")
        if not who.reminders:
            self.faults.append(f"{what} again, who wants no reminders")

    def stays(self, at: datetime, who: Somebody, after: timedelta) -> None:
        """A direct message of that time is still there this long after it became stale."""
        if after > STAYS:
            self.faults.append(f"{at:%a %H:%M:%S}: the message to {who.person.name} stays")

    def digest(self, at: datetime, who: Somebody, due: set[int], listed: set[int] | None) -> None:
        """A person's digest, or (None) that none came: it lists the games that wait for them, by number."""
        what = f"{at:%a %H:%M}: the digest of {who.person.name}"
        if listed is None and due:
            self.faults.append(f"{what} is missing, with games {sorted(due)}")
        if listed is not None and (listed != due or not due):
            self.faults.append(f"{what} lists games {sorted(listed)}, not {sorted(due)}")

    def look_over(self, table: Table, now: datetime) -> None:
        """Note who was not pinged in time, and where nothing happens any more."""
        for duty in table.duties.values():
            if not duty.judged and now > self._deadline(duty) and not self._pinged_everywhere(duty):
                duty.judged = True
                who = self._people[duty.user]
                self.faults.append(
                    f"{now:%a %H:%M}: {who.person.name} ({who.how}) never pinged for game {table.number}, "
                    f"due since {duty.since:%a %H:%M:%S}, heard {duty.heard}"
                )
        assert table.moved is not None
        if not table.ended and now - table.moved > STALLED:
            self.faults.append(f"{now:%a %H:%M}: game {table.number} stands still")

    def _pinged_everywhere(self, duty: Leadership) -> bool:
        return self._people[duty.user].ways <= {direct for _, direct in duty.heard}

    def _deadline(self, duty: Leadership) -> datetime:
        who = self._people[duty.user]
        if duty.knows:
            return duty.since + AT_LAST if who.reminders else datetime.max.replace(tzinfo=duty.since.tzinfo)
        at = who.pinged_at(duty.since + DEBOUNCE) + SOON
        for begins, ends in self.down:
            if begins - SOON <= at <= ends + SOON:
                at = who.pinged_at(ends) + SOON
        return at
