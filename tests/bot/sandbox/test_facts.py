"""The limits of the sandbox and `docs/discord.md`, which says where each of them comes from."""

import re
from pathlib import Path
from types import ModuleType

from bot.sandbox import component_limits, message_limits
from bot.sandbox.guild import registered_commands

PAGE = Path(__file__).parents[3] / "docs/discord.md"
ROW = re.compile(
    r"\| `(\w+\.[A-Z0-9_]+)` \| ([\d, ]+) \|[^|]+\|[^|]*\b(?:docs|discord\.py|reported)\b[^|]*\|"
)
OTHERS = (
    "guild/permissions",
    "guild/bot_permissions",
    "guild/registered_commands",
    "guild/threads",
    "http/rate_limits",
)


def constants(module: ModuleType) -> dict[str, str]:
    """Every public constant of a module, as a table writes it."""
    name = module.__name__.rpartition(".")[2]
    return {
        f"{name}.{key}": ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for key, value in vars(module).items()
        if re.fullmatch(r"[A-Z][A-Z0-9_]*", key)
    }


def test_limits_have_their_source() -> None:
    rows = filter(None, map(ROW.fullmatch, PAGE.read_text().splitlines()))
    known = [constants(module) for module in (message_limits, registered_commands, component_limits)]
    assert {row[1]: row[2].strip() for row in rows} == known[0] | known[1] | known[2]


def test_rules_name_modules_and_tests() -> None:
    table = PAGE.read_text().split("## Where it is")[1].splitlines()
    rows = [row.split("|")[1:-1] for row in table if "|" in row][2:]
    here, package, named = Path(__file__).parent, PAGE.parents[1] / "bot/sandbox", set[str]()
    for rule, modules, tests, source in rows:
        found = re.findall(r"`([\w/]+)`", modules)
        named |= set(found)
        assert all((package / f"{module}.py").exists() for module in found), rule
        assert all((here / f"{test}.py").exists() for test in re.findall(r"`(\w+)`", tests)), rule
        assert re.search(r"\]\[\w+\]|reported", source), rule
    assert {path.stem for path in package.glob("*limits.py")} | set(OTHERS) <= named
