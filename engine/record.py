"""Our file format of a whole game: title, players, seed, all actions, final scores and a hash of the final position."""

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
from engine.interchange.log_reader import MAX_JSON_DEPTH, read_json, require_few_actions, require_short_names
from engine.interchange.old_exports import FIRST_RULES_VERSION, replay_old_rules
from engine.play.rules import RULES_VERSION
from engine.titles import title

RECORD_FORMAT = "stationmaster 2"
FIRST_RECORD_FORMAT = "stationmaster 1"
"""The number of the first file format, which has no `from_log` and no position hashes that can be compared."""
KNOWN_RECORD_FORMATS: Final = (FIRST_RECORD_FORMAT, RECORD_FORMAT)
RECORD_START_PATTERN: Final = re.compile(r'"format"\s*:\s*"stationmaster')


@dataclass(frozen=True)
class Record:
    """A recorded game with its result, complete enough to replay it."""

    title: str
    profile: str
    options: frozenset[str]
    seed: int
    players: tuple[tuple[str, str], ...]
    actions: tuple[Action, ...]
    from_log: int
    """Number of actions from the start that come from an 18xx.games log and may break rules it did not enforce."""
    scores: dict[str, int] | None
    """Final scores (net worths in dollars); None if the game is not over."""
    digest: str
    rules: str = RULES_VERSION
    """The version of the rules under which the game began."""

    def play(self, max_action: int | None = None) -> Game:
        """Replay the game, up to action `max_action` if given. Raises ReplayDiverged if an action or a hash differs."""
        actions = self.actions[:max_action]
        game = self.initial_game()
        self._play(game, actions)
        if len(actions) == len(self.actions) and not game.matches_digest(self.digest):
            raise ReplayDiverged(len(actions))
        return game

    def _play(self, game: Game, actions: Sequence[Action]) -> None:
        if self.rules == FIRST_RULES_VERSION:
            replay_old_rules(game, actions)
        else:
            game.apply_all(actions)

    def initial_game(self) -> Game:
        """The recorded game before its first action. Raises TitleError if title, profile or options no longer exist."""
        return Game(self.title, self.players, self.seed, self.profile, self.options, from_log=self.from_log)


def make_record(game: Game, actions: Iterable[Action]) -> Record:
    """The record of a game; `actions` must be all of its actions."""
    return Record(
        game.title.id,
        game.profile,
        game.options,
        game.seed,
        game.players,
        tuple(actions),
        game.from_log,
        game.scores() if game.is_over else None,
        game.digest(),
    )


def write_record(record: Record) -> str:
    """A record as JSON text, one action per line."""
    record_header = {
        "format": RECORD_FORMAT,
        "title": record.title,
        "profile": record.profile,
        "options": sorted(record.options),
        "seed": record.seed,
        "players": record.players,
        "from_log": record.from_log,
        "rules": record.rules,
        "scores": record.scores,
        "digest": record.digest,
    }
    action_lines = ",\n".join(action.model_dump_json() for action in record.actions)
    return json.dumps(record_header, indent=1)[:-2] + f',\n "actions": [\n{action_lines}\n]}}\n'


def read_record(text: str | bytes) -> Record:
    """Parse a record from JSON text. Raises Unreadable if it is invalid, TitleError if there is no such title."""
    try:
        return _record_of_file(_RecordFile.model_validate(read_json(text)))
    except ValidationError as error:
        first_error = error.errors(include_url=False)[0]
        field_path = ".".join(map(str, first_error["loc"])) or "the whole"
        raise Unreadable(fact("log.damaged", detail=f"{field_path}: {first_error['msg']}")) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep", most=MAX_JSON_DEPTH)) from error


class _RecordFile(BaseModel):
    """The fields of a record's JSON file."""

    format: str
    title: str
    profile: str
    options: list[str]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    players: list[tuple[str, str]]
    actions: list[dict[str, Any]]
    from_log: Annotated[int, Field(ge=0)] | None = None
    rules: str = FIRST_RULES_VERSION
    scores: dict[str, int] | None
    digest: str


def _record_of_file(record_file: _RecordFile) -> Record:
    if record_file.format not in KNOWN_RECORD_FORMATS:
        raise Unreadable(fact("log.newer_form", form=record_file.format, known=KNOWN_RECORD_FORMATS))
    require_few_actions(len(record_file.actions))
    require_short_names(name for player in record_file.players for name in player)
    is_first_format = record_file.format == FIRST_RECORD_FORMAT
    return Record(
        title=title(record_file.title).id,
        profile=record_file.profile,
        options=frozenset(record_file.options),
        seed=record_file.seed,
        players=tuple(record_file.players),
        actions=tuple(read_action(json.dumps(action)) for action in record_file.actions),
        from_log=len(record_file.actions) if is_first_format else record_file.from_log or 0,
        scores=record_file.scores,
        digest=record_file.digest,
        rules=FIRST_RULES_VERSION if is_first_format else record_file.rules,
    )


def is_record(text: str | bytes) -> bool:
    """True if the text looks like our own file format; otherwise it may be an 18xx.games log."""
    return (
        RECORD_START_PATTERN.search(text if isinstance(text, str) else text.decode("utf-8", "replace"))
        is not None
    )


def load_game(text: str | bytes, max_action: int | None = None) -> Game:
    """The game of a record or an 18xx.games log after action `max_action` (None: the last).

    Raises the errors of `load_record`.
    """
    return _record_and_game(text, max_action)[1]


def load_record(text: str | bytes, max_action: int | None = None) -> Record:
    """The record in a text that is either our format or an 18xx.games log, up to action `max_action` (None: the last).

    `max_action` is the number of an action in a record, or its id in a log. Raises Unreadable if the text is neither,
    TitleError if there is no such title, IllegalAction or ReplayDiverged if an action is illegal, and IllegalAction if
    there are too few actions.
    """
    return _record_and_game(text, max_action)[0]


def _record_and_game(text: str | bytes, max_action: int | None) -> tuple[Record, Game]:
    if max_action is not None and max_action < 0:
        raise IllegalAction(fact("log.counted_from_0", wanted=max_action))
    if is_record(text):
        own_record = read_record(text)
        if max_action is not None and max_action > len(own_record.actions):
            raise IllegalAction(fact("log.ends_before", last=len(own_record.actions), wanted=max_action))
        game = own_record.play(max_action)
        return replace(
            make_record(game, own_record.actions[:max_action]),
            from_log=own_record.from_log,
            rules=own_record.rules,
        ), game
    replayed_log = replay(read_log(text, max_action))
    if replayed_log.problem is not None:
        raise replayed_log.problem
    assert replayed_log.game is not None
    return make_record(replayed_log.game, replayed_log.applied_actions), replayed_log.game
