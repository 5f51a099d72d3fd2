"""What is sold at the start, ready to show: privates with their bids, or companies that are drafted."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.tell.views.badge import Badge

LotState: TypeAlias = Literal["now", "open", "taken", "gone"]
"""`now`: bought, or fought for, at this moment; `open`: to be had; `taken`: somebody's; `gone`: out of the game."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A standing bid in dollars, or (None) a reservation; whether it leads."""

    player: str
    amount: int | None
    leads: bool


@dataclass(frozen=True, slots=True)
class LotView:
    """A card: letters, name, face value and income in dollars (None: it has none), what it does in a few words."""

    badge: Badge
    """Its letters; the colour is empty where it has none."""
    name: str
    value: int | None
    income: int | None
    does: tuple[str, ...]
    state: LotState
    status: str
    """`buy for $20`, `bids from $45`, `Ann's`."""
    claims: tuple[ClaimView, ...] = ()
    """Highest first."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player beside the cards: cash, dollars set aside for bids, dollars free, and what the cards brought so far.

    Cash and what is free of it are None where they are secret.
    """

    name: str
    cash: int | None
    committed: int
    free: int | None
    acting: bool
    owns: tuple[str, ...]
    note: str = ""
    """`spaces up to $80 can be paid`."""


@dataclass(frozen=True, slots=True)
class SaleView:
    """Every card, column by column as they lie, everybody's money, and what comes next.

    Without `seats` nothing is for sale: the cards say whose they are.
    """

    title: str
    caption: str
    columns: tuple[tuple[LotView, ...], ...]
    seats: tuple[SeatView, ...] = ()
    coming: tuple[str, ...] = ()
