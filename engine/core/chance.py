"""Random draws from a seed, with the linear congruential generator of 18xx.games, so that its games can be replayed.

x -> (1103515245 x + 12345) mod 2^31, starting from the seed. A draw below n is x mod n.
"""

from typing import Final

GENERATOR_MULTIPLIER: Final = 1103515245
GENERATOR_INCREMENT: Final = 12345
MODULUS: Final = 2**31


class Chance:
    """A random generator; the same seed always gives the same draws."""

    def __init__(self, seed: int) -> None:
        self._state = seed % MODULUS
        self.draw_count = 0

    @property
    def last_number(self) -> int:
        """The generator's state: the last number drawn, before the modulo.

        A new generator with this seed continues the draws.
        """
        return self._state

    def draw(self, upper_bound: int) -> int:
        """A whole number from 0 to `upper_bound` - 1."""
        self._state = (GENERATOR_MULTIPLIER * self._state + GENERATOR_INCREMENT) % MODULUS
        self.draw_count += 1
        return self._state % upper_bound
