"""Where a game stands: plain data, no rules. Money in dollars, shares in percent."""

from engine.core.state.entities import Company, ExtraTokens, LastRun, Outcome, Player, Private
from engine.core.state.rounds import (
    Auction,
    CompanyTurn,
    Deal,
    DestinationRun,
    Draft,
    Merger,
    Operating,
    Round,
    Stock,
)
from engine.core.state.whole import Ending, Fresh, MarkerSupply, Proposal, State

__all__ = [
    "Auction",
    "Company",
    "CompanyTurn",
    "Deal",
    "DestinationRun",
    "Draft",
    "Ending",
    "ExtraTokens",
    "Fresh",
    "LastRun",
    "MarkerSupply",
    "Merger",
    "Operating",
    "Outcome",
    "Player",
    "Private",
    "Proposal",
    "Round",
    "State",
    "Stock",
]
