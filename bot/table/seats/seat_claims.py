"""Who claims which seat of a game that was imported: it is written in the message for everybody, and nowhere else.

So nothing is stored of a game that never starts, and everybody sees who is missing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.table.display_names import computer_name, distinct_name, harmless
from bot.table.errors import NotYours, Refused
from bot.table.seats.computer_players import NAME
from bot.table.style import counted, strong
from storage.people import CARETAKER

FREE: Final = "free"
REST: Final = 0
"""In place of the number of a seat: those that are free shall go to the computer, which is asked once more."""
SURE: Final = 9
"""In place of the number of a seat: they do."""
_TAKEN: Final = re.compile(r"(?P<name>.+) \(<@(?P<user>\d+)>\)")
_LINE: Final = re.compile(r"\d+\. (?P<was>.+): (?P<by>.+)")


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat: who played it in the file, and who plays it here (number and name), if anybody does."""

    was: str
    by: tuple[int, str] | None = None

    def line(self, number: int) -> str:
        """As it stands in the message."""
        taken = FREE if self.by is None else f"{self.by[1]} (<@{self.by[0]}>)"
        return f"{number}. {self.was}: {taken}"


@dataclass(frozen=True, slots=True)
class Claims:
    """The seats of a game that was imported, in order, below what is said about it."""

    about: str
    seats: tuple[Claim, ...]

    @classmethod
    def of(cls, title: str, moves: int, players: Sequence[str]) -> Self:
        """Nobody has claimed anything yet."""
        names: list[str] = []
        for player in players:
            # Two seats that look alike could not be distinguished, nor a name with a colon be read again.
            names.append(distinct_name(harmless(player).replace(":", " "), names))
        about = (
            f"{strong(title)}, imported after {counted(moves, 'move')}. Press the seat that is yours, or again to give "
            "it back; when all are taken, or the rest is left to the computer, the game continues."
        )
        return cls(about, tuple(map(Claim, names)))

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of `text`; raises Refused where it is none."""
        about, *lines = text.split("\n")
        found = [_LINE.fullmatch(line) for line in lines]
        if not found or None in found:
            raise Refused("This table is not open any more.")
        return cls(about, tuple(_claim(line["was"], line["by"]) for line in found if line))

    def text(self) -> str:
        """What the message says."""
        return "\n".join([self.about, *(seat.line(number) for number, seat in enumerate(self.seats, 1))])

    def pressed(self, number: int, user: int, name: str) -> Self:
        """After somebody has pressed a seat: it is theirs, or free again; raises Refused, NotYours."""
        if number in (REST, SURE):
            self._require_seat(user)
            return self if number == REST else self._left_to_the_computer()
        seat = self.seats[number - 1]
        if seat.by is not None and seat.by[0] != user:
            raise NotYours(
                f"{seat.by[1]} has claimed the seat of {seat.was}. A moderator frees it by pressing it."
            )
        others = [(other.was, other.by) for other in self.seats if other.by is not None and other is not seat]
        own = next((was for was, by in others if by[0] == user), None)
        if own is not None:
            raise Refused(f"You have claimed the seat of {own}. Press it again to give it back.")
        taken = (user, distinct_name(name, [by[1] for _, by in others]))
        changed = replace(seat, by=taken if seat.by is None else None)
        return replace(self, seats=(*self.seats[: number - 1], changed, *self.seats[number:]))

    def is_anothers(self, number: int, user: int) -> bool:
        """Whether somebody else has claimed what was pressed."""
        by = None if number in (REST, SURE) else self.seats[number - 1].by
        return by is not None and by[0] != user

    def freed(self, number: int) -> Self:
        """After a moderator has pressed a seat that somebody has claimed who will not give it back."""
        free = replace(self.seats[number - 1], by=None)
        return replace(self, seats=(*self.seats[: number - 1], free, *self.seats[number:]))

    def _require_seat(self, user: int) -> None:
        if all(seat.by is None or seat.by[0] != user for seat in self.seats):
            raise NotYours(
                "Press your own seat first: only a player can leave the other seats to the computer."
            )

    def _left_to_the_computer(self) -> Self:
        names = [seat.by[1] for seat in self.seats if seat.by is not None]
        taken = []
        for seat in self.seats:
            by = seat.by or (CARETAKER, computer_name(NAME, names))
            names.append(by[1])
            taken.append(replace(seat, by=by))
        return replace(self, seats=tuple(taken))

    def people(self) -> tuple[tuple[int, str], ...] | None:
        """Everybody in order of the seats; None while a seat is free."""
        taken = tuple(seat.by for seat in self.seats if seat.by is not None)
        return taken if len(taken) == len(self.seats) else None


def _claim(was: str, by: str) -> Claim:
    taken = _TAKEN.fullmatch(by)
    return Claim(was) if taken is None else Claim(was, (int(taken["user"]), taken["name"]))
