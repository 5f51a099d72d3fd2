"""What is answered about the past: the log and where its lines lead, files of games, and what is kept of people."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features.history import LOG_LENGTH, _hexes, _option, _position_text, _ways
from bot.client.features.import_export import SECRET
from bot.client.features.privacy import ABOUT, FILE, GIVE_UP, HANDED_OUT, REALLY
from bot.table.errors import Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.lobby import Opener
from bot.table.past.past_views import PastPosition
from bot.table.votes.moderation import moderator_end
from storage import StillSeated, seats
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.declared import typed, used
from tests.bot.support.positions import BANKRUPTCY, first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Zoë"))
EVE, THREAD = 99, 77


def asked_by(service: TableService, user: int = ANN) -> Any:
    asked: Any = Asked(user, "Ann", COMMAND, thread=THREAD)
    asked.guild_id, asked.client = GUILD, Client(service.tables)
    return asked


def labels(view: Any) -> list[tuple[str | None, str]]:
    return [(item.label, item.custom_id) for item in view.children]


async def recorded(service: TableService, moves: int) -> int:
    """This many moves of a recorded game at a table of Ann, Bob and Zoë."""
    game = first_moves(BANKRUPTCY.read_text("utf-8"), moves)
    number = await add_recorded(service.tables, game, TablePlace(GUILD, CHANNEL, PEOPLE, thread_id=THREAD))
    await service.tables.show_in(number, THREAD)
    return number


# --- the log ---------------------------------------------------------------------------------------------------------


async def test_the_log_has_the_last_lines_or_those_from_a_move_on_and_leads_to_their_positions(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more of the history is read than may be shown."""
    read = list[int]()
    await recorded(service, 75)
    history = service.tables.past.history

    async def noted(game: Any, queue: Any, after: int = 0) -> Any:
        read.append(after)
        return await history(game, queue, after)

    monkeypatch.setattr(service.tables.past, "history", noted)
    for since, first in ((None, 77 - LOG_LENGTH), (30, 30), (1, 2)):
        asked = asked_by(service)
        await typed(asked, "log", since=since)
        lines = "\n".join(asked.answers).split("\n")
        numbers = [int(line.split("`")[1]) for line in lines if line.startswith("`")]
        assert numbers == list(range(first, 77))
        [menu] = asked.views[-1].children
        assert (asked.deferred, menu.custom_id) == (True, "h:1")
        assert [option.value for option in menu.options] == [str(seq) for seq in numbers][-25:]
    assert read == [76 - 3 * LOG_LENGTH, 29, 0]
    late = asked_by(service)
    await typed(late, "log", since=77)
    assert (late.answers, below(late)) == (["Nothing has happened since move 77."], [])


def below(asked: Any) -> list[Any]:
    return [item for view in asked.views if view is not None for item in view.children]


async def test_the_log_says_what_was_undone_and_who_moved_for_somebody(service: TableService) -> None:
    game = await service.game()
    await service.tables.show_in(game, THREAD)
    nothing = asked_by(service)
    await typed(nothing, "log")
    assert nothing.answers == ["There is no move yet."]
    await service.do(game, ANN, "pass")
    await service.undo(game, ANN)
    struck = "`3` ~~move 2~~, undone by **Ann**."
    for since, found in ((None, struck), (3, struck), (4, "Nothing has happened since move 4.")):
        asked = asked_by(service)
        await typed(asked, "log", since=since)
        assert (asked.answers, below(asked)) == ([found], [])


def test_a_line_leads_to_its_position_by_its_first_words_without_their_marks() -> None:
    option = _option(7, f"`7` **Ann** passes _twice_.\nAnd more. {'x' * 200}")
    assert (option.label, option.value) == ("7 Ann passes twice.", "7")
    assert 95 < len(_option(7, "word " * 40).label) <= 100


# --- a position ------------------------------------------------------------------------------------------------------


def stood(seq: int, before: int | None, after: int | None, line: str = "") -> PastPosition:
    """A position with two hexes, in which a train has run over one of them and back."""
    on_map: Any = SimpleNamespace(
        hexes=[SimpleNamespace(coord="A1"), SimpleNamespace(coord="B2")],
        runs=[SimpleNamespace(pieces=[("B2", 1), ("A1", 2), ("B2", 3)])],
    )
    found: Any = SimpleNamespace(map=on_map, line=line)
    return PastPosition(seq, found, before, after)


def test_a_position_is_headed_by_its_move_and_leads_to_those_before_and_after() -> None:
    assert _position_text(stood(1, None, 2)) == "**The start**"
    assert _position_text(stood(5, 4, None, "`5` It runs.")) == "**After move 5**\n`5` It runs."
    assert len(_position_text(stood(5, 4, None, "x" * 3000))) == 2000
    for past, what, found in (
        (stood(1, None, 3), "map", [("→ Move 3", "h:9:3:map"), ("Market", "h:9:1:market")]),
        (stood(5, 4, None), "market", [("← Move 4", "h:9:4:market"), ("Map", "h:9:5:map")]),
    ):
        assert labels(_ways(9, past, what)) == found


