"""When the reasons are so that name what may lie in a hex, and what a company reaches there."""

from collections.abc import Iterator
from typing import TypeAlias

from tests.reasons.truths import Seen, Truth, truth
from tests.referees.newengland.reach import Land, TooManyTrailsError
from tests.referees.newengland.reach import Trails as NewEnglandTrails
from tests.referees.newengland.track import TrackRules as NewEngland
from tests.referees.track_referee import Board, Reach, TrackRules, Trails

Rules: TypeAlias = TrackRules | NewEngland
COLOURS = ("white", "yellow", "green", "brown", "gray")


def rules(seen: Seen) -> Rules:
    """The second statement of what the operating company may lay."""
    return NewEngland(seen.t, seen.mine.id) if seen.title == "18newengland" else TrackRules(seen.t)


def left_open(one: Truth) -> Truth:
    """Where too many trails lead on in 18NewEngland, the engine is believed."""

    def known(seen: Seen) -> bool:
        try:
            return one(seen)
        except TooManyTrailsError:
            return True

    known.__doc__ = one.__doc__
    return known


def next_colour(seen: Seen) -> str:
    """The colour after that of the hex; nothing follows gray, red or blue."""
    here = seen.t.map.colour(seen.given["hex"])
    return COLOURS[COLOURS.index(here) + 1] if here in COLOURS[:4] else ""


def tiles(seen: Seen, found: Rules) -> list[str]:
    """Tiles of the next colour that are left for the hex, whatever track lies in it."""
    coord = seen.given["hex"]
    if isinstance(found, NewEngland):
        return list(found.tiles(coord, next_colour(seen)))
    return list(found.tiles(coord, found.board.hexes[coord]))


def kinds(seen: Seen, found: Rules) -> list[str]:
    """The same in whatever phase, used up or not, if some position keeps the old track."""
    coord = seen.given["hex"]
    if isinstance(found, NewEngland):
        listed = found.kinds(coord, next_colour(seen))
    else:
        listed = found.kinds(coord, found.board.hexes[coord])
    return [tile for tile in listed if next(turns(found, coord, tile), None) is not None]


def turns(found: Rules, coord: str, tile: str) -> Iterator[int]:
    """Positions that keep old track and point where track may go."""
    return (r for r in range(6) if found.fits(coord, tile, r))


# --- which hex ----------------------------------------------------------------------------------------------------


@truth("track.never_again")
def never_again(seen: Seen) -> bool:
    """Red and gray stay; the Lumber Terminal, too."""
    return not next_colour(seen) or seen.t.map.tile(seen.given["hex"]) == "445"


@truth("phase.hex_waits")
def hex_waits(seen: Seen) -> bool:
    """The next colour is none of the phase, and has a tile that could follow then."""
    waits = next_colour(seen) == seen.values["colour"] not in seen.t.phase.tiles
    return waits and bool(kinds(seen, rules(seen)))


@truth("track.no_place")
@left_open
def no_place(seen: Seen) -> bool:
    """Not one lay is legal."""
    found = rules(seen)
    lays = found.lays([*seen.turn.laid]) if isinstance(found, NewEngland) else found.lays()
    return next(lays, None) is None


def stops_of(seen: Seen) -> list[int]:
    """Numbers of the stops in the hex."""
    return list(range(len(seen.t.map.topology(seen.given["hex"]).stops)))


@truth("track.not_reached", "token.not_reached")
@left_open
def not_reached(seen: Seen) -> bool:
    """No trail comes there; in 18NewEngland one runs through one city of a hex only, which makes trails fewer."""
    coord, company = seen.given["hex"], seen.mine.id
    ends = [6 + stop for stop in stops_of(seen)] + ([] if seen.request.kind == "place_token" else [*range(6)])
    if seen.title == "18newengland":
        trails = NewEnglandTrails(Land(seen.t), company)
        return not any(trails.visits((coord, end)) for end in ends)
    found = Reach(Board(seen.t), company)
    if coord not in {at for at, end in found.stops | found.edges if end in ends}:
        return True
    return not Trails(Board(seen.t), company).come_to(coord)


