"""The running release: version and commit."""

import subprocess
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Final

UNKNOWN_COMMIT: Final = "unknown"
"""Shown if neither the package nor a git checkout knows the commit."""
_CHECKOUT_FOLDER: Final = Path(__file__).parents[1]
_GIT_SECONDS: Final = 5.0
"""Seconds to wait for git."""


@cache
def version() -> str:
    """The version of the installed package."""
    return metadata.version("stationmaster")


@cache
def commit() -> str:
    """The commit stored by setup.py when the package was built, or else the commit of the checkout."""
    commit_file = files("bot").joinpath("commit.txt")
    return commit_file.read_text("ascii").strip() if commit_file.is_file() else commit_of(_CHECKOUT_FOLDER)


def commit_of(folder: Path) -> str:
    """The commit of a git checkout; UNKNOWN_COMMIT if the folder is none."""
    if not (folder / ".git").exists():  # without its own .git, git would search the folders above
        return UNKNOWN_COMMIT
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN_COMMIT
    return result.stdout.strip()
