"""Ratings for servers that want them, and how two players came out against each other."""

import pytest

from bot.sandbox.guild import seed
from bot.table.results_and_ratings import rating_text, ratings_after, scored
from storage import results
from tests.bot.support.positions import ruined
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.titles.t18newengland.newengland import NewEngland

pytestmark = pytest.mark.usefixtures("unfilmed")


async def chosen(sandbox: SandboxBot, value: str = "on") -> None:
    """The server has its games rated, or not."""
    await sandbox.person("Ann").slash(TABLE, "setup", ratings=value)


async def played_out(sandbox: SandboxBot) -> Seated:
    """A game of Ann, Bob and Cy that a bankruptcy has ended."""
    game = await ruined(sandbox)
    await ended(game)
    return game


async def ended(game: Seated) -> None:
    """The president who must give up does so."""
    async with game.sandbox.client.tables.reading(game.number) as live:
        name = live.name_of(live.game.actors()[0])
    asked = await game.press(name, "Declare bankruptcy")
    await game.press(name, asked.ephemeral[-1].buttons[0].label, asked.ephemeral[-1])


async def strengths(sandbox: SandboxBot) -> dict[int, results.Rating]:
    """The ratings of the server in 18Chesapeake, by user."""
    found = await results.ratings_of_server(sandbox.db, seed.GUILD_ID)
    return {user: rating for (user, title), rating in found.items() if title == "18chesapeake"}


async def stats(sandbox: SandboxBot, **values: object) -> str:
    """What `/stats` answers Eve."""
    return (await sandbox.person("Eve").slash(TABLE, "stats", **values)).text


# --- the numbers -----------------------------------------------------------------------------------------------------


def test_first_places_gain_last_places_lose_and_everybody_is_surer() -> None:
    assert ratings_after([None, None], [1, 2]) == [results.Rating(27635, 8066), results.Rating(22365, 8066)]
    first, second, third = ratings_after([None, None, None], [1, 2, 3])
    assert first.mu > second.mu > third.mu
    assert {one.sigma < 8334 for one in (first, second, third)} == {True}


def test_the_last_player_left_is_first_with_nothing() -> None:
    """18NewEngland 13: the players who are bankrupt share the second place."""
    position = NewEngland().cash(a=0, b=0, c=0)
    for name in "ab":
        position.state.player(name).bankrupt = True
    position.state.over = True
    places = [(one.player_id, one.rank, one.won) for one in scored(position.game())]
    assert places == [("c", 1, True), ("a", 2, False), ("b", 2, False)]


def test_whoever_has_no_rating_begins_with_25_give_or_take_a_third_of_it() -> None:
    begins = [results.Rating(25_000, 8_333)] * 2
    assert ratings_after(begins, (1, 2)) == ratings_after([None, None], (1, 2))


def test_shared_places_are_alike_and_a_surprise_moves_more() -> None:
    one, other = ratings_after([None, None], [1, 1])
    assert one == other
    strong, weak = results.Rating(32000, 3000), results.Rating(18000, 3000)
    upset, expected = (
        ratings_after([weak, strong], [1, 2])[0].mu - 18000,
        ratings_after([strong, weak], [1, 2])[0].mu - 32000,
    )
    assert upset > expected > 0


def test_a_rating_is_said_with_how_sure_it_is() -> None:
    assert rating_text(results.Rating(27123, 6249)) == "rating 27.1 ± 6.2"


# --- at the tables ---------------------------------------------------------------------------------------------------


async def test_a_game_that_ends_by_its_rules_rates_its_players_where_the_server_wants_it(
    sandbox: SandboxBot,
) -> None:
    await played_out(sandbox)
    assert await strengths(sandbox) == {}
    await chosen(sandbox)
    assert await strengths(sandbox) == {}, "games before that rate nobody"
    await played_out(sandbox)
    found = await strengths(sandbox)
    assert set(found) == {sandbox.person(name).id for name in ("Ann", "Bob", "Cy")}
    winner = max(found, key=lambda user: found[user].mu)
    name = next(name for name in ("Ann", "Bob", "Cy") if sandbox.person(name).id == winner)
    assert f"; {rating_text(found[winner])}" in await stats(sandbox, player=sandbox.person(name).id)
    assert f"; {rating_text(found[winner])}" in await stats(sandbox, title="18chesapeake")
    assert "rating" not in await stats(sandbox)


