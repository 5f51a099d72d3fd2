"""Writes a game as a log of 18xx.games; a shadow game, played by its rules, finds what only that site asks."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.board.network import has_route
from engine.core.actions import Action
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged, Unreadable
from engine.core.events import Skipped
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, EntityId
from engine.core.offers import Offer
from engine.core.state import Draft, Merger, Operating
from engine.game import Game
from engine.interchange.exporter import Exporter, log_city, log_id
from engine.interchange.importer import Importer
from engine.interchange.log_reader import ASKED_THERE, HERE, PROFILE, Log, Raw, read_log
from engine.interchange.log_replay import recorded_ending, replay
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.titles import title
from engine.titles.standard import COMMON_OPTIONS

OWN_OPTIONS: Final = frozenset(COMMON_OPTIONS)
"""Options that site does not know."""
ALL: Final = sys.maxsize
"""More actions than any game has."""
IN_TWO: Final = frozenset({"convert", "merge"})
"""Actions that come in pairs, where the first says nothing on its own."""
REDEMPTION: Final = ("buy_shares", "corporation")
"""Kind and kind of entity of an action by which a company buys its own shares back."""
MOST_QUESTIONS: Final = 32
"""At most this many questions may come between two actions, one of each minor among them; more are another game."""
NO_ROUTE: Final = "skipped.no_route"
"""Why a company with a train does not run."""
ANSWERS: Final = frozenset({"pass", "liquidate", "return_token"})
"""Kinds of action that answer a question which may not be asked here."""


class ShadowGame:
    """A game as that site would play it, until it goes another way."""

    def __init__(self, game: Game) -> None:
        options = game.options - OWN_OPTIONS
        self._game = Game(game.title.id, game.players, game.seed, PROFILE, options, from_log=ALL)
        self._game.rules.drop_old_leniency()
        self._importer: Importer | None = Importer(self._game)
        self._had_route: set[CompanyId] = set()
        """Companies that had a route at some time in a turn of theirs: that site never forgets it."""
        self._laid: dict[Coord, str] = {}
        self._runs: list[Raw] = []
        """Empty runs that site wants next."""

    def questions(self, raw: Raw, step: str = "") -> list[Raw]:
        """The passes that site wants before this action, which is done then; none once it refuses an action.

        `step` is the step that waited in our game.
        """
        if self._importer is None:
            return []
        asked = self._taken_runs()
        try:
            while (answer := self._answer_before(self._importer, raw, step)) and len(asked) < MOST_QUESTIONS:
                self._do(self._importer, answer)
                asked += [answer, *self._taken_runs()]
            self._do(self._importer, raw)
        except EngineError:
            self._importer = None
            return []
        return asked

    def last_questions(self) -> list[Raw]:
        """The passes that site wants after the last action."""
        asked = self._taken_runs()
        while self._importer is not None and len(asked) < MOST_QUESTIONS:
            offer = self._waiting()
            if offer is None or not isinstance(self._game.table.state.round, Operating | Merger):
                break
            answer = self._answer(offer)
            self._do(self._importer, answer)
            asked += [answer, *self._taken_runs()]
        return asked

    def _do(self, importer: Importer, raw: Raw) -> None:
        """Do an action; first answer the site's question for a run that our game did not ask for."""
        now = self._game.table.state.round
        if isinstance(now, Operating) and now.turn and has_route(self._game.table.map, now.turn.company):
            self._had_route.add(now.turn.company)
        if importer.apply(raw) is None:
            return
        if raw["type"] == "lay_tile":
            self._laid[raw["hex"]] = raw["tile"]
        self._runs = [
            self._raw("run_routes", event.company, routes=[], extra_revenue=0, subsidy=0)
            for event in self._game.table.events
            if isinstance(event, Skipped)
            and event.reason.name == NO_ROUTE
            and event.company in self._had_route
        ]

    def _taken_runs(self) -> list[Raw]:
        taken, self._runs = self._runs, []
        return taken

    def _answer_before(self, importer: Importer, raw: Raw, step: str) -> Raw | None:
        asks = isinstance(self._game.table.state.round, Operating | Merger | Draft)
        offer = self._waiting() if asks and self._comes_later(importer, raw, step) else None
        return None if offer is None else self._answer(offer)

    def _comes_later(self, importer: Importer, raw: Raw, step: str) -> bool:
        """True if the action does not answer the current question of that site.

        A bankruptcy and a redemption are one in any step of a turn, and mean that in which they were made
        here.
        """
        anytime = raw["type"] == "bankrupt" or (raw["type"], raw.get("entity_type")) == REDEMPTION
        if anytime and self._step() != step and step in self._steps_to_come():
            return True
        if raw["type"] in IN_TWO:
            offer = self._waiting()
            ready = offer is not None and offer.entity == raw["entity"] and self._step() == "merge"
            return not ready
        if raw["type"] == "run_routes" and self._is_yet_to_run(raw["entity"]):
            return self._step() != "run"
        action = importer.read(raw)
        return action is not None and self._game.obstacle(Request.of_action(action)) is not None

    def _is_yet_to_run(self, company: CompanyId) -> bool:
        now = self._game.table.state.round
        if not isinstance(now, Operating) or now.turn is None:
            return False
        return "run" not in now.turn.done if now.turn.company == company else company not in now.done

    def _steps_to_come(self) -> list[str]:
        """The steps of the turn still open on that site; its last chance only where the turn waits for it."""
        table = self._game.table
        steps = self._game.rules.round(table).turn_steps(table)
        return [
            step.name for step in steps if not isinstance(step, LateActionsStep) or any(step.offers(table))
        ]

    def _step(self) -> str:
        step = self._game.step()
        return "" if step is None else step.name

    def _waiting(self) -> Offer | None:
        return next((offer for offer in self._game.offers() if offer.kind in ANSWERS), None)

    def _answer(self, offer: Offer) -> Raw:
        if offer.kind != "return_token":
            return self._raw("pass", offer.entity)
        chosen = offer.suggest()[0].chosen
        coord, stop = chosen["hex"], chosen["city"]
        board = self._game.table.map
        city, slot = (
            log_city(board, self._laid, (coord, stop)),
            board.slots(coord, stop).index(offer.entity),
        )
        return self._raw("remove_token", offer.entity, city=city, slot=slot)

    def _raw(self, kind: str, entity: EntityId, /, **values: Any) -> Raw:
        entity_type = "player" if self._game.table.state.is_player(entity) else "corporation"
        return {
            "type": kind,
            "entity": log_id(entity),
            "entity_type": entity_type,
            **values,
            ASKED_THERE: True,
        }


