"""Sample games of the sandbox: recorded games to watch or continue, a game against the computer, and a season."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Playback, SampleOpening
from bot.sandbox.refusal import SandboxError
from bot.table.errors import Refused
from bot.table.events.event_settings import EventSettings
from bot.table.events.events import Events, Organiser
from bot.table.imports import ImportTarget, moves_with_seated_players, store_recorded_game
from bot.table.live import LiveGame
from bot.table.lobby import Lobbies, LobbyOpener
from bot.table.orders import caretakers
from bot.table.tables import Tables
from engine import Action, Record, Request, load_record, read_action
from storage import games

SANDBOX_TABLE: Final = ImportTarget(
    seed.GUILD_ID,
    seed.TABLE_CHANNEL_ID,
    tuple((seed.OWNER_ID + number, name) for number, name in enumerate(seed.PEOPLE_NAMES)),
)
"""The channel, and the players, of the sandbox's games."""
GAMES_FOLDER: Final = Path(__file__).parent / "games"
GAME_TO_WATCH: Final = ("18chesapeake-bank-4p", 0)
GAME_TO_CONTINUE: Final = ("18al-price-3p", 181)
"""The recorded game that users can continue: its file, and the number of moves made when it is opened."""
COMPUTER_OPPONENTS: Final = 2
"""Number of computer players in the sample game against the computer."""
SEASON: Final = EventSettings(
    titles=("18chesapeake",), table_size=4, games_each=4, group_size=4, promoted=0, relegated=0
)
SEASON_NAME: Final = "Small season"
SEASON_OPPONENTS: Final = 3
"""Number of computer players in the sample season."""
SAMPLE_OPENINGS: Final = (
    SampleOpening("first", "Play against the computer", "18Chesapeake: you and two computer players."),
    SampleOpening(
        "watch",
        "Watch a recorded game",
        "18Chesapeake with four players, move by move, at your pace.",
        watched=True,
    ),
    SampleOpening(
        "continue",
        "Continue a game",
        "18AL with three players, from the middle of the game: you play every seat.",
    ),
    SampleOpening(
        "season",
        "Run a small season",
        "You and three computer players: press Manage, draw the tables, and start four games at once.",
        watched=True,
    ),
    SampleOpening(
        "new",
        "Start a new game",
        "Choose a title, let players join, and start.",
        command="game new",
    ),
)
THREAD_WAIT_SECONDS: Final = 20.0
"""Seconds to wait for the thread of a sample game."""


