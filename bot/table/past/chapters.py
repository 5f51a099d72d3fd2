"""Chapters: what the moves from one kept position to the next did, as text that names nobody.

The public lines of a game are made of them again.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Self

from bot.table.games.loading import (
    game_before_moves,
    is_earlier,
    move_maker,
    require_same_position,
    version_of,
)
from bot.table.markdown import MARKDOWN
from bot.table.move_lines import changed_hexes, played
from bot.table.past.anonymise import Names, unnamed
from engine import (
    RULES_VERSION,
    EngineError,
    Event,
    Game,
    Request,
    interchange,
    narrate,
    read_action,
    saved_games,
    turning_points,
)
from engine import events as game_events
from engine.views import MomentView, moment_view
from storage import Row, log, positions

FORM: Final = f"1/{RULES_VERSION}"
"""How chapters are written: where it differs they are made anew, as with the first number where words have changed."""
THE_RULES: Final = "rules"
"""Moves are not shown: today's rules lead elsewhere."""
THE_LOG: Final = "log"
"""Moves are not shown: the log was changed from outside."""


@dataclass(slots=True)
class Chapter:
    """The effects of some moves: public lines, and the data of charts, timelapse and turning points."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    """Each by the number of its row; players stand unnamed in them."""
    rounds: list[MomentView] = field(default_factory=list)
    """Net worth and prices as each round began."""
    on_map: list[int] = field(default_factory=list)
    """The rows that changed the map."""
    story: list[turning_points.Happened] = field(default_factory=list)
    """Events of which turning points may be made."""
    skipped: list[tuple[int, int, str]] = field(default_factory=list)
    """The rows, from the first to the last, that do not lead where they led, and why."""

    def text(self) -> str:
        rounds = [[one.name, one.worth, one.prices] for one in self.rounds]
        return json.dumps(
            [self.lines, rounds, self.on_map, turning_points.written(self.story), self.skipped],
            separators=(",", ":"),
        )

    @classmethod
    def read(cls, text: str) -> Self | None:
        """From JSON text; None for what is no chapter."""
        try:
            lines, rounds, on_map, story, skipped = json.loads(text)
            return cls(
                [(int(seq), str(line)) for seq, line in lines],
                [MomentView(name, tuple(worth), tuple(prices)) for name, worth, prices in rounds],
                [int(seq) for seq in on_map],
                turning_points.read_happened(story),
                [(int(first), int(last), str(why)) for first, last, why in skipped],
            )
        except (ValueError, TypeError, LookupError):
            return None

    @classmethod
    def whole(cls, parts: Iterable["Chapter"]) -> Self:
        """Chapters one after the other as one."""
        found = cls()
        for part in parts:
            found.add(part)
        return found

    def add(self, more: "Chapter") -> None:
        """Let another chapter follow in this one."""
        for name in self.__slots__:
            getattr(self, name).extend(getattr(more, name))


class Scribe:
    """Makes the moves of a game again, and writes what they do."""

    def __init__(self, first: Row, rest: Sequence[Row], state: str | None = None) -> None:
        """The game as it begins with a start or an accept, before the rows after it; or as it stands in `state`."""
        self._moves: interchange.EarlierMoves | None = None
        self.game: Game | None = None
        """As it stands; None where the moves do not lead where they led."""
        self._begin(first, rest, state)

    def chapter(self, rows: Sequence[Row]) -> Chapter:
        """The chapter of the next rows."""
        found = Chapter()
        for stretch in stretches(rows):
            if stretch[0].kind == "accept":
                found.lines.append((stretch[0].seq, accepted_line(stretch[0])))
                self._begin(stretch[0], ())
                stretch = stretch[1:]
            if stretch:
                found.add(self._compared_chapter(stretch))
        return found

    def position(self) -> str | None:
        """The position as text; None where none was reached."""
        return None if self.game is None else self.game.dump()

    def _begin(self, first: Row, rest: Sequence[Row], state: str | None = None) -> None:
        self._first, self._rest, self._text = first, rest, state
        try:
            self.game = self._opened()
        except EngineError:
            self.game = None

    def _opened(self) -> Game:
        game = game_before_moves((self._first, *self._rest)) if self._text is None else Game.load(self._text)
        self._moves = interchange.EarlierMoves(game) if is_earlier(self._first) else None
        return unnamed(game)

    def _compared_chapter(self, rows: Sequence[Row]) -> Chapter:
        """At first only the last position is compared: where that is right, so are those before it."""
        if self.game is None:
            return self._lost(rows)
        if self._moves is None:
            self._text = self.game.dump()
            found, story = Chapter(), turning_points.Story.at(self.game)
            try:
                for row in rows:
                    self._note(row, *self._make(row), found, story)
                require_same_position(self.game, rows[-1])
            except EngineError:
                self.game = self._opened()
            else:
                found.story = story.kept
                return found
        return self._as_far_as_it_leads(self.game, rows)

    def _as_far_as_it_leads(self, game: Game, rows: Sequence[Row]) -> Chapter:
        found, story = Chapter(), turning_points.Story.at(game)
        for number, row in enumerate(rows):
            try:
                events, lines = self._make(row)
                require_same_position(game, row)
            except EngineError:
                found.add(self._lost(rows[number:]))
                break
            self._note(row, events, lines, found, story)
        found.story = story.kept
        return found

    def _lost(self, rows: Sequence[Row]) -> Chapter:
        """Moves that are not shown; nothing follows them until a position is accepted."""
        self.game = None
        why = THE_LOG if version_of(self._first) == RULES_VERSION else THE_RULES
        return Chapter(skipped=[(rows[0].seq, rows[-1].seq, why)])

    def _make(self, row: Row) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        """Make a move; what happened, and the lines that tell of it. Raises EngineError."""
        assert self.game is not None
        action = read_action(row.payload)
        if self._moves is None:
            return played(self.game, self.game.walk(Request.of(action)))
        events = self._moves.apply(action)
        return events, tuple(narrate.sentences(events, self.game, MARKDOWN))

    def _note(
        self,
        row: Row,
        events: Sequence[Event],
        lines: Sequence[str],
        found: Chapter,
        story: turning_points.Story,
    ) -> None:
        assert self.game is not None
        if lines:
            found.lines.append((row.seq, f"`{row.seq}` " + "\n".join(lines)))
        if any(isinstance(event, game_events.RoundStarted) for event in events):
            found.rounds.append(moment_view(self.game))
        if changed_hexes(events):
            found.on_map.append(row.seq)
        story.follow(self.game, events, row.seq)


def stretches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Rows cut before each start and accept among them; nothing of no rows."""
    begins = [number for number, row in enumerate(rows) if number == 0 or row.kind != "action"]
    for begin, end in pairwise([*begins, len(rows)]):
        yield rows[begin:end]


