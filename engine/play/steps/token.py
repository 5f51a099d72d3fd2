"""Stations (rulebook 11.4)."""

from collections.abc import Iterator
from typing import Any

from engine.board.network import reach
from engine.core.actions import Pass, PlaceToken
from engine.core.events import ObjectiveReached, Passed, TokenPlaced
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, Coord
from engine.core.offers import Among, Choice, Offer, Suggestion, Those
from engine.play.steps.base import CompanyStep, Wish
from engine.play.table import Table


class TokenStep(CompanyStep):
    """One station a turn in a city the company reaches, at the next price on its charter."""

    name = "token"
    kinds = frozenset({"place_token", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Cities with a free slot on the company's routes."""
        cities = _cities(t)
        if not cities:
            return
        company, price = t.company.id, t.company.tokens[0]
        hexes = sorted({coord for coord, _ in cities}, key=t.map.coords.index)
        yield t.offer(
            "place_token",
            company,
            f"Place a token for ${price}",
            t.slot(
                "hex",
                lambda _: Those(hexes, lambda _h: True, lambda h: f"{h} {t.map.hexes[h].name} ${price}"),
                lambda _, coord: _why_not_here(t, coord),
            ),
            t.slot(
                "city",
                lambda c: Among([Choice(i, f"city {i + 1}") for h, i in cities if h == c["hex"]]),
                lambda c, i: f"{company} cannot place a token in city {i + 1} of {c['hex']} (11.4).",
            ),
            suggest=lambda: [
                Suggestion(_label(t, coord, city, price), {"hex": coord, "city": city})
                for coord, city in cities
            ],
        )
        yield t.offer("pass", company, "No token")

    def apply(self, t: Table, action: PlaceToken | Pass) -> None:
        """Pay and place, or decline."""
        if isinstance(action, Pass):
            t.emit(Passed(action.entity, fact("declined.token")))
            self.over(t)
        else:
            place(t, action.hex, action.city, t.company.tokens[0])

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """What the token step allows."""
        if wish.kind == "place_token" and not t.company.tokens:
            return f"{t.company.id} has no token left (11.4)."
        return f"{t.company.id} decides about a token now (11.4)."


def place(t: Table, coord: Coord, city: int, price: int) -> None:
    """Place the company's next station; it is the one of this turn."""
    t.pay(t.company.id, BANK, price)
    t.company.tokens.pop(0)
    t.map.place_token(coord, city, t.company.id)
    t.state.fresh.tokens.append((coord, city))
    t.emit(TokenPlaced(t.company.id, coord, price, t.company.cash))
    t.turn.done.append(TokenStep.name)
    objective = t.spec.companies[t.company.id].objective
    if objective is not None and objective.hex == coord:
        t.pay(BANK, t.company.id, objective.bonus)
        t.emit(ObjectiveReached(t.company.id, coord, objective.bonus))


def _cities(t: Table) -> list[tuple[Coord, int]]:
    company = t.company
    if not company.tokens or company.tokens[0] > company.cash:
        return []
    taken = {coord for coord, _ in t.map.tokens_of(company.id)}
    reached = sorted(reach(t.map, company.id).stops, key=lambda stop: (t.map.coords.index(stop[0]), stop[1]))
    return [
        (coord, i) for coord, i in reached if coord not in taken and t.map.free_slot(coord, i, company.id)
    ]


def _label(t: Table, coord: Coord, city: int, price: int) -> str:
    several = f" city {city + 1}" if len(t.map.topology(coord).stops) > 1 else ""
    return f"Token in {coord} {t.map.hexes[coord].name}{several}, ${price}"


def _why_not_here(t: Table, coord: Any) -> str | None:
    company = t.company.id
    if coord not in t.map.coords:
        return f"There is no hex {coord} on the map."
    if any(coord == home for home, _ in t.map.tokens_of(company)):
        return f"{company} has a token in {coord} already (11.4)."
    if not any(stop.kind == "city" for stop in t.map.topology(coord).stops):
        return f"{coord} has no city (11.4)."
    if not any(h == coord for h, _ in reach(t.map, company).stops):
        return f"No route of {company} reaches {coord} (11.4)."
    return f"No slot is free for {company} in {coord}; home slots of others stay free (11.4)."
