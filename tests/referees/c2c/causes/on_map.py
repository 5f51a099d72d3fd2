"""Causes on the map: tiles, tokens, routes."""

from collections.abc import Callable

from tests.referees.c2c.causes.every_cause import CAUSES, Ask
from tests.referees.c2c.land import Ways
from tests.referees.c2c.printed import GOALS, HOMES, at_least_phase
from tests.referees.c2c.routes import Run
from tests.referees.c2c.track import BEGINS, BONUSES, COLOURS, ICONS, TrackRules
from tests.referees.newengland.reach import TooManyTrailsError


def _rules(ask: Ask) -> TrackRules:
    assert ask.mine is not None
    return TrackRules(ask.game.table, ask.play)


def _left_open(cause: Callable[[Ask], bool]) -> Callable[[Ask], bool]:
    """Where a walk over the track takes too long, the engine is believed."""

    def known(ask: Ask) -> bool:
        try:
            return cause(ask)
        except TooManyTrailsError:
            return True

    return known


# --- tiles ------------------------------------------------------------------------------------------------------


def _following(ask: Ask) -> str | None:
    """The colour that comes next in the hex; None: nothing is ever laid there."""
    coord = ask.cited("hex")
    printed, colour = _rules(ask).land.hexes[coord], ask.game.table.map.colour(coord)
    if printed.colour in {"red", "gray", "blue"} or colour not in COLOURS[:4]:
        return None
    return COLOURS[COLOURS.index(colour) + 1]


def _waits(ask: Ask) -> bool:
    colour = _following(ask)
    said = colour is not None and colour == ask.cited("colour") and _some_fits(ask)
    return said and not at_least_phase(ask.world.phase, BEGINS[str(colour)])


def _tile_waits(ask: Ask) -> bool:
    colour = ask.game.table.spec.tiles[ask.cited("tile")].colour
    return colour == ask.cited("colour") and not at_least_phase(ask.world.phase, BEGINS[colour])


def _too_few_points(ask: Ask) -> bool:
    rules = _rules(ask)
    return rules.points(ask.cited("hex")) > rules.round.points()


def _not_reached(ask: Ask) -> bool:
    """No way leads to a side of the hex, or to a station in it."""
    rules, coord = _rules(ask), ask.cited("hex")
    if coord not in rules.land.near(rules.company.name):
        return True
    topology, ways = rules.land.topology(coord), Ways(rules.land, rules.company.name)
    if topology.pieces:
        return not ways.uses(coord, set(range(len(topology.pieces)))) and not _visited(rules, coord)
    return not any(_leads_to(ways, rules, coord, edge) for edge in range(6))


def _leads_to(ways: Ways, rules: TrackRules, coord: str, edge: int) -> bool:
    """Whether a way ends at this side of a hex without track."""
    there = rules.land.beyond(coord, edge)
    if there is None:
        return False
    pieces = rules.land.topology(there).pieces
    towards = {i for i, piece in enumerate(pieces) if (edge + 3) % 6 in piece.ends()}
    return bool(towards) and ways.uses(there, towards)


def _visited(rules: TrackRules, coord: str) -> bool:
    ways = Ways(rules.land, rules.company.name)
    return any(ways.visits((coord, 6 + stop)) for stop in range(len(rules.land.topology(coord).stops)))


def _tiles(ask: Ask) -> list[str]:
    return _rules(ask)._tiles(ask.cited("hex"))


def _turns(ask: Ask) -> list[int]:
    rules = _rules(ask)
    return [r for r in range(6) if rules.fits(ask.cited("hex"), ask.cited("tile"), r)]


def _some_fits(ask: Ask) -> bool:
    """Whether a tile could follow in some position, now or in a later phase, used up or not."""
    rules, coord = _rules(ask), ask.cited("hex")
    return any(rules.fits(coord, tile, r) for tile in _tiles(ask) for r in range(6))


def _some_left_fits(ask: Ask) -> bool:
    rules, coord = _rules(ask), ask.cited("hex")
    left = filter(rules._left, _tiles(ask))
    return any(rules.fits(coord, tile, r) for tile in left for r in range(6))


def _on_no_route(ask: Ask) -> bool:
    rules = _rules(ask)
    return not any(rules.joined(ask.cited("hex"), ask.cited("tile"), r) for r in _turns(ask))


def _rotation_on_no_route(ask: Ask) -> bool:
    return not _rules(ask).joined(ask.cited("hex"), ask.cited("tile"), ask.given("rotation"))


def _too_dear(ask: Ask) -> bool:
    due = _rules(ask).price(ask.cited("hex"), ask.request.entity or "")[0]
    return bool(due == ask.cited("cost") > ask.mine.cash == ask.cited("cash"))