@truth("track.too_dear")
def terrain_too_dear(seen: Seen) -> bool:
    """The terrain costs more than the treasury has."""
    coord = seen.given["hex"]
    cost = rules(seen).cost(coord, seen.spec.map.all_hexes[coord])
    return bool(cost == seen.values["cost"] > seen.mine.cash == seen.values["cash"])


@truth("track.no_such_tile")
def no_such_tile(seen: Seen) -> bool:
    """Nothing could ever follow."""
    return not kinds(seen, rules(seen))


@truth("track.no_tile_left")
def no_tile_left(seen: Seen) -> bool:
    """What could follow is used up."""
    found = rules(seen)
    able = kinds(seen, found)
    return bool(able) and not set(able) & set(tiles(seen, found))


@truth("track.nothing_fits")
@left_open
def nothing_fits(seen: Seen) -> bool:
    """Whatever is left leads nowhere from what the company reaches, or loses old track."""
    found, coord = rules(seen), seen.given["hex"]
    return not any(
        found.joined(coord, tile, r) for tile in tiles(seen, found) for r in turns(found, coord, tile)
    )


# --- which tile, turned how -----------------------------------------------------------------------------------------


@truth("track.cannot_follow")
def cannot_follow(seen: Seen) -> bool:
    """Another colour than the next, another label or other stops, or no position in which old track stays."""
    found, tile = rules(seen), seen.given["tile"]
    return tile not in tiles(seen, found) or next(turns(found, seen.given["hex"], tile), None) is None


@truth("track.turned_in_no_way")
def turned_in_no_way(seen: Seen) -> bool:
    """No position keeps the old track, and points where it may; but it is a tile for such a hex."""
    found, tile = rules(seen), seen.given["tile"]
    return tile in tiles(seen, found) and next(turns(found, seen.given["hex"], tile), None) is None


@truth("track.rotation_impossible")
def rotation_impossible(seen: Seen) -> bool:
    """This position does neither."""
    return not rules(seen).fits(seen.given["hex"], seen.given["tile"], seen.given["rotation"])


@truth("track.on_no_route")
@left_open
def on_no_route(seen: Seen) -> bool:
    """It fits, and in no position is any of it on a route."""
    found, coord, tile = rules(seen), seen.given["hex"], seen.given["tile"]
    able = list(turns(found, coord, tile))
    return bool(able) and not any(found.joined(coord, tile, r) for r in able)


@truth("track.rotation_on_no_route")
@left_open
def rotation_on_no_route(seen: Seen) -> bool:
    """It fits so, and none of it is on a route."""
    found, coord, tile, turned = rules(seen), seen.given["hex"], seen.given["tile"], seen.given["rotation"]
    return found.fits(coord, tile, turned) and not found.joined(coord, tile, turned)


# --- tokens -------------------------------------------------------------------------------------------------------


def takes(seen: Seen, stop: int) -> bool:
    """Whether a city has room for a token, and a trail comes to it."""
    found, coord = rules(seen), seen.given["hex"]
    if seen.t.map.topology(coord).stops[stop].kind != "city" or not found.vacant(coord, stop):
        return False
    if isinstance(found, NewEngland):
        return NewEnglandTrails(found.land, seen.mine.id).visits((coord, 6 + stop))
    return (coord, 6 + stop) in Reach(found.board, seen.mine.id).stops and found.visited(coord, stop)


@truth("token.no_slot")
@left_open
def no_slot(seen: Seen) -> bool:
    """Each city is full, kept for a home, or not reached."""
    return not any(takes(seen, stop) for stop in stops_of(seen))


@truth("token.not_this_city")
@left_open
def not_this_city(seen: Seen) -> bool:
    """That one is full, kept for a home, or not reached; another one is neither."""
    return not takes(seen, seen.given["city"]) and any(takes(seen, stop) for stop in stops_of(seen))
