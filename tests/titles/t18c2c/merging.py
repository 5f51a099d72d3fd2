"""Tiny positions of 18C2C in which corporations merge, or lose their trains to a national."""

from typing import Any, Self

from engine.core.state import ExtraTokens, Merger
from tests.titles.builders import Position, TitleGame


class Merging(Position):
    """In phase 4; nothing is started."""

    def __init__(self, players: int = 3, phase: str = "4", title: str = "18c2c", **facts: Any) -> None:
        super().__init__(players, title=title, **facts)
        self.phase(phase)

    def single(
        self, name: str, column: int, row: int = 1, *, trains: str = "", treasury: int = 0, **held: int
    ) -> Self:
        """A corporation that has operated: its cell, percents of players (president first) and of the market."""
        self.start(name, 100, at=(row, column), **held)
        found = self.state.companies[name]
        found.floated = True
        found.extra = ExtraTokens()
        return self.operated(name).trains(name, *trains.split()).treasury(name, treasury)

    def station(self, name: str, coord: str, city: int = 0) -> Self:
        """A further token in a place of a city."""
        self.t.map.place_token(coord, city, name)
        return self

    def bull(self, name: str, coord: str, city: int = 0) -> Self:
        """A bull token without a place."""
        self.extra(name).placed.append(coord)
        return self.without_space(name, coord, city)

    def joined(self, one: str, other: str) -> Self:
        """Tokens of both in one city, where no other corporation is."""
        return self.station(one, "P63").without_space(other, "P63")

    def without_space(self, name: str, coord: str, city: int = 0) -> Self:
        """A token without a place that is no bull token."""
        self.t.map.place_token_without_space(coord, city, name)
        return self

    def reserved(self, *names: str) -> Self:
        """Corporations whose destination token waits on the charter."""
        for name in names:
            self.extra(name).reserved.append(name)
        return self

    def extra(self, name: str) -> ExtraTokens:
        """Tokens of a corporation that are not ordinary ones."""
        found = self.state.companies[name].extra
        assert found is not None
        return found

    def merging(self, turn: str = "a") -> Self:
        """In the merger round after the third stock round."""
        self.state.round = Merger(set=3, number=0, of=0, turn=self.state.seat(turn))
        return self


def example_13() -> Merging:
    """B&O at 100 and PRR at 82, joined by a bull token and a token in New York."""
    position = Merging().single("B&O", 7, a=60, b=20, c=10, treasury=250, trains="4")
    position.single("PRR", 7, 3, b=50, a=10, c=10, treasury=130, trains="3")
    return position.station("PRR", "K78").bull("B&O", "K78").merging()


def example_14() -> Merging:
    """IC at 64 and WAB at 72 have 3s only, SOU buys the first 3D."""
    position = Merging(phase="5").single("SOU", 8, a=60, treasury=700, trains="5")
    position.single("IC", 1, a=50, b=10, market=30, treasury=20, trains="3 3")
    position.single("WAB", 7, 5, b=50, a=20, treasury=35, trains="3")
    return position.depot(t5=0).operating("SOU", "trains")


def merged(position: Merging) -> TitleGame:
    """B&O and PRR have become one: Ann has proposed it, Bob agreed."""
    game = position.game()
    game.do("propose_merger", "a", company="B&O", partner="PRR")
    game.do("answer", "b", actor="b", reply="agree")
    return game


def bought(position: Merging, train: str = "3D", price: int = 630) -> TitleGame:
    """SOU has bought the train that starts the phase of a national."""
    game = position.game()
    game.do("buy_train", "SOU", train=train, source="bank", trade_in="", price=price)
    return game


def two_shells(first: str, second: str, phase: str = "4") -> Merging:
    """B&O, merged with PRR, with trains on both shells."""
    position = Merging(phase=phase).single("B&O", 12, a=60, treasury=2000, trains=f"{first} {second}")
    found = position.state.companies["B&O"]
    found.parts, found.second = ["B&O", "PRR"], second.split()
    return position


def prr(
    phase: str = "3", step: str = "track", *, cash: int = 500, title: str = "18c2c", **facts: Any
) -> Position:
    """PRR at this step; its track leads from Pittsburgh to L71 and M70. Bob has B&O."""
    position = Position(title=title, options=facts.pop("options", ())).start("PRR", 82, a=60)
    position.start("B&O", 76, b=60).phase(phase).treasury("PRR", cash)
    return position.operating("PRR", step, **facts).tile("L69", "5", 4)
