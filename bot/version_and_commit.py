"""Version and git commit of the running release."""

import subprocess
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Final

UNKNOWN_COMMIT: Final = "unknown"
"""Shown in place of the commit if neither the package nor a git checkout has one."""
_CHECKOUT_FOLDER: Final = Path(__file__).parents[1]
_GIT_TIMEOUT_SECONDS: Final = 5.0


@cache
def version() -> str:
    """The version of the installed package."""
    return metadata.version("stationmaster")


@cache
def commit() -> str:
    """The git commit of the running release: the one stored when the package was built, or else the checkout's."""
    commit_file = files("bot").joinpath("commit.txt")
    return (
        commit_file.read_text("ascii").strip()
        if commit_file.is_file()
        else commit_of_checkout(_CHECKOUT_FOLDER)
    )


def commit_of_checkout(folder: Path) -> str:
    """The current commit of a git checkout; UNKNOWN_COMMIT if the folder is not a checkout."""
    if not (folder / ".git").exists():  # without its own .git, git would search the folders above
        return UNKNOWN_COMMIT
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN_COMMIT
    return result.stdout.strip()
