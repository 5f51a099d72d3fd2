"""Notices: outbox rows written with a move and read by the sender."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from bot.table.live import LiveGame
from bot.table.markdown import plain_teller, strong
from bot.table.move_lines import batched, changed_hexes, eventful
from engine import Coord, Event, Game, PlayerId, Proposal
from engine import events as game_events
from engine.views import turn_key
from storage import OutboxMessage, pings

OPEN: Final = "open"
"""The game's thread has to exist."""
PINGED_HERE: Final = "Moves are posted here; the next player is pinged."
"""The text of the ping to a new thread."""
PING: Final = "ping"
"""Ping users to the thread: a mention adds them to it."""
LINE: Final = "line"
"""One public line of what happened."""
BOARD: Final = "board"
"""The board post has to show the position."""
TABLE: Final = "table"
"""Show the whole table: a round begins."""
TURN: Final = "turn"
"""Name the players on turn in the turn message, and ping those who are due."""
END: Final = "end"
"""Post the score sheet and close the thread; or keep it open, where the end was undone."""
PAPERS: Final = "papers"
"""Post the chart, timelapse and files of a game that is over."""
PROPOSAL: Final = "proposal"
"""Something is proposed to the table."""
ORDER: Final = (OPEN, PING, LINE, PROPOSAL, TURN, END, BOARD, PAPERS)
"""The order in which rows of several moves are posted: all lines, then the newest turn; what takes long comes last."""
FLAGS: Final = {"new_post": "loud", "silent": "quiet", "note": "aside", "first": "opens"}
"""The flags of a `Line`, each with its key in stored rows."""


@dataclass(frozen=True, slots=True)
class Line:
    """A public line; `hexes` were changed, and are shown in a close-up."""

    text: str
    hexes: tuple[Coord, ...] = ()
    new_post: bool = False
    """True if others must see it at once: the turn continues in a new post after it."""
    back: int | None = None
    """Row of an undo after which nothing counts any more."""
    silent: bool = False
    """True if nothing happened that the thread would tell of."""
    note: bool = False
    """True if it is of no move, and still stands in the post of the turn."""
    first: bool = False
    """True if the thread begins with it, so that nobody has missed it."""

    def notice(self) -> OutboxMessage:
        more = {key: True for name, key in FLAGS.items() if getattr(self, name)}
        undoes = {} if self.back is None else {"back": self.back}
        return OutboxMessage(
            LINE, json.dumps({"text": self.text, "hexes": list(self.hexes), **more, **undoes})
        )

    @classmethod
    def read(cls, payload: str) -> "Line":
        content = json.loads(payload)
        flags = {name: content.get(key, False) for name, key in FLAGS.items()}
        return cls(content["text"], tuple(content["hexes"]), back=content.get("back"), **flags)


@dataclass(frozen=True, slots=True)
class ThreadPing:
    """A ping in the thread: users and a role by Discord ids, and the text."""

    users: tuple[int, ...]
    text: str
    role: int | None = None

    def notice(self) -> OutboxMessage:
        content = {"users": list(self.users), "text": self.text, "role": self.role}
        return OutboxMessage(PING, json.dumps(content))

    @classmethod
    def read(cls, payload: str) -> "ThreadPing":
        content = json.loads(payload)
        return cls(tuple(content["users"]), content["text"], content.get("role"))

    def says(self) -> str:
        """The message with its mentions."""
        mentions = [f"<@{user}>" for user in self.users]
        mentions += [] if self.role is None else [f"<@&{self.role}>"]
        return f"{' '.join(mentions)}\n{self.text}"


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A change of turn: players newly on turn, and the player who moved."""

    fresh: tuple[PlayerId, ...]
    mover: PlayerId | None
    asks: bool = False
    """True if one player has made another an offer, which waits."""
    settled: str = ""
    """The outcome of an offer that was waiting, as the end of its message."""
    acting: tuple[PlayerId, ...] | None = None
    """Everybody who acts now, as its row is written; None where the others act as before."""
    passes: bool = False
    """True if it is the turn of another company, or of another player, or there is an offer: in a post of its own."""

    def notice(self) -> OutboxMessage:
        """The outbox row, with changes of pending notifications."""
        content = {"fresh": list(self.fresh), "mover": self.mover, "asks": self.asks, "settled": self.settled}
        content |= {"passes": True} if self.passes else {}
        changes = pings.NotificationChanges(self.fresh, self.mover, self.acting)
        return OutboxMessage(TURN, json.dumps(content), changes)

    @classmethod
    def read(cls, payload: str) -> "TurnChange":
        content = json.loads(payload)
        more = {name: content[name] for name in ("asks", "settled", "passes") if name in content}
        return cls(tuple(content["fresh"]), content["mover"], **more)


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The start of a round: `SR 2`, `OR 2.1`."""

    name: str

    def notice(self) -> OutboxMessage:
        return OutboxMessage(TABLE, json.dumps({"round": self.name}))

    @classmethod
    def read(cls, payload: str) -> "RoundBegun":
        return cls(json.loads(payload)["round"])


def table_note(text: str, *over: OutboxMessage, new_post: bool = False) -> list[OutboxMessage]:
    """A line without a move, shown in the turn's post with `over`.

    `new_post`: others must see it, so that it begins a post of its own.
    """
    shown = over or (TurnChange((), None).notice(),)
    return [Line(text, new_post=new_post, note=True).notice(), *shown]


