"""Who may do what: one table from every command and button to the right that it needs, and who has which right.

Which moves a player has at the moment is no right: the offers say that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import discord

from bot.table.errors import NotYours, Refused
from bot.table.moves.verbs import VERBS
from bot.table.settings.server_settings import moderator_role, moderators_question
from storage import Database, games
from storage.errors import NotSeated
from storage.questions import ask
from storage.tables import seat_history, seats

Right = Literal["ask", "look", "play", "sit", "moderate", "manage", "own"]
"""What something needs.

ask: nothing; look: to be of the game's server; play: a seat of the game, or to substitute for one;
sit: a seat in the lobby; moderate: to moderate games of the server; manage: to manage the server; own: to own the bot.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody is, where something is asked for."""

    here: bool = True
    """Of the server whose game it is."""
    seated: bool = False
    """Has a seat of the game, or plays for somebody who has."""
    moderates: bool = False
    manages: bool = False
    owns: bool = False

    def has(self, right: Right) -> bool:
        """Whether that is enough."""
        if right in ("ask", "own"):
            return right == "ask" or self.owns
        had = {"look": True, "moderate": self.moderates, "manage": self.manages}
        return self.here and had.get(right, self.seated)


OF_A_GAME: Final = frozenset({"look", "play", "sit"})
"""Rights that somebody has in one game and not in another."""
LOBBY: Final[Mapping[str, Right]] = {
    "game join": "look",
    "game leave": "sit",
    "game start": "sit",
    "game options": "sit",
    "game settings": "sit",
    "game seats": "sit",
    # The opener of a lobby abandons it, players agree to end a game, moderators end a damaged one.
    "game abandon": "look",
    "game export": "look",
}
"""Commands that may name their game."""
_GAMES: Final[Mapping[str, Right]] = {
    "game new": "ask",
    "game import": "ask",
    "game list": "ask",
    # Players give their own seat away, or vote about another's.
    "game replace": "play",
    "game substitute": "play",
    "game back": "play",
    "game pause": "play",
    "game resume": "play",
    "game agreement": "play",
    "game propose": "play",
    "game repair": "look",
    "game move-here": "moderate",
    "game accept": "moderate",
    "game mend": "moderate",
}
_LOOKING: Final = ("status", "map", "market", "company", "player", "table", "tiles", "chart", "trains", "log")
_ORDERS: Final = ("list", "withdraw", "pass", "buy", "bid", "run", "merger", "done")
_MODERATING: Final = tuple(
    f"mod {deed}"
    for deed in (
        *("replace", "pause", "resume", "undo", "act", "end", "abandon", "close", "options", "seats"),
        *("repair", "accept", "settings"),
    )
)
COMMANDS: Final[Mapping[str, Right]] = {
    **LOBBY,
    **_GAMES,
    **dict.fromkeys(VERBS, "play"),
    **dict.fromkeys(("move", "undo"), "play"),
    **dict.fromkeys((f"orders {deed}" for deed in _ORDERS), "play"),
    # A moderator redoes what a moderator undid; the log knows who did.
    **dict.fromkeys((*_LOOKING, "private", "why", "what-if", "redo"), "look"),
    **dict.fromkeys(("rules", "mine", "help", "theme", "privacy", "stats", "away", "pings"), "ask"),
    **dict.fromkeys(_MODERATING, "moderate"),
    **dict.fromkeys(("mod role", "setup"), "manage"),
    "health": "own",
}
"""The right that each command needs, by its full name; `/theme` for everybody needs `manage` as well."""
PRESSES: Final[Mapping[str, Right]] = {
    **dict.fromkeys(("MoveButton", "ConfirmPress", "UndoPress", "MenuPress", "StepPress"), "play"),
    **dict.fromkeys(("AmountPress", "MakePress", "Pick", "OfferPick", "ProposePress"), "play"),
    **dict.fromkeys(("CancelPress", "RedoPress"), "look"),
    "MendPress": "moderate",
    "DeedPress": "moderate",
    # The newcomer has no seat yet; the proposal knows who is asked.
    "MotionPress": "look",
    # Who played may play again, and ask the others.
    "RematchPress": "play",
    # A user who joins has no seat yet; the lobby knows who has one.
    "LobbyPress": "look",
    "RulesPick": "sit",
    # Users ask about themselves.
    "PrivacyPress": "ask",
    # In a direct message there is no server; without a ping there is nothing to mute.
    "MutePress": "ask",
    # There is no game yet; the message knows whose seats are taken.
    "ClaimPress": "ask",
    # As /game import itself.
    "ImportPress": "ask",
    "OrderPress": "play",
    **dict.fromkeys(("LookPress", "PastPress", "PastPick", "TrialPress"), "look"),
}
"""The right that each button and menu needs, by the name of its class."""
IN_THE_NAME: Final[Mapping[str, Right]] = {"m": "moderate", "t": "play", "w": "look"}
"""The right that a menu needs for moves on behalf of others, or in a what-if, by the letter behind its key."""
_REFUSALS: Final[Mapping[Right, str]] = {
    "look": "That game is not played on this server.",
    "manage": "Only who may manage this server chooses for everybody.",
    "own": "Only the owner of this bot may look at that.",
}
"""What a user without the right is told."""


def needed(press: str, hand: str = "") -> Right:
    """The right that a button or menu needs, used in this name."""
    return IN_THE_NAME.get(hand, PRESSES[press])


async def require(interaction: discord.Interaction[Any], right: Right, game_id: int | None = None) -> None:
    """Raise NotYours or NotSeated unless the person has the right, in this game where one is meant."""
    db: Database = interaction.client.tables.db
    if not (await standing(interaction, right, game_id)).has(right):
        raise await _refusal(db, interaction.guild_id or 0, right, game_id)


async def standing(interaction: discord.Interaction[Any], right: Right, game_id: int | None) -> Standing:
    """What the person is; of the game only what the right asks for is read."""
    tables, server, may = interaction.client.tables, interaction.guild_id, interaction.permissions
    row, seated, role = None, False, moderators_question(server or 0)
    if game_id is None or right == "ask":
        chosen = await ask(tables.db, role)
    else:
        row, taken, sat, chosen = await ask(
            tables.db, games.question(game_id), seats.question(game_id), seat_history.question(game_id), role
        )
        standing_in = seat_history.substitutes(sat, tables.clock())
        people = {seat.user_id for seat in taken} | {one.user_id for one in standing_in.values()}
        seated = interaction.user.id in people
    return Standing(
        here=row is None or row.guild_id == server,
        seated=seated and right in ("play", "sit"),
        moderates=server is not None and _moderates(interaction, chosen),
        manages=may.manage_guild,
        owns=interaction.user.id in owners(interaction.client.application),
    )


async def moderates(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person has the server's role for moderators, or where there is none, may manage threads here."""
    return _moderates(
        interaction, await moderator_role(interaction.client.tables.db, interaction.guild_id or 0)
    )


