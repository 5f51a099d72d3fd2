"""When the reasons about track, tokens and runs are so."""

from engine.core.state import Operating
from tests.reasons.train_truths import has_route
from tests.reasons.truths import Seen, truth
from tests.referees.track_referee import Board

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


@truth("phase.no_such_tile")
def tile_waits(seen: Seen) -> bool:
    """The tile's colour is none of the phase."""
    return seen.spec.tiles[seen.given["tile"]].colour not in seen.t.phase.tiles


@truth("track.only_yellow_may_follow")
def only_yellow_may_follow(seen: Seen) -> bool:
    """A tile lies there, and one was laid in this turn."""
    return seen.t.map.colour(seen.given["hex"]) != "white" and bool(seen.turn.laid)


@truth("track.used_up")
def used_up(seen: Seen) -> bool:
    """All of them lie on the map."""
    tile = seen.values["tile"]
    count = seen.spec.tiles[tile].count
    return (
        count is not None
        and sum(seen.t.map.tile(coord) == tile for coord in seen.spec.map.all_hexes) >= count
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
