"""Games recorded elsewhere, written again as logs: the same game with the same trace."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.tools.replay import read_trace
from engine.core.actions import Action, Answer, Issue, Liquidate, Pass, ReturnToken
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.interchange import ReplayEnd, read_log, replay
from engine.interchange.importer import SILENT
from engine.interchange.log_reader import Log
from engine.interchange.log_replay import TraceLine, first_difference
from engine.interchange.writer import refused_there, write_log
from engine.play.steps.base import Request
from engine.record import make_record
from engine.titles import TITLES
from tests.support.long_runs import one_of

RECORDINGS = Path(__file__).parents[3] / "shared" / "conformance"
THERE = sorted(known.id for known in TITLES.values() if known.spec.on_18xx_games)
LOGS = [log for title in THERE for log in sorted((RECORDINGS / title).glob("*.json"))[:1]]
"""One of each title; `stationmaster export --form 18xx.games` and `replay` take any."""


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")
@pytest.mark.parametrize("path", one_of(2, LOGS, _name))
def test_recorded_game_survives_the_round_trip(path: Path) -> None:
    """Every action is read again, every value of the trace is the recorded one, and that site would read it."""
    trace, lines = read_trace(path), dict[int, TraceLine]()

    def note(game: Game, number: int, sub: int) -> None:
        lines.setdefault(game.seq, trace[number, sub])

    def compare(game: Game, number: int, sub: int) -> Fact | None:
        del number, sub
        found = first_difference(game, lines[game.seq]) if game.seq in lines else None
        return (
            None
            if found is None
            else fact("log.differs", what=found.value_name, ours=found.our_value, recorded="")
        )

    first = replay(read_log(path.read_text("utf-8")), watch=note)
    assert first.game is not None
    own = make_record(first.game, first.applied)
    written = write_log(own.initial_game(), own.actions)
    again = replay(read_log(written), watch=compare)
    assert again.problem is None
    assert again.game is not None
    assert again.game.matches_digest(own.digest)
    assert refused_there(written) is None


@pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")
@pytest.mark.parametrize("path", one_of(2, LOGS, _name))
def test_recorded_answers_are_written(path: Path) -> None:
    """Made at a live table, which asks less, the moves of a recorded game are written with every recorded answer."""
    log = read_log(path.read_text("utf-8"))
    read = replay(log)
    assert read.game is not None
    made = list(_made_at(_begun(read.game), read))
    written = json.loads(write_log(_begun(read.game), made))["actions"]
    assert [(raw["type"], str(raw["entity"])) for raw in written] == list(_recorded(log, read.game))


def _begun(like: Game, from_log: int = 0) -> Game:
    """The same game before its first action."""
    return Game(like.title.id, like.players, like.seed, like.profile, like.options, from_log=from_log)


def _made_at(live: Game, read: ReplayEnd) -> Iterator[Action]:
    for step, action in _with_steps(read):
        waiting = live.step()
        elsewhere = waiting is None or waiting.name != step
        answer = isinstance(action, Pass | ReturnToken | Liquidate)
        if answer and (elsewhere or live.obstacle(Request.of_action(action)) is not None):
            continue
        live.apply(action)
        yield action
        yield from _agreed(live)


def _with_steps(read: ReplayEnd) -> list[tuple[str, Action]]:
    """The recorded actions with the steps that asked for them; shares that a company issues are issued together."""
    assert read.game is not None
    asked, found = _begun(read.game, from_log=10**6), list[tuple[str, Action]]()
    for action in read.applied:
        step = asked.step()
        asked.apply(action)
        before = found[-1][1] if found else None
        if isinstance(action, Issue) and isinstance(before, Issue) and before.entity == action.entity:
            both = {
                "offering": before.offering + action.offering,
                "treasury": before.treasury + action.treasury,
            }
            found[-1] = ("issue", action.model_copy(update=both))
        elif not isinstance(action, Answer):
            found.append(("" if step is None else step.name, action))
    return found


def _agreed(live: Game) -> Iterator[Action]:
    """A log has only what was agreed to."""
    while live.proposal is not None:
        answer = next(offer for offer in live.offers(kind="answer") if offer.blocking).fill(reply="agree")
        live.apply(answer)
        yield answer


def _recorded(log: Log, own: Game) -> Iterator[tuple[str, str]]:
    """Type and entity of each recorded action; of shares issued one after the other only the first."""
    before = None
    for _, _, raw in log.numbered_actions():
        here = (str(raw["type"]), str(raw["entity"]))
        issued = here[0] == "sell_shares" and here[1] in own.table.state.companies
        if here[0] not in SILENT and not (issued and here == before):
            yield here
        before = here
