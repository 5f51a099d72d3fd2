"""Positions of 18GA."""

from tests.titles.builders import Position

TITLE, PROFILE = "18ga", "18xx.games"


class Georgia(Position):
    """A position of 18GA."""

    def __init__(self, players: int = 3, options: tuple[str, ...] = ()) -> None:
        super().__init__(players, profile=PROFILE, title=TITLE, options=options)

    def tiles(self, text: str) -> "Georgia":
        """Tiles on the map: `F6:57:1` is tile 57 in F6, turned once."""
        for word in text.split():
            coord, tile, turns = word.split(":")
            self.tile(coord, tile, int(turns))
        return self
