"""A whole game during which everything happens that befalls a table in six weeks, and a table beside it."""

import random
from pathlib import Path

import pytest

from bot.sandbox import people
from engine.record import load_record
from tests.bot.faulted import FAULTS, NUMBERED, Faulted, Process, played, seated
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.test_whole_game import Bot

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
BESIDE = range(0, 120, 6)
"""Before which moves of the one table the other makes its next."""


def is_whole(table: Faulted, moves: int) -> None:
    """All moves were told once, in order, and a board and at most one turn message stand in the thread."""
    numbers = [int(NUMBERED.match(line)[1]) for line in table.told]  # type: ignore[index]
    assert numbers == list(range(1, moves + 2)), "a line is missing or posted twice"
    assert sum(bool(message.embeds) for message in table.messages) == 1
    assert len(table.turns) <= 1


async def test_a_game_during_which_everything_happens_ends_as_it_would_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line comes once, and the other table notices nothing."""
    # A press that goes well is answered by the thread, not by a message of its own.
    monkeypatch.setattr(people, "GRACE", 0.0)
    record, chance = load_record(GOLDEN.read_text("utf-8")), random.Random(1830)
    async with FaultyServer() as server:
        database = tmp_path / "games.db"
        numbers = [
            await seated(database, record, channel, server, names)
            for channel, names in (("table", ("Ann", "Bob")), ("second-table", ("Cy", "Dee")))
        ]
        rough = Faulted(server, database, numbers[0], record, ("Ann", "Bob"), chance)
        calm = Faulted(server, database, numbers[1], record, ("Cy", "Dee"), chance)
        async with Bot.started(server, tmp_path) as bot:
            await calm.settled()
            place, beside = calm.place(), server.world.channel_named("second-table")
            faults = chance.sample(FAULTS, len(FAULTS))
            await played(rough, calm, record, Process(bot.end, bot.start), faults, BESIDE)
            await rough.settled()
            await calm.settled()
        assert rough.digest() == record.digest
        is_whole(rough, len(record.actions))
        assert not rough.turns
        is_whole(calm, len(BESIDE))
        assert calm.place() == place
        assert calm.digest() == record.play(len(BESIDE)).digest()
        assert len(server.world.history(beside.id)) == 1, "its channel is told nothing"
