"""Notices: outbox rows about what to post on Discord. They are stored with a move; the sender posts them."""

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

CREATE_THREAD_KIND: Final = "open"
"""Kind of notice that creates the game's thread."""
THREAD_WELCOME_TEXT: Final = "Moves are posted here; the next player is pinged."
"""Text of the first ping in a new thread."""
PING_KIND: Final = "ping"
"""Kind of notice that pings users in the thread. The mention also adds them to the thread."""
LINE_KIND: Final = "line"
"""Kind of notice that posts a public line."""
BOARD_KIND: Final = "board"
"""Kind of notice that updates the board post."""
ROUND_START_KIND: Final = "table"
"""Kind of notice for the start of a round; the post shows the position of all players and companies."""
TURN_KIND: Final = "turn"
"""Kind of notice that updates the turn message, and pings the players in it whose ping is due."""
END_KIND: Final = "end"
"""Kind of notice that posts the scores and closes the thread, or reopens the thread if the end was undone."""
GAME_FILES_KIND: Final = "papers"
"""Kind of notice that posts the net worth chart, timelapse and files of a finished game."""
PROPOSAL_KIND: Final = "proposal"
"""Kind of notice that posts a proposal."""
POSTING_ORDER: Final = (
    CREATE_THREAD_KIND,
    PING_KIND,
    LINE_KIND,
    PROPOSAL_KIND,
    TURN_KIND,
    END_KIND,
    BOARD_KIND,
    GAME_FILES_KIND,
)
"""The order in which a game's notices are posted: lines, the turn message, and last those that take long to post."""
MAX_CACHED_LINES: Final = 4_000
"""Maximum number of parsed lines in the cache, 0.5 KB each. The last turns' lines are needed after each move."""
LINE_FLAGS: Final = {
    "is_new_post": "loud",
    "is_silent": "quiet",
    "is_note": "aside",
    "is_first": "opens",
    "is_after_round": "later",
}
"""The fields of a `Line` that are true or false, and the key under which each is stored."""


@dataclass(frozen=True, slots=True)
class Line:
    """A public line about a move or event. `hexes` are the hexes that changed; a close-up of the map shows them."""

    text: str
    hexes: tuple[Coord, ...] = ()
    is_new_post: bool = False
    """True if the line starts a new post, so that players see it at once. Other lines are added to the turn's post."""
    undo_target: int | None = None
    """For an undo, the log row to which it goes back: later rows no longer count. None for other lines."""
    is_silent: bool = False
    """True if the thread does not show the line, since nothing of interest happened."""
    is_note: bool = False
    """True for a note, which is not about a move: an absence, for example. The turn message shows notes."""
    is_first: bool = False
    """True for the first line of the thread."""
    is_after_round: bool = False
    """True if the line comes after the start of a round, so that it belongs below the round's post."""

    def notice(self) -> OutboxMessage:
        flags = {key: True for name, key in LINE_FLAGS.items() if getattr(self, name)}
        undo_fields = {} if self.undo_target is None else {"back": self.undo_target}
        return OutboxMessage(
            LINE_KIND, json.dumps({"text": self.text, "hexes": list(self.hexes), **flags, **undo_fields})
        )

    @classmethod
    @lru_cache(maxsize=MAX_CACHED_LINES)
    def read(cls, payload: str) -> "Line":
        content = json.loads(payload)
        flags = {name: content.get(key, False) for name, key in LINE_FLAGS.items()}
        return cls(content["text"], tuple(content["hexes"]), undo_target=content.get("back"), **flags)


@dataclass(frozen=True, slots=True)
class ThreadPing:
    """A ping in the game's thread: Discord ids of the users and of a role, and the text.

    With `silent`, the users are added to the thread but not alerted.
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
        """The message with all mentions."""
        mentions = [f"<@{user}>" for user in self.users]
        mentions += [] if self.role is None else [f"<@&{self.role}>"]
        return f"{' '.join(mentions)}\n{self.text}"


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A change of the players whose turn it is, after a move by `mover`."""

    newly_on_turn: tuple[PlayerId, ...]
    mover: PlayerId | None
    has_open_offer: bool = False
    """True if an offer from one player to another, such as a train sale, has not been answered yet."""
    outcome: str = ""
    """The outcome of an offer between players (the answer), to be added to the offer's message; else empty."""
    all_on_turn: tuple[PlayerId, ...] | None = None
    """All players whose turn it is now; None if the change is only about `newly_on_turn` and `mover`."""
    is_new_turn: bool = False
    """True if another turn begins or an offer was made; a new turn message is posted."""

    def notice(self) -> OutboxMessage:
        """The notice about this change. It also starts and ends the pending pings of players."""
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
    """The start of a round: name (`OR 2.1`), lines about it, log row of the move that began it, and changed hexes."""

    name: str
    text: str = ""
    seq: int = 0
    hexes: tuple[Coord, ...] = ()

    def notice(self) -> OutboxMessage:
        return OutboxMessage(
            ROUND_START_KIND,
            json.dumps({"round": self.name, "text": self.text, "begun": self.seq, "hexes": list(self.hexes)}),
        )

    @classmethod
    def read(cls, payload: str) -> "RoundStart":
        content = json.loads(payload)
        hexes = tuple(content.get("hexes", ()))
        return cls(content["round"], content.get("text", ""), content.get("begun", 0), hexes)


