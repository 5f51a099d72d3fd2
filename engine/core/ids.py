"""Types of the engine's identifiers; all are plain strings or numbers."""

from typing import Final, Literal, TypeAlias

PlayerId: TypeAlias = str
"""A seat at the table."""
CompanyId: TypeAlias = str
"""A company's abbreviation, as printed: `B&O`."""
PrivateId: TypeAlias = str
"""A private company's abbreviation, such as `C&OC`."""
EntityId: TypeAlias = str
"""A player, company or private for which an action is done."""
HolderId: TypeAlias = str
"""The holder of a certificate: a player, OFFERING, REISSUED, MARKET, REMOVED, or a company (its treasury)."""
Coord: TypeAlias = str
"""A printed map coordinate: `H6`."""
TileId: TypeAlias = str
"""A tile number: `57`, `X5`."""
TrainName: TypeAlias = str
"""A train type: `2`, `D`."""
PhaseName: TypeAlias = str
"""A phase, named after the train that starts it."""
Cell: TypeAlias = tuple[int, int]
"""Row and column on the stock market, (0, 0) at the upper left."""

EndReason: TypeAlias = Literal[
    "bank", "bankruptcy", "agreement", "price", "last_player", "standstill", "last_round", "all_closed"
]
"""Why a game ends: the bank is broken, a president is, all agreed, a price reached the end of the market, all others
are out of the game, nobody can do anything any more, the last round of the title is over, or all companies and
privates are closed.
"""

OFFERING: Final = "offering"
"""Holder of the shares not yet sold (the initial offering, or IPO)."""
REISSUED: Final = "reissued"
"""Holder of redeemed shares that companies sell again at their own prices."""
MARKET: Final = "market"
"""Holder of the shares in the bank pool."""
REMOVED: Final = "removed"
"""Holder of the shares that left the game."""
BANK: Final = "bank"
"""The bank, as payer, payee, or the seller of new trains."""
POOL: Final = "pool"
"""The bank pool, as the seller of discarded trains."""
