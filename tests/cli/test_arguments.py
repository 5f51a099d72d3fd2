"""Arguments of the shell: every command is described, and no password is shown."""

import argparse
import re

import pytest

from bot.tools.cli import main, parser

COMMANDS = [
    *("run", "invite", "play", "replay", "render", "routes"),
    *("backup", "check", "restore", "export", "migrate"),
]
SECRET = "postgresql://ann:s3cret@host:1/games"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(arguments)
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """With a line; without a command, the bot is started."""
    lines = [line.split(maxsplit=1) for line in printed(capsys, "--help").splitlines()]
    listed = {words[0]: words[1] for words in lines if len(words) == 2 and words[0] in COMMANDS}
    assert list(listed) == COMMANDS
    assert parser().parse_args([]) == argparse.Namespace(command=None)


@pytest.mark.parametrize("command", COMMANDS)
def test_command_describes_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """The description is a paragraph of its own, below the usage; each argument has words behind it."""
    usage, description, *lists = printed(capsys, command, "--help").split("\n\n")
    assert usage.startswith(f"usage: stationmaster {command}")
    assert description.endswith(".")
    arguments = re.findall(r"^  (\S.*(?:\n {10,}.*)*)", "\n".join(lists), re.MULTILINE)
    assert [text for text in arguments if not re.search(r"\s{2,}\S", text)] == []


def code(arguments: list[str]) -> object:
    """The exit code of a command, which its parser raises."""
    try:
        return main(arguments)
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "postgres:/ann:s3cret@host:1/games"],
        ["check", "postgresql:ann:s3cret@host/games"],
        ["check", SECRET.replace("postgresql", "mysql")],
        ["check", SECRET, SECRET],
        ["check", SECRET],
        ["restore", SECRET],
        ["backup", SECRET],
        ["migrate", SECRET, "games.db"],
        ["migrate", "games.db", SECRET],
        ["export", "1", SECRET],
        ["play", "--until", SECRET, "game.json"],
    ],
)
def test_password_is_not_echoed(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert code(arguments) in (1, 2)
    said = capsys.readouterr()
    assert said.err
    assert "s3cret" not in said.out + said.err