def proposal_notice(number: int) -> OutboxMessage:
    """The notice of a new proposal."""
    return OutboxMessage(PROPOSAL, json.dumps({"proposal": number}))


def proposal_of(payload: str) -> int:
    """The proposal's number in an outbox row."""
    return int(json.loads(payload)["proposal"])


def board_notice(*, again: bool = False) -> OutboxMessage:
    """The notice that the board post is out of date; `again`: it may be deleted."""
    return OutboxMessage(BOARD, json.dumps({"again": True}) if again else "{}")


def may_be_deleted(payload: str) -> bool:
    """True if an outbox row says that the board post may be deleted."""
    return bool(json.loads(payload).get("again"))


OPEN_NOTICE: Final = OutboxMessage(OPEN, "{}")
"""The game has started and needs its thread."""
END_NOTICE: Final = OutboxMessage(END, "{}")
"""The game is over."""
PAPERS_NOTICE: Final = OutboxMessage(PAPERS, "{}")
"""Post what follows the end of a game."""


class PositionBefore(NamedTuple):
    """The position before a move: actors, waiting proposal, and turn."""

    actors: tuple[PlayerId, ...]
    proposal: Proposal | None
    turn: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> "PositionBefore":
        """A game as it stands."""
        return cls(game.actors(), game.proposal, turn_key(game))

    def passes(self, game: Game, mover: PlayerId | None) -> bool:
        """True if the later position is another turn, or a proposal began or ended.

        Players who withdraw an offer continue the same turn.
        """
        withdrawn = self.proposal is not None and game.proposal is None
        if withdrawn and (*self.turn[: -len(self.actors)], mover) == turn_key(game):
            return game.over
        return self.turn != turn_key(game) or self.proposal != game.proposal or game.over


def move_notices(
    live: LiveGame,
    mover: PlayerId | None,
    events: Sequence[Event],
    columns_of_text: Sequence[Sequence[str]],
    before: PositionBefore,
) -> list[OutboxMessage]:
    """The notices after a move and its automatic moves."""
    # The number makes each line unique, so that a line already posted is recognised after a crash.
    rows = list(batched(live.seq + 1, columns_of_text))
    texts = [f"`{seq}` " + "\n".join(eventful(lines) or lines) for seq, lines in rows]
    over = newly_on_turn(before.actors, live.game.actors(), mover)
    waiting = live.game.proposal
    ended = before.proposal is not None and before.proposal != waiting
    settled = _proposal_outcome(live, before.proposal, events) if ended else ""
    # A computer that is about to continue begins no post of its own.
    continues = _continues(live)
    passes = before.passes(live.game, mover) and not continues
    # An offer that is withdrawn ends no turn, but another player acts now.
    moves_on = passes or (over.acting != before.actors and not continues)
    over = replace(over, asks=waiting is not None, settled=settled, passes=passes)
    lines = [
        Line(text, silent=not eventful(columns_of_text))
        for text, (_, columns_of_text) in zip(texts, rows, strict=True)
    ]
    lines[0] = replace(lines[0], hexes=changed_hexes(events), new_post=any(map(_is_seen_at_once, events)))
    return [
        *(line.notice() for line in lines),
        # Once a turn: until then, what it changes is in its own post.
        *([board_notice()] if moves_on else []),
        *_round(live, events),
        over.notice(),
        *ending_notices(live),
    ]


def _continues(live: LiveGame) -> bool:
    game = live.game
    return not game.over and game.proposal is None and live.by_caretaker.issuperset(game.actors())


def _is_seen_at_once(event: Event) -> bool:
    """True for an event that everybody must see at once: a phase, a presidency, or a forced purchase."""
    forced = isinstance(event, game_events.TrainBought) and event.contribution > 0
    return forced or isinstance(
        event, game_events.PhaseStarted | game_events.PresidentChanged | game_events.TrainAgreed
    )


def _proposal_outcome(live: LiveGame, proposal: Proposal | None, events: Sequence[Event]) -> str:
    assert proposal is not None
    ended = next((event for event in events if isinstance(event, game_events.ProposalEnded)), None)
    if ended is None:
        return f"{strong(live.name_of(proposal.asked))} agrees."
    return f"{strong(live.name_of(ended.by))} {'withdraws' if ended.withdrawn else 'refuses'}."


def _round(live: LiveGame, events: Sequence[Event]) -> list[OutboxMessage]:
    begun = any(isinstance(event, game_events.RoundStarted) for event in events) and not live.game.over
    return [RoundBegun(plain_teller(live.game).round_name()).notice()] if begun else []


def ending_notices(live: LiveGame) -> list[OutboxMessage]:
    """The notices of the end, if the game has just ended."""
    return [END_NOTICE] if live.game.over and live.row.status == "running" else []


def newly_on_turn(
    before: Sequence[PlayerId], after: Sequence[PlayerId], mover: PlayerId | None
) -> TurnChange:
    """The players newly on turn, without the one who just moved."""
    fresh = tuple(p for p in after if p not in before and p != mover)
    return TurnChange(fresh, mover, acting=tuple(after))


def end_of_offer(turn_changes: Sequence[TurnChange]) -> str:
    """The outcome of the proposal in the previous message; empty without one."""
    for over in turn_changes:
        if over.settled or over.asks:
            return over.settled
    return ""
