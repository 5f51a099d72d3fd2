"""Writes examples of refusals: wishes in positions of the golden games, one for each refusal key that is found there.

`python -m tests.support.make_reasons` tells the keys that it does not find: they need
positions of their own in a module `*_examples.py` of `tests/reasons`.
"""

import json
from collections.abc import Iterator
from typing import Any

from engine.game import Game
from engine.play.steps.base import Wish
from engine.record import read_record
from tests.reasons.examples import FOUND, GOLDEN, refusal_keys
from tests.reasons.test_random_wishes import JUDGED
from tests.reasons.truths import TRUTHS, UNJUDGED, Seen
from tests.reasons.wishes import Wisher

WISHES = 25
"""How many wishes are tried in each position."""


def main() -> None:
    """Look through all golden games of the titles that are judged."""
    missing, found = set(refusal_keys()), dict[str, list[Any]]()
    for path in sorted(GOLDEN.glob("*.json")):
        written = read_record(path.read_text("utf-8"))
        if written.title in JUDGED:
            game, wisher = written.begin(), Wisher(len(found))
            for action in written.actions:
                found.setdefault(path.stem, []).extend(_examples(game, wisher, missing))
                game.apply(action)
    FOUND.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(*sorted(missing), sep="\n")  # noqa: T201 - a command prints


def _examples(game: Game, wisher: Wisher, missing: set[str]) -> Iterator[list[Any]]:
    for _ in range(WISHES):
        wish = wisher.wish(game)
        key = _key(game, wish)
        if key in missing:
            missing.remove(key)
            yield [game.seq, key, wish.kind, wish.actor, wish.entity, dict(wish.given)]


def _key(game: Game, wish: Wish) -> str:
    problem = game.why_not(wish)
    if problem is None:
        return ""
    judge = TRUTHS.get(problem.reason.name)
    right = problem.reason.name in UNJUDGED or (judge and judge(Seen.of(game, wish, problem.reason)))
    return problem.reason.name if right else ""


if __name__ == "__main__":
    main()