def _moderates(interaction: discord.Interaction[Any], role: int | None) -> bool:
    may = interaction.permissions
    if role is None or may.manage_guild:
        return may.manage_threads
    return any(held.id == role for held in getattr(interaction.user, "roles", ()))


def owners(application: discord.AppInfo | None) -> set[int]:
    """Whose application this is: a person, or the members of a team."""
    if application is None:
        return set()
    team = application.team
    return {application.owner.id} if team is None else {member.id for member in team.members}


async def _refusal(db: Database, server: int, right: Right, game_id: int | None) -> Refused | NotSeated:
    row = None if game_id is None else await games.get_game(db, game_id)
    if row is not None and row.guild_id != server:
        return NotYours(_REFUSALS["look"])
    if right == "moderate":
        role = await moderator_role(db, server)
        needs = "the permission Manage Threads here" if role is None else f"the role <@&{role}>"
        return NotYours(f"That is for moderators of games: it needs {needs}.")
    if right in _REFUSALS or row is None:
        return NotYours(_REFUSALS.get(right, _REFUSALS["look"]))
    if right == "sit":
        return NotSeated(f"You have no seat in game {game_id}. Join it first.")
    names = ", ".join(seat.display_name for seat in await seats.seats(db, row.id))
    return NotYours(f"You have no seat in game {game_id}; it is played by {names}.")
