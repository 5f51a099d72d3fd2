"""From half way of a recorded game on, the measured player has one seat, and another player the others."""

from pathlib import Path

import pytest

from benchmarks.caretaker_seats import begin, half_way, played
from engine.record import read_record

GOLDEN = Path(__file__).parents[2] / "golden"
LOG = GOLDEN / "18al-price-3p.json"


def test_half_way_position() -> None:
    record = read_record(LOG.read_text("utf-8"))
    half = half_way(LOG)
    assert begin(half).digest() == record.play(len(record.actions) // 2).digest()
    assert half.scores == record.scores


@pytest.mark.parametrize("by", ["weighted", "caretaker"])
def test_seat_is_compared_with_its_record(by: str) -> None:
    half = half_way(LOG)
    found = [played(half, seat, by, "weighted", "Apprentice") for seat in half.scores]
    assert sum(one.recorded for one in found) == pytest.approx(1)
    for one in found:
        assert one.over
        assert one.gained_part == pytest.approx(
            one.part - half.scores[one.player] / sum(half.scores.values())
        )
        assert 0 < one.part < 1
