"""The parser of the `stationmaster` command line. It imports few modules, so that it starts quickly."""

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from bot.tools.logs import without_secrets
from bot.version_and_commit import commit, version
from render import THEME_NAMES

EXPORT_FORMATS: Final = ("own", "18xx.games", "ledger")
"""File formats in which a game can be exported."""
RECORD_HELP: Final = "a log from 18xx.games, or a file in the bot's own format"
"""Help for an argument that names a recorded game."""


GC_THRESHOLD: Final = 50_000
"""Number of new objects after which garbage is collected while a command loads."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (`run` by default). Returns 0, or an exit code after printing the problem on stderr.

    The exit code is 1 for an error, and 78 or 77 if the operator must first change a setting (SettingsError).
    """
    options = parser().parse_args(arguments)
    gc.set_threshold(GC_THRESHOLD)
    # Imported here because loading takes longer than a short command; `--version` and misspelt commands need none of
    # it.

    from bot.tools.commands import run_command

    return run_command(options)


class CommandLineParser(argparse.ArgumentParser):
    """A parser of the command line whose error messages hide passwords."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and exit with code 2."""
        super().error(without_secrets(message))


class VersionAction(argparse.Action):
    """The option `--version`. Version and commit are determined only if the option is used."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(f"stationmaster {version()} (commit {commit()})\n")
        parser.exit()


def parser() -> CommandLineParser:
    """The parser of the `stationmaster` command line, with all its commands."""
    root_parser = CommandLineParser(
        prog="stationmaster", description="Moderates 18xx games on Discord, or in a sandbox without Discord."
    )
    root_parser.add_argument(
        "--version", action=VersionAction, nargs=0, default=argparse.SUPPRESS, help="print version and commit"
    )
    commands = Commands(root_parser)
    _add_bot_commands(commands)
    _add_recording_commands(commands)
    _add_database_commands(commands)
    return root_parser


class Commands:
    """Adds subcommands to a parser, each with a summary and a description."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(self, name: str, summary: str, description: str) -> argparse.ArgumentParser:
        return self._subparsers.add_parser(name, help=summary, description=description)


def _add_bot_commands(commands: Commands) -> None:
    commands.add(
        "run",
        "start the bot (the default)",
        "Starts the bot: on Discord with DISCORD_TOKEN, else in a sandbox that you open in a "
        "browser. Settings are environment variables, or lines of a file .env in this folder.",
    )
    commands.add(
        "invite",
        "print the link that adds the bot to a server",
        "Prints the link that adds the bot to a server. Needs DISCORD_TOKEN and access to Discord.",
    )
    play_parser = commands.add(
        "play",
        "show a recorded game in the sandbox",
        "Opens a recorded game in the sandbox, where you can play on; starts the sandbox if it isn't running.",
    )
    play_parser.add_argument("log", type=read_path, help=RECORD_HELP)
    play_parser.add_argument(
        "--until", type=int, help="show the position after the action with this number; default: the last"
    )


def _add_recording_commands(commands: Commands) -> None:
    replay_parser = commands.add(
        "replay",
        "check that recorded games end as recorded",
        "Plays recorded games again and prints a line of JSON for each; exit code 1 if one does "
        "not end as recorded. A problem names an action by its number in the log; --at and --until "
        "take the same numbers.",
    )
    replay_parser.add_argument("logs", type=read_path, nargs="+", metavar="log", help=RECORD_HELP)
    replay_parser.add_argument(
        "--trace", action="store_true", help="also compare each game with the trace file next to its log"
    )
    render_parser = commands.add(
        "render",
        "draw a position of a recorded game",
        "Draws map.png, market.png and, once the game is over, scores.png of a position.",
    )
    render_parser.add_argument("log", type=read_path, help=RECORD_HELP)
    render_parser.add_argument(
        "--at", type=int, help="draw the position after the action with this number; default: the last"
    )
    render_parser.add_argument(
        "--out", type=read_path, default=Path(), help="folder for the pictures; default: the current folder"
    )
    render_parser.add_argument("--theme", choices=THEME_NAMES, default="ours", help="colours; default: ours")
    routes_parser = commands.add(
        "routes",
        "print the best routes of a position of a recorded game",
        "Prints the best routes of the company that runs in a position, their revenue, and whether "
        "they are proven best.",
    )
    routes_parser.add_argument("log", type=read_path, help=RECORD_HELP)
    routes_parser.add_argument(
        "--at",
        type=int,
        help="use the position after the action with this number, or before it if the action runs trains; "
        "default: the last action",
    )
    routes_parser.add_argument("--json", action="store_true", help="print one line of JSON")


def _add_database_commands(commands: Commands) -> None:
    backup_parser = commands.add(
        "backup",
        "copy the database to a file; the bot may keep running",
        "Writes a consistent copy of all games to one file. The bot may keep running.",
    )
    backup_parser.add_argument("file", type=read_path, help="name of the new file")
    check_parser = commands.add(
        "check",
        "check the database and every game in it",
        "Checks the database, replays every game in it and prints a line for each; exit code 1 if "
        "anything is wrong. The bot may keep running.",
    )
    check_parser.add_argument(
        "database",
        type=read_database,
        nargs="?",
        help="a file, or postgresql://...; default: the database in the settings",
    )
    restore_parser = commands.add(
        "restore",
        "restore the database from a copy; stop the bot first",
        "Replaces the database with a copy and keeps the old one next to it. Stop the bot first.",
    )
    restore_parser.add_argument("file", type=read_path, help="the copy; it is not changed or moved")
    export_parser = commands.add(
        "export",
        "write a game of the database, or a log, to a file; the bot may keep running",
        "Writes a game of the database, or a log, to a file, in one of several formats. The bot "
        "may keep running.",
    )
    export_parser.add_argument("game", help=f"the game's number, or {RECORD_HELP}")
    export_parser.add_argument("file", type=read_path, help="name of the new file")
    export_parser.add_argument(
        "--form", choices=EXPORT_FORMATS, default="own", help="the format; default: own"
    )
    migrate_parser = commands.add(
        "migrate",
        "copy games to another database; stop all bots on both first",
        "Copies games to another database: all rows or none. Stop all bots on both first.",
    )
    migrate_parser.add_argument(
        "source",
        metavar="FROM",
        type=read_database,
        help="a file, or postgresql://... (PGPASSWORD may hold the password)",
    )
    migrate_parser.add_argument(
        "target",
        metavar="TO",
        type=read_database,
        help="a file, or postgresql://...; a missing file is created",
    )
    migrate_parser.add_argument(
        "--server", type=int, help="only the games of this server (its number); default: all"
    )


def read_path(typed_text: str) -> Path:
    """A file or folder typed on the command line. A URL is rejected without printing its password."""
    if "://" in typed_text:
        raise argparse.ArgumentTypeError("this is a web address; name a file")
    return Path(typed_text)


def read_database(typed_text: str) -> str | Path:
    """A database typed on the command line: a URL or a file."""
    from storage import is_server_url  # imported here because it loads the database libraries

    if is_server_url(typed_text):
        return typed_text
    if "://" in typed_text:
        raise argparse.ArgumentTypeError("name a file, or a database as postgresql://user:password@host/name")
    return Path(typed_text)


if __name__ == "__main__":
    sys.exit(main())
