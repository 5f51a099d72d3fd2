"""Where a game stands: plain data, no rules. Money in dollars, shares in percent."""

from engine.core.state.entities import Company, LastRun, Outcome, Player, Private
from engine.core.state.rounds import Auction, CompanyTurn, Deal, Draft, Merger, Operating, Round, Stock
from engine.core.state.whole import Ending, Fresh, Proposal, State

__all__ = [
    "Auction",
    "Company",
    "CompanyTurn",
    "Deal",
    "Draft",
    "Ending",
    "Fresh",
    "LastRun",
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
