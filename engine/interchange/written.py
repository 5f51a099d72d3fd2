"""Writes a game as a log of 18xx.games."""

import json
from collections.abc import Iterable, Sequence

from engine.core.actions import Action
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged, Unreadable
from engine.core.facts import fact
from engine.game import Game
from engine.interchange.along import OWN_OPTIONS, AlongThere
from engine.interchange.exporter import Exporter, written_id
from engine.interchange.log_reader import HERE, Log, Raw, read_log
from engine.interchange.log_replay import ending, replay
from engine.play.steps.dividend import DividendStep
from engine.titles import title


def write_log(game: Game, actions: Iterable[Action]) -> str:
    """Do all these actions, which a game that has just begun has before it, and write them as a log.

    Raises Unreadable for a title that site does not have, ReplayDiverged at the first action that is refused, or that
    it does not know.
    """
    if not game.rules.spec.on_18xx_games:
        raise Unreadable(fact("log.title_not_there", title=game.rules.spec.name))
    exporter, there = Exporter(game), AlongThere(game)
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
    return _text(_head(game), raws)


def _before_the_run(raws: list[Raw], raw: Raw, step: str) -> Raw:
    """The action as it is written; a bankruptcy between run and dividend takes the run out of these before it.

    That site would keep the routes, and ask the next company for their dividend.
    """
    if (raw["type"], step) != ("bankrupt", DividendStep.name):
        return raw
    its_run = ("run_routes", raw["entity"])
    run = max(number for number, one in enumerate(raws) if (one["type"], one["entity"]) == its_run)
    return raw | {HERE: [raws.pop(run), raw]}


def refused_there(text: str) -> EngineError | None:
    """What would stop that site, which plays by its own rules, from reading such a log to the same end."""
    own = json.loads(text)
    del own["stationmaster"]
    log = read_log(json.dumps(own))
    strange = _strange_there(log)
    if strange is not None:
        return strange
    outcome = replay(log, as_played_today=True)
    if outcome.problem is None and not outcome.matches(log):
        return ReplayDiverged(outcome.actions, fact("log.ends_otherwise"))
    return outcome.problem


def _strange_there(log: Log) -> IllegalAction | None:
    """What that site does not have: such a number of players, or an optional rule."""
    known = title(log.title).spec
    unknown = sorted(log.options.intersection(known.only_here))
    if len(log.players) < known.fewest_on_18xx_games:
        values = {"count": len(log.players), "fewest": known.fewest_on_18xx_games}
        return Unreadable(fact("log.players_not_there", title=known.name, **values))
    return Unreadable(fact("log.options_not_there", options=tuple(unknown))) if unknown else None


def _text(head: Raw, raws: Sequence[Raw]) -> str:
    """JSON text, one action a line."""
    lines = ",\n".join(json.dumps({"id": number, **raw}) for number, raw in enumerate(raws, 1))
    return json.dumps(head, indent=1)[:-2] + f',\n "actions": [\n{lines}\n]}}\n'


def _head(game: Game) -> Raw:
    ended = {} if not game.over else {"result": game.scores(), "game_end_reason": ending(game)}
    players = [{"id": written_id(player), "name": name} for player, name in game.players]
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
        "acting": [written_id(player) for player in game.actors()],
        "stationmaster": {
            "profile": game.profile,
            "from_log": game.from_log,
            "options": sorted(game.options & OWN_OPTIONS),
        },
        **ended,
    }
