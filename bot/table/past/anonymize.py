"""Removal of a user's name and number from what is stored of a game."""

import json
import re
from typing import Any

from storage.people import ANONYMISED, FORMER, Somebody, Where


def without(where: Where, text: str, somebody: Somebody) -> str:
    """A text without a user's name and number; the same text where they are not in it.

    No digest knows names, so that a position stays what it is.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return _said(text, somebody)
    if where == "words":
        changed = _walked(content, somebody)
    elif where == "accept":
        changed = {**content, "state": without("state", content["state"], somebody)}
    else:
        changed = _renamed(content, somebody)
    return text if changed == content else json.dumps(changed)


def _renamed(content: dict[str, Any], somebody: Somebody) -> dict[str, Any]:
    """A start, or a position: the players that the user played get other names."""
    found = dict(content)
    found["players"] = [
        [player, FORMER if _is(player, name, somebody) else name] for player, name in content["players"]
    ]
    if "state" in found:
        found["state"] = {**found["state"], "players": _former_names(found["state"]["players"], somebody)}
    return found


def _former_names(players: list[dict[str, Any]], somebody: Somebody) -> list[dict[str, Any]]:
    return [
        {**player, "name": FORMER} if _is(player["id"], player["name"], somebody) else player
        for player in players
    ]


def _is(player: str, name: str, somebody: Somebody) -> bool:
    return player in somebody.players and name in somebody.names


def _walked(value: Any, somebody: Somebody) -> Any:
    """Words within a notice or a proposal; keys stay."""
    if isinstance(value, dict):
        return {key: _walked(held, somebody) for key, held in value.items()}
    if isinstance(value, list):
        return [_walked(held, somebody) for held in value if held != somebody.user_id]
    if isinstance(value, str):
        return _said(value, somebody)
    return ANONYMISED if value == somebody.user_id else value


def _said(text: str, somebody: Somebody) -> str:
    """Words that mention or name the user."""
    number = rf"(?<!\d){somebody.user_id}(?!\d)"
    names = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in somebody.names]
    return re.sub("|".join([rf"<@!?{somebody.user_id}>", number, *names]), FORMER, text)
