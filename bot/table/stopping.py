"""Games that end before their end: by agreement of all, or by a moderator; scored as they stand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.table import notices
from bot.table.errors import Refused
from bot.table.history import in_anothers_name
from bot.table.live import Live
from bot.table.matters import Electorate, Matter
from bot.table.notices import Line
from bot.table.service import Tables
from engine.core.actions import EndGame, read_action
from engine.core.ids import PlayerId
from storage.log import Entry
from storage.motions import Motion
from storage.people import CARETAKER


@dataclass(frozen=True, slots=True)
class Stopping(Matter):
    """The game is to end here, by agreement of everybody who is in it."""

    kind: ClassVar[str] = "end"

    def says(self) -> str:
        """That it ends."""
        return "the game ends here, and is scored as it stands"

    def electorate(self, live: Live, by: int) -> Electorate:
        """All people but who is bankrupt; no part of them can end it for the others."""
        del by
        holders = (live.holder_of(player) for player in live.game.in_game())
        return Electorate(tuple(user for user in holders if user != CARETAKER))

    def gone(self, live: Live) -> str | None:
        """It has ended."""
        return f"Game {live.id} has ended." if live.game.over else None

    async def carry(self, tables: Tables, live: Live, motion: Motion) -> None:
        """End it: the log has the word of each."""
        text = f"All players have agreed to end the game here (proposal {motion.number})."
        await stop(tables, live, live.holder_of, text, motion)


async def stop(
    tables: Tables,
    live: Live,
    on_whose_word: Callable[[PlayerId], int],
    text: str,
    motion: Motion | None = None,
) -> None:
    """End a game that is being written, though it pauses, with the word of every player; raises Refused."""
    if live.waits is not None:
        raise Refused(live.waits)
    if live.game.over or live.row.status != "running":
        raise Refused(f"Game {live.id} has ended.")
    try:
        entries = [_agreed(live, player, on_whose_word(player)) for player in _silent(live)]
        line = Line(f"`{live.seq + len(entries)}` {text}").notice()
        over = notices.hand_over((), (), None).notice()
        pending = [line, notices.board(), over, *notices.ending(live)]
        await tables.commit(live, entries, pending, live.counting, motion)
    except BaseException:
        tables.forget(live.id)
        raise


def ended_by(live: Live) -> int | None:
    """The moderator who gave the word for a player as a game ended; None where nobody has."""
    others = in_anothers_name(live)
    for row in reversed(live.counting):
        if row.kind != "action" or read_action(row.payload).kind != "end_game":
            break
        if row.seq in others:
            return others[row.seq]
    return None


def _silent(live: Live) -> list[PlayerId]:
    """Who has not given the word yet."""
    return [offer.actor for offer in live.game.offers() if offer.kind == "end_game"]


def _agreed(live: Live, player: PlayerId, user_id: int) -> Entry:
    action = EndGame(actor=player, entity=player)
    live.game.apply(action)
    person = None if user_id == CARETAKER else user_id
    return Entry("action", action.model_dump_json(), live.game.digest(), player, person)
