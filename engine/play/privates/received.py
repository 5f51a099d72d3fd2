"""What a company gets at once with a private that it buys."""

from engine.core.events import MarkerReceived
from engine.core.ids import PrivateId
from engine.core.spec import FreeTokensPower, MarkersPower, Power, RouteBonusPower
from engine.core.state import Company, ExtraTokens
from engine.play.privates.markers import receive_supply
from engine.play.shares.extra_tokens import receive as receive_tokens
from engine.play.table import Table
from engine.play.track.destinations import journeys


def receive(t: Table, company: Company, private: PrivateId) -> None:
    """Its markers and tokens come with it, and outlive it."""
    for power in t.spec.privates[private].powers:
        _receive(t, company, private, power)


def _receive(t: Table, company: Company, private: PrivateId, power: Power) -> None:
    if isinstance(power, RouteBonusPower):
        company.markers[power.name] = ""
        t.emit(MarkerReceived(company.id, power.name, ""))
    elif isinstance(power, MarkersPower):
        receive_supply(t, company, private, power)
    elif isinstance(power, FreeTokensPower):
        _receive_tokens(t, company, private, power)


def _receive_tokens(t: Table, company: Company, private: PrivateId, power: FreeTokensPower) -> None:
    """Tokens of prices it has not paid; the most expensive, since others bring the cheap ones (18C2C 4c).

    Rules: R-C2C-154, R-C2C-155.
    """
    had = (company.extra or ExtraTokens()).bought
    lacking = sorted((price for price in power.prices if price not in had), reverse=True)
    free = tuple(sorted(lacking[: power.choose]))
    if free:
        receive_tokens(t, company, free, private, int(_lacks_a_reserved_one(t, company)))


def _lacks_a_reserved_one(t: Table, company: Company) -> bool:
    """Whether one of its new tokens is kept for its destination: it has none, and has not been able to go there.

    Rules: R-C2C-156.
    """
    extra = company.extra or ExtraTokens()
    if extra.reserved or company.id in extra.reached or not t.spec.companies[company.id].destination:
        return False
    return next(journeys(t, company.id), None) is None
