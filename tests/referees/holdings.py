"""Second statement of what all titles share: who presides, and which blocks of shares may be sold."""

from typing import Protocol


class Held(Protocol):
    """A company with shares; the president's certificate is two of them."""

    president: int | None
    shares: dict[int, int]

    @property
    def room(self) -> int:
        """Shares that the pool still takes."""

    def held(self, player: int) -> int: ...
    def singles(self, player: int) -> int: ...


class Seated(Protocol):
    def left_of(self, player: int) -> list[int]: ...


def heir(world: Seated, company: Held, held: dict[int, int]) -> int | None:
    """The president with these holdings; ties go to the first clockwise from the old one (R-AL-080, R-C2C-039)."""
    old = company.president
    if old is None:
        return None
    players = world.left_of(old)
    most = max(held.get(player, 0) for player in players)
    if most < 2 or most <= held.get(old, 0):
        return old
    return next(player for player in players if held.get(player, 0) == most)


def left_after(company: Held, player: int, shares: int) -> dict[int, int]:
    """Holdings after a sale."""
    return {**company.shares, player: company.held(player) - shares}


def may_sell(world: Seated, player: int, company: Held, shares: int) -> bool:
    """At most half in the pool; the certificate only by giving up the presidency (R-1830-022, R-C2C-035)."""
    if not 0 < shares <= min(company.held(player), company.room):
        return False
    if shares <= company.singles(player):
        return True
    return heir(world, company, left_after(company, player, shares)) != player


def fewer(world: Seated, player: int, company: Held, shares: int) -> int:
    """Certificates that a player has less after a sale."""
    held = left_after(company, player, shares)
    papers = company.held(player) - (company.president == player)
    return papers - (held[player] - (heir(world, company, held) == player))
