"""How many random games the property tests play."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--games N`: random games per number of players and profile (`make torture` plays many)."""
    parser.addoption("--games", type=int, default=1, help="random games per number of players")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give tests that ask for a `game_seed` as many seeds as wanted."""
    if "game_seed" in metafunc.fixturenames:
        metafunc.parametrize("game_seed", range(metafunc.config.getoption("--games")))
