"""18C2C: every reason of its own rooms has an example."""

from tests.reasons.examples import ONLY_18C2C, all_examples, refusal_keys
from tests.support.facts_named import facts_made

FOLDER = "titles/t18c2c/"
SHARED = {"play/track/terrain.py"}
"""Modules that any title could use, and no other title does."""


def test_every_reason_of_the_rooms_of_18c2c_has_an_example() -> None:
    """A new one fails here until it has."""
    made: dict[str, set[str]] = {}
    for one in facts_made():
        for name in one.names:
            made.setdefault(name, set()).add(one.where.partition(":")[0])
    own = {
        name
        for name, rooms in made.items()
        if all(room.startswith(FOLDER) or room in SHARED for room in rooms)
    } & refusal_keys()
    assert len(own) > 50
    assert own - {one.key for one in all_examples()} == set()


def test_what_only_18c2c_says_are_reasons_with_examples() -> None:
    """Without the title they need none."""
    assert refusal_keys() & {one.key for one in all_examples()} >= ONLY_18C2C
