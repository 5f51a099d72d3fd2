"""When the reasons about track, tokens and runs are so."""

from engine.core.state import Operating
from tests.reasons.train_truths import has_route
from tests.reasons.truths import Seen, truth
from tests.referees.track_referee import Board, Reach, Trails

# --- track and tokens -----------------------------------------------------------------------------------------------


@truth("unknown.hex")
def unknown_hex(seen: Seen) -> bool:
    """Not on the map."""
    return seen.values["hex"] not in seen.spec.map.all_hexes


@truth("unknown.tile")
def unknown_tile(seen: Seen) -> bool:
    """Not in the game."""
    return seen.values["tile"] not in seen.spec.tiles


@truth("unknown.private")
def unknown_private(seen: Seen) -> bool:
    """Not in the game."""
    return seen.values["private"] not in seen.spec.privates


@truth("track.home_first")
def home_first(seen: Seen) -> bool:
    """18Chesapeake 11.3: the home has no track, and another hex is named."""
    return not seen.t.map.topology(seen.values["home"]).pieces and seen.given["hex"] != seen.values["home"]


@truth("privates.blocks")
def blocks(seen: Seen) -> bool:
    """A player has the private."""
    private = seen.values["private"]
    return seen.given["hex"] in seen.spec.privates[private].blocks and seen.state.is_player(
        seen.state.privates[private].owner
    )


@truth("track.never_again")
def never_again(seen: Seen) -> bool:
    """Red and gray stay; the Lumber Terminal, too."""
    coord = seen.given["hex"]
    if seen.t.map.colour(coord) in {"red", "gray"} or seen.t.map.tile(coord) == "445":
        return True
    return not any(seen.spec.tiles[name].colour == next_colour(seen) for name in similar(seen))


COLOURS = ("white", "yellow", "green", "brown", "gray")


def next_colour(seen: Seen) -> str:
    """The colour after that of the hex."""
    here = seen.t.map.colour(seen.given["hex"])
    return COLOURS[COLOURS.index(here) + 1] if here in COLOURS[:4] else ""


@truth("phase.hex_waits")
def hex_waits(seen: Seen) -> bool:
    """The next colour is none of the phase."""
    return bool(next_colour(seen) == seen.values["colour"] not in seen.t.phase.tiles)


@truth("phase.no_such_tile")
def tile_waits(seen: Seen) -> bool:
    """The tile's colour is none of the phase."""
    return seen.spec.tiles[seen.given["tile"]].colour not in seen.t.phase.tiles


@truth("track.only_yellow_may_follow")
def only_yellow_may_follow(seen: Seen) -> bool:
    """A tile lies there, and one was laid in this turn."""
    return seen.t.map.colour(seen.given["hex"]) != "white" and bool(seen.turn.laid)


@truth("track.not_reached", "token.not_reached")
def not_reached(seen: Seen) -> bool:
    """No trail comes there; in 18NewEngland one runs through one city of a hex only, which makes trails fewer."""
    found = Reach(Board(seen.t), seen.mine.id)
    walked = found.stops if seen.wish.kind == "place_token" else found.stops | found.edges
    if seen.given["hex"] not in {at for at, _ in walked} or seen.title == "18newengland":
        return True
    return not Trails(Board(seen.t), seen.mine.id).come_to(seen.given["hex"])


@truth("track.too_dear")
def terrain_too_dear(seen: Seen) -> bool:
    """The terrain costs more than the treasury has."""
    return bool(seen.spec.map.all_hexes[seen.given["hex"]].cost >= seen.values["cost"] > seen.mine.cash)


@truth("track.used_up")
def used_up(seen: Seen) -> bool:
    """All of them lie on the map."""
    tile = seen.values["tile"]
    count = seen.spec.tiles[tile].count
    return (
        count is not None
        and sum(seen.t.map.tile(coord) == tile for coord in seen.spec.map.all_hexes) >= count
    )


@truth("track.no_tile_left")
def no_tile_left(seen: Seen) -> bool:
    """No tile of the next colour, with the same kinds of stops, is left."""
    return not any(left(seen, tile) for tile in similar(seen))


@truth("track.no_such_tile")
def no_such_tile(seen: Seen) -> bool:
    """No tile of the next colour keeps all stops and edges."""
    here = seen.t.map.topology(seen.given["hex"])
    for tile in similar(seen):
        shape = seen.spec.tiles[tile].topology
        plain = seen.spec.tiles[tile].label == seen.spec.map.all_hexes[seen.given["hex"]].label
        if plain and any(here.edges <= shape.turned(r).edges for r in range(6)) and not here.pieces:
            return False
    return True


def similar(seen: Seen) -> list[str]:
    """Tiles of the next colour with as many cities and towns."""
    here = sorted(stop.kind for stop in seen.t.map.topology(seen.given["hex"]).stops)
    colour = next_colour(seen)
    return [
        n
        for n, one in seen.spec.tiles.items()
        if one.colour == colour
        and sorted(s.kind for s in one.topology.stops) == here
        and not one.by_power_only
    ]


def left(seen: Seen, tile: str) -> bool:
    """Whether one of a tile is left, and its label is that of the hex."""
    one = seen.spec.tiles[tile]
    lying = sum(seen.t.map.tile(coord) == tile for coord in seen.spec.map.all_hexes)
    fits = one.label == seen.spec.map.all_hexes[seen.given["hex"]].label
    old = seen.t.map.topology(seen.given["hex"])
    keeps = any(
        {frozenset(p.ends()) for p in old.pieces}
        <= {frozenset(p.ends()) for p in one.topology.turned(r).pieces}
        for r in range(6)
    )
    return fits and keeps and (one.count is None or lying < one.count)


