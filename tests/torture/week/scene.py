"""The shared state of the week."""

import random
from dataclasses import dataclass, field

from tests.torture.week.agenda import Agenda
from tests.torture.week.crowd import Somebody
from tests.torture.week.judge import Judge
from tests.torture.week.ledger import Table
from tests.torture.week.sandbox import WeekBot


@dataclass
class Scene:
    """The bot and its Discord, the time, the people by number, the tables by thread, and the judge of it all."""

    sandbox: WeekBot
    agenda: Agenda
    chance: random.Random
    people: dict[int, Somebody]
    judge: Judge
    tables: dict[int, Table] = field(default_factory=dict)
    runs: bool = True
    doomed: bool = False
    ambushed: bool = False
