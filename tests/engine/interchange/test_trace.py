"""What a game is compared with after each action of a recorded one."""

import json

from engine.interchange import read_log, replay
from engine.interchange.trace import revenues
from tests.engine.interchange.logs import GRANITE, GRANITE_SEED, passes


def test_a_run_that_ends_the_turn_is_not_taken_for_the_next_turns() -> None:
    """With one company in play its next turn begins at once: the GR runs in Quincy, from the city to the town."""
    route = {"train": "2-0", "connections": [["L7"]]}
    run = {"type": "run_routes", "entity": "GR", "routes": [route]}
    actions = (*GRANITE, passes("GR"), run)
    log = {
        "title": "18NewEngland",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": GRANITE_SEED},
        "actions": [{"id": number, **action} for number, action in enumerate(actions, 1)],
    }
    game = replay(read_log(json.dumps(log))).game
    assert game is not None
    assert game.table.turn.runs == ()
    line = {"type": "run_routes", "entity": "GR", "revenue": 40}
    assert list(revenues(game.table, line)) == [("revenue", 40, 40)]
    assert list(revenues(game.table, {**line, "revenue": 50})) == [("revenue", 40, 50)]
