"""Notices: rows of the outbox, stored with a move and posted by the sender."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from bot.table.live import LiveGame
from bot.table.markdown import plain_teller, strong
from bot.table.move_lines import MoveBatch, RoundLine, changed_hexes, eventful_lines, move_batches
from engine import Coord, Event, Game, PlayerId, Proposal
from engine import events as game_events
from engine.views import turn_key
from storage import OutboxMessage, pings

OPEN_KIND: Final = "open"
"""Kind of a notice: create the game's thread."""
THREAD_WELCOME: Final = "Moves are posted here; the next player is pinged."
"""The text of the ping to a new thread."""
PING_KIND: Final = "ping"
"""Kind of a notice: ping users in the thread; a mention adds them to it."""
LINE_KIND: Final = "line"
"""Kind of a notice: a public line about what happened."""
BOARD_KIND: Final = "board"
"""Kind of a notice: update the board post."""
TABLE_KIND: Final = "table"
"""Kind of a notice: a round begins, so show the whole table."""
TURN_KIND: Final = "turn"
"""Kind of a notice: name the players on turn in the turn message, and ping those who are due."""
END_KIND: Final = "end"
"""Kind of a notice: post the score sheet and close the thread; or reopen it if the end was undone."""
GAME_FILES_KIND: Final = "papers"
"""Kind of a notice: post the chart, timelapse and files of a finished game."""
PROPOSAL_KIND: Final = "proposal"
"""Kind of a notice: post a proposal."""
POSTING_ORDER: Final = (
    OPEN_KIND,
    PING_KIND,
    LINE_KIND,
    PROPOSAL_KIND,
    TURN_KIND,
    END_KIND,
    BOARD_KIND,
    GAME_FILES_KIND,
)
"""The order in which a game's notices are posted: lines, then the newest turn; slow ones last."""
MAX_READ_LINES: Final = 4_000
"""The most lines kept as read, 0.5 KB each: those of the last turns, which each move reads several times."""
LINE_FLAGS: Final = {
    "new_post": "loud",
    "silent": "quiet",
    "note": "aside",
    "first": "opens",
    "after_round": "later",
}
"""The flags of a `Line`, and the key of each in stored rows."""


@dataclass(frozen=True, slots=True)
class Line:
    """A public line; a close-up shows the changed `hexes`."""

    text: str
    hexes: tuple[Coord, ...] = ()
    new_post: bool = False
    """True if it must be seen at once: it starts a new post, in which the turn continues."""
    back: int | None = None
    """For an undo, the target row: later rows no longer count."""
    silent: bool = False
    """True if it tells nothing of interest, so that the thread does not show it."""
    note: bool = False
    """True if it belongs to no move; it is shown in the turn's post."""
    first: bool = False
    """True if it is the first line of the thread, which no player can miss."""
    after_round: bool = False
    """True if a round began before it: it stands below the post of that round."""

    def notice(self) -> OutboxMessage:
        flags = {key: True for name, key in LINE_FLAGS.items() if getattr(self, name)}
        undo_target = {} if self.back is None else {"back": self.back}
        return OutboxMessage(
            LINE_KIND, json.dumps({"text": self.text, "hexes": list(self.hexes), **flags, **undo_target})
        )

    @classmethod
    @lru_cache(maxsize=MAX_READ_LINES)
    def read(cls, payload: str) -> "Line":
        content = json.loads(payload)
        flags = {name: content.get(key, False) for name, key in LINE_FLAGS.items()}
        return cls(content["text"], tuple(content["hexes"]), back=content.get("back"), **flags)