def note_notices(text: str, *notices_after: OutboxMessage, is_new_post: bool = False) -> list[OutboxMessage]:
    """The notices that post a line which is not about a move, such as an absence, and update the turn message.

    If `notices_after` are given, they replace the update. With `is_new_post`, the line starts a new post, so that
    players see it at once.
    """
    shown_notices = notices_after or (TurnChange((), None).notice(),)
    return [Line(text, is_new_post=is_new_post, is_note=True).notice(), *shown_notices]


def proposal_notice(number: int) -> OutboxMessage:
    """The notice that posts the proposal with this number."""
    return OutboxMessage(PROPOSAL_KIND, json.dumps({"proposal": number}))


def proposal_number_in(payload: str) -> int:
    """The number of the proposal, read from the payload of a notice."""
    return int(json.loads(payload)["proposal"])


def board_notice(*, post_may_be_deleted: bool = False) -> OutboxMessage:
    """The notice that updates the board post.

    With `post_may_be_deleted`, the sender first checks if the post still exists.
    """
    return OutboxMessage(BOARD_KIND, json.dumps({"again": True}) if post_may_be_deleted else "{}")


def post_may_be_deleted(payload: str) -> bool:
    """True if this payload of a board notice tells the sender to check if the post still exists."""
    return bool(json.loads(payload).get("again"))


THREAD_NOTICE: Final = OutboxMessage(CREATE_THREAD_KIND, "{}")
"""The notice that creates the game's thread."""
END_NOTICE: Final = OutboxMessage(END_KIND, "{}")
"""The notice that the game is over; see END_KIND."""
GAME_FILES_NOTICE: Final = OutboxMessage(GAME_FILES_KIND, "{}")
"""The notice that posts the files of a finished game."""


class PositionBeforeMove(NamedTuple):
    """The position before a move, reduced to the players to act, the unanswered offer between players, and the turn."""

    actors: tuple[PlayerId, ...]
    proposal: Proposal | None
    turn: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> "PositionBeforeMove":
        """The facts of a game's current position. Call this before a move is made."""
        return cls(game.actors(), game.proposal, turn_key(game))

    def is_turn_over(self, game: Game, mover: PlayerId | None) -> bool:
        """True if, in the later position `game`, the turn is over, or an offer between players was made or answered.

        A player who withdraws their offer continues their turn.
        """
        is_offer_withdrawn = self.proposal is not None and game.proposal is None
        if is_offer_withdrawn and (*self.turn[: -len(self.actors)], mover) == turn_key(game):
            return game.is_over
        return self.turn != turn_key(game) or self.proposal != game.proposal or game.is_over


