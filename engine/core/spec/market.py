"""The stock market, as printed."""

from engine.core.ids import PhaseName
from engine.core.spec.base import Spec


class ZoneSpec(Spec):
    """What the coloured cells of the stock market mean; `letter` marks them in the grid."""

    letter: str
    """The letter behind the price of its cells."""
    name: str
    """Its name."""
    legend: str
    """Its line in the legend of the picture."""
    counts_for_limit: bool = True
    """Whether shares in it count for the certificate limit."""
    over_holding_limit: bool = False
    """Whether a player may hold more than `holding_limit` of a company in it."""
    several_purchases: bool = False
    """Whether several certificates may be bought in one turn."""
    ends_game: bool = False
    """Whether a price that gets here ends the game."""
    from_phase: PhaseName | None = None
    """Phase from which a company may be started here."""


class MarketSpec(Spec):
    """The stock market, top row first; a cell is `95P` (par), `55y` (zone letter y) or `80`, a gap is `.`.

    `140^` turns a marker that would go right up, `120_` has the ledge below it, and `-` closes the company that
    comes there.
    """

    rows: tuple[str, ...]
    """The cells of each row, with spaces between them."""
    split: int | None = None
    """Price in the top row to which a marker moves from the upper right corner; its shares double."""
    diagonal: bool = False
    """Whether a marker that rises from the top row goes down and to the right."""
    spaces: int = 0
    """How many rows from the top are spaces: a marker there never moves, and no two share one."""
    zones: tuple[ZoneSpec, ...] = ()
    """Coloured cells."""
