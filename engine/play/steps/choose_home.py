"""The choice of a home city, where the home is a hex with several."""

from collections.abc import Iterator

from engine.core.actions import PlaceToken
from engine.core.events import HomePlaced
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.play.steps.base import Request, Step
from engine.play.steps.place_token import city_label
from engine.play.table import Table


class HomeChoiceStep(Step):
    """Choose the city of a home among those of its hex: by the company that has just laid track there, or its own.

    Rules: R-1830-031.
    """

    name = "home_choice"
    kinds = frozenset({"place_token"})
    is_exclusive = True
    is_silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The cities of the hex with a free slot."""
        owner = t.turn.home_due
        if owner is None:
            return
        coord = _home_hex(t, owner)
        cities = [n for n in range(len(t.map.topology(coord).stops)) if t.map.free_slot(coord, n, owner)]
        elsewhere = fact("home.in_this_hex", company=owner, hex=coord)
        taken = fact("home.in_these_cities", company=owner, hex=coord, cities=tuple(n + 1 for n in cities))
        yield t.offer(
            "place_token",
            t.company.id,
            fact("offer.choose_home", company=owner, hex=coord),
            Slot("hex", lambda _: Choices([Choice(coord)], lambda _h: elsewhere)),
            Slot(
                "city",
                lambda _: Choices(
                    [Choice(city, fact("choice.city", number=city + 1)) for city in cities], lambda _c: taken
                ),
            ),
            suggest=lambda: [
                Suggestion(
                    fact("choice.home", company=owner, spot=city_label(t, coord, city)),
                    {"hex": coord, "city": city},
                )
                for city in cities
            ],
        )

    def apply(self, t: Table, action: PlaceToken) -> None:
        """Place the home token in the chosen city."""
        owner = t.turn.home_due
        assert owner is not None
        t.turn.home_due = None
        t.map.place_token(action.hex, action.city, owner)
        t.state.companies[owner].tokens.pop(0)
        t.state.fresh.tokens.append((action.hex, action.city))
        t.emit(HomePlaced(owner, action.hex))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.turn.home_due is None:
            return None
        return fact("home.chosen_first", company=t.turn.home_due, hex=_home_hex(t, t.turn.home_due))


def _home_hex(t: Table, company: CompanyId) -> Coord:
    home = t.spec.companies[company].home
    assert home is not None
    return home.hex
