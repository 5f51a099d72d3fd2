"""Positions of 18MS."""

from tests.titles.builders import Position, TitleGame, new_game

TITLE, PROFILE = "18ms", "18xx.games"
TO_NEW_ORLEANS = "H6:57:1 H4:4:1 H2:8:4"
"""Mobile to New Orleans by Gulfport."""


class Mississippi(Position):
    """A position of 18MS."""

    def __init__(self, players: int = 3, options: tuple[str, ...] = ()) -> None:
        super().__init__(players, profile=PROFILE, title=TITLE, options=options)

    def tiles(self, text: str) -> "Mississippi":
        for word in text.split():
            coord, tile, turns = word.split(":")
            self.tile(coord, tile, int(turns))
        return self


def first_position(players: int = 3, *options: str) -> TitleGame:
    """18MS before the first action."""
    return new_game(players, profile=PROFILE, title=TITLE, options=options)


def run_best(game: TitleGame, company: str) -> None:
    """The company makes its best run."""
    game.do("run_routes", company, **game.find("run_routes", company).suggest()[0].chosen)
