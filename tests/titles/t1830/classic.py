"""Positions of 1830."""

from tests.titles.builders import Position

TITLE, PROFILE = "1830", "18xx.games"


class Classic(Position):
    def __init__(self, players: int = 3, options: tuple[str, ...] = ()) -> None:
        super().__init__(players, profile=PROFILE, title=TITLE, options=options)

    def to_albany(self) -> "Classic":
        """Track from Albany, the home of the NYC, west to E11."""
        for coord, tile in (("E13", "9"), ("E15", "9"), ("E17", "9"), ("E19", "57")):
            self.tile(coord, tile, 1)
        return self
