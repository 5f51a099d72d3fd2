"""When the reasons of drafts, starts of minors and merger rounds are so."""

from engine.core.state import Draft
from tests.reasons.lay_truths import left_open
from tests.reasons.truths import Seen, truth
from tests.referees.newengland.reach import Land
from tests.referees.newengland.track import TrackRules

# --- 18NewEngland: draft, minors, mergers ---------------------------------------------------------------------------


def reserved(seen: Seen) -> dict[str, str]:
    """Who has reserved what."""
    assert isinstance(seen.state.round, Draft)
    return seen.state.round.reserved


@truth("draft.no_minor", "minors.no_minor")
def no_minor(seen: Seen) -> bool:
    """A major."""
    return not seen.is_minor(seen.company.id)


@truth("draft.comes_later", "minors.comes_later")
def comes_later(seen: Seen) -> bool:
    """It was not drawn."""
    return seen.company.waiting and seen.state.phase == "2"


@truth("draft.reserved_already")
def reserved_already(seen: Seen) -> bool:
    """By whom it is said."""
    return bool(reserved(seen).get(seen.company.id) == seen.values["player"])


@truth("draft.not_reserved")
def not_reserved(seen: Seen) -> bool:
    """By this player."""
    return reserved(seen).get(seen.company.id) != seen.request.actor and seen.company.par is None


@truth("draft.nothing_reserved")
def nothing_reserved(seen: Seen) -> bool:
    """By this player."""
    return seen.request.actor not in reserved(seen).values()


def startable(seen: Seen) -> list[str]:
    """Minors that nobody has started and chance has not kept back."""
    companies = seen.state.companies.values()
    return [c.id for c in companies if seen.is_minor(c.id) and c.par is None and not (c.closed or c.waiting)]


@truth("draft.none_left")
def none_left_to_reserve(seen: Seen) -> bool:
    """Each is started or reserved."""
    return not set(startable(seen)) - set(reserved(seen))


@truth("minors.none_left")
def no_minor_left(seen: Seen) -> bool:
    """Each is started, closed or kept back."""
    return not startable(seen)


@truth("draft.what_is_possible")
def not_in_a_draft(seen: Seen) -> bool:
    """Something else is asked for."""
    return seen.request.kind not in {"reserve", "start_minor", "pass"}


SPACES = (50, 55, 60, 65, 70, 80, 90, 100)


def free_spaces(seen: Seen) -> dict[int, list[str]]:
    """Free spaces by value: those above $70 from phase 3 on."""
    taken = {company.cell for company in seen.state.companies.values()} | set(seen.state.flipped)
    found: dict[int, list[str]] = {}
    for row, place in enumerate(("top", "bottom")):
        for column, square in enumerate(seen.t.grid.rows[row]):
            if square is None or square.price not in SPACES or (row, column) in taken:
                continue
            if square.price <= 70 or seen.state.phase != "2":
                found.setdefault(square.price, []).append(place)
    return found


@truth("draft.no_such_value", "minors.no_such_value")
def no_such_value(seen: Seen) -> bool:
    """No space has it."""
    return seen.given["value"] not in SPACES


@truth("draft.no_free_space", "minors.no_free_space")
def no_free_space(seen: Seen) -> bool:
    """Both are taken, or come later."""
    return seen.given["value"] in SPACES and seen.given["value"] not in free_spaces(seen)


@truth("minors.no_space_left")
def no_space_left(seen: Seen) -> bool:
    """All are taken."""
    return not free_spaces(seen)


@truth("draft.space_taken", "minors.space_taken")
def space_taken(seen: Seen) -> bool:
    """This one is."""
    return seen.given["space"] not in free_spaces(seen)[seen.given["value"]]


@truth("draft.too_expensive", "minors.too_expensive")
def minor_too_expensive(seen: Seen) -> bool:
    """Twice the value is more than the cash; where none was named, of the cheapest free space."""
    value = seen.values["value"]
    named = seen.given.get("value") == value or value == min(free_spaces(seen))
    return named and value in free_spaces(seen) and 2 * value > seen.cash(seen.values["player"])


