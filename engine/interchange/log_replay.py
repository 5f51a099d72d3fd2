"""Replays a log through our rules and says whether it ends as recorded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.core.actions import Action
from engine.core.errors import IllegalAction, ReplayDiverged, TitleError
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.log_reader import Log, Raw
from engine.titles import title

ENDINGS = {
    "bank": "bank",
    "bankruptcy": "bankrupt",
    "agreement": "manually_ended",
    "price": "stock_market",
    "last_player": "bankrupt",
    "standstill": "dnf",
}
"""That site's words for our ways to end."""
EARLIER_ENDINGS = {"dnf": "manually_ended"}
"""The words that earlier logs of ours have in place of these."""


def ending(game: Game) -> str | None:
    """How a finished game ended, in that site's words; None while it runs."""
    ended = game.table.state.ending if game.over else None
    return None if ended is None else ENDINGS[ended.reason]


@dataclass
class Outcome:
    """How far a replay came: the game, the number of the last action, what stopped it, and passes not needed here."""

    game: Game | None
    actions: int
    problem: ReplayDiverged | TitleError | None = None
    skipped_passes: int = 0
    applied: list[Action] = field(default_factory=list)
    """What was done, in our form."""

    def matches(self, log: Log) -> bool:
        """Whether the whole log was accepted, and the recorded scores and ending are ours."""
        if self.problem is not None or self.game is None:
            return False
        ended_by = ending(self.game)
        if log.ended_by and log.ended_by not in (ended_by, EARLIER_ENDINGS.get(ended_by or "")):
            return False
        return not log.result or (self.game.over and self.game.scores() == log.result)


Watcher = Callable[[Game, int, int], Fact | None]
"""Called after every action with its number and sub-number; what it finds stops the replay."""


def new_game(log: Log) -> Game:
    """The position before the first action, read with the leniency the profile has for logs; raises TitleError."""
    lenient = len(log.steps()) + 1 if log.from_log is None else log.from_log
    return Game(title(log.title).id, log.players, log.seed, log.profile, log.options, from_log=lenient)


def replay(log: Log, *, watch: Watcher | None = None, as_played_today: bool = False) -> Outcome:
    """Apply the effective actions of a log, checking each like a player's; `as_played_today`: as new ones."""
    try:
        game = new_game(log)
    except TitleError as error:
        return Outcome(None, 0, error)
    if as_played_today:
        game.rules.as_played_today()
    importer = Importer(game)
    outcome = Outcome(game, 0, applied=importer.applied)
    for number, sub, raw in log.steps():
        try:
            importer.apply(raw)
        except IllegalAction as refused:
            outcome.problem = ReplayDiverged(number, refused.reason, refused.allowed, _action(raw, sub))
            return outcome
        outcome.actions, outcome.skipped_passes = number, importer.skipped_passes
        found = watch(game, number, sub) if watch else None
        if found is not None:
            outcome.problem = ReplayDiverged(number, found, action=_action(raw, sub))
            return outcome
    return outcome


def _action(raw: Raw, sub: int) -> Fact:
    """Which action it was, as the log has it."""
    kind, by = _shown(raw.get("type")), _shown(raw.get("entity"))
    if sub:
        return fact("log.automatic_action", kind=kind, by=by, number=sub)
    return fact("log.action", kind=kind, by=by)


def _shown(value: Any) -> int | str:
    return value if isinstance(value, int | str) else str(value)
