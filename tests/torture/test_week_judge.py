"""The judge of the week finds each kind of wrong ping, and nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.model import User
from tests.torture.week.crowd import Somebody
from tests.torture.week.judge import SOON, Judge
from tests.torture.week.ledger import Leadership, Table

NOON = datetime(2031, 10, 24, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ANN = Somebody(
    Person(World(), User(7, "Ann")),
    zone="Europe/London",
    wakes=time(8),
    sleeps=time(23),
    usual=HOUR,
    how="thread",
    quiet=True,
    digest=None,
    reminders=True,
)


def duty(since: datetime = NOON, *, knows: bool = False) -> Leadership:
    """Ann has to act in game 1."""
    return Leadership(1, ANN.id, since, knows)


def table(*duties: Leadership) -> Table:
    """Game 1, where these are open."""
    found = Table(1, 2, "18al", moved=NOON)
    found.duties = {f"p{number}": one for number, one in enumerate(duties)}
    return found


def judged(*times: datetime, what: Leadership | None, who: Somebody = ANN, direct: bool = False) -> list[str]:
    judge = Judge({who.id: who})
    for at in times:
        judge.heard(at, who, 1, what, direct=direct)
    return judge.faults


def test_ping_and_reminder_are_right() -> None:
    assert judged(NOON + MINUTE, NOON + 24 * HOUR, what=duty()) == []


@pytest.mark.parametrize(
    ("times", "what", "who", "direct", "says"),
    [
        ([NOON], None, ANN, False, "nothing to do"),
        ([NOON, NOON + HOUR], duty(), ANN, False, "again after 1:00:00"),
        ([NOON + HOUR], duty(knows=True), ANN, False, "again after 1:00:00"),
        ([NOON.replace(hour=23)], duty(), ANN, False, "night"),
        ([NOON], duty(), ANN, True, "wants thread"),
        ([NOON, NOON + 24 * HOUR], duty(), replace(ANN, reminders=False), False, "wants no reminders"),
    ],
)
def test_wrong_ping_is_found(
    times: list[datetime], what: Leadership | None, who: Somebody, direct: bool, says: str
) -> None:
    [fault] = judged(*times, what=what, who=who, direct=direct)
    assert says in fault


def test_missing_ping_is_found_once() -> None:
    judge, open_ = Judge({ANN.id: ANN}), table(duty())
    judge.look_over(open_, NOON + SOON)
    assert judge.faults == []
    judge.look_over(open_, NOON + SOON + 2 * MINUTE)
    judge.look_over(open_, NOON + SOON + 3 * MINUTE)
    assert len(judge.faults) == 1
    assert "never pinged" in judge.faults[0]


def test_nobody_is_missed_at_night() -> None:
    judge = Judge({ANN.id: ANN})
    judge.look_over(table(duty(NOON.replace(hour=23))), NOON + 19 * HOUR)
    judge.down.append((NOON, NOON + 6 * HOUR))
    judge.look_over(table(duty(NOON + HOUR)), NOON + 6 * HOUR + SOON)
    assert judge.faults == []


def test_digest_lists_what_is_due() -> None:
    judge = Judge({ANN.id: ANN})
    judge.digest(NOON, ANN, {1, 2}, {1, 2})
    judge.digest(NOON, ANN, set(), None)
    assert judge.faults == []
    judge.digest(NOON, ANN, {1}, None)
    judge.digest(NOON, ANN, {1}, {1, 2})
    judge.digest(NOON, ANN, set(), set())
    assert ["missing" in fault for fault in judge.faults] == [True, False, False]


def test_table_that_stands_still_is_found() -> None:
    judge, still = Judge({ANN.id: ANN}), table()
    judge.look_over(still, NOON + 47 * HOUR)
    assert judge.faults == []
    judge.look_over(still, NOON + 49 * HOUR)
    assert "stands still" in judge.faults[0]