def test_what_is_shown_close_up_is_the_hex_asked_for_else_the_run() -> None:
    past = stood(5, 4, 6)
    assert [_hexes(past), _hexes(past, "  "), _hexes(past, " a1 ")] == [("B2", "A1"), ("B2", "A1"), ("A1",)]
    with pytest.raises(Refused, match=r"^There is no hex C3 on this map\.$"):
        _hexes(past, "c3")


# --- files -----------------------------------------------------------------------------------------------------------


async def test_the_files_of_a_game_are_named_and_say_whether_it_is_over(service: TableService) -> None:
    game = await service.game()
    running, over = asked_by(service), asked_by(service)
    await typed(running, "game export", number=game)
    await moderator_end(service.tables, game, EVE, 1)
    await typed(over, "game export", number=game)
    for asked, how in ((running, "would be now"), (over, "is")):
        names = [file.filename for file in asked.files]
        assert names == [
            f"game-1{rest}" for rest in (".json", "-ledger.csv", "-18xx.games.json", "-scores.csv")
        ]
        assert asked.deferred
        *_, last = asked.answers[0].split("\n")
        assert last == f"`game-1-scores.csv` has the score sheet as it {how}."
        assert asked.answers[0].count("score sheet") == 1


async def test_while_money_is_secret_the_public_log_alone_is_handed_out(service: TableService) -> None:
    secret, over = asked_by(service), asked_by(service)
    lobby = await service.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18c2c", "rulebook")
    game = lobby.row.id
    await service.lobbies.join(game, BOB, "Bob")
    await service.lobbies.start(game, ANN)
    await service.do(game, ANN, "remove_private", private="KTC")
    await typed(secret, "game export", number=game)
    assert secret.answers == [SECRET]
    [log] = secret.files
    assert (log.filename, b"KTC" in log.fp.read()) == ("game-1.txt", True)
    await moderator_end(service.tables, game, EVE, 2)
    await typed(over, "game export", number=game)
    assert len(over.files) > 1


# --- what is kept of people ------------------------------------------------------------------------------------------


class Expired:
    """Takes direct messages away."""

    def __init__(self) -> None:
        self.taken: list[Any] = []

    async def take(self, posted: Any) -> None:
        self.taken.append(posted)


async def test_stored_data_is_explained_and_handed_out_as_a_file_that_people_can_read(
    service: TableService,
) -> None:
    await service.lobby(PEOPLE)
    asked = asked_by(service, CY)
    await typed(asked, "privacy")
    assert asked.answers == [ABOUT]
    assert labels(asked.views[0]) == [("My data", "q:export"), ("Remove my name", "q:remove")]
    await used("q:export").act(asked)
    [file] = asked.files
    text = file.fp.read().decode()
    assert (file.filename, file.description) == (FILE, "Everything stored about you")
    assert text.startswith(f'{{\n "user_id": {CY},\n')
    assert '"Zoë"' in text
    assert asked.answers[1:] == [HANDED_OUT]


async def test_a_name_is_removed_after_a_question_where_no_seat_is_held(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also from what the file of the database has of deleted rows."""
    game, expired = await service.lobby(), Expired()
    vacuum, swept = service.db.vacuum, list[bool]()

    async def noted() -> None:
        await vacuum()
        swept.append(True)

    monkeypatch.setattr(service.db, "vacuum", noted)
    with pytest.raises(StillSeated) as held:
        await used("q:remove").act(asked_by(service))
    assert str(held.value).endswith(GIVE_UP)
    eve, bob = asked_by(service, EVE), asked_by(service, BOB)
    eve.client.expired_direct_messages = bob.client.expired_direct_messages = expired
    await used("q:remove").act(eve)
    assert eve.answers == [REALLY]
    assert labels(eve.views[0]) == [("Remove my name for good", "q:sure")]
    await used("q:sure").act(eve)
    assert eve.answers[1:] == ["edit Your name and number are removed; nothing was kept."]
    await service.lobbies.withdraw(game)
    live = await service.game()
    await service.db.write(lambda tx: tx.run("UPDATE games SET status = 'finished' WHERE id = ?", live))
    async with service.tables.reading(live):
        assert service.tables.cached(live) is not None
    await used("q:sure").act(bob)
    assert bob.answers == ["edit Your name and number are removed; games with you until now: 1, 2."]
    assert service.tables.cached(live) is None
    assert [seat.display_name for seat in await seats.seats(service.db, live)] == [
        "Ann",
        "a former player",
        "Cy",
    ]
    assert len(expired.taken) == len(swept) == 2, "what pings them goes"
