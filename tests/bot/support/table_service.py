"""Tables without Discord: a real database, the real engine, and people by number."""

from dataclasses import dataclass

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.lobby import Lobbies, LobbyOpener
from bot.table.moves.moves import TypedMove
from bot.table.outbox.notices import LINE_KIND, Line
from bot.table.past.anonymise import anonymised_content
from bot.table.tables import Outcome, Tables
from bot.table.undo import undo
from engine.record import Record
from storage import Database, outbox, personal_data

ANN, BOB, CY = 11, 12, 13
DEE = 14
GUILD, CHANNEL = 1, 2
EVERYBODY = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee"))


@dataclass
class TableService:
    """Tables and lobbies on one database."""

    db: Database
    tables: Tables
    lobbies: Lobbies

    @classmethod
    def on(cls, db: Database) -> "TableService":
        return cls.of(Tables(db))

    @classmethod
    def of(cls, tables: Tables) -> "TableService":
        return cls(tables.db, tables, Lobbies(tables))

    async def lobby(
        self, people: tuple[tuple[int, str], ...] = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
    ) -> int:
        """A lobby in which these people sit; its number."""
        first, *others = people
        lobby = await self.lobbies.open_lobby(
            GUILD, LobbyOpener(first[0], first[1], CHANNEL), "18chesapeake", "rulebook"
        )
        for user_id, name in others:
            await self.lobbies.join(lobby.row.id, user_id, name)
        return lobby.row.id

    async def game(self) -> int:
        """A started game of Ann, Bob and Cy, in this order; its number."""
        game_id = await self.lobby()
        await self.lobbies.set_seat_order(game_id, ANN, (ANN, BOB, CY))
        await self.lobbies.start(game_id, ANN)
        return game_id

    async def at(self, record: Record) -> int:
        """A game played so far, of as many of Ann, Bob, Cy and Dee as it has players; its number."""
        place = ImportTarget(GUILD, CHANNEL, EVERYBODY[: len(record.players)])
        return await store_recorded_game(self.tables, record, place)

    async def do(
        self, game_id: int, user_id: int, kind: str, expected: int | None = None, **slots: object
    ) -> Outcome:
        return await self.tables.submit(game_id, user_id, TypedMove(kind, slots), expected)  # type: ignore[arg-type]

    async def pass_on(self, game_id: int) -> Outcome:
        async with self.tables.reading(game_id) as live:
            user_id = live.user_of(live.game.actors()[0])
        return await self.do(game_id, user_id, "pass")

    async def undo(self, game_id: int, user_id: int, expected: int | None = None) -> Outcome:
        """The player undoes their own last move."""
        return await undo(self.tables, game_id, user_id, expected)

    async def digest(self, game_id: int) -> str:
        async with self.tables.reading(game_id) as live:
            return live.game.digest()

    async def lines(self, game_id: int) -> list[str]:
        """The public lines that wait to be posted, oldest first."""
        return [
            Line.read(row.payload).text
            for row in await outbox.unposted_notices_of_game(self.db, game_id)
            if row.kind == LINE_KIND
        ]

    async def forget(self, user_id: int) -> None:
        await personal_data.anonymise(self.db, user_id, anonymised_content)

    def woken(self) -> list[int]:
        """The games that have something to post, each time anybody says so, from now on."""
        found: list[int] = []
        self.tables.on_notice = found.append
        return found
