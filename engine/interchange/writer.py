"""Writes a game as an 18xx.games log.

To find the passes that only 18xx.games requires, a second game (ShadowGame) is played as 18xx.games would play it.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.board.network import has_route
from engine.core.actions import Action
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged, Unreadable
from engine.core.events import StepSkipped
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, EntityId
from engine.core.offers import Offer
from engine.core.state import Draft, Merger, Operating
from engine.game import Game
from engine.interchange.exporter import Exporter, city_in_log, id_in_log
from engine.interchange.importer import Importer
from engine.interchange.log_reader import (
    ONLY_FOR_18XX_GAMES_KEY,
    OUR_ACTIONS_KEY,
    PROFILE_OF_18XX_GAMES,
    Log,
    RawAction,
    read_log,
)
from engine.interchange.log_replay import recorded_ending, replay
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.titles import title
from engine.titles.standard import COMMON_OPTIONS

OPTIONS_UNKNOWN_ON_18XX_GAMES: Final = frozenset(COMMON_OPTIONS)
"""Options of our own, which 18xx.games does not have."""
UNLIMITED_ACTION_COUNT: Final = sys.maxsize
"""A number larger than any game's number of actions, so that all actions are treated as read from a log."""
PAIRED_ACTION_KINDS: Final = frozenset({"convert", "merge"})
"""Kinds of log actions that come in pairs; the first of a pair has no effect alone."""
REDEMPTION_ACTION_AND_ENTITY_TYPE: Final = ("buy_shares", "corporation")
"""Type and entity type of a log action in which a company redeems shares."""
MAX_PASSES_INSERTED: Final = 32
"""Maximum number of passes inserted between two actions; if more are needed, 18xx.games differs from our game."""
NO_ROUTE_REASON: Final = "skipped.no_route"
"""Reason for skipping the run of a company that has a train but no route."""
ANSWER_KINDS: Final = frozenset({"pass", "liquidate", "return_token"})
"""Kinds of actions that answer the questions asked by 18xx.games but not by our game."""


