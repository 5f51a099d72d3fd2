"""Positions of 1882."""

from typing import Self

from tests.titles.builders import Position

TITLE, PROFILE = "1882", "18xx.games"


class Assiniboia(Position):
    def __init__(self, players: int = 3) -> None:
        super().__init__(players, profile=PROFILE, title=TITLE)

    def neutral(self, coord: str, city: int = 0) -> Self:
        """A neutral token on the map."""
        self.t.map.place_token(coord, city, "CN")
        return self

    def sc(self, coord: str, city: int = 0) -> Self:
        """The SC, founded, with its home there."""
        self.start("SC", 100, c=60).t.map.place_token(coord, city, "SC")
        self.state.companies["SC"].tokens.clear()
        return self

    def rebellion(self, train: str) -> Self:
        """The rebellion comes with this train."""
        self.state.event_train = train
        return self
