"""What small companies and partners of a merger choose."""

from typing import Literal

from engine.core.actions.base import Choices
from engine.core.ids import CompanyId, Coord


class Merge(Choices):
    """Two companies of one president become a larger one that has not been started."""

    kind: Literal["merge"] = "merge"
    partner: CompanyId
    major: CompanyId


class Convert(Choices):
    """A company becomes a larger one that has not been started."""

    kind: Literal["convert"] = "convert"
    major: CompanyId


class ProposeMerger(Choices):
    """Propose that a company and another one become one company."""

    kind: Literal["propose_merger"] = "propose_merger"
    company: CompanyId
    partner: CompanyId


class ReturnToken(Choices):
    """Return a token from the city with this index in the hex to the charter."""

    kind: Literal["return_token"] = "return_token"
    hex: Coord
    city: int


class Liquidate(Choices):
    """Let a company without a train leave the game."""

    kind: Literal["liquidate"] = "liquidate"
