"""Positions of 18AL."""

from engine.play.steps.run_trains import best_run
from tests.titles.builders import Position, TitleGame

TITLE = "18al"


class Alabama(Position):
    def __init__(self, players: int = 3, profile: str = "rulebook", options: tuple[str, ...] = ()) -> None:
        super().__init__(players, profile=profile, title=TITLE, options=options)

    def marker(self, company: str, name: str, coord: str = "") -> "Alabama":
        """A marker of a company, or its token in a hex."""
        self.state.companies[company].markers[name] = coord
        return self

    def tiles(self, **laid: tuple[str, int]) -> "Alabama":
        for coord, (tile, rotation) in laid.items():
            self.tile(coord, tile, rotation)
        return self

    def obsolete(self, company: str, *trains: str) -> "Alabama":
        """Trains that run once more."""
        self.state.companies[company].obsolete = list(trains)
        return self


def best(game: TitleGame) -> int:
    return best_run(game.table).revenue
