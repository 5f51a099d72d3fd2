"""`stationmaster play`: a recorded game in the sandbox, to look at and to play on."""

import asyncio
import sys
from pathlib import Path

from bot.table.games.imported import read_recorded
from bot.tools.handover import hand_over
from bot.tools.run import start_logging
from bot.tools.sandboxed import sandbox
from bot.tools.settings import Settings, SettingsError


def play(log: Path, until: int | None, settings: Settings) -> None:
    """Show a recorded game in the sandbox, which is started if it does not run.

    Raises Refused for a log that cannot be used, SettingsError with a token or a redirect.
    """
    if settings.discord_token is not None or settings.discord_url is not None:
        raise SettingsError("`play` is for the sandbox: unset DISCORD_TOKEN and STATIONMASTER_DISCORD_URL.")
    start_logging(settings)
    recorded = read_recorded(log, until)
    said = asyncio.run(hand_over(settings.sandbox_door, log.resolve(), until))
    if said is not None:
        sys.stderr.write(f"{said}\n")
        return

    asyncio.run(sandbox(settings, recorded))
