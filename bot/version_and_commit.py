"""The running release: version and commit."""

import subprocess
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Final

UNKNOWN: Final = "unknown"
"""Said of the commit where neither the package nor a checkout tells it."""
_CHECKOUT: Final = Path(__file__).parents[1]
_PATIENCE: Final = 5.0
"""Seconds to wait for git."""


@cache
def version() -> str:
    """The version of the installed package."""
    return metadata.version("stationmaster")


@cache
def commit() -> str:
    """The commit recorded at build time (setup.py), or that of the checkout."""
    noted = files("bot").joinpath("commit.txt")
    return noted.read_text("ascii").strip() if noted.is_file() else commit_of(_CHECKOUT)


def commit_of(folder: Path) -> str:
    """The commit of a checkout, from git."""
    if not (folder / ".git").exists():  # git would look in the folders above
        return UNKNOWN
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN
    return result.stdout.strip()
