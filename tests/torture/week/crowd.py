"""The people: where they live, when they sleep, how soon they answer, and how they want to be pinged."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot.sandbox.guild import seed
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.model import User

ZONES: Final = ("Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo")
FIRST: Final = seed.OWNER_ID + 1_000
"""The number of the first of them; the next one has the next."""
SPREAD: Final = 0.8
STEP: Final = timedelta(minutes=5)

How = Literal["thread", "direct", "both"]


@dataclass(frozen=True)
class Somebody:
    """A person and their habits."""

    person: Person
    zone: str
    wakes: time
    sleeps: time
    usual: timedelta
    """Half of their answers come sooner after a ping."""
    how: How
    quiet: bool
    digest: time | None
    """When their digest of waiting games comes each day; they come for that and for nothing else."""
    reminders: bool
    closed: bool = False

    @property
    def ways(self) -> set[bool]:
        wanted = {"thread": {False}, "direct": {True}, "both": {False, True}}[self.how]
        return {False} if self.closed else wanted

    @property
    def requests(self) -> dict[str, str]:
        said = {"how": self.how, "zone": self.zone, "reminders": "on" if self.reminders else "off"}
        if self.quiet:
            said |= {"quiet_from": f"{self.sleeps:%H:%M}", "quiet_to": f"{self.wakes:%H:%M}"}
        return said if self.digest is None else {**said, "digest": f"{self.digest:%H:%M}"}

    @property
    def id(self) -> int:
        """Their number."""
        return self.person.id

    def asleep(self, at: datetime) -> bool:
        local = at.astimezone(ZoneInfo(self.zone)).time()
        if self.sleeps > self.wakes:
            return local >= self.sleeps or local < self.wakes
        return self.sleeps <= local < self.wakes

    def not_to_be_pinged(self, at: datetime) -> bool:
        return self.quiet and self.asleep(at)

    def pinged_at(self, at: datetime) -> datetime:
        """When a player who is due then may be pinged."""
        while self.not_to_be_pinged(at):
            at += STEP
        return at

    def reads_digest(self, after: datetime) -> datetime:
        """When their next digest comes."""
        assert self.digest is not None
        zone = ZoneInfo(self.zone)
        today = after.astimezone(zone).date()
        days = (datetime.combine(today + timedelta(days=n), self.digest, zone) for n in (0, 1, 2))
        return next(day.astimezone(UTC) for day in days if day > after)

    def comes(self, called: datetime, chance: random.Random) -> datetime:
        """When a player pinged then comes: after a while, and awake."""
        at = called + self.usual * chance.lognormvariate(0.0, SPREAD)
        while self.asleep(at):
            at += STEP
        return at


def crowd(world: World, size: int, chance: random.Random) -> list[Somebody]:
    """This many people, who join the server."""
    return [_somebody(_joined(world, number), number, chance) for number in range(size)]


def _joined(world: World, number: int) -> Person:
    user = User(FIRST + number, f"Player{number + 1}")
    world.users[user.id] = user
    guild = world.guilds[seed.GUILD_ID]
    guild.members[user.id] = [guild.id + seed.PLAYERS_ROLE_OFFSET]
    return Person(world, user)


def _somebody(person: Person, number: int, chance: random.Random) -> Somebody:
    """Habits are dealt out in turn, so that each kind is there in a small crowd, too."""
    person.user.refuses_dms = number % 16 in (2, 3)
    wakes = time(chance.choice((6, 7, 8, 9)), chance.choice((0, 30)))
    sleeps = chance.choice((time(22), time(23), time(0, 30)))
    return Somebody(
        person,
        zone=ZONES[number % len(ZONES)],
        wakes=wakes,
        sleeps=sleeps,
        usual=timedelta(minutes=chance.choice((5, 10, 20, 40))),
        how=("thread", "thread", "direct", "both")[number % 4],
        quiet=number % 3 == 0,
        digest=time(18, 30) if number % 13 == 4 else None,
        reminders=number % 7 != 5,
        closed=person.user.refuses_dms,
    )
