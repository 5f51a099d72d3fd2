"""Players' and companies' holdings: certificates, their value, and transfers (18Chesapeake 7.3, 10)."""

from engine.core.ids import OFFERING, HolderId, PlayerId
from engine.core.spec import ZoneSpec
from engine.core.state import Company, Player
from engine.play.table import Table


def market_zone(t: Table, company: Company) -> ZoneSpec | None:
    """The coloured market zone that a company's share price is in; None if it is in none."""
    return t.grid.zone(company.cell)


def counts_for_limit(t: Table, company: Company) -> bool:
    """True if shares of the company count towards the certificate limit (18Chesapeake 10.1).

    Rules: R-AL-061, R-C2C-037, R-CH-056, R-CH-304, R-TN-062.
    """
    current_zone = t.grid.zone(company.cell)
    return current_zone is None or current_zone.counts_for_limit


def companies_held_by(t: Table, player: PlayerId) -> list[Company]:
    """Companies in which the player holds a certificate."""
    companies = t.state.companies.values()
    return [c for c in companies if player in c.shares or c.certificate_holder == player]


def certificate_count(t: Table, player: PlayerId) -> int:
    """Number of the player's certificates that count towards the limit, privates included (18Chesapeake 10.1).

    A president's certificate counts as one.

    Rules: R-AL-061, R-C2C-037, R-CH-056, R-NE-046, R-TN-062.
    """
    privates = [p for p in t.state.privates.values() if p.owner == player and not p.closed]
    return len(privates) + sum(
        [c.certificates(player) for c in companies_held_by(t, player) if counts_for_limit(t, c)]
    )


def holding_limit(t: Table, company: Company) -> int:
    """Highest percentage of the company that a player can hold now.

    Rules: R-AL-060, R-C2C-034, R-CH-058, R-CH-304, R-NE-044, R-TN-060.
    """
    current_zone = market_zone(t, company)
    return 100 if current_zone is not None and current_zone.over_holding_limit else t.spec.holding_limit


def shares_value(t: Table, player: PlayerId) -> int:
    """Value in dollars of all the player's shares at current share prices.

    Rules: R-AL-213, R-C2C-262, R-CH-182, R-NE-133, R-TN-213.
    """
    return sum(t.price(c) * c.percent(player) // c.share for c in companies_held_by(t, player))


def net_worth(t: Table, player: Player) -> int:
    """The player's net worth in dollars: cash, shares at current prices, and privates at face value.

    0 for players who left the game (18Chesapeake 12).

    Rules: R-AL-213, R-C2C-262, R-CH-182, R-NE-133, R-TN-213.
    """
    if player_has_left_game(t, player):
        return 0
    privates_value = sum(
        t.spec.privates[private.id].face_value
        for private in t.state.privates.values()
        if private.owner == player.id and not private.closed
    )
    return player.cash + shares_value(t, player.id) + privates_value


def player_has_left_game(t: Table, player: Player) -> bool:
    """True if the player has left the game; their holdings are void (18NewEngland 11.8)."""
    return player.bankrupt and t.spec.bankruptcy == "eliminates"


def give_shares(company: Company, source: HolderId, receiver: HolderId, percent: int) -> None:
    """Move ordinary shares, in percent of the company, from one holder to another."""
    assert company.shares.get(source, 0) >= percent, (company.id, source, percent)
    company.shares[source] -= percent
    if not company.shares[source]:
        del company.shares[source]
    company.shares[receiver] = company.shares.get(receiver, 0) + percent


def give_presidents_certificate(company: Company, receiver: HolderId) -> None:
    """Give the president's certificate of a company to another holder."""
    company.certificate_holder = receiver


def percent_sold_from_offering(company: Company) -> int:
    """Percent of the company sold from the initial offering."""
    return 100 - company.percent(OFFERING)
