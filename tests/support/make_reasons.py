"""Writes examples of refusals: requests in positions of the golden games, one for each refusal key that is found there.

`python -m tests.support.make_reasons` tells the keys that it does not find: they need
positions of their own in a module `*_examples.py` of `tests/reasons`.
"""

import json
from collections.abc import Iterator
from typing import Any

from engine.game import Game
from engine.play.steps.base import Request
from engine.record import read_record
from tests.reasons.examples import FOUND, GOLDEN, refusal_keys
from tests.reasons.requests import Requester
from tests.reasons.test_random_requests import JUDGED
from tests.reasons.truths import TRUTHS, UNJUDGED, Seen

WISHES = 25
"""How many requests are tried in each position."""


def main() -> None:
    """Look through all golden games of the titles that are judged."""
    missing, found = set(refusal_keys()), dict[str, list[Any]]()
    for path in sorted(GOLDEN.glob("*.json")):
        written = read_record(path.read_text("utf-8"))
        if written.title in JUDGED:
            game, requester = written.begin(), Requester(len(found))
            for action in written.actions:
                found.setdefault(path.stem, []).extend(_examples(game, requester, missing))
                game.apply(action)
    FOUND.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(*sorted(missing), sep="\n")  # noqa: T201 - a command prints


def _examples(game: Game, requester: Requester, missing: set[str]) -> Iterator[list[Any]]:
    for _ in range(WISHES):
        request = requester.request(game)
        key = _key(game, request)
        if key in missing:
            missing.remove(key)
            yield [game.seq, key, request.kind, request.actor, request.entity, dict(request.given)]


def _key(game: Game, request: Request) -> str:
    problem = game.obstacle(request)
    if problem is None:
        return ""
    judge = TRUTHS.get(problem.reason.name)
    right = problem.reason.name in UNJUDGED or (judge and judge(Seen.of(game, request, problem.reason)))
    return problem.reason.name if right else ""


if __name__ == "__main__":
    main()
