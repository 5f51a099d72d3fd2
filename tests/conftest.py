"""How many random games the property tests play, and on how many random boards they look for routes."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--games N`: random games per number of players and profile; `--boards N`: `make torture` takes many of both."""
    parser.addoption("--games", type=int, default=1, help="random games per number of players")
    parser.addoption("--boards", type=int, default=250, help="random boards to look for routes on")


@pytest.fixture
def boards(pytestconfig: pytest.Config) -> int:
    """On how many random boards routes are looked for."""
    count: int = pytestconfig.getoption("--boards")
    return count


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give tests that ask for a `game_seed` as many seeds as wanted."""
    if "game_seed" in metafunc.fixturenames:
        metafunc.parametrize("game_seed", range(metafunc.config.getoption("--games")))
