"""The errors of the engine.

EngineError
├── IllegalAction          a player's request that the rules refuse; the only kind shown to players
│   ├── NotYourTurn        somebody else must act
│   ├── NotOffered         this kind of action is not possible now
│   ├── BadChoice          one choice of the action is not among the legal ones
│   ├── Unreadable         the text typed cannot be read
│   └── Ambiguous          the text typed can be read in several ways
├── TitleError             a title's data is wrong or unknown
└── ReplayDiverged         a recorded action or its digest does not fit the rules in force
"""

from engine.core.facts import Fact


class EngineError(Exception):
    """Base of every error that the engine raises deliberately."""


class IllegalAction(EngineError):  # noqa: N818 - the field's word
    """A request that the rules refuse. `reason` is the rule against it; `allowed` lists what would be legal instead.

    `str()` is for logs; `engine.tell` makes the sentence for players.
    """

    def __init__(self, reason: Fact, allowed: Fact | None = None) -> None:
        super().__init__(reason, allowed)
        self.reason = reason
        self.allowed = allowed

    def __str__(self) -> str:
        """The reason and the legal alternatives, for logs."""
        return str(self.reason) if self.allowed is None else f"{self.reason}; allowed: {self.allowed}"


class NotYourTurn(IllegalAction):
    """A request on another player's turn."""


class NotOffered(IllegalAction):
    """An action of a kind that is not possible now."""


class BadChoice(IllegalAction):
    """An illegal value for one slot, with the slot and the value."""

    def __init__(self, reason: Fact, allowed: Fact | None, slot: str, value: object) -> None:
        super().__init__(reason, allowed)
        self.args = (reason, allowed, slot, value)  # copy and pickle call the class with `args`
        self.slot = slot
        self.value = value


class Unreadable(IllegalAction):
    """Text that cannot be read: a slot's value, a log, a stored position."""


class Ambiguous(IllegalAction):
    """Typed text that fits several values; `allowed` lists them."""


class TitleError(EngineError):
    """A title that is unknown or whose data is inconsistent."""


class ReplayDiverged(EngineError):  # noqa: N818 - the field's word
    """A replay stopped at action `seq` (from 1): the rules refused the action, or the digest after it differs.

    `reason` is the refusal, None if the digest differs; `allowed` lists the legal alternatives; `action` is the refused
    action.
    """

    def __init__(
        self,
        seq: int,
        reason: Fact | None = None,
        allowed: Fact | None = None,
        action: Fact | None = None,
    ) -> None:
        super().__init__(seq, reason, allowed, action)
        self.seq = seq
        self.reason = reason
        self.allowed = allowed
        self.action = action

    def __str__(self) -> str:
        return f"action {self.seq}: {self.reason or 'the position is not the recorded one'}"
