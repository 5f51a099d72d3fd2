"""The turn and the standing, ready to show."""

from dataclasses import dataclass

from engine.core.ids import PlayerId
from engine.tell.views.sheets import HoldingView


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One player's final standing; players with the same total share a rank."""

    rank: int
    player: PlayerId
    name: str
    cash: int
    shares: tuple[HoldingView, ...]
    privates: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The final table, best first, and the sentence that says how the game ended."""

    title: str
    ending: str
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """Who acts and where in the turn we are: `steps` are (words, done, current)."""

    round_name: str
    """`SR 2`, `OR 2.1`, `Auction`."""
    phase: str
    bank: str
    """`$5,210`."""
    actors: tuple[PlayerId, ...]
    actor_names: tuple[str, ...]
    entity: str
    """The company or player that acts, as shown."""
    facts: str
    """`treasury $210, trains 2 2, token $60`."""
    duty: tuple[str, ...]
    """Lines below the heading: the train that must be paid for and cannot be yet, what each player has reserved in
    a draft, whom a company may merge with."""
    steps: tuple[tuple[str, bool, bool], ...]
    over: bool
