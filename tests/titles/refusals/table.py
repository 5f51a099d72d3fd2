"""A refusal: a request in a position, the key of its reason, and (in a JSON file beside the rows) its sentence."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest

from engine.game import Game
from engine.play.steps.base import Request
from engine.titles import TITLES
from tests.support.facts_named import facts_made
from tests.titles.builders import Position, tell

TOPICS: Final = {
    *("auction", "buying", "consent", "dividend", "end_game", "exchange", "forced", "game", "home"),
    *("limits", "liquidation", "merger", "minors", "phase", "presidency", "private_trade", "privates"),
    *("routes", "selling", "stock", "token", "track", "train_limit", "trains", "turn", "unknown"),
}
"""Topics that titles share and whose facts are reasons; so are those of a topic that one title has alone."""
OTHERS: Final = {"choice.no_company", "choice.no_private", "choice.no_train", "forced.not_enough"}
"""Reasons under a topic of other facts."""
NO_REASONS: Final = {
    *("merger.tokens", "merger.token_goes_back", "mississippi.adds_for_a_fee", "mississippi.borrows"),
    *("game.not_possible", "choice.not_legal"),
}
"""Labels under a topic of reasons, and what is said where no step knows a cause: of that no example was found."""


@dataclass(frozen=True)
class Refusal:
    key: str
    position: Callable[[], Game | Position]
    kind: str
    entity: str | None
    actor: str | None
    given: Mapping[str, Any]

    def game(self) -> Game:
        found = self.position()
        return found.game() if isinstance(found, Position) else found

    def request(self, game: Game) -> Request:
        actor = self.actor or game.table.controlling_player(self.entity or "")
        return Request(self.kind, actor, self.entity, self.given)


def row(
    key: str,
    position: Callable[[], Game | Position],
    kind: str,
    entity: str | None,
    *,
    actor: str | None = None,
    **given: Any,
) -> Refusal:
    """Asked by the actor, or by the player who decides for the entity."""
    return Refusal(key, position, kind, entity, actor, given)


def rows_with_sentences(rows: Sequence[Refusal], path: Path) -> list[Any]:
    """Parameters of a test: each row with its sentence of the file, in order."""
    sentences = json.loads(path.read_text("utf-8"))
    return [
        pytest.param(one, sentence, id=one.key)
        for one, (key, sentence) in zip(rows, sentences, strict=True)
        if key == one.key
    ]


def refused_for(game: Game, request: Request) -> tuple[str, str]:
    problem = game.obstacle(request)
    assert problem is not None, f"nothing is wrong with {request}"
    return problem.reason.name, tell(game).refusal(problem)


def rows_of_titles() -> Iterator[Any]:
    """The same for the rows in `refusals.py` of each title's folder, with those in `refusal_sentences.json`."""
    for path in sorted(Path(__file__).parents[1].glob("*/refusals.py")):
        rows = import_module(f"tests.titles.{path.parent.name}.refusals").ROWS
        yield from rows_with_sentences(rows, path.with_name("refusal_sentences.json"))


@cache
def refusal_keys() -> Mapping[str, frozenset[str]]:
    """Every reason that the engine can give for a refused move, and the modules that give it."""
    found: dict[str, set[str]] = {}
    topics = TOPICS | _topics_of_titles()
    for one in facts_made():
        for name in one.names:
            if (name.partition(".")[0] in topics or name in OTHERS) and name not in NO_REASONS:
                found.setdefault(name, set()).add(one.where.partition(":")[0])
    return {name: frozenset(modules) for name, modules in found.items()}


def _topics_of_titles() -> set[str]:
    """The topics of titles' own words that no shared fact has."""
    folders = {title.package for title in TITLES.values()}
    books = [book for folder in folders if (book := files(folder).joinpath("english.toml")).is_file()]
    shared = tomllib.loads(files("engine.tell").joinpath("english.toml").read_text("utf-8"))
    return {topic for book in books for topic in tomllib.loads(book.read_text("utf-8"))} - shared.keys()
