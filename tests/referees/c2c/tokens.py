"""A second statement of 18C2C's tokens: on the charter, on the board, and what returns when two are in one hex."""

from tests.referees.c2c.model import Corporation
from tests.referees.c2c.printed import GOALS, HOMES

BULLS = {"bull", "loose"}
LOOSE = {"loose", "extra"}
"""Tokens that take no place."""


def place(corporation: Corporation, coord: str) -> None:
    """An ordinary token (R-C2C-130), or a bull token played as one (R-C2C-072)."""
    if corporation.charter:
        corporation.charter -= 1
    else:
        corporation.bulls -= 1
    corporation.stands[coord] = "token"


def place_bull(corporation: Corporation, coord: str, *, full: bool) -> None:
    """The charter's ordinary and reserved tokens leave the game; other bull tokens become ordinary
    (R-C2C-070, R-C2C-071, R-C2C-072)."""
    corporation.charter, corporation.bulls, corporation.goals = corporation.bulls - 1, 0, []
    corporation.stands[coord] = "loose" if full else "bull"


def arrive(corporation: Corporation, goal: tuple[str, str], *, full: bool) -> None:
    """The reserved token goes to the destination, or becomes ordinary where one stands (R-C2C-183)."""
    corporation.goals.remove(goal)
    corporation.went = True
    if goal[1] in corporation.stands:
        corporation.charter += 1
    else:
        corporation.stands[goal[1]] = "extra" if full else "token"


def take_home(corporation: Corporation) -> None:
    """The home token lies before the first turn (R-C2C-062)."""
    corporation.stands[HOMES[corporation.name]] = "token"
    corporation.home_due = False


def terminals(corporation: Corporation, *, possible: bool) -> None:
    """The Terminals bring the $40 and $60 tokens that were never bought; one may be reserved (R-C2C-154, R-C2C-156)."""
    fresh = {40, 60} - corporation.bought
    corporation.bought |= fresh
    count = len(fresh)
    if corporation.kind != "single":
        corporation.charter += count
        return
    if count and not corporation.goals and not corporation.went and not possible:
        corporation.goals = [(HOMES[corporation.name], GOALS[corporation.name])]
        count -= 1
    elif count and not corporation.goals and possible:
        corporation.went = True
    corporation.charter += count


def join(heirs: list[Corporation]) -> tuple[dict[str, str], int, int]:
    """One token a hex of several corporations, the highest-priced first.

    Those without a place go first, then those of the cheaper ones (R-C2C-073, R-C2C-227). Gives the board, and how
    many ordinary and bull tokens go back to the charter.
    """
    board: dict[str, str] = {}
    ordinary = bulls = 0
    for heir in heirs:
        for coord, kind in heir.stands.items():
            stays, goes = _two(board[coord], kind) if coord in board else (kind, "")
            board[coord] = stays
            bulls += goes in BULLS
            ordinary += goes in {"token", "extra"}
    return board, ordinary, bulls


def _two(dearer: str, cheaper: str) -> tuple[str, str]:
    """Which of two tokens stays, which goes."""
    if dearer in LOOSE and cheaper not in LOOSE:
        return cheaper, dearer
    return dearer, cheaper