@dataclass(frozen=True, slots=True)
class ThreadPing:
    """A ping in the thread: users and a role by Discord ids, and the text.

    With `silent` it adds the users to the thread without alerting them.
    """

    users: tuple[int, ...]
    text: str
    role: int | None = None
    silent: bool = False

    def notice(self) -> OutboxMessage:
        content = {"users": list(self.users), "text": self.text, "role": self.role}
        content |= {"quiet": True} if self.silent else {}
        return OutboxMessage(PING_KIND, json.dumps(content))

    @classmethod
    def read(cls, payload: str) -> "ThreadPing":
        content = json.loads(payload)
        return cls(
            tuple(content["users"]), content["text"], content.get("role"), silent=content.get("quiet", False)
        )

    def message_text(self) -> str:
        """The text of the message, with mentions."""
        mentions = [f"<@{user}>" for user in self.users]
        mentions += [] if self.role is None else [f"<@&{self.role}>"]
        return f"{' '.join(mentions)}\n{self.text}"


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A change of the players on turn, after a move by `mover`."""

    newly_on_turn: tuple[PlayerId, ...]
    mover: PlayerId | None
    has_open_offer: bool = False
    """True if a player's offer to another player waits for an answer."""
    outcome: str = ""
    """The outcome of an answered offer, added to its message; empty if none was answered."""
    all_on_turn: tuple[PlayerId, ...] | None = None
    """All players on turn now; None if players not named here stay as they were."""
    is_new_turn: bool = False
    """True if another turn begins, or an offer is made, so that a new post is needed."""

    def notice(self) -> OutboxMessage:
        """The notice, with changes of pending notifications."""
        content = {
            "fresh": list(self.newly_on_turn),
            "mover": self.mover,
            "asks": self.has_open_offer,
            "settled": self.outcome,
        }
        content |= {"passes": True} if self.is_new_turn else {}
        changes = pings.NotificationChanges(self.newly_on_turn, self.mover, self.all_on_turn)
        return OutboxMessage(TURN_KIND, json.dumps(content), changes)

    @classmethod
    def read(cls, payload: str) -> "TurnChange":
        content = json.loads(payload)
        return cls(
            tuple(content["fresh"]),
            content["mover"],
            has_open_offer=content.get("asks", False),
            outcome=content.get("settled", ""),
            is_new_turn=content.get("passes", False),
        )


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The start of a round: its name, as in `OR 2.1`, the lines about it, the move that began it, changed hexes."""

    name: str
    text: str = ""
    seq: int = 0
    hexes: tuple[Coord, ...] = ()

    def notice(self) -> OutboxMessage:
        return OutboxMessage(
            TABLE_KIND,
            json.dumps({"round": self.name, "text": self.text, "begun": self.seq, "hexes": list(self.hexes)}),
        )

    @classmethod
    def read(cls, payload: str) -> "RoundStart":
        content = json.loads(payload)
        hexes = tuple(content.get("hexes", ()))
        return cls(content["round"], content.get("text", ""), content.get("begun", 0), hexes)


def table_note(text: str, *notices_after: OutboxMessage, new_post: bool = False) -> list[OutboxMessage]:
    """The notices of a line that belongs to no move, and of the update of the turn's post.

    With `new_post` it starts a new post, so that it is seen at once.
    """
    shown_notices = notices_after or (TurnChange((), None).notice(),)
    return [Line(text, new_post=new_post, note=True).notice(), *shown_notices]


def proposal_notice(number: int) -> OutboxMessage:
    """The notice of a new proposal."""
    return OutboxMessage(PROPOSAL_KIND, json.dumps({"proposal": number}))


def proposal_number_in(payload: str) -> int:
    """The number of the proposal in a notice's payload."""
    return int(json.loads(payload)["proposal"])


def board_notice(*, may_be_deleted: bool = False) -> OutboxMessage:
    """The notice that the board post must be updated.

    `may_be_deleted`: the post may have been deleted, so check for it.
    """
    return OutboxMessage(BOARD_KIND, json.dumps({"again": True}) if may_be_deleted else "{}")


def may_be_deleted(payload: str) -> bool:
    """True if the payload of a board notice says that the post may have been deleted."""
    return bool(json.loads(payload).get("again"))


THREAD_NOTICE: Final = OutboxMessage(OPEN_KIND, "{}")
"""The notice that the game has started and needs its thread."""
END_NOTICE: Final = OutboxMessage(END_KIND, "{}")
"""The notice that the game is over."""
GAME_FILES_NOTICE: Final = OutboxMessage(GAME_FILES_KIND, "{}")
"""The notice to post the files of a finished game."""


class FormerPosition(NamedTuple):
    """Facts about the position before a move: players on turn, open offer between players, and turn."""

    actors: tuple[PlayerId, ...]
    proposal: Proposal | None
    turn: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> "FormerPosition":
        """These facts of a game's present position."""
        return cls(game.actors(), game.proposal, turn_key(game))

    def is_turn_over(self, game: Game, mover: PlayerId | None) -> bool:
        """True if the later position `game` is another turn, or an offer was made or answered.

        If a player withdraws their offer, their turn continues.
        """
        withdrawn = self.proposal is not None and game.proposal is None
        if withdrawn and (*self.turn[: -len(self.actors)], mover) == turn_key(game):
            return game.over
        return self.turn != turn_key(game) or self.proposal != game.proposal or game.over


