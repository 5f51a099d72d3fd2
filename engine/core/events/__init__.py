"""What happened: facts that `apply` emits, put into words by `engine.tell.narrate`. Money in dollars."""

from typing import TypeAlias

from engine.core.events.company_events import (
    BullPlaced,
    CoastsJoined,
    Compensated,
    DestinationReached,
    Eliminated,
    Formed,
    GivenUp,
    HalfPaid,
    HomePlaced,
    IncomeLost,
    IncomePaid,
    Liquidated,
    MadeObsolete,
    MarkerBought,
    MarkerLost,
    MarkerReceived,
    MarkersGiven,
    NationalFormed,
    NoNational,
    ObjectiveReached,
    ObsoleteGone,
    Paid,
    PhaseStarted,
    PrivateClosed,
    PrivateSold,
    Ran,
    Relabelled,
    Rusted,
    SharesExchanged,
    Shuffled,
    Skipped,
    TileLaid,
    TokenPlaced,
    TokenReturned,
    TrainAgreed,
    TrainBought,
    TrainDiscarded,
    TrainExported,
    United,
)
from engine.core.events.table_events import (
    BidPlaced,
    BidUnpaid,
    CompaniesAvailable,
    CompaniesDrawn,
    CompanyClosed,
    Drawn,
    EndTriggered,
    EndVoted,
    Floated,
    GameOver,
    Issued,
    MinorStarted,
    Parred,
    Passed,
    PresidentChanged,
    PriceFell,
    PriceMoved,
    PriceReduced,
    PrivateBought,
    PrivateRemoved,
    Privatized,
    ProposalEnded,
    Proposed,
    Redeemed,
    Reissued,
    Relinquished,
    Reserved,
    RoundStarted,
    ShareBought,
    ShareReceived,
    ShareRemoved,
    SharesSold,
    TokensBought,
    TokensReceived,
    WentBankrupt,
)

Event: TypeAlias = (
    Drawn
    | CompaniesDrawn
    | CompaniesAvailable
    | Reserved
    | Relinquished
    | MinorStarted
    | Redeemed
    | Reissued
    | Privatized
    | TokensBought
    | TokensReceived
    | Issued
    | PriceFell
    | CompanyClosed
    | BidPlaced
    | BidUnpaid
    | Passed
    | PrivateBought
    | PrivateRemoved
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
    | CoastsJoined
    | Ran
    | DestinationReached
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
    | MarkerBought
    | BullPlaced
    | Relabelled
    | GivenUp
    | MarkerLost
    | ObjectiveReached
    | PrivateSold
    | Formed
    | United
    | NationalFormed
    | NoNational
    | SharesExchanged
    | Shuffled
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
    "BidUnpaid",
    "BullPlaced",
    "CoastsJoined",
    "CompaniesAvailable",
    "CompaniesDrawn",
    "CompanyClosed",
    "Compensated",
    "DestinationReached",
    "Drawn",
    "Eliminated",
    "EndTriggered",
    "EndVoted",
    "Event",
    "Floated",
    "Formed",
    "GameOver",
    "GivenUp",
    "HalfPaid",
    "HomePlaced",
    "IncomeLost",
    "IncomePaid",
    "Issued",
    "Liquidated",
    "MadeObsolete",
    "MarkerBought",
    "MarkerLost",
    "MarkerReceived",
    "MarkersGiven",
    "MinorStarted",
    "NationalFormed",
    "NoNational",
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
    "PrivateRemoved",
    "PrivateSold",
    "Privatized",
    "ProposalEnded",
    "Proposed",
    "Ran",
    "Redeemed",
    "Reissued",
    "Relabelled",
    "Relinquished",
    "Reserved",
    "RoundStarted",
    "Rusted",
    "ShareBought",
    "ShareReceived",
    "ShareRemoved",
    "SharesExchanged",
    "SharesSold",
    "Shuffled",
    "Skipped",
    "TileLaid",
    "TokenPlaced",
    "TokenReturned",
    "TokensBought",
    "TokensReceived",
    "TrainAgreed",
    "TrainBought",
    "TrainDiscarded",
    "TrainExported",
    "United",
    "WentBankrupt",
]