class ShadowGame:
    """A copy of the game, played as 18xx.games would play it.

    It finds actions that 18xx.games needs in addition to ours, such as a pass where our game asks no question.
    """

    def __init__(self, game: Game) -> None:
        options = game.options - OPTIONS_UNKNOWN_ON_18XX_GAMES
        self._game = Game(
            game.title.id,
            game.players,
            game.seed,
            PROFILE_OF_18XX_GAMES,
            options,
            from_log=UNLIMITED_ACTION_COUNT,
        )
        self._game.rules.drop_old_leniency()
        self._importer: Importer | None = Importer(self._game)
        self._companies_with_past_route: set[CompanyId] = set()
        """Companies that had a route at some time.

        18xx.games expects a run of these companies in each turn, even an empty one.
        """
        self._tile_id_by_hex: dict[Coord, str] = {}
        self._runs_due: list[RawAction] = []

    def play_with_passes(self, raw_action: RawAction, step_name: str = "") -> list[RawAction]:
        """Play a log action in the shadow game; returns the actions that 18xx.games needs before it.

        `step_name` is the name of the step that waited in our game. Once the shadow game has refused an action, the
        list is always empty.
        """
        if self._importer is None:
            return []
        preceding_actions = self._pop_due_runs()
        try:
            while (answer := self._answer_before(self._importer, raw_action, step_name)) and len(
                preceding_actions
            ) < MAX_PASSES_INSERTED:
                self._apply_raw(self._importer, answer)
                preceding_actions += [answer, *self._pop_due_runs()]
            self._apply_raw(self._importer, raw_action)
        except EngineError:
            self._importer = None
            return []
        return preceding_actions

    def play_last_passes(self) -> list[RawAction]:
        """The passes that 18xx.games requires after the game's last action."""
        passes = self._pop_due_runs()
        while self._importer is not None and len(passes) < MAX_PASSES_INSERTED:
            offer = self._waiting_offer()
            if offer is None or not isinstance(self._game.table.state.round, Operating | Merger):
                break
            answer = self._raw_answer(offer)
            self._apply_raw(self._importer, answer)
            passes += [answer, *self._pop_due_runs()]
        return passes

    def _apply_raw(self, importer: Importer, raw_action: RawAction) -> None:
        current_round = self._game.table.state.round
        if (
            isinstance(current_round, Operating)
            and current_round.turn
            and has_route(self._game.table.map, current_round.turn.company)
        ):
            self._companies_with_past_route.add(current_round.turn.company)
        if importer.apply(raw_action) is None:
            return
        if raw_action["type"] == "lay_tile":
            self._tile_id_by_hex[raw_action["hex"]] = raw_action["tile"]
        self._runs_due = [
            self._raw_action("run_routes", event.company, routes=[], extra_revenue=0, subsidy=0)
            for event in self._game.table.events
            if isinstance(event, StepSkipped)
            and event.reason.name == NO_ROUTE_REASON
            and event.company in self._companies_with_past_route
        ]

    def _pop_due_runs(self) -> list[RawAction]:
        runs, self._runs_due = self._runs_due, []
        return runs

    def _answer_before(self, importer: Importer, raw_action: RawAction, step_name: str) -> RawAction | None:
        is_asking_round = isinstance(self._game.table.state.round, Operating | Merger | Draft)
        offer = (
            self._waiting_offer()
            if is_asking_round and self._is_for_later_step(importer, raw_action, step_name)
            else None
        )
        return None if offer is None else self._raw_answer(offer)

    def _is_for_later_step(self, importer: Importer, raw_action: RawAction, step_name: str) -> bool:
        """True if the action does not answer 18xx.games' current question, so that a pass must come first.

        Bankruptcies and redemptions are legal in several steps; they belong to the step in which our game made them.
        """
        is_anytime_action = (
            raw_action["type"] == "bankrupt"
            or (raw_action["type"], raw_action.get("entity_type")) == REDEMPTION_ACTION_AND_ENTITY_TYPE
        )
        if is_anytime_action and self._step_name() != step_name and step_name in self._steps_to_come():
            return True
        if raw_action["type"] in PAIRED_ACTION_KINDS:
            offer = self._waiting_offer()
            is_merge_offered = (
                offer is not None and offer.entity == raw_action["entity"] and self._step_name() == "merge"
            )
            return not is_merge_offered
        if raw_action["type"] == "run_routes" and self._is_yet_to_run(raw_action["entity"]):
            return self._step_name() != "run"
        action = importer.read(raw_action)
        return action is not None and self._game.obstacle(Request.of_action(action)) is not None

    def _is_yet_to_run(self, company: CompanyId) -> bool:
        current_round = self._game.table.state.round
        if not isinstance(current_round, Operating) or current_round.turn is None:
            return False
        return (
            "run" not in current_round.turn.done
            if current_round.turn.company == company
            else company not in current_round.done
        )

    def _steps_to_come(self) -> list[str]:
        table = self._game.table
        steps = self._game.rules.round(table).turn_steps(table)
        return [
            step.name
            for step in steps
            if not isinstance(step, EndOfCompanyTurnStep) or any(step.offers(table))
        ]

    def _step_name(self) -> str:
        step = self._game.step()
        return "" if step is None else step.name

    def _waiting_offer(self) -> Offer | None:
        return next((offer for offer in self._game.offers() if offer.kind in ANSWER_KINDS), None)

    def _raw_answer(self, offer: Offer) -> RawAction:
        if offer.kind != "return_token":
            return self._raw_action("pass", offer.entity)
        chosen = offer.suggest()[0].chosen
        coord, stop = chosen["hex"], chosen["city"]
        board = self._game.table.map
        city, slot = (
            city_in_log(board, self._tile_id_by_hex, (coord, stop)),
            board.slots(coord, stop).index(offer.entity),
        )
        return self._raw_action("remove_token", offer.entity, city=city, slot=slot)

    def _raw_action(self, kind: str, entity: EntityId, /, **values: Any) -> RawAction:
        entity_type = "player" if self._game.table.state.is_player(entity) else "corporation"
        return {
            "type": kind,
            "entity": id_in_log(entity),
            "entity_type": entity_type,
            **values,
            ONLY_FOR_18XX_GAMES_KEY: True,
        }