def move_notices(
    live: LiveGame,
    mover: PlayerId | None,
    events: Sequence[Event],
    lines_by_move: Sequence[Sequence[str]],
    former: FormerPosition,
) -> list[OutboxMessage]:
    """The notices after a move by `mover` and the automatic moves that followed."""
    # The row number makes each line unique, so a line that was posted before a crash is recognised.
    rows = list(move_batches(live.seq + 1, lines_by_move, live.game.rules.spec.currency))
    rows_before, round_start, rows_after = _parted_by_round(live, rows)
    turn_change = turn_change_between(former.actors, live.game.actors(), mover)
    open_offer = live.game.proposal
    offer_ended = former.proposal is not None and former.proposal != open_offer
    outcome = _proposal_outcome(live, former.proposal, events) if offer_ended else ""
    # A computer player that continues at once gets no turn post.
    computer_continues = _computer_continues(live)
    is_new_turn = former.is_turn_over(live.game, mover) and not computer_continues
    # Withdrawing an offer ends no turn, but changes who acts.
    shows_board = is_new_turn or (turn_change.all_on_turn != former.actors and not computer_continues)
    turn_change = replace(
        turn_change, has_open_offer=open_offer is not None, outcome=outcome, is_new_turn=is_new_turn
    )
    lines = [
        Line(f"`{seq}` " + "\n".join(eventful_lines(texts) or texts), silent=not eventful_lines(texts))
        for seq, texts in [*rows_before, *rows_after]
    ]
    began_at = max(
        (n for n, event in enumerate(events) if isinstance(event, game_events.RoundStarted)), default=0
    )
    in_round = events[began_at:] if round_start else ()
    hexes = changed_hexes(events[:began_at] if round_start else events)
    lines[0] = replace(lines[0], hexes=hexes, new_post=any(map(_must_be_seen, events)))
    lines_after = [replace(line, after_round=True) for line in lines[len(rows_before) :]]
    return [
        *(line.notice() for line in (*lines[: len(rows_before)], *lines_after)),
        # Once a turn; the turn's own post shows changes until then.
        *([board_notice()] if shows_board else []),
        *([replace(round_start, hexes=changed_hexes(in_round)).notice()] if round_start else []),
        turn_change.notice(),
        *ending_notices(live),
    ]


def _computer_continues(live: LiveGame) -> bool:
    game = live.game
    return not game.over and game.proposal is None and live.caretaker_players.issuperset(game.actors())


def _must_be_seen(event: Event) -> bool:
    """True for an event that must be seen at once: a new phase, a new president, or a forced train purchase."""
    is_forced_purchase = isinstance(event, game_events.TrainBought) and event.contribution > 0
    return is_forced_purchase or isinstance(
        event, game_events.PhaseStarted | game_events.PresidentChanged | game_events.TrainAgreed
    )


def _proposal_outcome(live: LiveGame, proposal: Proposal | None, events: Sequence[Event]) -> str:
    assert proposal is not None
    end_event = next((event for event in events if isinstance(event, game_events.ProposalEnded)), None)
    if end_event is None:
        return f"{strong(live.name_of(proposal.asked))} agrees."
    return f"{strong(live.name_of(end_event.by))} {'withdraws' if end_event.withdrawn else 'refuses'}."


def _parted_by_round(
    live: LiveGame, rows: Sequence[MoveBatch]
) -> tuple[Sequence[MoveBatch], RoundStart | None, Sequence[MoveBatch]]:
    """The lines of moves before the last round that began, its start, and the lines after it."""
    beginning = next((n for n, row in enumerate(reversed(rows), 1) if _round_line(row) is not None), None)
    if beginning is None or live.game.over:
        return rows, None, ()
    index = len(rows) - beginning
    seq, lines = rows[index]
    first = _round_line(rows[index])
    name = plain_teller(live.game).round_name()
    start = RoundStart(name, "\n".join(eventful_lines(lines[first:])), seq)
    return [*rows[:index], MoveBatch(seq, lines[:first])], start, rows[index + 1 :]


def _round_line(row: MoveBatch) -> int | None:
    """The index of the line with which a move begins a round."""
    return next((n for n, line in enumerate(row.lines) if isinstance(line, RoundLine)), None)


def ending_notices(live: LiveGame) -> list[OutboxMessage]:
    """The notice that the game is over, if it has just ended; else empty."""
    return [END_NOTICE] if live.game.over and live.row.status == "running" else []


def turn_change_between(
    players_before: Sequence[PlayerId], players_after: Sequence[PlayerId], mover: PlayerId | None
) -> TurnChange:
    """The change of players on turn; `mover` does not count as newly on turn."""
    new_players = tuple(p for p in players_after if p not in players_before and p != mover)
    return TurnChange(new_players, mover, all_on_turn=tuple(players_after))


def first_turn(players: Sequence[PlayerId], *, pings: bool) -> TurnChange:
    """The first turn of a game; without `pings` the players are only reminded later."""
    return TurnChange(tuple(players) if pings else (), None, all_on_turn=tuple(players))


def offer_outcome(turn_changes: Sequence[TurnChange]) -> str:
    """The outcome of the offer in the previous turn message; empty if it had none."""
    for turn_change in turn_changes:
        if turn_change.outcome or turn_change.has_open_offer:
            return turn_change.outcome
    return ""
