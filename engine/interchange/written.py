"""Writes a game as a log of 18xx.games."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.core.actions import Action
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.game import Game
from engine.interchange.exporter import Exporter, written_id
from engine.interchange.log import Raw
from engine.interchange.replay import ending
from engine.titles.standard import COMMON_OPTIONS

TITLES: Final = frozenset({"18al", "18tn", "18chesapeake", "18chesapeake-off-the-rails", "18newengland"})
"""What that site has of our titles."""

OWN_OPTIONS: Final = frozenset(COMMON_OPTIONS)
"""Options that site does not know."""


def write_log(game: Game, actions: Iterable[Action]) -> str:
    """Do all these actions, which a game that has just begun has before it, and write them as a log.

    Raises Unreadable for a title that site does not have, or an action that it does not know, IllegalAction where an
    action is refused.
    """
    if game.title.id not in TITLES:
        raise Unreadable(fact("log.title_not_there", title=game.rules.spec.name))
    exporter = Exporter(game)
    raws = [raw for action in actions for raw in exporter.do(action)]
    return json.dumps(_head(game, raws), indent=1)


def _head(game: Game, raws: Sequence[Raw]) -> dict[str, Any]:
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
        "stationmaster": {"profile": game.profile, "from_log": game.from_log, "options": sorted(game.options & OWN_OPTIONS)},
        "actions": [{"id": number, **raw} for number, raw in enumerate(raws, 1)],
        **ended,
    }
