"""Types of the engine's identifiers; all are plain strings or numbers."""

from typing import Final, Literal, TypeAlias

PlayerId: TypeAlias = str
"""The id of a player at the table. It belongs to the seat and stays the same if another person takes the seat over."""
CompanyId: TypeAlias = str
"""A company's printed abbreviation, such as `B&O`."""
PrivateId: TypeAlias = str
"""A private company's abbreviation, such as `C&OC`."""
EntityId: TypeAlias = str
"""The id of an entity: a player, company or private."""
HolderId: TypeAlias = str
"""The holder of a certificate: a player, a company (its treasury), OFFERING, REISSUED, MARKET or REMOVED."""
Coord: TypeAlias = str
"""The printed coordinate of a hex, such as `H6`."""
TileId: TypeAlias = str
"""A tile number, such as `57` or `X5`."""
TrainName: TypeAlias = str
"""The name of a train type, such as `2` or `D`."""
PhaseName: TypeAlias = str
"""The name of a phase: the name of the train that starts it."""
Cell: TypeAlias = tuple[int, int]
"""A stock market cell as (row, column); (0, 0) is the upper left corner."""

EndReason: TypeAlias = Literal[
    "bank", "bankruptcy", "agreement", "price", "last_player", "standstill", "last_round", "all_closed"
]
"""The reason why the game ends.

`bank`: the bank is broken. `bankruptcy`: a president went bankrupt. `agreement`: all players agreed. `price`: a share
price reached the end of the market. `last_player`: only one player is left. `standstill`: nobody can act any more.
`last_round`: the title's last round is over. `all_closed`: all companies and privates are closed.
"""

OFFERING: Final = "offering"
"""Holder of the shares not yet sold (the initial offering, or IPO)."""
REISSUED: Final = "reissued"
"""Holder of the reissued shares, which companies redeemed and put back on sale; each has its own price."""
MARKET: Final = "market"
"""Holder of the shares in the market (bank pool)."""
REMOVED: Final = "removed"
"""Holder of the removed shares, which have left the game."""
BANK: Final = "bank"
"""Id of the bank as payer, payee, or seller of new trains."""
POOL: Final = "pool"
"""Id of the bank pool as seller of discarded trains."""
