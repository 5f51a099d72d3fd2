"""What the caretaker thinks in positions of the golden games and in tiny ones, as it is stored in two files.

`python -m tests.engine.caretaker.opinions` writes them anew after a change on purpose: the difference shows which
decisions become others, and how much more or less each kind of move seems worth.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from engine.caretaker.choosing import DEFAULT_STRENGTH, best_move, weighed_moves
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.record import Record
from tests.engine.caretaker.positions import POSITIONS
from tests.golden.positions import FOLDER, golden

KEPT: Final = Path(__file__).with_name("opinions.json")
KEPT_OF_POSITIONS: Final = Path(__file__).with_name("positions.json")
EVERY: Final = 97
"""One position of this many is looked at, and those with what is rarely offered."""
RARELY: Final = 3
"""Where something was offered at most this often in a game, it is looked at."""
FAR: Final = 1500
"""This many actions of a game at most: in the largest, what comes later takes longer than all others together."""
ROTA: Final = ("Superintendent", "Conductor", "Superintendent", "Apprentice")
Opinion: TypeAlias = dict[str, Any]
"""Of one position, player and strength: how many moves of a kind are thought of, what the best and all are worth, in
dollars, and the move that is chosen.
"""


def kept(path: Path = KEPT) -> Mapping[str, list[Opinion]]:
    found: dict[str, list[Opinion]] = json.loads(path.read_text("utf-8"))
    return found


def opinions_of(name: str) -> list[Opinion]:
    """A strong and a weak player in a tiny position."""
    game = POSITIONS[name]()
    return [opinion(game, game.actors()[0], strength)[0] for strength in (DEFAULT_STRENGTH, "Apprentice")]


def opinion(game: Game, player: PlayerId, strength: str) -> tuple[Opinion, Action]:
    candidate_moves = weighed_moves(game, player, strength)
    chosen = best_move(candidate_moves, game.seq)
    of_kind = {
        kind: [
            weighed_move.worth for weighed_move in candidate_moves if weighed_move.cursor.offer.kind == kind
        ]
        for kind in sorted({weighed_move.cursor.offer.kind for weighed_move in candidate_moves})
    }
    worths = {
        kind: [len(found), round(max(found), 2), round(sum(found), 2)] for kind, found in of_kind.items()
    }
    move = json.loads(chosen.model_dump_json(exclude={"actor", "entity"}))
    return {"seq": game.seq, "player": player, "strength": strength, "worths": worths, "move": move}, chosen


def _worth_a_look(record: Record) -> Iterator[tuple[Game, PlayerId, str]]:
    game, offered, looks = record.initial_game(), Counter[tuple[str, bool]](), 0
    for number, action in enumerate(record.actions[:FAR]):
        asked = [(offer.actor, (offer.kind, offer.actor in game.actors())) for offer in game.offers()]
        for player in dict.fromkeys(actor for actor, (kind, _) in asked if kind != "end_game"):
            kinds = {kind for actor, kind in asked if actor == player}
            if number % EVERY == 0 or any(offered[kind] < RARELY for kind in kinds):
                offered.update(kinds)
                yield game, player, ROTA[looks % len(ROTA)]
                looks += 1
        game.apply(action)


def main() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    found = {name: [opinion(*seen)[0] for seen in _worth_a_look(golden(name))] for name in names}
    games = ",\n".join(
        f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(one)}" for one in said) + "\n ]"
        for name, said in found.items()
    )
    KEPT.write_text(f"{{\n{games}\n}}\n", "utf-8")
    tiny = ",\n".join(f" {json.dumps(name)}: {json.dumps(opinions_of(name))}" for name in POSITIONS)
    KEPT_OF_POSITIONS.write_text(f"{{\n{tiny}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
