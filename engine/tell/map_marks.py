"""Marks on the map, with their meanings: objectives, destinations and privates' powers."""

from collections.abc import Iterator
from dataclasses import replace

from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.spec import (
    CityBonusPower,
    IconTokenPower,
    MovingMarkerPower,
    Power,
    RouteBonusPower,
    TileLayPower,
)
from engine.core.state import Company, Private
from engine.play.table import Table
from engine.play.track.lay_rules import blocking_private
from engine.tell.views import Badge, MarkView


def marks(t: Table) -> dict[Coord, tuple[MarkView, ...]]:
    """The marks on each hex, most important first; marks without a meaning in the current phase are left out."""
    marks_by_hex: dict[Coord, list[MarkView]] = {}
    for coord, mark in (
        *_objective_marks(t),
        *_destination_marks(t),
        *_spaceless_token_marks(t),
        *_marks_of_powers(t),
        *_printed_icon_marks(t),
    ):
        marks_by_hex.setdefault(coord, []).append(mark)
    return {coord: tuple(sorted(hex_marks, key=_mark_rank)) for coord, hex_marks in marks_by_hex.items()}


def _mark_rank(mark: MarkView) -> int:
    """Sort key of a mark.

    0 for a placed token, 1 for an open objective, 2 for other marks, 3 for a reached objective.
    """
    if mark.kind == "beside" or (mark.kind == "city_bonus" and mark.is_done):
        return 0
    return {"objective": 3 if mark.is_done else 1}.get(mark.kind, 2)


def has_open_objective(t: Table, company: Company) -> bool:
    """True if the company can still earn the bonus of its objective."""
    objective = t.spec.companies[company.id].objective
    return objective is not None and not _is_objective_reached(t, company, objective.hex)


def mark_facts(t: Table) -> tuple[tuple[MarkView, Fact], ...]:
    """The marks on the map with their meanings, for a legend."""
    marks_with_facts = [(mark, _objective_fact(t, company)) for company, mark in _objectives_by_company(t)]
    for private in t.state.privates.values():
        for power in t.spec.privates[private.id].powers:
            marks_by_hex = {} if isinstance(power, TileLayPower) else dict(_power_marks(t, private, power))
            if marks_by_hex:
                # If the token is placed, its hex has the mark with a badge; before that, any of the hexes shows the
                # mark.
                mark = max(marks_by_hex.values(), key=lambda m: m.badge is not None)
                marks_with_facts.append((mark, _power_fact(t, private, power)))
    icons = [
        (mark_of_icon, _icon_fact(t, meaning))
        for icon, meaning in t.spec.icons.items()
        if (mark_of_icon := _icon_mark(t, icon)) is not None
    ]
    return (*marks_with_facts, *_private_marks(t), *icons)


def _icon_fact(t: Table, meaning: str) -> Fact:
    """The meaning of a printed icon, as a message.

    If the icon belongs to an event of the title that is still to come, the message names the train that triggers it.
    """
    if not t.state.event_train:
        return fact("mark.icon", meaning=meaning)
    values = {"event": t.spec.event_note, "train": t.state.event_train}
    return fact("mark.icon_of_event", meaning=meaning, **values)


def _private_marks(t: Table) -> Iterator[tuple[MarkView, Fact]]:
    for private in t.state.privates.values():
        spec = t.spec.privates[private.id]
        closed_hexes = [coord for coord in spec.blocked_hexes if blocking_private(t, coord) == private.id]
        if closed_hexes:
            yield MarkView("closed", private.id), fact("mark.closed", hexes=closed_hexes)
        buildable_hexes = [
            coord
            for power in spec.powers
            if isinstance(power, TileLayPower)
            for coord, _ in _power_marks(t, private, power)
            if coord not in closed_hexes
        ]
        if buildable_hexes:
            yield MarkView("power", private.id), fact("mark.power", name=spec.name, hexes=buildable_hexes)


def event_markers(t: Table, company: Company) -> tuple[str, ...]:
    """Names of the company's event markers, which take effect in its next turn (such as 18TN's Civil War)."""
    powers = [power for private in t.spec.privates.values() for power in private.powers]
    private_marker_names = {
        power.name
        for power in powers
        if isinstance(power, CityBonusPower | RouteBonusPower | MovingMarkerPower)
    }
    return tuple(name for name in company.markers if name not in private_marker_names)


