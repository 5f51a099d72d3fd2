"""Ratings for servers that want them, and how two players came out against each other."""

import pytest

from bot.sandbox.guild import seed
from bot.table.live import LiveGame
from bot.table.results_and_ratings import game_results, rating_changes, rating_text, ratings_after
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    GameResult,
    GameRow,
    NewLogRow,
    SeatEntry,
    log,
    results,
    seats,
)
from storage.log import LogRowKind
from tests.bot.support.positions import ruined
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY
from tests.titles.builders import new_game
from tests.titles.t18newengland.newengland import NewEngland

NAMES = ("Ann", "Bob", "Cy")
PASS = '{"kind": "pass", "actor": "p1", "entity": "p1"}'
END = '{"kind": "end_game", "actor": "p1", "entity": "p1"}'

# --- the numbers -----------------------------------------------------------------------------------------------------


def test_rating_follows_the_places() -> None:
    assert ratings_after([None, None], [1, 2]) == [results.Rating(27635, 8066), results.Rating(22365, 8066)]
    first, second, third = ratings_after([None, None, None], [1, 2, 3])
    assert first.mu > second.mu > third.mu
    assert all(one.sigma < 8334 for one in (first, second, third))
    one, other = ratings_after([None, None], [1, 1])
    assert one == other


def test_rating_begins_with_25() -> None:
    begins = [results.Rating(25_000, 8_333)] * 2
    assert ratings_after(begins, (1, 2)) == ratings_after([None, None], (1, 2))


def test_surprise_moves_a_rating_more() -> None:
    strong, weak = results.Rating(32000, 3000), results.Rating(18000, 3000)
    upset = ratings_after([weak, strong], [1, 2])[0].mu - 18000
    expected = ratings_after([strong, weak], [1, 2])[0].mu - 32000
    assert upset > expected > 0


def test_last_player_left_is_first() -> None:
    """18NewEngland 13: the players who are bankrupt share the second place."""
    position = NewEngland().cash(a=0, b=0, c=0)
    for name in "ab":
        position.state.player(name).bankrupt = True
    position.state.over = True
    places = [(one.player_id, one.rank, one.won) for one in game_results(position.game())]
    assert places == [("c", 1, True), ("a", 2, False), ("b", 2, False)]
    assert game_results(new_game()) == (), "it runs"


def ended(users: tuple[int, int, int], seated: tuple[SeatEntry, ...] = ()) -> LiveGame:
    """A table whose players p1, p2 and p3 are these users."""
    sat = tuple(seats.Seat(1, number, f"p{number}", user, "") for number, user in enumerate(users, 1))
    row = GameRow(1, 2, 3, 4, None, None, "", "", "", 0, "running", "", "")
    return LiveGame(row, sat, new_game(), 9, seat_history=seated)


@pytest.mark.parametrize(
    ("users", "seated", "last", "rated"),
    [
        ((ANN, BOB, CY), (), ("action", PASS), ((ANN, 1), (BOB, 2), (CY, 3))),
        ((ANN, CARETAKER_USER, CY), (), ("action", PASS), ((ANN, 1), (CY, 3))),
        ((ANN, ANONYMISED_USER, CY), (), ("action", PASS), ((ANN, 1), (CY, 3))),
        ((ANN, BOB, CY), ("group",), ("action", PASS), ((ANN, 1), (CY, 3))),
        ((ANN, BOB, CY), ("caretaker",), ("action", PASS), ((ANN, 1), (CY, 3))),
        ((ANN, CARETAKER_USER, ANONYMISED_USER), (), ("action", PASS), ()),
        ((ANN, BOB, CY), (), ("action", END), ()),
        ((ANN, BOB, CY), (), ("accept", "{}"), ()),
    ],
)
def test_people_are_rated_who_played_to_the_end(
    users: tuple[int, int, int],
    seated: tuple[seats.SeatRole, ...],
    last: tuple[LogRowKind, str],
    rated: tuple[tuple[int, int], ...],
) -> None:
    scores = [GameResult(f"p{number}", number, 100, number == 1) for number in (1, 2, 3)]
    history = tuple(SeatEntry("p2", role, BOB, "Bob", 1, None, "") for role in seated)
    entries = [NewLogRow("action", PASS, "", "p1", 1), NewLogRow(*last, "", "p1", 1)]
    found = rating_changes(ended(users, history), entries, scores, "now")
    assert (found.places if isinstance(found, results.RatingUpdate) else ()) == rated
    assert rating_changes(ended(users, history), entries, (), "now") is log.NO_SIDE_EFFECTS


# --- at the tables ---------------------------------------------------------------------------------------------------


async def played_out(sandbox: SandboxBot) -> Seated:
    """A game of Ann, Bob and Cy that a bankruptcy has ended."""
    game = await ruined(sandbox)
    async with sandbox.client.tables.reading(game.number) as live:
        name = live.name_of(live.game.actors()[0])
    asked = await game.press(name, "Declare bankruptcy")
    await game.press(name, asked.ephemeral[-1].buttons[0].label, asked.ephemeral[-1])
    return game


async def strengths(sandbox: SandboxBot) -> dict[str, results.Rating]:
    found = await results.ratings_of_server(sandbox.db, seed.GUILD_ID)
    people = {sandbox.person(name).id: name for name in NAMES}
    return {people[user]: rating for (user, title), rating in found.items() if title == "18chesapeake"}


async def stats(sandbox: SandboxBot, **values: object) -> str:
    return (await sandbox.person("Eve").slash(TABLE, "stats", **values)).text


@pytest.mark.usefixtures("unfilmed")
async def test_server_chooses_ratings(sandbox: SandboxBot) -> None:
    """Those of each game start from the ones before it; a game that is resumed rates nobody."""
    await played_out(sandbox)
    bob, cy, dee = (sandbox.person(name).id for name in ("Bob", "Cy", "Dee"))
    rank = {one.user_id: one.rank for one in await results.places_of_server(sandbox.db, seed.GUILD_ID)}
    ahead, behind = ("1", "0") if rank[bob] < rank[cy] else ("0", "1")
    score = f"1 game, **Bob** ahead in {ahead}, **Cy** in {behind}"
    compared = (await sandbox.person("Bob").slash(TABLE, "stats", against=cy)).text
    assert compared.splitlines() == [f"**Bob** against **Cy**: {score}", f"- 18Chesapeake: {score}"]
    assert "have not finished a game together here" in await stats(sandbox, player=bob, against=dee)
    await sandbox.person("Ann").slash(TABLE, "setup", ratings="on")
    assert await strengths(sandbox) == {}, "games before that rate nobody"
    await played_out(sandbox)
    once = await strengths(sandbox)
    assert set(once) == set(NAMES)
    winner = max(once, key=lambda name: once[name].mu)
    text = f"; {rating_text(once[winner])}"
    assert text in await stats(sandbox, player=sandbox.person(winner).id)
    assert text in await stats(sandbox, title="18chesapeake")
    assert "rating" not in await stats(sandbox)
    last = await played_out(sandbox)
    twice = await strengths(sandbox)
    assert all(twice[name].sigma < once[name].sigma for name in NAMES)
    seq = await last.seq()
    asked = await last.slash("Ann", "mod undo", to=seq - 1)
    await last.press("Ann", f"Undo back to move {seq - 1}", asked.ephemeral[-1])
    assert await strengths(sandbox) == once
    answer = await sandbox.person("Ann").slash(TABLE, "setup", back="ratings")
    assert "ratings: games do not change ratings" in answer.text
    assert "rating" not in await stats(sandbox, title="18chesapeake")
