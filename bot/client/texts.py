"""What messages say: turn, board and lobby texts in Discord's markdown. Pure functions of a live game."""

from collections.abc import Sequence
from typing import Final

from bot.table.live import Live
from bot.table.lobby import Lobby
from bot.table.readings import chosen_rules
from bot.table.service import Outcome
from bot.table.style import sentence_list, strong
from engine.core.ids import PlayerId
from engine.tell.viewing import turn_view
from engine.tell.views import TurnView
from storage.games import Game

LONGEST_MESSAGE: Final = 2000
"""Characters Discord takes in one message."""


def turn_text(live: Live, pinged: Sequence[PlayerId]) -> str:
    """Who acts, where in the turn we are, and how much happened since; mentions only those to be pinged."""
    view = turn_view(live.game)
    who = sentence_list(_called(live, player, pinged) for player in view.actors)
    since = _since(live, view.actors)
    return "\n".join(line for line in (f"{who}: {_heading(view)}{since}", _steps(view)) if line)


def status_text(live: Live) -> str:
    """Round, phase, who acts and the steps of the turn."""
    view = turn_view(live.game)
    if view.over:
        return f"{strong(live.row.name)}, game {live.id}: over."
    who = sentence_list(view.actor_names)
    head = (
        f"{strong(live.row.name)}, game {live.id}, move {live.seq}, phase {view.phase}. "
        f"It is {strong(who)}'s turn."
    )
    return "\n".join(line for line in (head, _heading(view), _steps(view)) if line)


def board_title(row: Game) -> str:
    """The heading of the board post."""
    return f"{row.name}, game {row.id}"


def game_title(row: Game) -> str:
    """What a game is called in its channel."""
    return strong(f"Game {row.id}: {row.name}")


def thread_name(game_id: int, name: str, people: Sequence[str]) -> str:
    """The name of a game's thread, at most 100 characters."""
    return f"{name} {game_id}: {', '.join(people)}"[:100]


def lobby_text(lobby: Lobby) -> str:
    """What the lobby message says."""
    counts = lobby.counts
    order = "in this order" if lobby.fixed else "seats are drawn at the start"
    change = "Whoever has a seat may change the rules below, or with `/game options`."
    seats = "\n".join(f"{seat.seat}. {seat.display_name}" for seat in lobby.seats) or "nobody yet"
    return (
        f"{game_title(lobby.row)} for {min(counts)} to {max(counts)} players"
        f"\n{chosen_rules(lobby.row)}\n{seats}\n-# {len(lobby.seats)} joined, {order}."
        f" Join below, or with `/game join`. {change}"
    )


def done(outcome: Outcome) -> str:
    """The answer to whoever made a move."""
    return f"Done, move {outcome.seq}: " + "\n".join(outcome.lines)


def stored(outcome: Outcome) -> str:
    """That a move is stored, whatever may be shown of it."""
    return f"Your move is stored (number {outcome.seq})."


def unshown(trouble: str) -> str:
    """That the thread does not show all that is stored, and why."""
    return f"The thread does not show it yet. {trouble} It is shown as soon as that is mended."


def pieces(text: str, longest: int = LONGEST_MESSAGE) -> list[str]:
    """The text cut at line ends into pieces that fit a message."""
    found: list[str] = []
    rest = text
    while len(rest) > longest:
        cut = rest.rfind("\n", 1, longest + 1)
        cut = cut if cut > 0 else longest
        found.append(rest[:cut])
        rest = rest[cut:].lstrip("\n")
    return [*found, rest]


def _called(live: Live, player: PlayerId, pinged: Sequence[PlayerId]) -> str:
    return f"<@{live.user_of(player)}>" if player in pinged else strong(live.name_of(player))


def _heading(view: TurnView) -> str:
    facts = f" ({view.facts})" if view.facts else ""
    return f"{strong(f'{view.round_name}: {view.entity}')}{facts}"


def _steps(view: TurnView) -> str:
    if not view.steps:
        return ""
    marks = (
        strong(f"▸ {words}") if current else f"✓ {words}" if done else words
        for words, done, current in view.steps
    )
    return "-# " + " · ".join(marks)


def _since(live: Live, actors: Sequence[PlayerId]) -> str:
    if len(actors) != 1:
        return ""
    own = [row.seq for row in live.counting if row.actor == actors[0]]
    count = sum(1 for row in live.counting if row.kind == "action" and row.seq > (own[-1] if own else 0))
    return f" Since your last move: {count} {'move' if count == 1 else 'moves'}." if count else ""
