"""Files alone."""

from pathlib import Path

import pytest


@pytest.fixture
def where(path: Path) -> Path:
    """A file, which the test may look at."""
    return path


@pytest.fixture(autouse=True)
def quick_files() -> None:
    """Files are made and written as always: they are what is tested."""
