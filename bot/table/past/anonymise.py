"""Player names over time, and removal of a user's name and id from stored games."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bot.table.live import LiveGame
from engine import Game, PlayerId
from storage import ANONYMISED, FORMER, SeatEntry, personal_data


@dataclass(frozen=True, slots=True)
class NamesOverTime:
    """The names of a game's players over time."""

    now: Mapping[PlayerId, str]
    """Their names now; unless another holder of the seat is known, they always had them."""
    held: tuple[SeatEntry, ...] = ()
    """Holders of the seats, oldest first; substitutes play under the name of the holder."""

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        held = tuple(entry for entry in live.seat_history if entry.role != "substitute")
        return cls(dict(live.game.players), held)

    def names_at(self, seq: int) -> dict[PlayerId, str]:
        """Each player's name at the row `seq`."""
        return {
            **self.now,
            **{entry.player_id: entry.display_name for entry in self.held if entry.since < seq},
        }


def with_names(game: Game, names: Mapping[PlayerId, str]) -> Game:
    """The game with these player names."""
    for player, name in names.items():
        game.rename(player, name)
    return game


def anonymised(where: personal_data.Where, text: str, somebody: personal_data.GameIdentity) -> str:
    """A stored text without a user's name and id.

    No digest knows names, so that a position stays what it is.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return _anonymised_text(text, somebody)
    if where == "words":
        changed = _walked(content, somebody)
    elif where == "accept":
        changed = {**content, "state": anonymised("state", content["state"], somebody)}
    else:
        changed = _renamed(content, somebody)
    return text if changed == content else json.dumps(changed)


def _renamed(content: dict[str, Any], somebody: personal_data.GameIdentity) -> dict[str, Any]:
    renamed = dict(content)
    renamed["players"] = [
        [player, FORMER if _is(player, name, somebody) else name] for player, name in content["players"]
    ]
    if "state" in renamed:
        renamed["state"] = {
            **renamed["state"],
            "players": _former_names(renamed["state"]["players"], somebody),
        }
    return renamed


def _former_names(
    players: list[dict[str, Any]], somebody: personal_data.GameIdentity
) -> list[dict[str, Any]]:
    return [
        {**player, "name": FORMER} if _is(player["id"], player["name"], somebody) else player
        for player in players
    ]


def _is(player: str, name: str, somebody: personal_data.GameIdentity) -> bool:
    return player in somebody.players and name in somebody.names


def _walked(value: Any, somebody: personal_data.GameIdentity) -> Any:
    """All words in a notice or proposal, anonymised; keys stay."""
    if isinstance(value, dict):
        return {key: _walked(held, somebody) for key, held in value.items()}
    if isinstance(value, list):
        return [_walked(held, somebody) for held in value if held != somebody.user_id]
    if isinstance(value, str):
        return _anonymised_text(value, somebody)
    return ANONYMISED if value == somebody.user_id else value


def _anonymised_text(text: str, somebody: personal_data.GameIdentity) -> str:
    number = rf"(?<!\d){somebody.user_id}(?!\d)"
    names = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in somebody.names]
    return re.sub("|".join([rf"<@!?{somebody.user_id}>", number, *names]), FORMER, text)
