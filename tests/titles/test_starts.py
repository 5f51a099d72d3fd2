"""Players, their cash, the bank and the certificate limit of every title."""

import pytest

from engine.core.errors import TitleError
from engine.game import Game
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from engine.titles import TITLES


def started(title: str, players: int) -> Game:
    return Game(title, [(f"p{number}", f"Player {number}") for number in range(players)], 1)


@pytest.mark.parametrize(
    ("title", "players", "cash", "bank", "limit"),
    [
        ("18chesapeake", 2, 1200, 5600, 20),
        ("18chesapeake", 3, 800, 5600, 20),
        ("18chesapeake", 4, 600, 5600, 16),
        ("18chesapeake", 5, 480, 5600, 13),
        ("18chesapeake", 6, 400, 5600, 11),
        ("18al", 3, 600, 6200, 15),
        ("18al", 4, 500, 6000, 12),
        ("18al", 5, 400, 6000, 10),
        ("18tn", 3, 600, 6200, 16),
        ("18tn", 4, 450, 6200, 12),
        ("18tn", 5, 360, 6200, 10),
        ("18newengland", 2, 520, 10_960, 25),
        ("18newengland", 3, 400, 10_800, 20),
        ("18newengland", 4, 280, 10_880, 16),
        ("18newengland", 5, 280, 10_600, 13),
        ("18c2c", 2, 1200, 22_600, 36),
        ("18c2c", 3, 800, 22_600, 24),
        ("18c2c", 4, 600, 22_600, 18),
        ("18c2c", 5, 480, 22_600, 14),
        ("18c2c", 6, 400, 22_600, 12),
        ("18c2c-full", 2, 3600, 67_800, 96),
        ("18c2c-full", 6, 1200, 67_800, 32),
        ("18c2c-full", 7, 1028, 67_804, 27),
    ],
)
def test_cash_bank_and_certificates(title: str, players: int, cash: int, bank: int, limit: int) -> None:
    """R-CH-001, R-CH-002, R-AL-001, R-AL-002, R-AL-003, R-TN-001, R-TN-002, R-NE-001, R-NE-140, D-NE-1, R-C2C-002,
    R-C2C-003, R-C2C-004, worked examples 1: players' cash comes out of the bank, which keeps what cannot be shared."""
    table = started(title, players).table
    assert [player.cash for player in table.state.players] == [cash] * players
    assert (table.state.bank, certificate_limit(table)) == (bank, limit)


@pytest.mark.parametrize(
    ("title", "most", "wrong"),
    [
        ("18chesapeake", "2 to 6", (0, 1, 7)),
        ("18al", "3 to 5", (2, 6)),
        ("18tn", "3 to 5", (2, 6)),
        ("18newengland", "2 to 5", (1, 6)),
        ("18c2c", "2 to 6", (1, 7)),
        ("18c2c-full", "2 to 8", (1, 9)),
    ],
)
def test_number_of_players(title: str, most: str, wrong: tuple[int, ...]) -> None:
    """R-CH-001 (3), R-AL-001, R-TN-001, R-NE-001, R-C2C-003"""
    for players in wrong:
        with pytest.raises(TitleError, match=f"{most} players, not {players}"):
            started(title, players)


@pytest.mark.parametrize("title", TITLES)
def test_settled_readings_have_reasons(title: str) -> None:
    spec = TITLES[title].spec
    assert all(reason.endswith(".") for reason in spec.settled_questions.values())
    assert all(rule.reason.endswith(".") for rule in spec.house.values())