CAUSES.update(
    {
        "track.points_used_up": lambda ask: _rules(ask).round.points() <= 0,
        "track.too_few_points": _too_few_points,
        "track.one_tile_a_hex": lambda ask: ask.cited("hex") in _rules(ask).round.now.laid,
        "track.no_place": _left_open(lambda ask: not any(True for _ in _rules(ask).lays())),
        "track.never_again": lambda ask: _following(ask) is None,
        "phase.hex_waits": _waits,
        "phase.no_such_tile": _tile_waits,
        "track.not_reached": _left_open(_not_reached),
        "track.no_such_tile": lambda ask: not _some_fits(ask),
        "track.no_tile_left": lambda ask: _some_fits(ask) and not _some_left_fits(ask),
        "track.nothing_fits": _left_open(
            lambda ask: not any(True for _ in _rules(ask)._lays_in(ask.cited("hex")))
        ),
        "track.too_dear": _too_dear,
        "track.used_up": lambda ask: not _rules(ask)._left(ask.cited("tile")),
        "track.cannot_follow": lambda ask: ask.cited("tile") not in _tiles(ask),
        "track.turned_in_no_way": lambda ask: not _turns(ask),
        "track.on_no_route": _left_open(_on_no_route),
        "track.rotation_impossible": lambda ask: ask.given("rotation") not in _turns(ask),
        "track.rotation_on_no_route": _left_open(_rotation_on_no_route),
        "privates.helps_nowhere": _left_open(lambda ask: all(who != "KTC" for who, *_ in _rules(ask).lays())),
        "privates.helps_elsewhere": lambda ask: not _rules(ask)._tunnel(ask.cited("hex")),
    }
)


# --- tokens -----------------------------------------------------------------------------------------------------


def _token_not_reached(ask: Ask) -> bool:
    return not _visited(_rules(ask), ask.cited("hex"))


def _vacant(ask: Ask) -> bool:
    """Whether a city of the hex that is reached has a free place."""
    rules, coord = _rules(ask), ask.cited("hex")
    ways = Ways(rules.land, rules.company.name)
    stops = range(len(rules.land.topology(coord).stops))
    return any(rules.vacant(coord, stop) and ways.visits((coord, 6 + stop)) for stop in stops)


def _not_this_city(ask: Ask) -> bool:
    rules, stop = _rules(ask), (ask.cited("hex"), ask.given("city"))
    wanted = rules.bulls() if ask.request.kind == "place_bull" else rules.tokens()
    return stop not in wanted


def _special(ask: Ask) -> bool:
    return bool(ask.mine.goals or ask.mine.bulls)


CAUSES.update(
    {
        "token.none_left": lambda ask: not ask.mine.ordinary and not _special(ask),
        "token.only_special": lambda ask: not ask.mine.ordinary and _special(ask),
        "token.no_bull": lambda ask: not ask.mine.bulls,
        "token.one_a_hex": lambda ask: ask.cited("hex") in ask.mine.stands,
        "token.no_city": lambda ask: not _rules(ask).land.topology(ask.cited("hex")).stops,
        "token.not_reached": _left_open(_token_not_reached),
        "token.no_slot": _left_open(lambda ask: not _vacant(ask)),
        "token.no_such_city": lambda ask: (
            ask.given("city") >= len(_rules(ask).land.topology(ask.cited("hex")).stops) == ask.cited("cities")
        ),
        "token.not_this_city": _left_open(_not_this_city),
    }
)


def _no_city_for_label(ask: Ask) -> bool:
    """Only plain and L cities of the East can become P cities (R-C2C-150, R-C2C-153)."""
    rules, coord = _rules(ask), ask.cited("hex")
    printed = rules.land.hexes[coord]
    able = printed.topology.stops and rules.letter(coord) in ("", "L") and printed.zone == "east"
    return not able or printed.colour == "red" or len(rules.land.topology(coord).stops) != 1


CAUSES.update(
    {
        "privates.marker_elsewhere": lambda ask: (
            ask.cited("hex") not in ICONS[BONUSES[ask.request.entity or ""]] == {*ask.cited("hexes")}
        ),
        "privates.no_city_for_label": _no_city_for_label,
        "privates.too_late_for_label": lambda ask: (
            ask.game.table.map.colour(ask.cited("hex")) in ("brown", "gray")
        ),
        "privates.no_city_left": lambda ask: not any(True for _ in _rules(ask)._plain_cities()),
    }
)


# --- routes -----------------------------------------------------------------------------------------------------


def _route_flaw(ask: Ask) -> bool:
    """A route of those that were named does not follow track from stop to stop."""
    land = _rules(ask).land
    return any(_flawed(ask, land, text) for text in ask.given("routes"))


def _flawed(ask: Ask, land: object, text: str) -> bool:
    train, way = text.split(":")
    if any(word.partition(".")[0] not in land.hexes for word in way.split()):  # type: ignore[attr-defined]
        return True
    run = Run.read(land, ask.mine.name, text)  # type: ignore[arg-type]
    return bool(run.flaw(int(train[0])))


def _no_destination(ask: Ask) -> bool:
    """The route does not begin at a home and end at its destination."""
    (text,) = ask.given("routes")
    words = text.partition(":")[2].split()
    ends = {words[0].partition(".")[0], words[-1].partition(".")[0]}
    return all({HOMES[name], GOALS[name]} != ends for name in HOMES)


def _without_train(ask: Ask) -> bool:
    return any(text.partition(":")[0] not in ask.mine.trains for text in ask.given("routes"))


CAUSES.update(
    {
        "routes.no_train": lambda ask: not ask.mine.trains,
        "routes.no_route": _left_open(lambda ask: not ask.play.map.route(ask.mine.name)),
        "routes.no_proof": lambda ask: ask.mine is not None,  # no west coast on the small board (R-C2C-280)
        "routes.each_train_once": _without_train,
        "routes.one_to_destination": lambda ask: len(ask.given("routes")) != 1,
        "routes.not_to_destination": _no_destination,
        "reach.ends_at_stops": _route_flaw,
        "unreadable.route": lambda ask: any(".6-" in text for text in ask.given("routes")),
    }
)
