"""Games that end before their end: by agreement of all, or by a moderator; scored as they stand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from bot.table.votes.subjects import Electorate, Subject
from engine.core.actions import EndGame
from engine.core.ids import PlayerId
from storage.log import Entry
from storage.people import CARETAKER
from storage.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Stopping(Subject):
    """The game is to end here, by agreement of everybody who is in it."""

    kind: ClassVar[str] = "end"

    def says(self) -> str:
        """That it ends."""
        return "the game ends here, and is scored as it stands"

    def electorate(self, live: LiveGame, by: int) -> Electorate:
        """All people but who is bankrupt; no part of them can end it for the others."""
        holders = (live.holder_of(player) for player in live.game.in_game())
        return Electorate(tuple(user for user in holders if user != CARETAKER), by=by)

    def gone(self, live: LiveGame) -> str | None:
        """It has ended."""
        return f"Game {live.id} has ended." if live.game.over else None

    async def carry(self, tables: Tables, live: LiveGame, proposal: Proposal) -> None:
        """End it: the log has the word of each."""
        text = f"All players have agreed to end the game here (proposal {proposal.number})."
        await stop(tables, live, live.holder_of, text, proposal)


async def stop(
    tables: Tables,
    live: LiveGame,
    on_whose_word: Callable[[PlayerId], int],
    text: str,
    proposal: Proposal | None = None,
) -> None:
    """End a game that is being written, though it pauses, with the word of every player; raises Refused."""
    if live.waits is not None:
        raise Refused(live.waits)
    if live.row.status != "running":
        raise Refused(f"Game {live.id} has ended.")
    try:
        entries = [_agreed(live, player, on_whose_word(player)) for player in _silent(live)]
        line = Line(f"`{live.seq + len(entries)}` {text}").notice()
        over = notices.hand_over((), (), None).notice()
        pending = [line, notices.board(), over, *notices.ending(live)]
        await tables.commit(live, entries, pending, live.counting, proposal)
    except BaseException:
        tables.forget(live.id)
        raise


def _silent(live: LiveGame) -> list[PlayerId]:
    """Who has not given the word yet."""
    return [offer.actor for offer in live.game.offers() if offer.kind == "end_game"]


def _agreed(live: LiveGame, player: PlayerId, user_id: int) -> Entry:
    action = EndGame(actor=player, entity=player)
    live.game.apply(action)
    person = None if user_id == CARETAKER else user_id
    return Entry("action", action.model_dump_json(), live.game.digest(), player, person)
