"""What went wrong with a game or a log, in words."""

from collections.abc import Callable, Mapping

from engine.core.errors import EngineError, IllegalAction, ReplayDiverged
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.tell.teller import refusal, tell
from engine.tell.words import Names, Words, english


def failure(error: EngineError, game: Game | None = None) -> str:
    """What went wrong, with names and sections where the game is known; title data are shown as they are."""
    say = Words(english(), Names()).say if game is None else tell(game).say
    sections = {} if game is None else game.rules.spec.sections
    if isinstance(error, ReplayDiverged):
        return _stopped(error, say, sections)
    return refusal(error, say, sections) if isinstance(error, IllegalAction) else str(error)


def _stopped(error: ReplayDiverged, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    reason = error.reason or fact("log.other_position")
    problem = refusal(IllegalAction(reason, error.allowed), say, sections)
    if error.action is None:
        return say(fact("log.stopped", number=error.seq, problem=problem))
    return say(fact("log.stopped_at", number=error.seq, action=error.action, problem=problem))
