"""The limits of the sandbox and `docs/discord.md`, which says where each of them comes from."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from bot.sandbox import component_limits, message_limits
from bot.sandbox.guild import registered_commands

PAGE = Path(__file__).parents[3] / "docs/discord.md"
ROW = re.compile(
    r"\| `(\w+\.[A-Z0-9_]+)` \| ([\d, ]+) \|[^|]+\|[^|]*\b(?:docs|discord\.py|reported)\b[^|]*\|"
)


def documented() -> dict[str, str]:
    return {
        found[1]: found[2].strip() for found in map(ROW.fullmatch, PAGE.read_text().splitlines()) if found
    }


def constants(module: ModuleType) -> dict[str, str]:
    """Every public constant of a module, as a table writes it."""
    name = module.__name__.rpartition(".")[2]
    return {
        f"{name}.{key}": ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for key, value in vars(module).items()
        if re.fullmatch(r"[A-Z][A-Z0-9_]*", key)
    }


def test_every_limit_has_its_source() -> None:
    """Name and value agree in both directions, and each row says how it is known."""
    assert documented() == constants(message_limits) | constants(registered_commands) | constants(
        component_limits
    )


def test_every_link_is_used_and_every_use_has_a_link() -> None:
    """References of the page to the addresses at its end."""
    text = PAGE.read_text()
    links = re.findall(r"^\[(\w+)\]: https://\S+$", text, re.MULTILINE)
    used = re.findall(r"\]\[(\w+)\]", text)
    assert set(links) == set(used)
    assert len(links) == len(set(links))


def test_every_rule_names_its_module_its_tests_and_its_source() -> None:
    """The table at the end of the page; what it names is there, and no module of limits is left out."""
    rows = [
        row.split("|")[1:-1] for row in PAGE.read_text().split("## Where it is")[1].splitlines() if "|" in row
    ]
    here, package = Path(__file__).parent, PAGE.parents[1] / "bot/sandbox"
    named = set()
    for rule, modules, tests, source in rows[2:]:
        found = re.findall(r"`([\w/]+)`", modules)
        named |= set(found)
        assert all((package / f"{module}.py").exists() for module in found), rule
        assert all((here / f"{test}.py").exists() for test in re.findall(r"`(\w+)`", tests)), rule
        assert re.search(r"\]\[\w+\]|reported", source), rule
    assert {path.stem for path in package.glob("*limits.py")} <= named
    others = {
        "guild/permissions",
        "guild/bot_permissions",
        "guild/registered_commands",
        "guild/threads",
        "http/rate_limits",
    }
    assert others <= named
