"""Which rules a game is played by, in words: profile, options, settled readings, and what is special to the title."""

import json
from collections.abc import Iterable
from typing import Final

from engine.titles import TITLES, Title
from storage.games import Game as GameRow

PROFILES: Final = {
    "rulebook": "the printed rules",
    "18xx.games": "the rules as that site plays them",
}
"""What each profile means, in a few words."""


def chosen_rules(row: GameRow) -> str:
    """Profile and options of a game, each with its sentence."""
    explained = TITLES[row.title].rules.OPTIONS
    options = "".join(f"\n- {name}: {explained[name]}" for name in json.loads(row.options))
    warning = TITLES[row.title].spec.note
    note = f"Note: {warning}.\n" if warning else ""
    return f"{note}Rules: {row.profile} ({PROFILES[row.profile]}).{options}"


def rules_text(row: GameRow) -> str:
    """What is worth knowing about the rules of a game, in Discord's markdown."""
    title = TITLES[row.title]
    parts = [f"**{title.name}**\n{chosen_rules(row)}"]
    parts += _part("Special to this title", title.spec.special)
    settled = [f"{reading}: {reason}" for reading, reason in title.rules.SETTLED.items()]
    parts += _part("Settled where the text is unclear", settled)
    parts += _part(f"Differences of the profile {row.profile}", _differences(title, row.profile))
    return "\n".join(parts)


def _differences(title: Title, profile: str) -> list[str]:
    return [title.rules.FLAGS[flag] for flag in title.spec.profiles[profile]]


def _part(heading: str, lines: Iterable[str]) -> list[str]:
    listed = [f"- {line}" for line in lines]
    return [f"__{heading}__", *listed] if listed else []
