"""Read-only pictures of a game, ready to show: values, colours and labels, never the state itself."""

from engine.tell.views.badge import Badge
from engine.tell.views.course import CourseView, MomentView
from engine.tell.views.lays import LayView, SpotView
from engine.tell.views.map import HexView, MapView, MarkKind, MarkView, RunView, SlotState, SlotView, StopView
from engine.tell.views.market import CellView, MarketView, OrderView, SpaceState, SpaceView
from engine.tell.views.offer import OfferView, PartyView
from engine.tell.views.sale import ClaimView, LotState, LotView, SaleView, SeatView
from engine.tell.views.sheets import CompanyView, HoldingView, LastRunView, PlayerView, TrainsView
from engine.tell.views.table import ComingView, PhasesView, PhaseView, TableView
from engine.tell.views.tiles import TilesView, TileView
from engine.tell.views.turn import ScoreRow, ScoreView, TurnView

__all__ = [
    "Badge",
    "CellView",
    "ClaimView",
    "ComingView",
    "CompanyView",
    "CourseView",
    "HexView",
    "HoldingView",
    "LastRunView",
    "LayView",
    "LotState",
    "LotView",
    "MapView",
    "MarkKind",
    "MarkView",
    "MarketView",
    "MomentView",
    "OfferView",
    "OrderView",
    "PartyView",
    "PhaseView",
    "PhasesView",
    "PlayerView",
    "RunView",
    "SaleView",
    "ScoreRow",
    "ScoreView",
    "SeatView",
    "SlotState",
    "SlotView",
    "SpaceState",
    "SpaceView",
    "SpotView",
    "StopView",
    "TableView",
    "TileView",
    "TilesView",
    "TrainsView",
    "TurnView",
]
