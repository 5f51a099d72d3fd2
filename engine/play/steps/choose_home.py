"""Choosing the city of a token in its hex, if the hex has several cities or had no track when the token was placed."""

from collections.abc import Iterator

from engine.core.actions import PlaceToken
from engine.core.events import HomePlaced, TokenPlaced
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.play.steps.base import Request, Step
from engine.play.steps.place_token import city_label
from engine.play.table import Table


class HomeChoiceStep(Step):
    """Choose the city in which a token goes within its hex.

    It is the company's home token, or a token in a hex where the company has just laid the first track.

    Rules: R-1830-031, R-1882-052.
    """

    name = "home_choice"
    kinds = frozenset({"place_token"})
    is_exclusive = True
    is_unlisted = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The cities of the token's hex that have a free space."""
        pending_token = _token_without_city(t)
        if pending_token is None:
            return
        owner, coord = pending_token
        cities = [n for n in range(len(t.map.topology(coord).stops)) if t.map.has_space_for(coord, n, owner)]
        hex_refusal = fact("home.in_this_hex", company=owner, hex=coord)
        city_refusal = fact(
            "home.in_these_cities", company=owner, hex=coord, cities=tuple(n + 1 for n in cities)
        )
        yield t.offer(
            "place_token",
            t.company.id,
            fact("offer.choose_home", company=owner, hex=coord),
            Slot("hex", lambda _: Choices([Choice(coord)], lambda _h: hex_refusal)),
            Slot(
                "city",
                lambda _: Choices(
                    [Choice(city, fact("choice.city", number=city + 1)) for city in cities],
                    lambda _c: city_refusal,
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
        """Place the token in the chosen city."""
        pending_token = _token_without_city(t)
        assert pending_token is not None
        owner, _ = pending_token
        company = t.state.companies[owner]
        if t.turn.home_due is None:
            t.turn.taken_up.pop(0)
            t.emit(TokenPlaced(owner, action.hex, 0, company.cash))
        else:
            t.turn.home_due = None
            t.emit(HomePlaced(owner, action.hex))
        t.map.place_token(action.hex, action.city, owner)
        company.tokens.pop(0)
        t.state.fresh.tokens.append((action.hex, action.city))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        pending_token = _token_without_city(t)
        return (
            None
            if pending_token is None
            else fact("home.chosen_first", company=pending_token[0], hex=pending_token[1])
        )


def _token_without_city(t: Table) -> tuple[CompanyId, Coord] | None:
    if t.turn.home_due is None:
        return next(iter(t.turn.taken_up), None)
    home = t.spec.companies[t.turn.home_due].home
    assert home is not None
    return t.turn.home_due, home.hex
