"""The `stationmaster` command: what was typed is read first, and only what that command needs is loaded."""

import gc
import sys
from collections.abc import Sequence
from typing import Final

from bot.tools.arguments import parsed

SELDOM: Final = 50_000
"""Objects made before garbage is searched for: what is loaded stays, and a bot that runs sets its own number."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (`run` by default) and return 0 if all went well, else an exit code, with a sentence on stderr.

    1 for what went wrong, 78 and 77 for settings that must be changed before another start (SettingsError).
    """
    options = parsed(arguments)
    gc.set_threshold(SELDOM)
    # Loading takes most of the time of a short command, and `--version` or a misspelt one needs none of it.
    from bot.tools.commands import carried_out

    return carried_out(options)


if __name__ == "__main__":
    sys.exit(main())
