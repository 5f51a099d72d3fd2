"""The first row of a game's log: how it started."""

import json
from dataclasses import asdict, dataclass
from typing import Self

from engine.core.ids import PlayerId
from engine.game import Game
from engine.interchange.old_exports import FIRST_RULES
from engine.play.rules import RULES_VERSION


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game started."""

    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int | None = 0
    """How many of the first actions were read from a log; None in rows from before this was stored."""
    rules: str = RULES_VERSION
    """The version of the rules that were in force."""

    def payload(self) -> str:
        """As JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, payload: str) -> Self:
        """From JSON text."""
        content = json.loads(payload)
        return cls(
            title=content["title"],
            profile=content["profile"],
            options=tuple(content["options"]),
            seed=content["seed"],
            players=tuple((player, name) for player, name in content["players"]),
            from_log=content.get("from_log"),
            rules=content.get("rules", FIRST_RULES),
        )

    def begin(self) -> Game:
        """The engine's game before the first move; raises TitleError."""
        return Game(
            self.title,
            self.players,
            self.seed,
            profile=self.profile,
            options=frozenset(self.options),
            from_log=self.from_log or 0,
        )