@truth("merger.decides_now")
def merger_decides_now(seen: Seen) -> bool:
    """This minor is on turn; something else is asked for, or something for another company."""
    other = seen.request.kind not in {"merge", "convert", "pass"} or seen.request.entity != seen.company.id
    return seen.step == "merge" and seen.company.par is not None and other


@truth("merger.shares_first")
def shares_first(seen: Seen) -> bool:
    """A company has just been formed."""
    return getattr(seen.state.round, "formed", None) == seen.company.id and seen.request.kind != "buy_share"


@truth("merger.cannot_be_formed")
def cannot_be_formed(seen: Seen) -> bool:
    """A minor."""
    return seen.is_minor(seen.company.id)


@truth("merger.none_to_form")
def none_to_form(seen: Seen) -> bool:
    """Every major is started or closed."""
    return all(
        c.par is not None or c.closed for c in seen.state.companies.values() if not seen.is_minor(c.id)
    )


def minors_of(seen: Seen, player: str) -> list[str]:
    """Minors in play that a player has."""
    companies = seen.state.companies.values()
    return [
        c.id
        for c in companies
        if seen.is_minor(c.id) and c.par is not None and not c.closed and c.certificate_holder == player
    ]


@truth("merger.no_other")
def no_other(seen: Seen) -> bool:
    """It is the player's only minor."""
    return minors_of(seen, seen.values["player"]) == [seen.company.id]


@truth("merger.no_partner")
def no_partner(seen: Seen) -> bool:
    """No minor in play, or itself."""
    partner = seen.state.companies[seen.given["partner"]]
    return (
        partner.id == seen.company.id
        or not seen.is_minor(partner.id)
        or partner.par is None
        or partner.closed
    )


@truth("merger.of_another")
def of_another(seen: Seen) -> bool:
    """Another player has it."""
    return bool(seen.state.companies[seen.given["partner"]].certificate_holder != seen.values["player"])


@truth("merger.too_dear")
def conversion_too_dear(seen: Seen) -> bool:
    """Two shares at $100 less twice the value."""
    cost = 200 - 2 * seen.price(seen.company)
    return bool(cost == seen.values["paid"] > seen.cash(seen.values["player"]))


@truth("merger.shares_of")
def shares_of(seen: Seen) -> bool:
    """Another company has just been formed."""
    return bool(seen.given["company"] != seen.values["company"])


def joined(seen: Seen, one: str, other: str) -> bool:
    """12: stations in one hex, or a route that connects them."""
    land = Land(seen.t)
    hexes = [{coord for coord, _ in land.stations(name)} for name in (one, other)]
    return not hexes[0].isdisjoint(hexes[1]) or TrackRules(seen.t, one).connected(other)


@truth("merger.no_route_to_another")
@left_open
def no_route_to_another(seen: Seen) -> bool:
    """The player has others, and none of them is joined to it."""
    others = [name for name in minors_of(seen, seen.values["player"]) if name != seen.company.id]
    return bool(others) and not any(joined(seen, seen.company.id, other) for other in others)


@truth("merger.not_connected")
@left_open
def not_connected(seen: Seen) -> bool:
    """Another minor of the player, not joined to it."""
    partner = seen.given["partner"]
    other = partner in minors_of(seen, seen.company.certificate_holder) and partner != seen.company.id
    return other and not joined(seen, seen.company.id, partner)


def doubled(seen: Seen) -> str:
    """The hex in which the company just formed has two stations."""
    hexes = [coord for coord, _ in Land(seen.t).stations(getattr(seen.state.round, "formed", ""))]
    return next((coord for coord in hexes if hexes.count(coord) > 1), "")


@truth("merger.token_first")
def token_first(seen: Seen) -> bool:
    """12: of two stations in the hex that is named one goes back."""
    return seen.request.kind != "return_token" and doubled(seen) == seen.values["hex"] != ""


@truth("merger.token_elsewhere")
def token_elsewhere(seen: Seen) -> bool:
    """In another hex than the one with two."""
    return bool(seen.given["hex"] != seen.values["place"] == doubled(seen))


@truth("merger.no_token_there")
def no_token_there(seen: Seen) -> bool:
    """The company has none in this city."""
    city = (seen.given["hex"], 6 + seen.given["city"])
    return city not in Land(seen.t).stations(seen.values["company"])
