"""1882, as printed, and how it differs from 1830."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tests.referees.classic.model import Corporation, Move, World, place_home
from tests.referees.classic.printed import Phase, Title, Train
from tests.referees.classic.rounds import Play
from tests.referees.classic.stock import StockRound
from tests.referees.classic.turn import OperatingRound

ADDED = ("3", "4", "5", "6")
"""Trains of which one is set aside for the SC, and which may bring the rebellion (R-1882-004, R-1882-005)."""
LINKED = ("CNR", "CPR", "GT", "HBR", "QLL")
"""Companies of which the TB may bring a share (R-1882-004)."""
REBEL_HEXES = frozenset({"B4", "C3", "C5", "D4", "D6", "E3", "E5", "E7", "F6"})
YELLOW = frozenset({"1", "2", "3", "4", "7", "8", "9", "55", "56", "57", "58", "69"})

T1882 = Title(
    name="1882",
    bank=9_000,
    cash={2: 900, 3: 600, 4: 450, 5: 360, 6: 300},
    certificates={2: 20, 3: 14, 4: 11, 5: 10, 6: 9},
    rows=(
        "76 82 90 100P 112 126 142 160 180 200 225 250 275 300 325 350E",
        "70 76 82 90P 100 112 126 142 160 180 200 220 240 260 280 300",
        "65 70 76 82P 90 100 111 125 140 155 170 185 200",
        "60y 66 71 76P 82 90 100 110 120 130",
        "55y 62 67 71P 76 82 90 100",
        "50y 58y 65 67P 71 75 80",
        "45o 54y 63 67 69 70",
        "40o 50y 60y 67 68",
        "30b 40o 50y 60y",
        "20b 30b 40o 50y",
        "10b 20b 30b 40o",
    ),
    homes={
        **{"CN": "", "CNR": "D8", "HBR": "G11", "CPR": "I5", "GT": "L8", "SC": "", "QLL": "J10"},
    },
    tokens={
        **{"CN": (), "CPR": (0, 40, 100, 100), "SC": (0,), "QLL": (0, 40)},
        **dict.fromkeys(("CNR", "HBR", "GT"), (0, 40, 100)),
    },
    privates={"HB": (20, 5), "SCP": (50, 10), "NWR": (80, 15), "TB": (140, 0), "CP": (180, 25)},
    trains={
        "2": Train(80, 6, rusts="4"),
        "3": Train(180, 4, rusts="6"),
        "4": Train(300, 3, rusts="D"),
        "5": Train(450, 2),
        "6": Train(630, 2),
        "D": Train(1100, None),
    },
    phases={
        **{"2": Phase(4, 1), "3": Phase(4, 2), "4": Phase(3, 2)},
        **{"5": Phase(3, 3), "6": Phase(2, 3), "D": Phase(2, 3)},
    },
    starts_later=frozenset({"CN", "SC"}),
    bids_in=5,
    sinks=True,
    sold_until="6",
    close_later={"SCP": "6"},
    gifts={"CP": ("CPR", 2)},
    bound=frozenset({"CP"}),
    closed_by={"CP": "CPR"},
    powers={"NWR": "but dividend"},
    chosen_homes=frozenset({"QLL"}),
    sell_buy_sell=True,
    several_of_offering=True,
    limit_gives_way=True,
    keeps_trains=False,
    top_price=350,
)


@dataclass
class Assiniboia(World):
    """The position, with the SC, the neutral tokens and the rebellion."""

    rebellion: str = ""
    """The train that brings the rebellion, until it has come."""
    in_front: bool = False
    """True if the train that was added for the SC lies before the one of the rebellion."""

    def __post_init__(self) -> None:
        for name in ("CNR", "HBR", "GT", "SC", "QLL"):
            self.corporations[name].marks = ["neutral token"]

    def take_new(self, corporation: Corporation, name: str) -> None:
        """The first train of its type brings the rebellion, or the second if one was added (R-1882-023)."""
        super().take_new(corporation, name)
        if name == self.rebellion and not self.in_front:
            self.rebellion = ""
            lost = [at for at, (tile, _) in self.tiles.items() if at in REBEL_HEXES and tile in YELLOW]
            for coord in lost:
                del self.tiles[coord]
        self.in_front &= name != self.rebellion

    def begin(self, phase: str) -> None:
        super().begin(phase)
        self.drop_unfounded()

    def add_train(self) -> None:
        """One more of the next train, if it is a 3, 4, 5 or 6 (R-1882-023)."""
        name = self.new_trains()[0]
        left = self.depot[name]
        if name in ADDED and left is not None:
            self.depot[name] = left + 1
            self.in_front |= name == self.rebellion

    def drop_unfounded(self) -> None:
        """The SC leaves the game when its private is sold to a company or closes unused (R-1882-024)."""
        private, company = self.privates["SCP"], self.corporations["SC"]
        if not company.par and (private.closed or isinstance(private.owner, str)):
            company.offering, company.charter, company.marks = 0, [], []

    def place_neutral(self, coord: str) -> None:
        """A neutral token lies on the map: the CN may be started (R-1882-025, R-1882-035)."""
        self.corporations["CN"].stands.add(coord)
        self.corporations["CN"].barred = False


class FoundingRound(StockRound):
    """A stock round in which the SC may be founded (R-1882-021, R-1882-022)."""

    home_due: bool = False

    @property
    def step(self) -> str:
        return "founding_home" if self.home_due else "trade"

    def moves(self) -> set[Move]:
        return set() if self.home_due else super().moves()

    def _purchases(self) -> Iterator[Move]:
        yield from super()._purchases()
        world, company, private = self.world, self.world.corporations["SC"], self.world.privates["SCP"]
        room = world.certificates(self.player) < world.limit
        if private.owner == self.player and not (private.closed or self.bought) and room:
            pars = world.title.chart.pars()
            yield from (("par", company.name, par) for par in pars if par <= world.seats[self.player].cash)

    def play(self, move: Move) -> None:
        match move:
            case ("station", str(entity), str(coord)):
                self._settle_in(entity, coord)
            case ("par", "SC", int(price)):
                super().play(move)
                self.world.seats[self.player].cash += price
                self.world.pay(price)
                self.world.privates["SCP"].closed = True
                self.home_due = True
                assert isinstance(self.world, Assiniboia)
                self.world.add_train()
            case _:
                super().play(move)

    def _settle_in(self, entity: str, coord: str) -> None:
        """A free city, or the place of a neutral token."""
        if entity == "CN":
            neutral = self.world.corporations["CN"]
            neutral.stands.remove(coord)
            neutral.barred = not neutral.stands
        company = self.world.corporations["SC"]
        place_home(self.world, company, coord)
        company.cityless = trackless(self.world, coord)
        self.home_due = False


class AssiniboiaRound(OperatingRound):
    """An operating round with rivers, neutral tokens and the NWR."""

    world: Assiniboia

    def _aside_moves(self) -> Iterator[Move]:
        yield from super()._aside_moves()
        if self.step == "move_station" and not self.now.aside[0].whose:
            yield ("pass",)

    def play(self, move: Move) -> None:
        match move:
            case ("return", str(coord)):
                self._take_up(coord)
            case ("private", "SCP", _):
                super().play(move)
                self.world.drop_unfounded()
            case _:
                super().play(move)

    def _reward(self, coord: str, met: int) -> None:
        """$20 for a yellow tile of the rebellion; $10 to the owner of the TB for each river (R-1882-034, 053)."""
        world, bridge = self.world, self.world.privates["TB"]
        if coord in REBEL_HEXES and world.tiles[coord][0] in YELLOW:
            self.now.company.cash += world.pay(20)
        if bridge.closed or bridge.owner is None:
            return
        owner = world.seats if isinstance(bridge.owner, int) else world.corporations
        owner[bridge.owner].cash += world.pay(10 * met)  # type: ignore[index]

    def _lay(self, entity: str, coord: str, cost: int) -> None:
        if self.step == "move_station":
            self.now.aside.pop(0)
        super()._lay(entity, coord, cost)

    def _station(self, entity: str, coord: str) -> None:
        if self.step == "home_choice":
            super()._station(entity, coord)
        elif entity == "CN":
            self.now.company.marks.remove("neutral token")
            self.world.place_neutral(coord)
            self.now.steps.remove("token")
        elif entity == "NWR":
            self._put_down(coord)
        else:
            super()._station(entity, coord)

    def _take_up(self, coord: str) -> None:
        """A neutral token takes the place of a home (R-1882-051)."""
        company = self.now.company
        company.stands.remove(coord)
        self.world.privates["NWR"].spent = True
        prices = self.world.title.tokens[company.name]
        if coord == self.world.title.homes[company.name] or company.name == "SC":
            self.world.place_neutral(coord)
            self.world.corporations["CN"].cityless = company.cityless
            company.charter.insert(0, 0)
        else:
            company.charter.append(max(prices, default=0))
        self.now.first("move_station", company.president, company.name)

    def _put_down(self, coord: str) -> None:
        """The station stands; one lay may follow there."""
        company = self.now.company
        company.stands.add(coord)
        company.charter.pop(0 if company.charter[0] == 0 else -1)
        company.cityless = trackless(self.world, coord)
        self.now.aside.pop(0)
        self.now.first("move_station", company.president)


def trackless(world: World, coord: str) -> str:
    """The hex, if it has cities and no track."""
    return coord if coord in ("E5", "M11") and coord not in world.tiles else ""


class AssiniboiaPlay(Play):
    worlds: ClassVar = Assiniboia
    stock_rounds: ClassVar = FoundingRound
    operating_rounds: ClassVar = AssiniboiaRound
