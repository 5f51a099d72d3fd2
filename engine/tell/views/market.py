"""The stock market ready to show."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.ids import Cell, CompanyId
from engine.tell.views.board import Badge
from engine.tell.views.kept import Kept

SpaceState: TypeAlias = Literal["free", "taken", "blocked", "later"]


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A space for a minor's marker at its value: the letter of its colour, and the phase it waits for, if later."""

    state: SpaceState
    zone: str = ""
    badge: Badge | None = None
    """The minor there."""
    phase: str = ""


@dataclass(frozen=True)
class CellView(Kept):
    """One cell of the stock market: price, zone letter, whether a par cell, and the arrows and ledge at its border."""

    price: int
    zone: str = ""
    par: bool = False
    up_arrow: bool = False
    """A move to the right goes up instead: last in its row, or an arrow says so."""
    down_arrow: bool = False
    """First in its row: a move to the left goes down instead."""
    ledge: bool = False
    """A sale that would end just below leaves the price here; so does one where nothing is below."""
    closed: bool = False
    """No price: a company that comes here leaves the game."""
    end: bool = False
    """Reaching it ends the game."""
    tokens: tuple[Badge, ...] = ()
    """Companies here, first to act first."""
    spaces: tuple[SpaceView, ...] = ()
    """Spaces for minors at this value, first to act first."""

    __hash__ = Kept.__hash__


@dataclass(frozen=True, slots=True)
class OrderView:
    """One line of the operating order."""

    badge: Badge
    price: int
    president: str
    floated: bool
    progress: Literal["waiting", "acting", "done", ""]
    markers: tuple[str, ...] = ()
    """Markers that will change the company's next turn."""


@dataclass(frozen=True, slots=True)
class MarketView:
    """The stock market, top row first (None: no cell), its legend as (letter, words), and the operating order."""

    rows: tuple[tuple[CellView | None, ...], ...]
    legend: tuple[tuple[str, str], ...]
    order: tuple[OrderView, ...]
    moves: tuple[tuple[CompanyId, Cell, Cell], ...]
    """Price moves of the turn just played: company, old cell, new cell."""
    title: str
    caption: str
    space_legend: tuple[tuple[SpaceView, str], ...] = ()
    """What spaces for minors look like, in words."""
