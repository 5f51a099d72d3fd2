"""A log that somebody has tampered with is read, or refused in a sentence: nothing else ever happens."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core.errors import EngineError
from engine.game import Game
from engine.interchange import Log, read_log
from engine.interchange.importer import Importer
from engine.interchange.log_replay import new_game
from engine.interchange.writer import write_log
from engine.record import load_game, read_record
from engine.tell.teller import describe_error
from tests.support.long_runs import VARIED_GAMES, some_named

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = ["18al-bankruptcy-3p", "18tn-bankruptcy-3p", "18chesapeake-bankruptcy-3p", "18newengland-bank-3p"]
EARLIER = sorted((GOLDEN / "format_1").glob("*.json"))
"""Games whose moves are made although today's rules refuse them."""
LOOKS = 25
FEW_LOOKS = 3
"""Positions of a game at which actions of other kinds are tried: in long runs, and otherwise."""
TRIED = 2
"""Kinds that are tried at each of them."""
LEFT = {"type", "id", "auto_actions"}
"""Fields that are not replaced."""
Raw = dict[str, Any]


def log_of(name: str) -> Log:
    own = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    return read_log(write_log(own.initial_game(), own.actions))


def strangers(game: Game, chance: Random) -> list[Any]:
    state = game.table.state
    kinds: dict[tuple[bool, bool, bool], list[str]] = {}
    for company in state.companies.values():
        kind = (company.president is None, company.floated, bool(company.trains))
        kinds.setdefault(kind, []).append(company.id)
    owned: dict[bool, list[str]] = {}
    for private in state.privates.values():
        owned.setdefault(private.owner is None, []).append(private.id)
    found = [chance.choice(ids) for ids in [*kinds.values(), *owned.values()]]
    return [*found, chance.choice(state.players).id, "XX", "", None, -1]


def tampered(raw: Raw, game: Game, others: list[Raw], chance: Random) -> Iterator[Raw]:
    """An action, with one of its values replaced by that of some stranger, or of another action of its kind."""
    action = {key: value for key, value in raw.items() if key != "auto_actions"}
    yield action
    who = chance.sample(strangers(game, chance), 3)
    yield from ({**action, "entity": stranger} for stranger in who)
    field = chance.choice([key for key in action if key not in LEFT])
    same = [other[field] for other in others if field in other]
    for value in [*who, chance.choice(same), [f"{chance.choice(who)}_{chance.randint(0, 9)}"], [], [None]]:
        yield {**action, field: copy.deepcopy(value)}


def forked(importer: Importer, position: str) -> Importer:
    """Another one that stands where this one stands, in this position; what was done, nothing changes."""
    game, importer.game = importer.game, None  # type: ignore[assignment]
    other = copy.deepcopy(importer, {id(action): action for action in importer.applied_actions})
    importer.game, other.game = game, Game.load(position)
    return other


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, GAMES))
def test_mixed_actions_are_played_or_refused(name: str, whole_games: bool) -> None:
    """By unstarted, closed, foreign and unknown companies, for such trains, hexes, tiles and shares."""
    log, chance = log_of(name), Random(name)
    importer = Importer(new_game(log))
    raws = [raw for _, _, raw in log.numbered_actions()]
    kinds: dict[str, list[Raw]] = {}
    for raw in raws:
        kinds.setdefault(raw["type"], []).append(raw)
    places = set(chance.sample(range(len(raws)), LOOKS if whole_games else FEW_LOOKS))
    firsts = {raws.index(same[0]) for same in kinds.values()}
    for place, raw in enumerate(raws):
        alike = [
            chance.choice(same) for same in chance.sample([*kinds.values()], TRIED if place in places else 0)
        ]
        tried = [*alike, *([raw] if place in firsts else [])]
        position = importer.game.dump() if tried else ""
        for one in tried:
            for action in tampered(one, importer.game, kinds[one["type"]], chance):
                is_answered(importer, position, action)
        importer.apply(raw)


def is_answered(importer: Importer, position: str, action: Raw) -> None:
    """It is played, or refused with words; either by an importer of its own."""
    other, said = forked(importer, position), "played"
    try:
        other.apply(action)
    except EngineError as problem:
        said = describe_error(problem, other.game)
    assert said


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: path.stem)
def test_impossible_moves_are_refused(path: Path) -> None:
    """In a file of ours by the first rules, which are not checked move by move."""
    whole, chance = json.loads(path.read_text("utf-8")), Random(path.stem)
    moves: list[Raw] = whole["actions"][:150]
    for _ in range(LOOKS):
        place = chance.randrange(20, len(moves))
        move = dict(chance.choice(moves))
        field = chance.choice([key for key in move if key != "kind"])
        move[field] = chance.choice(
            [other[field] for other in moves if field in other] + ["XX", "p1", "2", 7]
        )
        said = "played"
        try:
            load_game(json.dumps(whole | {"actions": [*moves[:place], move, *moves[place:]]}))
        except EngineError as problem:
            said = describe_error(problem)
        assert said
