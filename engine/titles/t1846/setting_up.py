"""Setting up: what chance takes out of the game, the independents, reserved spaces, and the deck of the draft (1)."""

from collections.abc import Sequence
from typing import Final

from engine.core.chance import MODULUS, Chance
from engine.core.events import LeftOut
from engine.core.ids import REMOVED, CompanyId, PrivateId
from engine.play.table import Table
from engine.titles.t1846.independents import INDEPENDENTS

ORANGE_GROUP: Final[Sequence[PrivateId]] = ("LSL", "MC", "O&I", "LM")
BLUE_GROUP: Final[Sequence[PrivateId]] = ("SC", "MPC", "TBC", "BT")
COMPANY_GROUP: Final[Sequence[CompanyId]] = ("C&O", "ERIE", "PRR")
"""The groups of which some leave the game, in the order of their draws (1): R-1846-003, R-1846-004."""
SECOND_EDITION: Final = frozenset({"BT", "LM", "C&O"})
"""Privates and a company that the first edition lacks, or that an option protects."""
PLAYERS_IN_LARGEST_GAME: Final = 5
PASS_CARD: Final = "Pass ({number})"
"""Names of the cards that bring nothing, as logs have them."""
CWI: Final[PrivateId] = "C&WI"
CWI_CITY: Final = ("D6", 3)
"""The city of Chicago towards E7, which the C&WI keeps (4): R-1846-082."""


def set_up(t: Table, chance: Chance) -> None:
    """Shuffle the deck, take privates and companies out of the game, and prepare the independents.

    Rules: R-1846-003, R-1846-004, R-1846-005, R-1846-007, R-1846-009, R-1846-020.
    """
    is_first_edition, protects_second_edition = t.rules.option("first_ed"), t.rules.option("second_ed_co")
    missing = PLAYERS_IN_LARGEST_GAME - len(t.state.players)
    outside = {"BT", "LM"} if is_first_edition else set[str]()
    passes = [PASS_CARD.format(number=number + 1) for number in range(len(t.state.players))]
    deck = _in_order_of_draws([*(name for name in t.state.privates if name not in outside), *passes], chance)
    taken = SECOND_EDITION if protects_second_edition else outside
    groups = (
        (ORANGE_GROUP, missing + (not is_first_edition)),
        (BLUE_GROUP, missing + (not is_first_edition)),
        (COMPANY_GROUP, missing),
    )
    removed = [
        name
        for group, count in groups
        for name in _in_order_of_draws([name for name in group if name not in taken], chance)[:count]
    ]
    _remove_from_game(t, [*removed, *outside])
    t.auction.deck = [card for card in deck if card in passes or not t.state.privates[card].closed]
    t.auction.chance = chance.last
    _place_independents(t)
    for name, spec in t.spec.companies.items():
        if spec.reserved is not None and not t.state.companies[name].closed:
            t.map.keep_space(name, spec.reserved.hex)
    t.map.keep_space(CWI, *CWI_CITY)


def _in_order_of_draws(names: Sequence[str], chance: Chance) -> list[str]:
    """The names in the order of their draws; a single group from which nothing is taken draws, too."""
    numbers = {name: chance.draw(MODULUS) for name in names}
    return sorted(names, key=numbers.__getitem__)


def _remove_from_game(t: Table, names: Sequence[str]) -> None:
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
        trains_left = t.state.depot[independent.train]
        assert trains_left is not None
        t.state.depot[independent.train] = trains_left - 1