class Showcase:
    """Opens sample games in the sandbox. It can make a recorded game's next moves until a different move is made."""

    openings: Sequence[SampleOpening] = SAMPLE_OPENINGS

    def __init__(self, tables: Tables, show_event: Callable[[int], Awaitable[None]] | None = None) -> None:
        """`show_event` posts an event's messages at once. Without it, those of a sample season take up to a minute."""
        self._tables, self._show_event = tables, show_event
        self._step_lock = asyncio.Lock()

    async def open_game(self, name: str) -> int:
        """Open a sample game or season by name; returns the id of the thread or channel that shows it."""
        if name == "first":
            return await self.thread(await self._start_first_game())
        if name == "season":
            return await self._open_season()
        recorded_games = {"watch": GAME_TO_WATCH, "continue": GAME_TO_CONTINUE}
        if name not in recorded_games:
            raise SandboxError("There is no sample game with that name.")
        file, move_count = recorded_games[name]
        record = await asyncio.to_thread(recorded_game_named, file)
        game_id = await store_recorded_game(
            self._tables, replace(record, actions=record.actions[:move_count]), SANDBOX_TABLE
        )
        return await self.thread(game_id)

    async def _start_first_game(self) -> int:
        """Start a sample game of one user against computer players; returns the game's id."""
        lobbies, (user_id, name) = Lobbies(self._tables), SANDBOX_TABLE.people[0]
        opener = LobbyOpener(user_id, name, SANDBOX_TABLE.channel_id)
        lobby = await lobbies.open_lobby(SANDBOX_TABLE.guild_id, opener, "18chesapeake", "rulebook")
        for _ in range(COMPUTER_OPPONENTS):
            await caretakers.add_caretaker(lobbies, lobby.row.id, user_id)
        await lobbies.start(lobby.row.id, user_id)
        return lobby.row.id

    async def _open_season(self) -> int:
        """Open a sample season of one user and computer players; returns the id of its channel."""
        seasons, (user_id, name) = Events(self._tables), SANDBOX_TABLE.people[0]
        organiser = Organiser(user_id, SANDBOX_TABLE.channel_id)
        try:
            event = await seasons.open_event(SANDBOX_TABLE.guild_id, organiser, SEASON_NAME, SEASON)
        except Refused as problem:
            raise SandboxError(str(problem)) from problem
        await seasons.enter(event.id, user_id, name, ())
        for _ in range(SEASON_OPPONENTS):
            await seasons.enter_computer(event.id)
        if self._show_event is not None:
            await self._show_event(event.id)
        return SANDBOX_TABLE.channel_id

    async def thread(self, game_id: int) -> int:
        """Wait until a game has a thread, and return the thread's id; raises SandboxError."""
        try:
            async with asyncio.timeout(THREAD_WAIT_SECONDS):
                while (thread := await self._thread_with_board(game_id)) is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)  # nothing signals the change
                return thread
        except TimeoutError:
            raise SandboxError("The bot has not opened a thread for the game.") from None

    async def _thread_with_board(self, game_id: int) -> int | None:
        """The id of a game's thread once its board is posted, else None."""
        row = await games.get_game(self._tables.db, game_id)
        is_thread_recorded = (
            row.thread_id is not None and self._tables.game_shown_in(row.thread_id) == game_id
        )
        return row.thread_id if is_thread_recorded and row.board_message_id is not None else None

    async def playback(self, channel_id: int) -> Playback | None:
        """Progress of the recorded game in this thread; None for other games, or after a move that was not recorded."""
        game_id = self._tables.game_shown_in(channel_id)
        if game_id is None:
            return None
        async with self._tables.reading(game_id) as live:
            actions = _recorded_actions(live)
            return None if actions is None else Playback(len(live.effective_rows) - 1, len(actions))

    def has_board(self, channel_id: int) -> bool:
        """True if a started game is shown in this channel and the bot serves the board page."""
        return (
            self._tables.board_links.address is not None
            and self._tables.game_shown_in(channel_id) is not None
        )

    async def board_url(self, channel_id: int, user_id: int) -> str:
        """A user's personal link to the board page of the game in this channel."""
        game_id = self._tables.game_shown_in(channel_id)
        if game_id is None or not self.has_board(channel_id):
            raise SandboxError("This channel has no game with a board page.")
        return await self._tables.board_links.personal_url(game_id, user_id, moderates=False)

    async def make_next_moves(self, channel_id: int, move_count: int) -> None:
        """Make the next recorded moves of the game in this channel, each as the user with that seat.

        Concurrent calls wait for each other.
        """
        async with self._step_lock:
            for _ in range(move_count):
                if not await self._make_next_move(channel_id):
                    return

    async def _make_next_move(self, channel_id: int) -> bool:
        """Make the next recorded move of the game in this channel. True if the recording has another move."""
        game_id = self._tables.game_shown_in(channel_id)
        next_move = None if game_id is None else await self._next_recorded_move(game_id)
        if game_id is None or next_move is None:
            raise SandboxError("There is no recorded move left to make here.")
        action, user_id, seq = next_move
        try:
            await self._tables.submit(
                game_id, user_id, lambda game, player: game.cursor_for(Request.of_action(action)), seq
            )
        except Refused as problem:  # another move was made meanwhile
            raise SandboxError(str(problem)) from problem
        return await self._next_recorded_move(game_id) is not None

    async def _next_recorded_move(self, game_id: int) -> tuple[Action, int, int] | None:
        """The next recorded move, its user's id, and the newest log row; None if there is no such move."""
        async with self._tables.reading(game_id) as live:
            actions = _recorded_actions(live)
            moves_made = len(live.effective_rows) - 1
            if actions is None or moves_made == len(actions):
                return None
            return actions[moves_made], live.user_of(actions[moves_made].actor), live.seq


@cache
def recorded_game_named(file: str) -> Record:
    """The recorded game with this file name. It comes with the bot."""
    return load_record((GAMES_FOLDER / f"{file}.json").read_text("utf-8"))


def _recorded_actions(live: LiveGame) -> list[Action] | None:
    """The recorded moves of a sample game, if all moves so far were made as recorded; else None."""
    for record in _matching_records(live):
        actions = moves_with_seated_players(record, live.seats)
        actions_made = [read_action(row.payload) for row in live.effective_rows[1:] if row.kind == "action"]
        if actions_made == actions[: len(actions_made)] and len(actions_made) == len(live.effective_rows) - 1:
            return actions
    return None


def _matching_records(live: LiveGame) -> Iterator[Record]:
    """Recorded games with the same title, rules, seed and number of players as this game."""
    game = live.game
    start = (game.title.id, game.profile, game.options, game.seed, len(game.players))
    for file, _ in (GAME_TO_WATCH, GAME_TO_CONTINUE):
        record = recorded_game_named(file)
        if start == (record.title, record.profile, record.options, record.seed, len(record.players)):
            yield record
