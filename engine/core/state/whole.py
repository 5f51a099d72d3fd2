"""Everything that changes in a game, apart from the map."""

from dataclasses import dataclass, field

from engine.core.ids import (
    Cell,
    CompanyId,
    Coord,
    EndReason,
    EntityId,
    PhaseName,
    PlayerId,
    PrivateId,
    TrainName,
)
from engine.core.state.entities import Company, Player, Private
from engine.core.state.rounds import Auction, Round


@dataclass
class Proposal:
    """An action that waits for consent: who proposed, who is asked, and the action as JSON."""

    by: PlayerId
    asked: PlayerId
    action: str


@dataclass
class MarkerSupply:
    """Markers of a private that nobody has had yet, and who sells them: the company that has bought the private."""

    left: int
    seller: CompanyId | None = None


@dataclass
class Ending:
    """Why the game will end or has ended."""

    reason: EndReason
    by: EntityId | None = None


@dataclass
class Fresh:
    """What the turn just played changed on the map and the market, for the pictures; not a rule."""

    company: EntityId = ""
    hexes: list[Coord] = field(default_factory=list)
    tokens: list[tuple[Coord, int]] = field(default_factory=list)
    moves: dict[CompanyId, Cell] = field(default_factory=dict)
    """The cell each company came from."""


@dataclass
class State:
    """Everything but the map."""

    players: list[Player]
    companies: dict[CompanyId, Company]
    privates: dict[PrivateId, Private]
    bank: int
    phase: PhaseName
    depot: dict[TrainName, int | None]
    """New trains left, cheapest first (None: unlimited)."""
    round: Round
    auction: Auction | None = None
    """The private auction, while it is held inside the stock rounds."""
    pool: list[TrainName] = field(default_factory=list)
    """Discarded trains for sale."""
    market: list[CompanyId] = field(default_factory=list)
    """Companies with a share price, in the order in which they came into their cells."""
    flipped: list[Cell] = field(default_factory=list)
    """Spaces of the market that the flipped marker of a closed company keeps."""
    certificate_limit: int = 0
    """The certificate limit where it follows the companies in play; 0: that of the title's table."""
    priority: int = 0
    """Seat index of the priority deal."""
    supplies: dict[str, MarkerSupply] = field(default_factory=dict)
    """Markers of privates by name, once something has become of them."""
    proposal: Proposal | None = None
    asked: dict[PlayerId, list[str]] = field(default_factory=dict)
    """Kinds of offers that players have made to others in this round; not a rule: computer players ask once."""
    end_votes: list[PlayerId] = field(default_factory=list)
    ending: Ending | None = None
    over: bool = False
    draws: int = 0
    fresh: Fresh = field(default_factory=Fresh)

    def player(self, player: PlayerId) -> Player:
        """The seat with this id; raises KeyError."""
        for seat in self.players:
            if seat.id == player:
                return seat
        raise KeyError(player)

    def seat(self, player: PlayerId) -> int:
        """Seat index of a player; raises KeyError."""
        for index, seat in enumerate(self.players):
            if seat.id == player:
                return index
        raise KeyError(player)

    def next_seat(self, seat: int) -> int:
        """Seat index of the next player to the left who is in the game."""
        count = len(self.players)
        seats = ((seat + ahead) % count for ahead in range(1, count + 1))
        return next(place for place in seats if not self.players[place].bankrupt)

    def in_game(self) -> list[Player]:
        """Players who have not gone bankrupt, in seat order."""
        return [player for player in self.players if not player.bankrupt]

    def is_player(self, entity: EntityId | None) -> bool:
        """Whether the id is a player's."""
        return entity in [seat.id for seat in self.players]

    def in_cell(self, cell: Cell) -> list[CompanyId]:
        """Companies in a cell of the market, first to act first."""
        return [company for company in self.market if self.companies[company].cell == cell]