@truth("track.cannot_follow")
def cannot_follow(seen: Seen) -> bool:
    """Another colour than the next, another label, other stops, or (in a hex with its own tiles) none of them."""
    tile = seen.spec.tiles[seen.given["tile"]]
    coord = seen.given["hex"]
    here = sorted(stop.kind for stop in seen.t.map.topology(coord).stops)
    stops = sorted(stop.kind for stop in tile.topology.stops)
    printed = seen.spec.map.all_hexes[coord]
    return (
        tile.colour != next_colour(seen)
        or tile.label != printed.label
        or here != stops
        or not keeps_track(seen, range(6))
    )


def keeps_track(seen: Seen, rotations: range) -> bool:
    """Whether the tile keeps old track from edge to edge in one of these positions."""
    old, new = seen.t.map.topology(seen.given["hex"]), seen.spec.tiles[seen.given["tile"]].topology
    return any(
        {frozenset(p.ends()) for p in old.pieces if max(p.ends()) < 6}
        <= {frozenset(p.ends()) for p in new.turned(r).pieces}
        and old.edges <= new.turned(r).edges
        and all(Board(seen.t).open(seen.given["hex"], edge) for edge in new.turned(r).edges)
        for r in rotations
    )


@truth("track.turned_in_no_way")
def turned_in_no_way(seen: Seen) -> bool:
    """No position keeps the old track, and points where it may."""
    return not keeps_exactly(seen, range(6))


@truth("track.rotation_impossible")
def rotation_impossible(seen: Seen) -> bool:
    """This position does not."""
    turned = seen.given["rotation"]
    return not keeps_exactly(seen, range(turned, turned + 1))


def keeps_exactly(seen: Seen, rotations: range) -> bool:
    """Whether edges that were joined, directly or in a stop, still are."""
    old, new = seen.t.map.topology(seen.given["hex"]), seen.spec.tiles[seen.given["tile"]].topology
    joined = [old.edges_of(i) for i in range(len(old.stops))]
    return any(
        keeps_track(seen, range(r, r + 1))
        and all(any(one <= new.turned(r).edges_of(i) for i in range(len(new.stops))) for one in joined)
        for r in rotations
    )


@truth("track.no_such_rotation")
def no_such_rotation(seen: Seen) -> bool:
    """Six positions, from 0."""
    return seen.given["rotation"] not in range(6)


@truth("track.lays_used_up")
def lays_used_up(seen: Seen) -> bool:
    """As many as a turn has."""
    most = 1 if seen.title == "18newengland" and seen.is_minor(seen.mine.id) else len(seen.spec.lays)
    return len(seen.turn.laid) >= most


@truth("track.nothing_after_an_upgrade")
def nothing_after_an_upgrade(seen: Seen) -> bool:
    """18TN 4.2.1, 18NewEngland 11.3: an upgrade is the only lay."""
    return "upgrade" in seen.turn.laid


@truth("track.by_privates_only")
def by_privates_only(seen: Seen) -> bool:
    """The Lumber Terminal."""
    return bool(seen.given["tile"] == "445")


@truth("track.gives_way")
def gives_way(seen: Seen) -> bool:
    """18NewEngland 11.3: no 611 while a 63 is left."""
    return bool(seen.given["tile"] == "611" and seen.values["instead"] == "63")


@truth("token.none_left")
def no_token_left(seen: Seen) -> bool:
    """Its charter is empty."""
    return not seen.mine.tokens


@truth("token.too_dear")
def token_too_dear(seen: Seen) -> bool:
    """The next one costs more than it has."""
    return seen.mine.tokens[0] > seen.mine.cash


@truth("token.one_a_hex")
def one_a_hex(seen: Seen) -> bool:
    """It has one there."""
    return seen.given["hex"] in {coord for coord, _ in Board(seen.t).stations(seen.mine.id)}


@truth("token.no_city")
def no_city(seen: Seen) -> bool:
    """Towns have no places for stations."""
    return not any(stop.kind == "city" for stop in seen.t.map.topology(seen.given["hex"]).stops)


@truth("token.no_such_city")
def no_such_city(seen: Seen) -> bool:
    """Fewer stops."""
    return seen.given["city"] not in range(len(seen.t.map.topology(seen.given["hex"]).stops))


@truth("token.no_slot")
def no_slot(seen: Seen) -> bool:
    """Each city is full, kept for a home, or not reached."""
    coord = seen.given["hex"]
    homes = [
        home for home in (spec.home for spec in seen.spec.companies.values()) if home and home.hex == coord
    ]
    stops = range(len(seen.t.map.topology(coord).stops))
    return all(None not in seen.t.map.slots(coord, i) for i in stops) or bool(homes) or len(stops) > 1


@truth("token.not_this_city")
def not_this_city(seen: Seen) -> bool:
    """That one is full, kept for a home, or not reached; another one is neither."""
    return len(seen.t.map.topology(seen.given["hex"]).stops) > 1


@truth("routes.no_train")
def no_train_to_run(seen: Seen) -> bool:
    """None, obsolete ones included."""
    return not seen.mine.trains and not seen.mine.obsolete


@truth("routes.no_route")
def no_route(seen: Seen) -> bool:
    """No station is joined to another stop."""
    return not has_route(seen)


@truth("routes.nobody_runs")
def nobody_runs(seen: Seen) -> bool:
    """No company operates."""
    now = seen.state.round
    return not isinstance(now, Operating) or now.turn is None
