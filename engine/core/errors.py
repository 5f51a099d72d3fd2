"""The errors of the engine.

EngineError
├── IllegalAction          an action that the rules refuse; the only kind shown to players
│   ├── NotYourTurn        another player must act
│   ├── NotOffered         this kind of action is not possible now
│   ├── BadChoice          one value of the action is not legal
│   ├── Unreadable         the text cannot be read
│   └── Ambiguous          the text can be read in several ways
├── TitleError             a title is unknown, or its data is inconsistent
└── ReplayDiverged         a recorded action or position hash does not fit the current rules
"""

from engine.core.facts import Fact


class EngineError(Exception):
    """Base class of all errors that the engine raises deliberately."""


class IllegalAction(EngineError):  # noqa: N818 - the field's word
    """An action that the rules refuse. `reason` is the rule it breaks; `allowed` lists legal alternatives.

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
    """A player's action on another player's turn."""


class NotOffered(IllegalAction):
    """An action of a kind that is not possible now."""


class BadChoice(IllegalAction):
    """An action with one illegal value; `slot` names the field and `value` is the value."""

    def __init__(self, reason: Fact, allowed: Fact | None, slot: str, value: object) -> None:
        super().__init__(reason, allowed)
        self.args = (reason, allowed, slot, value)  # copy and pickle call the class with `args`
        self.slot = slot
        self.value = value


class Unreadable(IllegalAction):
    """Text that cannot be parsed, such as a typed value, a log or a stored position."""


class Ambiguous(IllegalAction):
    """Typed text that fits several values; `allowed` lists them."""


class TitleError(EngineError):
    """A title that is unknown or whose data is inconsistent."""


class ReplayDiverged(EngineError):  # noqa: N818 - the field's word
    """A replay stopped at action `seq` (from 1): the action is illegal, or the position hash after it differs.

    `reason` is the rule that forbids the action, None if the hash differs; `allowed` lists the legal alternatives;
    `action` is the illegal action.
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