def marker_facts(t: Table, company: Company) -> tuple[Fact, ...]:
    """The company's markers with their hexes, and its extra tokens, as messages."""
    placed_marker_facts = (_name_with_hex(name, coord) for name, coord in company.markers.items())
    held_marker_facts = (fact("mark.held", name=name, count=count) for name, count in company.held.items())
    return (*placed_marker_facts, *held_marker_facts, *_extra_token_facts(t, company))


def _extra_token_facts(t: Table, company: Company) -> Iterator[Fact]:
    if company.extra is None:
        return
    for company_id in company.extra.reserved:
        yield fact("mark.token_kept", hexes=t.spec.companies[company_id].destination)
    if company.extra.bulls:
        yield fact("mark.bull_tokens", count=company.extra.bulls)


def _name_with_hex(name: str, coord: Coord) -> Fact:
    """A marker's name and its hex, as a message; either can be empty."""
    if name and coord:
        return fact("mark.place", name=name, hex=coord)
    return fact("choice.value", value=name or coord)


def initials(name: str) -> str:
    """First letters of the words: `Robert E. Lee` becomes `REL`."""
    return "".join(word[0] for word in name.split())


# --- objectives ------------------------------------------------------------------------------------------------


def _is_objective_reached(t: Table, company: Company, coord: Coord) -> bool:
    return any(token_hex == coord for token_hex, _ in t.map.token_stops_of(company.id))


def _objectives_by_company(t: Table) -> Iterator[tuple[Company, MarkView]]:
    for company in t.state.companies.values():
        spec = t.spec.companies[company.id]
        if spec.objective is not None:
            is_reached = _is_objective_reached(t, company, spec.objective.hex)
            yield company, MarkView("objective", company.id, Badge(company.id, spec.colour), is_reached)


