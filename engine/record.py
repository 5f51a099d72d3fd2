"""A whole game in our own form: title, players, seed, every action, and the scores and digest it ends with."""

import json
from dataclasses import dataclass
from typing import Any

from engine.core.actions import Action, read_action
from engine.core.errors import IllegalAction, ReplayDiverged, Unreadable
from engine.core.facts import fact
from engine.game import Game
from engine.interchange import read_log, replay
from engine.titles import title

FORMAT = "stationmaster 1"


@dataclass(frozen=True)
class Record:
    """What is needed to play a game again, and what it must come to."""

    title: str
    profile: str
    options: frozenset[str]
    seed: int
    players: tuple[tuple[str, str], ...]
    actions: tuple[Action, ...]
    scores: dict[str, int] | None
    """Final scores in dollars, None for a game that is not over."""
    digest: str

    def begin(self) -> Game:
        """The game before the first action; raises TitleError."""
        return Game(self.title, self.players, self.seed, self.profile, self.options)

    def play(self, until: int | None = None) -> Game:
        """The game after all actions, or after the first `until`; raises ReplayDiverged."""
        actions = self.actions[:until]
        game = Game.replay(self.title, self.players, self.seed, self.profile, self.options, actions)
        if len(actions) == len(self.actions) and game.digest() != self.digest:
            raise ReplayDiverged(len(actions))
        return game


def record(game: Game) -> Record:
    """The record of a game as it stands."""
    scores = game.scores() if game.over else None
    return Record(
        game.title.id,
        game.profile,
        game.options,
        game.seed,
        game.players,
        tuple(game.actions),
        scores,
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
        "scores": written.scores,
        "digest": written.digest,
    }
    lines = ",\n".join(action.model_dump_json() for action in written.actions)
    return json.dumps(head, indent=1)[:-2] + f',\n "actions": [\n{lines}\n]}}\n'


def read_record(text: str | bytes) -> Record:
    """Read a record; raises Unreadable, or TitleError for a title that is unknown."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(fact("log.damaged", detail=f"{type(error).__name__} {error}")) from error


def _read(data: dict[str, Any]) -> Record:
    scores = data["scores"]
    return Record(
        title=title(data["title"]).id,
        profile=str(data["profile"]),
        options=frozenset(map(str, data["options"])),
        seed=int(data["seed"]),
        players=tuple((str(player), str(name)) for player, name in data["players"]),
        actions=tuple(read_action(json.dumps(action)) for action in data["actions"]),
        scores=None if scores is None else {str(player): int(total) for player, total in scores.items()},
        digest=str(data["digest"]),
    )


def is_record(text: str | bytes) -> bool:
    """Whether the text looks like our own form (else it may be a log of 18xx.games)."""
    start = text[:200] if isinstance(text, str) else text[:200].decode("utf-8", "replace")
    return '"format"' in start and "stationmaster" in start


def load(text: str | bytes, until: int | None = None) -> Game:
    """A recorded game of either form, after action `until` (None: the last).

    That is its number in our own form, its id in a log of 18xx.games.

    Raises Unreadable for a text that is no log, IllegalAction or ReplayDiverged where an action is refused,
    TitleError for an unknown title, and IllegalAction when the log has fewer actions than asked for.
    """
    if until is not None and until < 0:
        raise IllegalAction(fact("log.counted_from_0", wanted=until))
    if is_record(text):
        own = read_record(text)
        if until is not None and until > len(own.actions):
            raise IllegalAction(fact("log.ends_before", last=len(own.actions), wanted=until))
        return own.play(until)
    outcome = replay(read_log(text, until))
    if outcome.problem is not None:
        raise outcome.problem
    assert outcome.game is not None
    return outcome.game