def accept_line(seq: int, rules: str, user_id: int | None) -> str:
    """The public line of an accept."""
    return f"`{seq}` <@{user_id}> accepts: the game continues from here by version {rules} of the rules."


def accepted_line(row: Row) -> str:
    """The public line of an accept in the log."""
    return accept_line(row.seq, log.accepted(row.seq, row.payload).rules, row.user_id)


class Unsound(Exception):  # noqa: N818 - named after what is wrong
    """A kept position is not the one after its row."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """From where moves are made again: a start or an accept, or the position kept after a later `row`."""

    first: Row
    row: Row
    state: str | None

    def scribe(self, rest: Sequence[Row]) -> Scribe:
        """The writer of chapters about these rows; raises Unsound."""
        self.require_sound()
        return Scribe(self.first, rest, self.state)

    def follow(self, rows: Sequence[Row]) -> Iterator[tuple[Row, Game, tuple[Event, ...]]]:
        """Make these moves again: the game after each, with what it did. Raises EngineError.

        Comparing the last position then proves that the first was right, too.
        """
        game = game_before_moves((self.first, *rows)) if self.state is None else Game.load(self.state)
        make = move_maker(self.first, game)
        yield self.row, game, ()
        for row in rows:
            yield row, game, make(read_action(row.payload))

    def require_sound(self) -> None:
        """Raise Unsound unless the position is the one after its row."""
        if self.state is None:
            return
        try:
            digest = saved_games.read_saved(self.state).digest()
        except EngineError as error:
            raise Unsound from error
        if not saved_games.says_the_same(digest, self.row.digest):
            raise Unsound


def bound_chapters(anchor: Anchor, rows: Sequence[Row], ends: frozenset[int]) -> list[positions.Position]:
    """The chapters of the rows after an anchor that end with these rows, each with the position; raises Unsound."""
    scribe = anchor.scribe(rows)
    found, since = [], anchor.row.seq
    for part in _cut(rows, ends):
        chapter, last = scribe.chapter(part), part[-1]
        found.append(
            positions.Position(last.seq, last.digest, scribe.position(), since, FORM, chapter.text())
        )
        since = last.seq
    return found


def read_on(anchor: Anchor, rows: Sequence[Row], after: int) -> Chapter:
    """The chapter of those rows after an anchor that come after row `after`; raises Unsound."""
    scribe = anchor.scribe(rows)
    scribe.chapter([row for row in rows if row.seq <= after])
    return scribe.chapter([row for row in rows if row.seq > after])


def _cut(rows: Sequence[Row], ends: frozenset[int]) -> Iterator[Sequence[Row]]:
    """Rows cut after each of these; what comes after the last is left out."""
    begin = 0
    for number, row in enumerate(rows, 1):
        if row.seq in ends:
            yield rows[begin:number]
            begin = number


def chapter_lines(first: Row, chapter: Chapter, names: Names) -> list[tuple[int, str]]:
    """The lines of a chapter, and what is said of moves in it that are not shown; `first` is that of the game."""
    begins = [(first.seq, accepted_line(first))] if first.kind == "accept" else []
    return sorted([*begins, *names.with_names(chapter.lines), *_gap_lines(chapter)])


def _gap_lines(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Lines about moves that are not shown; consecutive ones together."""
    spans: list[tuple[int, int, str]] = []
    for first, last, why in chapter.skipped:
        if (
            spans
            and spans[-1][2] == why
            and not any(seq in range(spans[-1][1], first) for seq, _ in chapter.lines)
        ):
            spans[-1] = (spans[-1][0], last, why)
        else:
            spans.append((first, last, why))
    for first, last, why in spans:
        yield first, _gap_text(first, last, why)


def _gap_text(first: int, last: int, why: str) -> str:
    those = f"Move {first} is" if first == last else f"Moves {first} to {last} are"
    because = (
        "the rules have changed since"
        if why == THE_RULES
        else "the log was changed from outside and does not show what was played; the position is unchanged, and "
        "a moderator continues from it for good with `/game repair`"
    )
    return f"`{first}` {those} not shown again: {because}. The original lines are in the thread."
