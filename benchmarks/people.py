"""A model of when the players of an asynchronous game answer."""

from math import log
from random import Random
from typing import Final

MEDIAN: Final = 2.0
"""Median time to an answer, in hours awake."""
SPREAD: Final = 1.0
"""Standard deviation of the logarithm of the time to an answer."""
DAY: Final = 24.0
SLEEP: Final = 8.0
"""Hours of sleep per day."""


class Person:
    """A simulated player who sleeps every night and answers after some time awake."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._wakes = 7 + random.uniform(-2, 2)
        """Hour of the day at which the person wakes up."""

    def answer_hour(self, asked: float) -> float:
        """The simulated hour of the answer to a question asked at hour `asked`."""
        return self._later(asked, self._random.lognormvariate(log(MEDIAN), SPREAD))

    def _later(self, hour: float, awake: float) -> float:
        """The simulated hour at which the person has been awake for `awake` more hours."""
        of_day = (hour - self._wakes) % DAY
        if of_day >= DAY - SLEEP:
            hour, of_day = hour + DAY - of_day, 0.0
        left = DAY - SLEEP - of_day
        while awake > left:
            hour, awake, left = hour + left + SLEEP, awake - left, DAY - SLEEP
        return hour + awake
