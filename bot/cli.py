"""The `stationmaster` command."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.errors import Refused
from bot.settings import SettingsError, read_settings
from engine.errors import EngineError
from storage.errors import StorageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand (`run` by default); 0 if all went well, 1 with a sentence on standard error if not."""
    options = _parser().parse_args(arguments)
    try:
        _dispatch(options)
    except (Refused, SettingsError, StorageError, EngineError, OSError) as problem:
        print(f"stationmaster: {problem}", file=sys.stderr)
        return 1
    return 0


def _dispatch(options: argparse.Namespace) -> None:
    # Discord's library takes a while to load, and not every subcommand needs it.
    from bot.run import play, run

    if options.command == "play":
        play(options.log, options.until, read_settings())
    else:
        run(read_settings())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stationmaster", description="Moderates games of 18xx on Discord, or in a sandbox without it."
    )
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="start the bot (the default)")
    play = commands.add_parser("play", help="show a recorded game in the sandbox")
    play.add_argument("log", type=Path, help="a log of 18xx.games, or our own")
    play.add_argument("--until", type=int, help="show the position after this action; default: the last")
    return parser


if __name__ == "__main__":
    sys.exit(main())
