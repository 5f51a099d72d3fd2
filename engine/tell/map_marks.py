"""Marks on the map: objectives, and tokens and places of privates' powers, with their meanings."""

from collections.abc import Iterator
from dataclasses import replace

from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.spec import CityBonusPower, IconTokenPower, Power, RouteBonusPower, TileLayPower
from engine.core.state import Company, Private
from engine.play.private_markers import city_bonuses, route_bonuses
from engine.play.table import Table
from engine.play.track.lay_rules import blocked_by
from engine.tell.views import Badge, MarkView


def marks(t: Table) -> dict[Coord, tuple[MarkView, ...]]:
    """All marks by hex, most important first; none that has no meaning now."""
    marked: dict[Coord, list[MarkView]] = {}
    for coord, mark in (*_objectives(t), *_destinations(t), *_tokens_without_space(t), *_of_powers(t)):
        marked.setdefault(coord, []).append(mark)
    return {coord: tuple(sorted(here, key=_rank)) for coord, here in marked.items()}


def _rank(mark: MarkView) -> int:
    """Rank of a mark: earning now, open objective, other, done."""
    if mark.kind == "beside" or (mark.kind == "city_bonus" and mark.done):
        return 0
    return {"objective": 3 if mark.done else 1}.get(mark.kind, 2)


def has_open_objective(t: Table, company: Company) -> bool:
    """True if a token could still earn the company its objective's money."""
    objective = t.spec.companies[company.id].objective
    return objective is not None and not _objective_reached(t, company, objective.hex)


def mark_facts(t: Table) -> tuple[tuple[MarkView, Fact], ...]:
    """The meanings of the marks on the map, for a legend beside it."""
    facts = [(mark, _objective_fact(t, company)) for company, mark in _objectives_by_company(t)]
    for private in t.state.privates.values():
        for power in t.spec.privates[private.id].powers:
            here = {} if isinstance(power, TileLayPower) else dict(_power_marks(t, private, power))
            if here:
                # Where the token lies is what counts; before that any of the hexes shows the mark.
                mark = max(here.values(), key=lambda m: m.badge is not None)
                facts.append((mark, _power_fact(t, private, power)))
    return (*facts, *_private_marks(t))


def _private_marks(t: Table) -> Iterator[tuple[MarkView, Fact]]:
    """Letters of privates on hexes that they block or may build on."""
    for private in t.state.privates.values():
        spec = t.spec.privates[private.id]
        mark = MarkView("power", private.id)
        closed = [coord for coord in spec.blocks if blocked_by(t, coord) == private.id]
        if closed:
            yield mark, fact("mark.closed", name=spec.name, hexes=closed)
        open_to = [
            coord
            for power in spec.powers
            if isinstance(power, TileLayPower)
            for coord, _ in _power_marks(t, private, power)
            if coord not in closed
        ]
        if open_to:
            yield mark, fact("mark.power", name=spec.name, hexes=open_to)


def event_markers(t: Table, company: Company) -> tuple[str, ...]:
    """The company's markers that come from no private, with their effect in its next turn."""
    lasting = {p.name for p in city_bonuses(t.spec)} | {p.name for p in route_bonuses(t.spec)}
    return tuple(name for name in company.markers if name not in lasting)


def marker_facts(t: Table, company: Company) -> tuple[Fact, ...]:
    """The company's markers with their hexes, and its extra tokens."""
    named = (_placed(name, coord) for name, coord in company.markers.items())
    several = (fact("mark.held", name=name, count=count) for name, count in company.held.items())
    return (*named, *several, *_extra_tokens(t, company))


def _extra_tokens(t: Table, company: Company) -> Iterator[Fact]:
    if company.extra is None:
        return
    for one in company.extra.reserved:
        yield fact("mark.token_kept", hexes=t.spec.companies[one].destination)
    if company.extra.bulls:
        yield fact("mark.bull_tokens", count=company.extra.bulls)


def _placed(name: str, coord: Coord) -> Fact:
    """A name with its hex; either may be empty."""
    if name and coord:
        return fact("mark.place", name=name, hex=coord)
    return fact("choice.value", value=name or coord)


def initials(name: str) -> str:
    """First letters of the words: `Robert E. Lee` is `REL`."""
    return "".join(word[0] for word in name.split())


# --- objectives ------------------------------------------------------------------------------------------------


def _objective_reached(t: Table, company: Company, coord: Coord) -> bool:
    return any(place == coord for place, _ in t.map.tokens_of(company.id))


def _objectives_by_company(t: Table) -> Iterator[tuple[Company, MarkView]]:
    for company in t.state.companies.values():
        spec = t.spec.companies[company.id]
        if spec.objective is not None:
            reached = _objective_reached(t, company, spec.objective.hex)
            yield company, MarkView("objective", company.id, Badge(company.id, spec.colour), reached)


