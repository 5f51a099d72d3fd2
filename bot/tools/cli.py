"""The `stationmaster` command."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.table.errors import Refused
from bot.tools.export import FORMS, export
from bot.tools.keep import backup, check, restore
from bot.tools.migrate import migrate
from bot.tools.render import draw
from bot.tools.replay import reports
from bot.tools.routes import routes_at
from bot.tools.settings import Settings, SettingsError, read_settings
from engine.core.errors import EngineError
from engine.tell.failing import failure
from engine.titles import correct
from render import THEME_NAMES
from storage.errors import StorageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand (`run` by default); 0 if all went well, 1 with a sentence on standard error if not."""
    options = _parser().parse_args(arguments)
    try:
        return _dispatch(options)
    except EngineError as problem:
        return _failed(failure(problem))
    except (Refused, SettingsError, StorageError, OSError) as problem:
        return _failed(str(problem))


def _failed(why: str) -> int:
    print(f"stationmaster: {why}", file=sys.stderr)
    return 1


def _dispatch(options: argparse.Namespace) -> int:
    if options.command == "replay":
        return _replay(options.logs, trace=options.trace)
    if options.command == "render":
        for picture in draw(options.log, options.at, options.out, theme=options.theme):
            print(picture)
        return 0
    if options.command == "migrate":
        print(asyncio.run(migrate(options.source, options.target, options.server)))
        return 0
    if options.command == "routes":
        report = routes_at(options.log, options.at)
        print(json.dumps(report.json()) if options.json else "\n".join(report.lines()))
        return 0
    if options.command in ("backup", "check", "restore"):
        return _keep(options)
    if options.command == "export":
        print(asyncio.run(export(_settings().games, options.game, options.file, options.form)))
        return 0
    # Discord's library takes a while to load, and not every subcommand needs it.
    from bot.tools.play import play
    from bot.tools.run import run

    if options.command == "invite":
        from bot.tools.invite import invitation

        print(asyncio.run(invitation(_settings())))
    elif options.command == "play":
        play(options.log, options.until, _settings())
    else:
        run(_settings())
    return 0


def _settings() -> Settings:
    """The settings, with the titles as their owner has corrected them; raises SettingsError, TitleError, OSError."""
    settings = read_settings()
    if settings.corrections is not None:
        correct(settings.corrections.read_text("utf-8"))
    return settings


def _replay(logs: Sequence[Path], *, trace: bool) -> int:
    """Print a line of JSON a file; 1 if any game is refused or ends otherwise than recorded."""
    passed = True
    for report in reports(logs, trace=trace):
        print(json.dumps(report), flush=True)
        passed = passed and report["matches_recorded_result"]
    return 0 if passed else 1


def _keep(options: argparse.Namespace) -> int:
    settings = _settings()
    if options.command == "check":
        return asyncio.run(_check(options.database or settings.games))
    print((backup if options.command == "backup" else restore)(settings, options.file))
    return 0


async def _check(where: str | Path) -> int:
    """Print a line for the file and for each game; 1 if anything is wrong."""
    sound = True
    async for fine, line in check(where):
        print(line, flush=True)
        sound = sound and fine
    return 0 if sound else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stationmaster", description="Moderates games of 18xx on Discord, or in a sandbox without it."
    )
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="start the bot (the default)")
    commands.add_parser("invite", help="print the link that brings the bot to a server on Discord")
    play = commands.add_parser("play", help="show a recorded game in the sandbox")
    play.add_argument("log", type=Path, help="a log of 18xx.games, or our own")
    play.add_argument("--until", type=int, help="show the position after this action; default: the last")
    replay = commands.add_parser("replay", help="check that recorded games end as recorded")
    replay.add_argument("logs", type=Path, nargs="+", metavar="log", help="logs of 18xx.games, or our own")
    replay.add_argument("--trace", action="store_true", help="compare with the trace beside each log, too")
    render = commands.add_parser("render", help="draw a position of a recorded game")
    render.add_argument("log", type=Path, help="a log of 18xx.games, or our own")
    render.add_argument("--at", type=int, help="the position after this action; default: the last")
    render.add_argument("--out", type=Path, default=Path(), help="folder for the pictures")
    render.add_argument("--theme", choices=THEME_NAMES, default="ours")
    routes = commands.add_parser("routes", help="print the best routes of a position of a recorded game")
    routes.add_argument("log", type=Path, help="a log of 18xx.games, or our own")
    routes.add_argument(
        "--at",
        type=int,
        help="the position after this action, or before it if it is a run; default: the last",
    )
    routes.add_argument("--json", action="store_true", help="print one line of JSON")
    copy = commands.add_parser("backup", help="copy the database to a file; the bot may run meanwhile")
    copy.add_argument("file", type=Path, help="a file that is not there yet")
    look = commands.add_parser("check", help="look over the database and every game in it")
    look.add_argument("database", type=Path, nargs="?", help="the file; default: STATIONMASTER_DATABASE")
    back = commands.add_parser("restore", help="put a copy in place of the database; the bot must not run")
    back.add_argument("file", type=Path, help="the copy; it stays where it is")
    whole = commands.add_parser(
        "export", help="write a game of the database, or a log, to a file; the bot may run meanwhile"
    )
    whole.add_argument("game", help="the game's number, or a file: a log of 18xx.games, or our own")
    whole.add_argument("file", type=Path, help="a file that is not there yet")
    whole.add_argument("--form", choices=FORMS, default="own", help="how it is written")
    move = commands.add_parser(
        "migrate", help="bring games over to another database; no bot may run on either"
    )
    move.add_argument(
        "source", metavar="FROM", help="a file, or postgresql://... (PGPASSWORD may hold the password)"
    )
    move.add_argument("target", metavar="TO", help="likewise; a file that is not there is made")
    move.add_argument("--server", type=int, help="only the games of this server (its number); default: all")
    return parser


if __name__ == "__main__":
    sys.exit(main())
