"""Every refusal key has an example in which it is said, and is right."""

import json
from importlib import import_module
from typing import Any

import pytest

from engine.core.errors import IllegalAction
from engine.core.facts import Fact
from engine.game import Game
from engine.play.steps.base import Request
from engine.record import read_record
from tests.reasons.examples import (
    FOUND,
    GOLDEN,
    NO_WISHES,
    SHOWN,
    Example,
    all_examples,
    all_truths,
    elsewhere,
    refusal_keys,
)
from tests.reasons.test_random_requests import JUDGED
from tests.reasons.truths import UNJUDGED, Seen

IN_GOLDEN: dict[str, list[Any]] = json.loads(FOUND.read_text("utf-8"))


@pytest.mark.parametrize("one", all_examples(), ids=lambda one: one.key)
def test_the_request_is_refused_for_this_reason(one: Example) -> None:
    """And for no other."""
    game = one.position()
    _is_refused(game, one.request(game), one.key)


@pytest.mark.parametrize("name", IN_GOLDEN)
def test_requests_in_a_golden_game_are_refused_for_their_reasons(name: str) -> None:
    """At the action that was noted."""
    written = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    game = written.begin()
    for at, key, kind, actor, entity, given in IN_GOLDEN[name]:
        game.apply_all(written.actions[game.seq : at])
        _is_refused(game, Request(kind, actor, entity, given), key)


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_a_test_of_a_title_gives_the_refusal(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And wherever it is given there, it is so."""
    given, why_not = set[str](), Game.obstacle

    def watched(game: Game, request: Request) -> IllegalAction | None:
        problem = why_not(game, request)
        if problem is not None and problem.reason.name == key:
            given.add(key)
            _is_true(game, request, problem)
        return problem

    monkeypatch.setattr(Game, "obstacle", watched)
    module, _, test = SHOWN[key].rpartition(".")
    getattr(import_module(module), test)()
    assert given == {key}


@pytest.mark.parametrize("key", NO_WISHES)
def test_a_log_or_typed_routes_are_refused_for_this_reason(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given in the test that was named."""
    given, made = set[str](), IllegalAction.__init__

    def watched(problem: IllegalAction, reason: Fact, allowed: Fact | None = None) -> None:
        made(problem, reason, allowed)
        given.add(reason.name)

    monkeypatch.setattr(IllegalAction, "__init__", watched)
    module, _, test = NO_WISHES[key].rpartition(".")
    getattr(import_module(module), test)()
    assert key in given


def test_every_refusal_key_has_an_example() -> None:
    """A new one fails here until it has."""
    shown = (
        SHOWN.keys()
        | NO_WISHES.keys()
        | {one.key for one in all_examples()}
        | {key for found in IN_GOLDEN.values() for _, key, *_ in found}
    )
    assert refusal_keys() - shown - elsewhere() == set()
    assert shown <= refusal_keys()


def _is_refused(game: Game, request: Request, key: str) -> None:
    problem = game.obstacle(request)
    assert problem is not None, f"nothing is wrong with {request}"
    assert problem.reason.name == key
    _is_true(game, request, problem)


def _is_true(game: Game, request: Request, problem: IllegalAction) -> None:
    key = problem.reason.name
    if game.title.id in JUDGED and key not in UNJUDGED:
        assert all_truths()[key](Seen.of(game, request, problem.reason)), request