def move_notices(
    live: LiveGame,
    mover: PlayerId | None,
    events: Sequence[Event],
    lines_by_move: Sequence[Sequence[str]],
    former_position: PositionBeforeMove,
) -> list[OutboxMessage]:
    """The notices about a move by `mover` and the automatic moves after it."""
    # The row number makes each line unique, so a line that was posted before a crash is recognised.
    rows = list(move_batches(live.seq + 1, lines_by_move, live.game.rules.spec.currency))
    rows_before, round_start, rows_after = _split_at_round(live, rows)
    turn_change = turn_change_between(former_position.actors, live.game.actors(), mover)
    open_offer = live.game.proposal
    has_offer_ended = former_position.proposal is not None and former_position.proposal != open_offer
    outcome = _proposal_outcome(live, former_position.proposal, events) if has_offer_ended else ""
    # A computer player that continues at once gets no turn post.
    is_computer_next = _is_computer_next(live)
    is_new_turn = former_position.is_turn_over(live.game, mover) and not is_computer_next
    # Withdrawing an offer ends no turn, but changes who acts.
    must_update_board = is_new_turn or (
        turn_change.all_on_turn != former_position.actors and not is_computer_next
    )
    turn_change = replace(
        turn_change, has_open_offer=open_offer is not None, outcome=outcome, is_new_turn=is_new_turn
    )
    lines = [
        Line(
            f"`{seq}` " + "\n".join(eventful_lines(lines_of_row) or lines_of_row),
            is_silent=not eventful_lines(lines_of_row),
        )
        for seq, lines_of_row in [*rows_before, *rows_after]
    ]
    round_start_index = max(
        (n for n, event in enumerate(events) if isinstance(event, game_events.RoundStarted)), default=0
    )
    events_of_round = events[round_start_index:] if round_start else ()
    hexes = changed_hexes(events[:round_start_index] if round_start else events)
    lines[0] = replace(lines[0], hexes=hexes, is_new_post=any(map(_needs_new_post, events)))
    lines_after = [replace(line, is_after_round=True) for line in lines[len(rows_before) :]]
    return [
        *(line.notice() for line in (*lines[: len(rows_before)], *lines_after)),
        # Once a turn; the turn's own post shows changes until then.
        *([board_notice()] if must_update_board else []),
        *([replace(round_start, hexes=changed_hexes(events_of_round)).notice()] if round_start else []),
        turn_change.notice(),
        *game_end_notices(live),
    ]


def _is_computer_next(live: LiveGame) -> bool:
    game = live.game
    return not game.is_over and game.proposal is None and live.caretaker_players.issuperset(game.actors())


def _needs_new_post(event: Event) -> bool:
    """True for an important event, which gets a new post: new phase, new president, forced or agreed train purchase."""
    is_forced_purchase = isinstance(event, game_events.TrainBought) and event.contribution > 0
    return is_forced_purchase or isinstance(
        event, game_events.PhaseStarted | game_events.PresidentChanged | game_events.TrainPurchaseAgreed
    )


def _proposal_outcome(live: LiveGame, proposal: Proposal | None, events: Sequence[Event]) -> str:
    assert proposal is not None
    end_event = next((event for event in events if isinstance(event, game_events.ProposalEnded)), None)
    if end_event is None:
        return f"{strong(live.name_of(proposal.asked))} agrees."
    return f"{strong(live.name_of(end_event.player))} {'withdraws' if end_event.is_withdrawn else 'refuses'}."


def _split_at_round(
    live: LiveGame, rows: Sequence[MoveBatch]
) -> tuple[Sequence[MoveBatch], RoundStart | None, Sequence[MoveBatch]]:
    """The lines before the last new round in these moves, the start of that round, and the lines after it."""
    rows_from_round_start = next(
        (n for n, row in enumerate(reversed(rows), 1) if _index_of_round_line(row) is not None), None
    )
    if rows_from_round_start is None or live.game.is_over:
        return rows, None, ()
    index = len(rows) - rows_from_round_start
    seq, lines = rows[index]
    first_line_index = _index_of_round_line(rows[index])
    name = plain_teller(live.game).round_name()
    start = RoundStart(name, "\n".join(eventful_lines(lines[first_line_index:])), seq)
    return [*rows[:index], MoveBatch(seq, lines[:first_line_index])], start, rows[index + 1 :]


def _index_of_round_line(row: MoveBatch) -> int | None:
    return next((n for n, line in enumerate(row.lines) if isinstance(line, RoundLine)), None)


def game_end_notices(live: LiveGame) -> list[OutboxMessage]:
    """The notice that the game is over, if the game has just ended; else empty."""
    return [END_NOTICE] if live.game.is_over and live.row.status == "running" else []


def turn_change_between(
    players_before: Sequence[PlayerId], players_after: Sequence[PlayerId], mover: PlayerId | None
) -> TurnChange:
    """The change from `players_before` to `players_after`. The turn of `mover` is never counted as beginning."""
    new_players = tuple(p for p in players_after if p not in players_before and p != mover)
    return TurnChange(new_players, mover, all_on_turn=tuple(players_after))


def first_turn_change(players: Sequence[PlayerId], *, may_ping: bool) -> TurnChange:
    """The turn change at the start of a game. Without `may_ping`, players get no ping, but they get reminders later."""
    return TurnChange(tuple(players) if may_ping else (), None, all_on_turn=tuple(players))


def offer_outcome(turn_changes: Sequence[TurnChange]) -> str:
    """The answer to the offer in the previous turn message; empty if that had no offer, or nobody has answered."""
    for turn_change in turn_changes:
        if turn_change.outcome or turn_change.has_open_offer:
            return turn_change.outcome
    return ""
