"""What is chosen beside the order of play: consent, mergers, bankruptcy, the end."""

from typing import Literal

from engine.core.actions.base import OneAction
from engine.core.ids import CompanyId, Coord


class Answer(OneAction):
    """Agree to what another president proposed, or refuse; the proposer may withdraw it."""

    kind: Literal["answer"] = "answer"
    reply: Literal["agree", "refuse", "withdraw"]


class Merge(OneAction):
    """Two companies of one president become a larger one that has not been started."""

    kind: Literal["merge"] = "merge"
    partner: CompanyId
    major: CompanyId


class Convert(OneAction):
    """A company becomes a larger one that has not been started."""

    kind: Literal["convert"] = "convert"
    major: CompanyId


class ProposeMerger(OneAction):
    """Propose that a company and another one become one company."""

    kind: Literal["propose_merger"] = "propose_merger"
    company: CompanyId
    partner: CompanyId


class Shuffle(OneAction):
    """Share out a company's trains between its shells: those on the first, with spaces between them."""

    kind: Literal["shuffle"] = "shuffle"
    first: str


class ReturnToken(OneAction):
    """Take back a token from the city with this index in the hex to the charter."""

    kind: Literal["return_token"] = "return_token"
    hex: Coord
    city: int


class Liquidate(OneAction):
    """Let a company without a train leave the game."""

    kind: Literal["liquidate"] = "liquidate"


class DeclareBankruptcy(OneAction):
    """Give up a forced train purchase that cannot be paid."""

    kind: Literal["declare_bankruptcy"] = "declare_bankruptcy"


class EndGame(OneAction):
    """Agree to stop the game here; it ends when all agree."""

    kind: Literal["end_game"] = "end_game"
