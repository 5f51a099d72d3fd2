"""Setup of 1846: random removal of privates and companies, draft deck, independents and reserved slots (§1)."""

from collections.abc import Sequence
from typing import Final

from engine.core.chance import MODULUS, Chance
from engine.core.events import RandomlyRemoved
from engine.core.ids import REMOVED, CompanyId, PrivateId
from engine.play.table import Table
from engine.titles.t1846.independents import INDEPENDENTS

ORANGE_GROUP: Final[Sequence[PrivateId]] = ("LSL", "MC", "O&I", "LM")
BLUE_GROUP: Final[Sequence[PrivateId]] = ("SC", "MPC", "TBC", "BT")
REMOVABLE_COMPANIES: Final[Sequence[CompanyId]] = ("C&O", "ERIE", "PRR")
"""Companies of which some are removed at random (§1, R-1846-004).

ORANGE_GROUP and BLUE_GROUP are the privates of which some are removed (R-1846-003).
"""
SECOND_EDITION_NAMES: Final = frozenset({"BT", "LM", "C&O"})
"""Two privates and a company that the second edition added. The option `second_ed_co` always keeps them in the game."""
PLAYERS_IN_LARGEST_GAME: Final = 5
PASS_CARD: Final = "Pass ({number})"
"""Name of a pass card in the draft deck, as in 18xx.games logs."""
CWI: Final[PrivateId] = "C&WI"
CWI_CITY: Final = ("D6", 3)
"""The Chicago city that faces E7, as hex and city number. The C&WI private reserves a slot there (§4, R-1846-082)."""


def set_up(t: Table, chance: Chance) -> None:
    """Set up a new game: shuffle the draft deck, remove privates and companies at random, give independents a train.

    Rules: R-1846-003, R-1846-004, R-1846-005, R-1846-007, R-1846-009, R-1846-020.
    """
    is_first_edition, protects_second_edition = (
        t.rules.has_option("first_ed"),
        t.rules.has_option("second_ed_co"),
    )
    missing_player_count = PLAYERS_IN_LARGEST_GAME - len(t.state.players)
    unused_privates = {"BT", "LM"} if is_first_edition else set[str]()
    pass_cards = [PASS_CARD.format(number=number + 1) for number in range(len(t.state.players))]
    deck = _in_random_order(
        [*(name for name in t.state.privates if name not in unused_privates), *pass_cards], chance
    )
    protected_names = SECOND_EDITION_NAMES if protects_second_edition else unused_privates
    removal_counts = (
        (ORANGE_GROUP, missing_player_count + (not is_first_edition)),
        (BLUE_GROUP, missing_player_count + (not is_first_edition)),
        (REMOVABLE_COMPANIES, missing_player_count),
    )
    removed_names = [
        name
        for group, count in removal_counts
        for name in _in_random_order([name for name in group if name not in protected_names], chance)[:count]
    ]
    _remove_from_game(t, [*removed_names, *unused_privates])
    t.auction.deck = [card for card in deck if card in pass_cards or not t.state.privates[card].closed]
    t.auction.chance = chance.last_number
    _give_trains_to_independents(t)
    for name, spec in t.spec.companies.items():
        if spec.reserved_space is not None and not t.state.companies[name].closed:
            t.map.keep_space(name, spec.reserved_space.hex)
    t.map.keep_space(CWI, *CWI_CITY)


def _in_random_order(names: Sequence[str], chance: Chance) -> list[str]:
    random_number_by_name = {name: chance.draw(MODULUS) for name in names}
    return sorted(names, key=random_number_by_name.__getitem__)


def _remove_from_game(t: Table, names: Sequence[str]) -> None:
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
    t.emit(RandomlyRemoved(tuple(companies), tuple(privates)))


def _give_trains_to_independents(t: Table) -> None:
    for independent in INDEPENDENTS.values():
        t.state.companies[independent.company].trains = [independent.train]
        trains_left = t.state.depot[independent.train]
        assert trains_left is not None
        t.state.depot[independent.train] = trains_left - 1
