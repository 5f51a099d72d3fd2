"""Setting up: what chance takes out of the game, the independents, reserved spaces, and the deck of the draft (1)."""

from collections.abc import Sequence
from typing import Final

from engine.core.chance import MODULUS, Chance
from engine.core.events import LeftOut
from engine.core.ids import REMOVED, CompanyId, PrivateId
from engine.play.table import Table
from engine.titles.t1846.independents import INDEPENDENTS

ORANGE: Final[Sequence[PrivateId]] = ("LSL", "MC", "O&I", "LM")
BLUE: Final[Sequence[PrivateId]] = ("SC", "MPC", "TBC", "BT")
COMPANIES: Final[Sequence[CompanyId]] = ("C&O", "ERIE", "PRR")
"""The groups of which some leave the game, in the order of their draws (1): R-1846-003, R-1846-004."""
SECOND_EDITION: Final = frozenset({"BT", "LM", "C&O"})
"""Privates and a company that the first edition lacks, or that an option protects."""
MOST_PLAYERS: Final = 5
PASS_CARD: Final = "Pass ({number})"
"""Names of the cards that bring nothing, as logs have them."""
CWI: Final[PrivateId] = "C&WI"
CWI_CITY: Final = ("D6", 3)
"""The city of Chicago towards E7, which the C&WI keeps (4): R-1846-082."""


def set_up(t: Table, chance: Chance) -> None:
    """Shuffle the deck, take privates and companies out of the game, and prepare the independents.

    Rules: R-1846-003, R-1846-004, R-1846-005, R-1846-007, R-1846-009, R-1846-020.
    """
    first, protected = t.rules.option("first_ed"), t.rules.option("second_ed_co")
    missing = MOST_PLAYERS - len(t.state.players)
    outside = {"BT", "LM"} if first else set[str]()
    passes = [PASS_CARD.format(number=number + 1) for number in range(len(t.state.players))]
    deck = _by_chance([*(name for name in t.state.privates if name not in outside), *passes], chance)
    taken = SECOND_EDITION if protected else outside
    groups = ((ORANGE, missing + (not first)), (BLUE, missing + (not first)), (COMPANIES, missing))
    removed = [
        name
        for group, count in groups
        for name in _by_chance([name for name in group if name not in taken], chance)[:count]
    ]
    _take_out(t, [*removed, *outside])
    t.auction.deck = [card for card in deck if card in passes or not t.state.privates[card].closed]
    t.auction.chance = chance.last
    _place_independents(t)
    for name, spec in t.spec.companies.items():
        if spec.reserved is not None and not t.state.companies[name].closed:
            t.map.keep(name, spec.reserved.hex)
    t.map.keep(CWI, *CWI_CITY)


def _by_chance(names: Sequence[str], chance: Chance) -> list[str]:
    """The names in the order of their draws; a single group from which nothing is taken draws, too."""
    numbers = {name: chance.draw(MODULUS) for name in names}
    return sorted(names, key=numbers.__getitem__)


def _take_out(t: Table, names: Sequence[str]) -> None:
    """Take privates and companies out of the game; the home of such a company is blocked by its token."""
    companies = [name for name in names if name in t.state.companies]
    privates = [name for name in t.state.privates if name in names]
    for name in privates:
        private = t.state.privates[name]
        private.closed = private.removed = True
    for name in companies:
        company = t.state.companies[name]
        t.map.place_token(*t.map.homes[name], name)
        company.shares, company.certificate_holder = {REMOVED: sum(company.shares.values())}, REMOVED
        company.tokens, company.closed = [], True
    t.emit(LeftOut(tuple(companies), tuple(privates)))


def _place_independents(t: Table) -> None:
    for independent in INDEPENDENTS.values():
        t.state.companies[independent.company].trains = [independent.train]
        left = t.state.depot[independent.train]
        assert left is not None
        t.state.depot[independent.train] = left - 1
