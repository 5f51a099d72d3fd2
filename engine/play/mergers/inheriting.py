"""What a company takes over from others that become part of it: money, trains, privates, tokens."""

from collections.abc import Sequence

from engine.board.map import StopId
from engine.core.ids import Coord
from engine.core.state import Company, ExtraTokens
from engine.play.privates.markers import hand_over
from engine.play.shares.extra_tokens import PREPAID
from engine.play.table import Table


def inherit(t: Table, company: Company, heir: Company) -> None:
    """Treasury, trains, privates and markers go to the heir, where they are worth what they were.

    Rules: R-C2C-226, R-C2C-244.
    """
    t.pay(company.id, heir.id, company.cash)
    heir.trains += company.trains
    company.trains = []
    for private in t.state.privates.values():
        if private.owner == company.id:
            private.owner = heir.id
    heir.proofs += company.proofs
    heir.markers |= company.markers
    company.markers = {}
    hand_over(t, company, heir)


def inherit_tokens(t: Table, parts: Sequence[Company], heir: Company) -> list[Coord]:
    """Tokens on the map become the heir's, one in each hex; returns where the others lay, that go to its charter.

    `parts` come highest price first; the heir may be one. Of two in a hex one without a space goes, else that of
    the cheaper company.

    Rules: R-C2C-065, R-C2C-073, R-C2C-227.
    """
    given_back = []
    for coord, stops in _by_hex(t, parts).items():
        spaces = [(company, stop) for company, stop in stops if company.id in t.map.slots(*stop)]
        kept, where = (spaces or stops)[0]
        for company, stop in stops:
            if (company, stop) != (kept, where):
                _give_back(t, company, stop, heir)
                given_back.append(coord)
        _hand_over(t, kept, where, heir)
    for company in parts:
        if company is not heir:
            _inherit_charter(company, heir)
    return given_back


def _by_hex(t: Table, parts: Sequence[Company]) -> dict[Coord, list[tuple[Company, StopId]]]:
    found: dict[Coord, list[tuple[Company, StopId]]] = {}
    for company in parts:
        for stop in t.map.tokens_of(company.id):
            found.setdefault(stop[0], []).append((company, stop))
    return found


def _give_back(t: Table, company: Company, stop: StopId, heir: Company) -> None:
    t.map.remove_token(*stop, company.id)
    if stop[0] in extra(company).placed:
        extra(company).placed.remove(stop[0])
        extra(heir).bulls += 1
    else:
        heir.tokens.append(PREPAID)


def _hand_over(t: Table, company: Company, stop: StopId, heir: Company) -> None:
    if company is heir:
        return
    t.map.replace_token(*stop, company.id, heir.id)
    if stop[0] in extra(company).placed:
        extra(company).placed.remove(stop[0])
        extra(heir).placed.append(stop[0])


def _inherit_charter(company: Company, heir: Company) -> None:
    """Tokens that are not on the map."""
    heir.tokens += company.tokens
    mine, theirs = extra(heir), extra(company)
    mine.bought = sorted({*mine.bought, *theirs.bought})
    mine.reserved += theirs.reserved
    mine.reached += theirs.reached
    mine.bulls += theirs.bulls
    company.tokens, company.extra = [], None


def extra(company: Company) -> ExtraTokens:
    """Its tokens that are not ordinary ones."""
    if company.extra is None:
        company.extra = ExtraTokens()
    return company.extra
