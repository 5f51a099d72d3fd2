"""What happened: facts that `apply` emits, told in words by `engine.tell.narrate`. Money in dollars."""

from typing import TypeAlias

from engine.core.events.mergers import Eliminated, Formed, Liquidated, TokenReturned
from engine.core.events.operating import (
    HalfPaid,
    HomePlaced,
    IncomeLost,
    IncomePaid,
    MarkerLost,
    MarkerReceived,
    MarkersGiven,
    ObjectiveReached,
    Paid,
    PrivateClosed,
    PrivateSold,
    Ran,
    Skipped,
    TileLaid,
    TokenPlaced,
)
from engine.core.events.stock import (
    BidPlaced,
    CompaniesAvailable,
    CompaniesDrawn,
    CompanyClosed,
    Drawn,
    Floated,
    Issued,
    MinorStarted,
    Parred,
    PresidentChanged,
    PriceFell,
    PriceMoved,
    PriceReduced,
    PrivateBought,
    Redeemed,
    Relinquished,
    Reserved,
    ShareBought,
    ShareReceived,
    ShareRemoved,
    SharesSold,
)
from engine.core.events.table import (
    EndTriggered,
    EndVoted,
    GameOver,
    Passed,
    ProposalEnded,
    Proposed,
    RoundStarted,
    WentBankrupt,
)
from engine.core.events.trains import (
    Compensated,
    MadeObsolete,
    ObsoleteGone,
    PhaseStarted,
    Rusted,
    TrainAgreed,
    TrainBought,
    TrainDiscarded,
    TrainExported,
)

Event: TypeAlias = (
    Drawn
    | CompaniesDrawn
    | CompaniesAvailable
    | Reserved
    | Relinquished
    | MinorStarted
    | Redeemed
    | Issued
    | PriceFell
    | CompanyClosed
    | BidPlaced
    | Passed
    | PrivateBought
    | PriceReduced
    | IncomePaid
    | ShareReceived
    | Parred
    | ShareBought
    | ShareRemoved
    | SharesSold
    | PresidentChanged
    | Floated
    | PriceMoved
    | RoundStarted
    | HomePlaced
    | TileLaid
    | TokenPlaced
    | Ran
    | Skipped
    | Paid
    | HalfPaid
    | TrainAgreed
    | TrainBought
    | PhaseStarted
    | Rusted
    | MadeObsolete
    | ObsoleteGone
    | MarkersGiven
    | IncomeLost
    | Compensated
    | TrainDiscarded
    | TrainExported
    | PrivateClosed
    | MarkerReceived
    | MarkerLost
    | ObjectiveReached
    | PrivateSold
    | Formed
    | TokenReturned
    | Liquidated
    | Eliminated
    | Proposed
    | ProposalEnded
    | WentBankrupt
    | EndTriggered
    | EndVoted
    | GameOver
)
"""Any of them."""

__all__ = [
    "BidPlaced",
    "CompaniesAvailable",
    "CompaniesDrawn",
    "CompanyClosed",
    "Compensated",
    "Drawn",
    "Eliminated",
    "EndTriggered",
    "EndVoted",
    "Event",
    "Floated",
    "Formed",
    "GameOver",
    "HalfPaid",
    "HomePlaced",
    "IncomeLost",
    "IncomePaid",
    "Issued",
    "Liquidated",
    "MadeObsolete",
    "MarkerLost",
    "MarkerReceived",
    "MarkersGiven",
    "MinorStarted",
    "ObjectiveReached",
    "ObsoleteGone",
    "Paid",
    "Parred",
    "Passed",
    "PhaseStarted",
    "PresidentChanged",
    "PriceFell",
    "PriceMoved",
    "PriceReduced",
    "PrivateBought",
    "PrivateClosed",
    "PrivateSold",
    "ProposalEnded",
    "Proposed",
    "Ran",
    "Redeemed",
    "Relinquished",
    "Reserved",
    "RoundStarted",
    "Rusted",
    "ShareBought",
    "ShareReceived",
    "ShareRemoved",
    "SharesSold",
    "Skipped",
    "TileLaid",
    "TokenPlaced",
    "TokenReturned",
    "TrainAgreed",
    "TrainBought",
    "TrainDiscarded",
    "TrainExported",
    "WentBankrupt",
]
