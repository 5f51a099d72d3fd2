"""What can go wrong in the engine.

EngineError
├── IllegalAction          a player's request that the rules refuse; the only kind shown to players
│   ├── NotYourTurn        somebody else has to act
│   ├── NotOffered         this kind of action is not possible now
│   ├── BadChoice          one choice of the action is not among the legal ones
│   ├── Unreadable         the text typed cannot be read
│   └── Ambiguous          the text typed can be read in several ways
├── TitleError             a title's data is wrong or unknown
└── ReplayDiverged         a recorded action or its digest does not fit the rules in force
"""

from collections.abc import Sequence


class EngineError(Exception):
    """Base of every error the engine raises on purpose."""


class IllegalAction(EngineError):  # noqa: N818 - the field's word
    """A request the rules refuse: `str()` is one sentence of what is wrong, what is allowed, and the rule."""


class NotYourTurn(IllegalAction):
    """Somebody else has to act."""


class NotOffered(IllegalAction):
    """No action of this kind is possible now."""


class BadChoice(IllegalAction):
    """The value of one slot is not legal; carries slot, value and up to 25 allowed values as labels."""

    def __init__(self, sentence: str, slot: str, value: object, allowed: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.slot = slot
        self.value = value
        self.allowed = tuple(allowed)


class Unreadable(IllegalAction):
    """Typed text that cannot be read as the value it should be."""


class Ambiguous(IllegalAction):
    """Typed text that fits several values; carries their labels."""

    def __init__(self, sentence: str, readings: Sequence[str]) -> None:
        super().__init__(sentence)
        self.readings = tuple(readings)


class TitleError(EngineError):
    """A title that is unknown or whose data is inconsistent."""


class ReplayDiverged(EngineError):  # noqa: N818 - the field's word
    """Replaying stopped at `seq` (1-based): the action is refused, or leads to another digest than recorded."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"action {seq}: {reason}")
        self.seq = seq
        self.reason = reason