def write_log(game: Game, actions: Iterable[Action]) -> str:
    """The log of a game: plays `actions` in the new game `game` and translates them.

    Raises Unreadable if 18xx.games does not have the title, ReplayDiverged at the first action that is refused or has
    no translation.
    """
    if not game.rules.spec.is_on_18xx_games:
        raise Unreadable(fact("log.title_not_there", title=game.rules.spec.name))
    exporter, shadow_game = Exporter(game), ShadowGame(game)
    raw_actions: list[RawAction] = []
    for number, action in enumerate(actions, 1):
        waiting_step = game.step_of_turn()
        step_name = "" if waiting_step is None else waiting_step.name
        try:
            for raw_action in exporter.write_action(action):
                raw_actions += shadow_game.play_with_passes(raw_action, step_name)
                raw_actions.append(
                    raw_action
                    if game.is_over
                    else _with_bankruptcy_before_run(raw_actions, raw_action, step_name)
                )
        except IllegalAction as problem:
            raise ReplayDiverged(number, problem.reason) from problem
    if game.is_over:
        raw_actions += shadow_game.play_last_passes()
    return _log_text(_log_header(game), raw_actions)


def _with_bankruptcy_before_run(
    raw_actions: list[RawAction], raw_action: RawAction, step_name: str
) -> RawAction:
    """The log action, unchanged unless it is a bankruptcy between run and dividend.

    At such a bankruptcy, 18xx.games would keep the routes and ask the next company for their dividend. Therefore the
    run is removed from the log and recorded in the bankruptcy, under OUR_ACTIONS_KEY.
    """
    if (raw_action["type"], step_name) != ("bankrupt", DividendStep.name):
        return raw_action
    run_key = ("run_routes", raw_action["entity"])
    run_index = max(
        number
        for number, earlier_action in enumerate(raw_actions)
        if (earlier_action["type"], earlier_action["entity"]) == run_key
    )
    return raw_action | {OUR_ACTIONS_KEY: [raw_actions.pop(run_index), raw_action]}


def refusal_on_18xx_games(text: str) -> EngineError | None:
    """The reason why 18xx.games cannot replay this log to the same result; None if it can."""
    log_data = json.loads(text)
    del log_data["stationmaster"]
    log = read_log(json.dumps(log_data))
    problem = _unsupported_log_error(log)
    if problem is not None:
        return problem
    result = replay(log, under_current_rules=True)
    if result.problem is None and not result.matches_record(log):
        return ReplayDiverged(result.last_action_number, fact("log.ends_otherwise"))
    return result.problem


def _unsupported_log_error(log: Log) -> IllegalAction | None:
    """The error if 18xx.games does not have the log's options or number of players; None if it has both."""
    title_spec = title(log.title).spec
    unknown_options = sorted(log.options.intersection(title_spec.options_not_on_18xx_games))
    if len(log.players) < title_spec.min_players_on_18xx_games:
        values = {"count": len(log.players), "fewest": title_spec.min_players_on_18xx_games}
        return Unreadable(fact("log.players_not_there", title=title_spec.name, **values))
    return (
        Unreadable(fact("log.options_not_there", options=tuple(unknown_options))) if unknown_options else None
    )


def _log_text(header: RawAction, raw_actions: Sequence[RawAction]) -> str:
    action_lines = ",\n".join(
        json.dumps({"id": number, **raw_action}) for number, raw_action in enumerate(raw_actions, 1)
    )
    return json.dumps(header, indent=1)[:-2] + f',\n "actions": [\n{action_lines}\n]}}\n'


def _log_header(game: Game) -> RawAction:
    ending_fields = (
        {} if not game.is_over else {"result": game.scores(), "game_end_reason": recorded_ending(game)}
    )
    players = [{"id": id_in_log(player), "name": name} for player, name in game.players]
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
            "optional_rules": sorted(game.options - OPTIONS_UNKNOWN_ON_18XX_GAMES),
        },
        "user_settings": None,
        "status": "finished" if game.is_over else "active",
        "loaded": True,
        "acting": [id_in_log(player) for player in game.actors()],
        "stationmaster": {
            "profile": game.profile,
            "from_log": game.from_log,
            "options": sorted(game.options & OPTIONS_UNKNOWN_ON_18XX_GAMES),
        },
        **ending_fields,
    }
