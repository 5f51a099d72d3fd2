"""A model of people at an asynchronous table: the hour of their answers."""

from math import log
from random import Random
from typing import Final

MEDIAN: Final = 2.0
"""Hours awake after which half of all answers have come."""
SPREAD: Final = 1.0
"""Standard deviation of the logarithm of these hours."""
DAY: Final = 24.0
SLEEP: Final = 8.0
"""Hours of a day that somebody sleeps through."""


class Person:
    """A person who sleeps each night and answers after a while awake."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._wakes = 7 + random.uniform(-2, 2)
        """At which hour of the day."""

    def answer_hour(self, asked: float) -> float:
        """The hour of the answer to a question asked at an hour."""
        return self._later(asked, self._random.lognormvariate(log(MEDIAN), SPREAD))

    def _later(self, hour: float, awake: float) -> float:
        """The hour after this many hours awake."""
        of_day = (hour - self._wakes) % DAY
        if of_day >= DAY - SLEEP:
            hour, of_day = hour + DAY - of_day, 0.0
        left = DAY - SLEEP - of_day
        while awake > left:
            hour, awake, left = hour + left + SLEEP, awake - left, DAY - SLEEP
        return hour + awake