def _objective_marks(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for company, mark in _objectives_by_company(t):
        objective = t.spec.companies[company.id].objective
        if objective is not None:
            yield objective.hex, mark


def _objective_fact(t: Table, company: Company) -> Fact:
    objective = t.spec.companies[company.id].objective
    assert objective is not None
    name = "mark.objective_paid" if _is_objective_reached(t, company, objective.hex) else "mark.objective"
    place = _name_with_hex(t.map.hexes[objective.hex].name, objective.hex)
    return fact(name, place=place, bonus=objective.bonus)


# --- destinations and tokens that take no space ----------------------------------------------------------------


def _destination_marks(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for company in t.state.companies.values():
        badge = _badge_of(t, company)
        for company_id in company.extra.reserved if company.extra else ():
            yield from (
                (coord, MarkView("objective", company_id, badge))
                for coord in t.spec.companies[company_id].destination
            )


def _spaceless_token_marks(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for coord, _, companies in t.map.changes_in_play().beside:
        yield from (
            (coord, MarkView("beside", company, _badge_of(t, t.state.companies[company])))
            for company in companies
        )


# --- powers of privates ----------------------------------------------------------------------------------------


def _marks_of_powers(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for private in t.state.privates.values():
        for power in t.spec.privates[private.id].powers:
            yield from _power_marks(t, private, power)


def _power_marks(t: Table, private: Private, power: Power) -> Iterator[tuple[Coord, MarkView]]:
    if isinstance(power, CityBonusPower):
        yield from _city_bonus_marks(t, private, power)
    elif isinstance(power, RouteBonusPower):
        holder = _marker_holder(t, power.name)
        if holder is not None or not private.closed:
            mark = MarkView("named_train", initials(power.name), _badge_of(t, holder), holder is not None)
            yield from ((coord, mark) for coord in power.hexes)
    elif isinstance(power, IconTokenPower):
        yield from _icon_token_marks(t, private, power)
    elif isinstance(power, MovingMarkerPower):
        yield from _moving_marker_marks(t, private, power)
    elif isinstance(power, TileLayPower) and not (private.closed or private.power_used):
        blocked_hexes = t.spec.privates[private.id].blocked_hexes
        free_hexes = (
            coord
            for coord in power.hexes
            if (power.may_upgrade or t.map.tile(coord) is None) and coord not in blocked_hexes
        )
        yield from ((coord, MarkView("power", private.id)) for coord in free_hexes)


def _printed_icon_marks(t: Table) -> Iterator[tuple[Coord, MarkView]]:
    for coord, hex_ in t.map.hexes.items():
        for icon in hex_.icons:
            mark = _icon_mark(t, icon)
            if mark is not None and (mark.icon or t.map.tile(coord) is None):
                yield coord, mark


def _icon_mark(t: Table, icon: str) -> MarkView | None:
    """The mark of a printed icon; None if the icon has no meaning in the current position.

    An icon that names a company or private becomes a mark with its letters.
    """
    holder = t.state.privates.get(icon) or t.state.companies.get(icon)
    if icon not in t.spec.icons or (holder is not None and holder.closed):
        return None
    return MarkView("city_bonus", "", icon=icon) if holder is None else MarkView("power", icon)


def _city_bonus_marks(t: Table, private: Private, power: CityBonusPower) -> Iterator[tuple[Coord, MarkView]]:
    """Marks of a private that raises a city's revenue: its placed token, or all cities where it can be placed."""
    holder = _marker_holder(t, power.name)
    if holder is not None:
        coord = holder.markers[power.name]
        yield coord, replace(_city_bonus_mark(t, coord, power), badge=_badge_of(t, holder), is_done=True)
    elif not (private.closed or private.power_used):
        yield from ((coord, _city_bonus_mark(t, coord, power)) for coord in power.hexes)


def _icon_token_marks(t: Table, private: Private, power: IconTokenPower) -> Iterator[tuple[Coord, MarkView]]:
    """Marks of a private that pays for printed icons: its placed token, or all cities with the icon."""
    mark = MarkView("city_bonus", f"+{power.owner_bonus}", icon=power.icon)
    holder = _marker_holder(t, power.icon)
    if holder is not None:
        yield holder.markers[power.icon], replace(mark, badge=_badge_of(t, holder), is_done=True)
    elif not (private.closed or private.power_used):
        hexes = t.map.hexes.items()
        yield from ((coord, mark) for coord, hex_ in hexes if power.icon in hex_.icons)


def _moving_marker_marks(
    t: Table, private: Private, power: MovingMarkerPower
) -> Iterator[tuple[Coord, MarkView]]:
    """Marks of a private's movable marker: the marker in its hex, and each printed icon where it can lie."""
    holder = _marker_holder(t, power.name)
    mark = MarkView("city_bonus", f"+{power.bonus}", icon=power.icon)
    for coord in power.hexes if holder is not None or not private.closed else ():
        count = t.map.hexes[coord].icons.count(power.icon)
        if holder is not None and holder.markers[power.name] == coord:
            yield (
                coord,
                replace(mark, text=f"+{count * power.bonus}", badge=_badge_of(t, holder), is_done=True),
            )
        else:
            yield from [(coord, mark)] * count


def _city_bonus_mark(t: Table, coord: Coord, power: CityBonusPower) -> MarkView:
    """The mark of a private that raises a city's revenue.

    Its icon is the hex's printed icon with the power's name, otherwise the hex's first icon.
    """
    icons = t.map.hexes[coord].icons
    icon = power.name if power.name in icons else next(iter(icons), "")
    return MarkView("city_bonus", f"+{power.bonus}", icon=icon)


def _marker_holder(t: Table, marker: str) -> Company | None:
    return next((c for c in t.state.companies.values() if marker in c.markers), None)


def _badge_of(t: Table, company: Company | None) -> Badge | None:
    return None if company is None else Badge(company.id, t.spec.companies[company.id].colour)


def _power_fact(t: Table, private: Private, power: Power) -> Fact:
    assert isinstance(power, CityBonusPower | RouteBonusPower | IconTokenPower | MovingMarkerPower)
    name = power.icon if isinstance(power, IconTokenPower) else power.name
    holder = _marker_holder(t, name)
    if isinstance(power, RouteBonusPower):
        start, *_, end = (t.map.hexes[coord].name or coord for coord in power.hexes)
        owner_fact = None if holder is None else fact("mark.held_by", company=holder.id)
        return fact(
            "mark.named_train", name=power.name, start=start, end=end, bonus=power.bonus, owner=owner_fact
        )
    bonus = power.owner_bonus if isinstance(power, IconTokenPower) else power.bonus
    marker_hex = "" if holder is None else holder.markers[name]
    marker_hex_fact = (
        fact("mark.lies", company=holder.id, hex=marker_hex) if holder is not None and marker_hex else None
    )
    return fact("mark.city_bonus", name=name, private=private.id, bonus=bonus, where=marker_hex_fact)
