"""The project's own game format: title, players, seed, every action, final scores and digest."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from engine.core.actions import Action, read_action
from engine.core.errors import IllegalAction, ReplayDiverged, Unreadable
from engine.core.facts import fact
from engine.game import Game
from engine.interchange import read_log, replay
from engine.interchange.log_reader import DEEPEST, read_json, require_actions, require_names
from engine.interchange.old_exports import FIRST_RULES, apply_earlier
from engine.play.rules import RULES_VERSION
from engine.titles import title

FORMAT = "stationmaster 2"
FIRST_FORMAT = "stationmaster 1"
"""Had no leniency of its own for logs, and digests that cannot be compared any more."""
FORMATS: Final = (FIRST_FORMAT, FORMAT)
_OWN: Final = re.compile(r'"format"\s*:\s*"stationmaster')


@dataclass(frozen=True)
class Record:
    """A recorded game with its result; enough to replay it."""

    title: str
    profile: str
    options: frozenset[str]
    seed: int
    players: tuple[tuple[str, str], ...]
    actions: tuple[Action, ...]
    from_log: int
    """Number of first actions that are read with the leniency that the profile has for logs."""
    scores: dict[str, int] | None
    """Final scores in dollars, None for a game that is not over."""
    digest: str
    rules: str = RULES_VERSION
    """The version of the rules by which it began."""

    def play(self, until: int | None = None) -> Game:
        """The game after all actions, or after the first `until`; raises ReplayDiverged."""
        actions = self.actions[:until]
        game = self.initial_game()
        self._play(game, actions)
        if len(actions) == len(self.actions) and not game.matches_digest(self.digest):
            raise ReplayDiverged(len(actions))
        return game

    def _play(self, game: Game, actions: Sequence[Action]) -> None:
        if self.rules == FIRST_RULES:
            apply_earlier(game, actions)
        else:
            game.apply_all(actions)

    def initial_game(self) -> Game:
        """The game before its first action; raises TitleError."""
        return Game(self.title, self.players, self.seed, self.profile, self.options, from_log=self.from_log)


def make_record(game: Game, actions: Iterable[Action]) -> Record:
    """The record of a game after all of its actions."""
    return Record(
        game.title.id,
        game.profile,
        game.options,
        game.seed,
        game.players,
        tuple(actions),
        game.from_log,
        game.scores() if game.over else None,
        game.digest(),
    )


def write_record(written: Record) -> str:
    """A record as JSON text, one action a line."""
    head = {
        "format": FORMAT,
        "title": written.title,
        "profile": written.profile,
        "options": sorted(written.options),
        "seed": written.seed,
        "players": written.players,
        "from_log": written.from_log,
        "rules": written.rules,
        "scores": written.scores,
        "digest": written.digest,
    }
    lines = ",\n".join(action.model_dump_json() for action in written.actions)
    return json.dumps(head, indent=1)[:-2] + f',\n "actions": [\n{lines}\n]}}\n'


def read_record(text: str | bytes) -> Record:
    """The record in a JSON text; raises Unreadable, or TitleError for an unknown title."""
    try:
        return _record(_File.model_validate(read_json(text)))
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(map(str, detail["loc"])) or "the whole"
        raise Unreadable(fact("log.damaged", detail=f"{where}: {detail['msg']}")) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep", most=DEEPEST)) from error


class _File(BaseModel):
    """The JSON fields of a record."""

    format: str
    title: str
    profile: str
    options: list[str]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    players: list[tuple[str, str]]
    actions: list[dict[str, Any]]
    from_log: Annotated[int, Field(ge=0)] | None = None
    rules: str = FIRST_RULES
    scores: dict[str, int] | None
    digest: str


def _record(file: _File) -> Record:
    if file.format not in FORMATS:
        raise Unreadable(fact("log.newer_form", form=file.format, known=FORMATS))
    require_actions(len(file.actions))
    require_names(name for player in file.players for name in player)
    first = file.format == FIRST_FORMAT
    return Record(
        title=title(file.title).id,
        profile=file.profile,
        options=frozenset(file.options),
        seed=file.seed,
        players=tuple(file.players),
        actions=tuple(read_action(json.dumps(action)) for action in file.actions),
        from_log=len(file.actions) if first else file.from_log or 0,
        scores=file.scores,
        digest=file.digest,
        rules=FIRST_RULES if first else file.rules,
    )


def is_record(text: str | bytes) -> bool:
    """True if the text looks like a record (else it may be a log of 18xx.games)."""
    return _OWN.search(text if isinstance(text, str) else text.decode("utf-8", "replace")) is not None


def load_game(text: str | bytes, until: int | None = None) -> Game:
    """A recorded game of either format, after action `until` (None: the last); raises as `load_record` does."""
    return _played(text, until)[1]


def load_record(text: str | bytes, until: int | None = None) -> Record:
    """The record of a game of either format, up to action `until` (None: the last).

    That is its number in our own format, its id in a log of 18xx.games. Raises Unreadable for a text that
    is no log, IllegalAction or ReplayDiverged where an action is refused, TitleError for an unknown title,
    and IllegalAction when the log has fewer actions than asked for.
    """
    return _played(text, until)[0]


def _played(text: str | bytes, until: int | None) -> tuple[Record, Game]:
    if until is not None and until < 0:
        raise IllegalAction(fact("log.counted_from_0", wanted=until))
    if is_record(text):
        own = read_record(text)
        if until is not None and until > len(own.actions):
            raise IllegalAction(fact("log.ends_before", last=len(own.actions), wanted=until))
        game = own.play(until)
        return replace(make_record(game, own.actions[:until]), from_log=own.from_log, rules=own.rules), game
    outcome = replay(read_log(text, until))
    if outcome.problem is not None:
        raise outcome.problem
    assert outcome.game is not None
    return make_record(outcome.game, outcome.applied), outcome.game
