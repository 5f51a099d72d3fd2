"""Positions of 1889."""

from tests.titles.builders import Position, TitleGame, new_game

TITLE = "1889"
BEGINNER = ("beginner_game",)


class Shikoku(Position):
    def __init__(self, players: int = 3, from_log: int = 0) -> None:
        super().__init__(players, title=TITLE, from_log=from_log)

    def tiles(self, **laid: tuple[str, int]) -> "Shikoku":
        for coord, (tile, rotation) in laid.items():
            self.tile(coord, tile, rotation)
        return self


def first_position(players: int = 3, options: tuple[str, ...] = (), seed: int = 0) -> TitleGame:
    return new_game(players, seed, title=TITLE, options=options)
