"""Player names over time, and the removal of a user's name and id from stored games."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bot.table.live import LiveGame
from engine import Game, PlayerId
from storage import ANONYMISED_USER, FORMER_PLAYER_NAME, SeatEntry, personal_data


@dataclass(frozen=True, slots=True)
class NamesOverTime:
    """The display names of a game's players at each of its moves."""

    current_names: Mapping[PlayerId, str]
    """Each player's current name. It is used before the player's first entry in `holder_entries`."""
    holder_entries: tuple[SeatEntry, ...] = ()
    """Seat changes, oldest first. Substitutes are left out, since they play under the holder's name."""

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        holder_entries = tuple(entry for entry in live.seat_history if entry.role != "substitute")
        return cls(dict(live.game.players), holder_entries)

    def names_at(self, seq: int) -> dict[PlayerId, str]:
        """Each player's name when log row `seq` was stored."""
        return {
            **self.current_names,
            **{entry.player_id: entry.display_name for entry in self.holder_entries if entry.since < seq},
        }


def rename_players(game: Game, names: Mapping[PlayerId, str]) -> Game:
    """Rename the players of a game and return it."""
    for player, name in names.items():
        game.rename(player, name)
    return game


def anonymised_content(kind: personal_data.TextKind, text: str, identity: personal_data.UserInGame) -> str:
    """A stored text without this user's name and id.

    If it is a position, its digest stays the same, since digests do not include names.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return _anonymised_text(text, identity)
    if kind == "words":
        changed_content = _anonymised_value(content, identity)
    elif kind == "accept":
        changed_content = {**content, "state": anonymised_content("state", content["state"], identity)}
    else:
        changed_content = _content_with_former_names(content, identity)
    return text if changed_content == content else json.dumps(changed_content)


def _content_with_former_names(content: dict[str, Any], identity: personal_data.UserInGame) -> dict[str, Any]:
    changed_content = dict(content)
    changed_content["players"] = [
        [player, FORMER_PLAYER_NAME if _is_name_of_user(player, name, identity) else name]
        for player, name in content["players"]
    ]
    if "state" in changed_content:
        changed_content["state"] = {
            **changed_content["state"],
            "players": _players_with_former_names(changed_content["state"]["players"], identity),
        }
    return changed_content


def _players_with_former_names(
    players: list[dict[str, Any]], identity: personal_data.UserInGame
) -> list[dict[str, Any]]:
    return [
        {**player, "name": FORMER_PLAYER_NAME}
        if _is_name_of_user(player["id"], player["name"], identity)
        else player
        for player in players
    ]


def _is_name_of_user(player: str, name: str, identity: personal_data.UserInGame) -> bool:
    return player in identity.players and name in identity.names


def _anonymised_value(value: Any, identity: personal_data.UserInGame) -> Any:
    if isinstance(value, dict):
        return {key: _anonymised_value(inner_value, identity) for key, inner_value in value.items()}
    if isinstance(value, list):
        return [
            _anonymised_value(inner_value, identity)
            for inner_value in value
            if inner_value != identity.user_id
        ]
    if isinstance(value, str):
        return _anonymised_text(value, identity)
    return ANONYMISED_USER if value == identity.user_id else value


def _anonymised_text(text: str, identity: personal_data.UserInGame) -> str:
    user_id_pattern = rf"(?<!\d){identity.user_id}(?!\d)"
    name_patterns = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in identity.names]
    return re.sub(
        "|".join([rf"<@!?{identity.user_id}>", user_id_pattern, *name_patterns]), FORMER_PLAYER_NAME, text
    )