def write_log(game: Game, actions: Iterable[Action]) -> str:
    """Play these actions in a new game and write them as a log.

    Raises Unreadable for a title that site does not have, ReplayDiverged at the first action that is
    refused, or that the site does not know.
    """
    if not game.rules.spec.on_18xx_games:
        raise Unreadable(fact("log.title_not_there", title=game.rules.spec.name))
    exporter, there = Exporter(game), ShadowGame(game)
    raws: list[Raw] = []
    for number, action in enumerate(actions, 1):
        waiting = game.step_of_turn()
        step = "" if waiting is None else waiting.name
        try:
            for raw in exporter.do(action):
                raws += there.questions(raw, step)
                raws.append(raw if game.over else _before_the_run(raws, raw, step))
        except IllegalAction as problem:
            raise ReplayDiverged(number, problem.reason) from problem
    if game.over:
        raws += there.last_questions()
    return _log_text(_head(game), raws)


def _before_the_run(raws: list[Raw], raw: Raw, step: str) -> Raw:
    """The action as written; a bankruptcy between run and dividend removes the run before it.

    That site would keep the routes, and ask the next company for their dividend.
    """
    if (raw["type"], step) != ("bankrupt", DividendStep.name):
        return raw
    its_run = ("run_routes", raw["entity"])
    run = max(number for number, one in enumerate(raws) if (one["type"], one["entity"]) == its_run)
    return raw | {HERE: [raws.pop(run), raw]}


def refused_there(text: str) -> EngineError | None:
    """The reason why that site, with its own rules, cannot read such a log to the same end; None if it can."""
    own = json.loads(text)
    del own["stationmaster"]
    log = read_log(json.dumps(own))
    strange = _strange_there(log)
    if strange is not None:
        return strange
    outcome = replay(log, as_played_today=True)
    if outcome.problem is None and not outcome.as_recorded(log):
        return ReplayDiverged(outcome.actions, fact("log.ends_otherwise"))
    return outcome.problem


def _strange_there(log: Log) -> IllegalAction | None:
    """A reason visible at once: a number of players or an optional rule that site does not have."""
    known = title(log.title).spec
    unknown = sorted(log.options.intersection(known.only_here))
    if len(log.players) < known.fewest_on_18xx_games:
        values = {"count": len(log.players), "fewest": known.fewest_on_18xx_games}
        return Unreadable(fact("log.players_not_there", title=known.name, **values))
    return Unreadable(fact("log.options_not_there", options=tuple(unknown))) if unknown else None


def _log_text(head: Raw, raws: Sequence[Raw]) -> str:
    lines = ",\n".join(json.dumps({"id": number, **raw}) for number, raw in enumerate(raws, 1))
    return json.dumps(head, indent=1)[:-2] + f',\n "actions": [\n{lines}\n]}}\n'


def _head(game: Game) -> Raw:
    ended = {} if not game.over else {"result": game.scores(), "game_end_reason": recorded_ending(game)}
    players = [{"id": log_id(player), "name": name} for player, name in game.players]
    return {
        "id": "stationmaster",
        "description": "",
        "user": {"id": 0, "name": "Stationmaster"},
        "title": game.rules.spec.name,
        "players": players,
        "min_players": len(players),
        "max_players": len(players),
        "settings": {
            "seed": game.seed,
            "is_async": True,
            "unlisted": True,
            "auto_routing": True,
            "player_order": [player["id"] for player in players],
            "optional_rules": sorted(game.options - OWN_OPTIONS),
        },
        "user_settings": None,
        "status": "finished" if game.over else "active",
        "loaded": True,
        "acting": [log_id(player) for player in game.actors()],
        "stationmaster": {
            "profile": game.profile,
            "from_log": game.from_log,
            "options": sorted(game.options & OWN_OPTIONS),
        },
        **ended,
    }
