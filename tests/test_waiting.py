"""The model of people by which waiting is measured: they sleep at night, and a player who plays on needs no time."""

from random import Random

from benchmarks.people import DAY, SLEEP, Person
from benchmarks.waiting import hours, waited


def test_nobody_answers_asleep() -> None:
    person = Person(Random(1))
    wakes = 7 + Random(1).uniform(-2, 2)
    for asked in range(200):
        answer = person.answers(float(asked))
        assert answer >= asked
        assert (answer - wakes) % DAY <= DAY - SLEEP


def test_half_of_all_answers_come_within_two_hours_of_the_morning() -> None:
    person = Person(Random(2))
    morning = 7 + Random(2).uniform(-2, 2)
    quick = sum(person.answers(morning) - morning <= 2 for _ in range(2000))
    assert 900 < quick < 1100


def test_whoever_continues_is_not_waited_for() -> None:
    """The next decision comes with the one before."""

    def waited_for(decided: str) -> float:
        return hours({name: Person(Random(name)) for name in "ab"}, decided)

    assert waited_for("aaa") == waited_for("a") < waited_for("aab") == waited_for("ab")


def test_a_sealed_auction_waits_once_and_an_open_one_for_each_bid() -> None:
    """Counted on a game of two, with as many moves as are enough for orders and forced moves."""
    found = waited("18chesapeake", 2, 1, most=150)
    assert found.auction[2] < found.auction[1] <= found.auction[0]
    assert found.auction_hours[2] < found.auction_hours[0]
    assert found.orders < found.moves
    assert found.forced
    assert found.ordered
    assert found.moves == found.orders + found.forced + found.ordered