def _objectives(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for company, mark in _objectives_by_company(t):
        objective = t.spec.companies[company.id].objective
        if objective is not None:
            yield objective.hex, mark


def _objective_fact(t: Table, company: Company) -> Fact:
    objective = t.spec.companies[company.id].objective
    assert objective is not None
    name = "mark.objective_paid" if _objective_reached(t, company, objective.hex) else "mark.objective"
    place = _placed(t.map.hexes[objective.hex].name, objective.hex)
    return fact(name, place=place, bonus=objective.bonus)


# --- destinations and tokens that take no space ----------------------------------------------------------------


def _destinations(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    """Destinations of the runs still to come."""
    for company in t.state.companies.values():
        badge = _badge(t, company)
        for one in company.extra.reserved if company.extra else ():
            yield from (
                (coord, MarkView("objective", one, badge)) for coord in t.spec.companies[one].destination
            )


def _tokens_without_space(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for coord, _, companies in t.map.laid().beside:
        yield from (
            (coord, MarkView("beside", company, _badge(t, t.state.companies[company])))
            for company in companies
        )


# --- powers of privates ----------------------------------------------------------------------------------------


def _of_powers(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for private in t.state.privates.values():
        for power in t.spec.privates[private.id].powers:
            yield from _power_marks(t, private, power)


def _power_marks(t: Table, private: Private, power: Power) -> Iterator[tuple[Coord, MarkView]]:
    if isinstance(power, CityBonusPower):
        yield from _city_bonus(t, private, power)
    elif isinstance(power, RouteBonusPower):
        holder = _holder(t, power.name)
        if holder is not None or not private.closed:
            mark = MarkView("named_train", initials(power.name), _badge(t, holder), holder is not None)
            yield from ((coord, mark) for coord in power.hexes)
    elif isinstance(power, IconTokenPower):
        yield from _icon_token(t, private, power)
    elif isinstance(power, TileLayPower) and not (private.closed or private.power_used):
        blocked = t.spec.privates[private.id].blocks
        free = (coord for coord in power.hexes if t.map.tile(coord) is None and coord not in blocked)
        yield from ((coord, MarkView("power", private.id)) for coord in free)


def _city_bonus(t: Table, private: Private, power: CityBonusPower) -> Iterator[tuple[Coord, MarkView]]:
    """The token where it lies, or all cities that may get it, as printed."""
    holder = _holder(t, power.name)
    if holder is not None:
        coord = holder.markers[power.name]
        yield coord, replace(_coal(t, coord, power), badge=_badge(t, holder), done=True)
    elif not (private.closed or private.power_used):
        yield from ((coord, _coal(t, coord, power)) for coord in power.hexes)


def _icon_token(t: Table, private: Private, power: IconTokenPower) -> Iterator[tuple[Coord, MarkView]]:
    """The token where it lies, or all cities with the icon."""
    mark = MarkView("city_bonus", f"+{power.owner}", icon=power.icon)
    holder = _holder(t, power.icon)
    if holder is not None:
        yield holder.markers[power.icon], replace(mark, badge=_badge(t, holder), done=True)
    elif not (private.closed or private.power_used):
        hexes = t.map.hexes.items()
        yield from ((coord, mark) for coord, hex_ in hexes if power.icon in hex_.icons)


def _coal(t: Table, coord: Coord, power: CityBonusPower) -> MarkView:
    icons = t.map.hexes[coord].icons
    return MarkView("city_bonus", f"+{power.bonus}", icon=icons[0] if icons else "")


def _holder(t: Table, marker: str) -> Company | None:
    return next((c for c in t.state.companies.values() if marker in c.markers), None)


def _badge(t: Table, company: Company | None) -> Badge | None:
    return None if company is None else Badge(company.id, t.spec.companies[company.id].colour)


def _power_fact(t: Table, private: Private, power: Power) -> Fact:
    assert isinstance(power, CityBonusPower | RouteBonusPower | IconTokenPower)
    name = power.icon if isinstance(power, IconTokenPower) else power.name
    holder = _holder(t, name)
    if isinstance(power, RouteBonusPower):
        start, *_, end = (t.map.hexes[coord].name or coord for coord in power.hexes)
        owner = None if holder is None else fact("mark.held_by", company=holder.id)
        return fact("mark.named_train", name=power.name, start=start, end=end, bonus=power.bonus, owner=owner)
    bonus = power.owner if isinstance(power, IconTokenPower) else power.bonus
    where = None if holder is None else fact("mark.lies", company=holder.id, hex=holder.markers[name])
    return fact("mark.city_bonus", name=name, private=private.id, bonus=bonus, where=where)
