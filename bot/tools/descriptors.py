"""How many files, and so connections, this process may open."""

import sys
from typing import Final

WANTED: Final = 16_384
"""Files that a bot with many games and open pages has a use for."""
WINDOWS: Final = 2_048
"""There is no limit there that could be asked for."""


def raise_limit() -> int:
    """Let this process open more files, as far as it may; how many it may open now."""
    if sys.platform == "win32":
        return WINDOWS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    most = WANTED if hard == unlimited else min(WANTED, hard)
    if soft == unlimited or soft >= most:
        return WANTED if soft == unlimited else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):  # as on macOS, whose own limit may be lower
        return soft
    return most
