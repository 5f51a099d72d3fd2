"""When the reasons are so that tell what privates lay, and where."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.reasons.truths import Seen, truth
from tests.referees.track_referee import Board, TrackRules
from tests.referees.turn_referee import TurnRules


@dataclass(frozen=True)
class Printed:
    """What is printed of a private that lays tiles: hexes, tiles, dollars of terrain that it does not spare."""

    hexes: tuple[str, ...]
    tiles: tuple[str, ...]
    terrain: int = 0

    @property
    def pair(self) -> bool:
        """Whether it lays both tiles or none."""
        return len(self.hexes) == 2


PLAIN = ("7", "8", "9")
POWERS = {
    "18chesapeake": {
        "C-P": Printed(("H2", "I3"), ("8", "9")),
        "B&S": Printed(("F4", "G5"), ("8", "9")),
        "C&OC": Printed(("D2",), ("57",), terrain=80),
    },
    "18al": {"BLC": Printed(("G2", "M2", "N5", "O4", "P5"), ("445",))},
    "18tn": {
        "TCC": Printed(("H17",), PLAIN),
        "ETWCR": Printed(("F19",), PLAIN),
        "MCR": Printed(("H3",), ("5", "6", "57")),
        "OWR": Printed(("E16",), PLAIN),
    },
    "18newengland": dict[str, Printed](),
}
"""18Chesapeake 7.1; 18AL and 18TN, Table III."""
COAL = {"E6", "G4", "G6", "H3", "H5"}
"""The coal cities of 18AL."""


def printed(seen: Seen) -> Printed:
    """What is printed of the private that was asked to lay."""
    return POWERS[seen.title][seen.request.entity or ""]


def first_of_pair(seen: Seen) -> str:
    """Where the first of two tiles was just laid."""
    pair = seen.turn.pair
    return pair[1] if pair is not None and pair[0] == seen.request.entity else ""


def empty(seen: Seen, power: Printed) -> list[str]:
    """Its hexes without a tile."""
    return [coord for coord in power.hexes if seen.t.map.tile(coord) is None]


def points_well(seen: Seen, coord: str, tile: str, rotation: int) -> bool:
    """Whether no track runs where none may, and tiles that come together meet."""
    board, power = Board(seen.t), printed(seen)
    edges = seen.spec.tiles[tile].topology.turned(rotation).edges
    if not all(board.open(coord, edge) for edge in edges):
        return False
    others = set(power.hexes) - {coord}
    return not power.pair or any(board.beyond(coord, edge) in others for edge in edges)


def able(seen: Seen, power: Printed) -> Iterator[str]:
    """Hexes in which a tile that is left could be laid in some position."""
    left = [tile for tile in power.tiles if TrackRules(seen.t).left(tile)]
    for coord in empty(seen, power):
        if any(points_well(seen, coord, tile, r) for tile in left for r in range(6)):
            yield coord


@truth("privates.lays_nothing")
def lays_nothing(seen: Seen) -> bool:
    """No power to lay a tile is printed on it."""
    return seen.values["private"] not in POWERS[seen.title]


@truth("privates.other_hexes")
def other_hexes(seen: Seen) -> bool:
    """None of its hexes, or none that is open; those that are, are named."""
    open_now = set(able(seen, printed(seen)))
    return seen.given["hex"] not in open_now == set(seen.values["hexes"])


@truth("privates.other_tiles")
def other_tiles(seen: Seen) -> bool:
    """None of its tiles; those are named."""
    return seen.given["tile"] not in printed(seen).tiles == tuple(seen.values["tiles"])


@truth("privates.rotation_impossible", "privates.tiles_meet")
def points_badly(seen: Seen) -> bool:
    """Track would run where none may; or two tiles that come together would not meet."""
    return not points_well(seen, seen.given["hex"], seen.given["tile"], seen.given["rotation"])


@truth("privates.both_tiles_or_none", "privates.second_tile_first")
def second_tile_first(seen: Seen) -> bool:
    """The first one lies, and the hex of the second is empty."""
    pair, private = seen.turn.pair, seen.values["private"]
    if pair is None or pair[0] != private:
        return False
    return [seen.t.map.tile(coord) is None for coord in POWERS[seen.title][private].hexes].count(True) == 1


@truth("privates.takes_the_place")
def takes_the_place(seen: Seen) -> bool:
    """18Chesapeake 7.1: only the tile of the canal is the normal one; the company has laid."""
    return seen.values["private"] == "C&OC" and bool(seen.turn.laid)


@truth("privates.hexes_taken")
def hexes_taken(seen: Seen) -> bool:
    """Tiles lie in all its hexes, or in one of two that it lays together."""
    power = POWERS[seen.title][seen.values["private"]]
    left = empty(seen, power)
    taken = tuple(coord for coord in power.hexes if coord not in left)
    return taken == tuple(seen.values["hexes"]) and (bool(taken) if power.pair else not left)


@truth("privates.too_few_tiles")
def too_few_tiles(seen: Seen) -> bool:
    """Fewer of its kinds are left than it lays."""
    power = POWERS[seen.title][seen.values["private"]]
    lays = 2 if power.pair and not first_of_pair(seen) else 1
    left = [seen.t.map.supply[tile] for tile in power.tiles]
    return None not in left and sum(filter(None, left)) < lays == int(seen.values["lays"])


@truth("privates.terrain_too_dear")
def power_terrain_too_dear(seen: Seen) -> bool:
    """More than the treasury has; other privates spare the terrain."""
    terrain = POWERS[seen.title][seen.values["private"]].terrain
    return bool(terrain == seen.values["cost"] > seen.mine.cash == seen.values["cash"])


# --- tokens of privates ----------------------------------------------------------------------------------------------


@truth("privates.free_token_first")
def free_token_first(seen: Seen) -> bool:
    """The canal has just laid its tile; its token is placed in that city, or declined."""
    other = seen.request.kind not in {"place_token", "pass"} or seen.request.entity != "C&OC"
    return other and seen.turn.free_token == "C&OC" == str(seen.values["private"])


@truth("privates.free_token_elsewhere")
def free_token_elsewhere(seen: Seen) -> bool:
    """Another hex."""
    return bool(seen.given["hex"] != seen.values["place"] == "D2")


@truth("privates.one_city")
def one_city(seen: Seen) -> bool:
    """No other city."""
    return bool(seen.given["city"] != 0)


@truth("privates.marker_elsewhere")
def marker_elsewhere(seen: Seen) -> bool:
    """18AL, Table III: none of the coal cities; those are named."""
    return seen.given["hex"] not in COAL == set(seen.values["hexes"])


@truth("privates.marker_out_of_reach")
def marker_out_of_reach(seen: Seen) -> bool:
    """18AL, Table III: no train can run to any of the coal cities."""
    return not any(map(TurnRules(seen.t).reached_by_train, COAL))


@truth("privates.marker_not_reached")
def marker_not_reached(seen: Seen) -> bool:
    """To this one."""
    return not TurnRules(seen.t).reached_by_train(seen.given["hex"])
