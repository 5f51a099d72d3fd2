"""What has changed on the map, as plain values."""

from dataclasses import dataclass, field

from engine.core.ids import CompanyId, Coord, PhaseName, TileId


@dataclass(frozen=True, slots=True)
class Laid:
    """What has changed on the board in play, as plain values; on the map of the same title it says everything."""

    tiles: dict[Coord, tuple[TileId, int]]
    """Tiles laid, each with the steps of 60 degrees it is turned."""
    tokens: list[tuple[Coord, int, list[CompanyId | None]]]
    """The spaces of every stop with a token: hex, index of the stop there, who is in each space."""
    homes: dict[CompanyId, tuple[Coord, int]]
    """Homes still kept."""
    supply: dict[TileId, int]
    """How many tiles are left, of the kinds that have been used."""
    labels: dict[Coord, str] = field(default_factory=dict)
    """Labels that hexes were given in play."""
    opened: list[PhaseName] = field(default_factory=list)
    """Phases that have opened token spaces."""
    beside: list[tuple[Coord, int, list[CompanyId]]] = field(default_factory=list)
    """Tokens that take no space: hex, index of the stop there, whose."""