async def test_each_game_starts_from_the_ratings_before_it(sandbox: SandboxBot) -> None:
    await chosen(sandbox)
    await played_out(sandbox)
    once = await strengths(sandbox)
    await played_out(sandbox)
    twice = await strengths(sandbox)
    assert {user: rating.sigma for user, rating in twice.items()} != {u: r.sigma for u, r in once.items()}
    assert max(once, key=lambda u: once[u].mu) == max(twice, key=lambda u: twice[u].mu)


async def test_a_game_that_is_taken_up_again_rates_nobody(sandbox: SandboxBot) -> None:
    await chosen(sandbox)
    game = await played_out(sandbox)
    assert await strengths(sandbox)
    seq = await game.seq()
    asked = await game.slash("Ann", "mod undo", to=seq - 1)
    await game.press("Ann", f"Go back to where it stood after move {seq - 1}", asked.ephemeral[-1])
    assert await strengths(sandbox) == {}


async def test_a_game_that_its_players_have_ended_early_rates_nobody(sandbox: SandboxBot) -> None:
    await chosen(sandbox)
    game = await sandbox.game(("Ann", "Bob"))
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Bob", "Agree", question)
    assert "1 finished" in await stats(sandbox)
    assert await strengths(sandbox) == {}


async def test_a_server_that_wants_no_ratings_any_more_shows_none(sandbox: SandboxBot) -> None:
    await chosen(sandbox)
    await played_out(sandbox)
    answer = await sandbox.person("Ann").slash(TABLE, "setup", back="ratings")
    assert "ratings: games rate nobody" in answer.text
    assert "rating" not in await stats(sandbox, title="18chesapeake")


async def test_ratings_are_stored_with_a_users_data_and_removed_with_it(sandbox: SandboxBot) -> None:
    await chosen(sandbox)
    await played_out(sandbox)
    ann = sandbox.person("Ann")
    asked = await ann.slash(TABLE, "privacy")
    sure = await ann.press(asked.ephemeral[-1], "Remove my name")
    await ann.press(sure.ephemeral[-1], "Remove my name for good")
    assert set(await strengths(sandbox)) == {sandbox.person(name).id for name in ("Bob", "Cy")}


# --- head to head ----------------------------------------------------------------------------------------------------


async def test_two_players_are_compared_in_the_games_that_both_have_finished(sandbox: SandboxBot) -> None:
    bob, cy, dee = (sandbox.person(name).id for name in ("Bob", "Cy", "Dee"))
    for _ in range(2):
        await played_out(sandbox)
    await sandbox.game(("Bob", "Dee"))
    rank = {one.user_id: one.rank for one in await results.places_of_server(sandbox.db, seed.GUILD_ID)}
    assert rank[bob] != rank[cy]
    ahead, behind = ("2", "0") if rank[bob] < rank[cy] else ("0", "2")
    score = f"2 games, **Bob** ahead in {ahead}, **Cy** in {behind}"
    answer = await stats(sandbox, player=bob, against=cy)
    assert answer.splitlines() == [f"**Bob** against **Cy**: {score}", f"- 18Chesapeake: {score}"]
    turned = await stats(sandbox, player=cy, against=bob)
    assert f"**Cy** ahead in {behind}, **Bob** in {ahead}" in turned
    assert "have finished no game together here" in await stats(sandbox, player=bob, against=dee)
    mine = (await sandbox.person("Bob").slash(TABLE, "stats", against=cy)).text
    assert mine == answer
    assert "Nobody plays against themselves" in await stats(sandbox, player=bob, against=bob)
