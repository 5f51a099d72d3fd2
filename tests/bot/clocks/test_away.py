"""`/away`: for a time nobody pings the player, and no deadline of theirs runs, at any table."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.client.features.pings import ping_due
from bot.table.clocks.away import _post, be_away, begin_substitution, come_back, end_absences, until_typed
from bot.table.clocks.clocks_and_stops import away_stops
from bot.table.errors import Refused
from bot.table.outbox.notices import table_note
from bot.table.settings.person_settings import AWAY
from storage import GAMES, PEOPLE, SeatEntry, clocks, personal_data
from tests.bot.support.new_posts import NewPosts
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.support.timed import NOON, Timed

pytestmark = pytest.mark.usefixtures("absent_players")

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def stamp(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"


# --- until when ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("10", NOON + 10 * DAY),
        ("10 days", NOON + 10 * DAY),
        ("until 2 weeks", NOON + 14 * DAY),
        ("36 hours", NOON + 36 * HOUR),
        ("2031-02-01", datetime(2031, 1, 31, 23, tzinfo=UTC)),
    ],
)
def test_days_hours_and_dates_of_the_persons_zone_are_read(typed: str, until: datetime) -> None:
    assert until_typed(typed, NOON, "Europe/Berlin") == until


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("soon", "neither a date"),
        ("0", "neither a date"),
        ("2030-12-01", "is over"),
        ("2031-01-10", "is over"),
        ("2033-01-01", "at most 365 days"),
        ("400 days", "a time of at most 365 days"),
    ],
)
def test_what_is_no_time_to_come_is_refused(typed: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        until_typed(typed, NOON, "UTC")


def test_a_year_is_the_longest_and_a_day_that_begins_now_is_over() -> None:
    assert until_typed("365 days", NOON, "UTC") == NOON + 365 * DAY
    midnight = datetime(2031, 1, 11, tzinfo=UTC)
    with pytest.raises(Refused, match="is over"):
        until_typed("2031-01-11", midnight, "UTC")


# --- at the tables -------------------------------------------------------------------------------------------------


async def test_being_away_is_posted_at_every_table_of_the_player_and_nowhere_else(
    sandbox: SandboxBot,
) -> None:
    one, other = await sandbox.game(), await sandbox.game(("Bob", "Cy", "Dee"))
    answer = await sandbox.person("Ann").slash("table", "away", until="10")
    await sandbox.settled()
    assert "You are away until" in answer.text
    assert sum("**Ann** is away until" in line for line in one.lines) == 1
    assert not any("away" in line for line in other.lines)
    assert "You are away until" in (await sandbox.person("Ann").slash("table", "away")).text
    assert "Say until when" in (await sandbox.person("Bob").slash("table", "away")).text


async def test_nothing_counts_and_nobody_is_pinged_while_somebody_is_away_over_a_restart(
    sandbox: SandboxBot,
) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.game.slash("Bob", "away", until="10 days")
    until = table.now + 10 * DAY
    await table.passes(HOUR)
    rung = table.game.pings("Bob")
    await table.game.press("Ann", "Pass")
    await ping_due(sandbox.client)
    await sandbox.settled()
    assert table.game.pings("Bob") == rung
    assert f"**Bob** is away until {stamp(until)}." in table.game.turn.content
    await table.passes(2 * DAY)
    await table.restarted(HOUR)
    await table.passes(6 * DAY)
    assert await table.counted("Bob") == timedelta()
    status = await table.status()
    assert "**Bob**'s clock stands" in status
    assert f"**Bob** is away until {stamp(until)}." in status


async def test_it_ends_automatically_with_a_line_and_a_ping(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.press("Ann", "Pass")
    await table.game.slash("Bob", "away", until="10 days")
    await table.passes(10 * DAY + HOUR)
    await ping_due(sandbox.client)
    await sandbox.settled()
    assert table.lines_with("**Bob** is back.") == 1
    assert table.game.turn_text.startswith(sandbox.person("Bob").mention)
    assert await table.counted("Bob") == HOUR
    await table.passes(DAY)
    assert table.lines_with("**Bob** is back.") == 1
    assert await PEOPLE.get(sandbox.db, sandbox.person("Bob").id, AWAY) is None


async def test_it_ends_automatically_while_the_bot_is_down(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "away", until="2 days")
    await table.passes(DAY)
    await table.restarted(3 * DAY)
    await table.look()
    assert table.lines_with("**Ann** is back.") == 1
    await table.passes(HOUR)
    assert await table.counted("Ann") == HOUR


async def test_whoever_is_away_may_act_and_stays_away(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "away", until="10 days")
    await table.passes(DAY)
    await table.game.press("Ann", "Pass")
    assert table.lines_with("**Ann** passes") == 1
    assert await PEOPLE.get(sandbox.db, sandbox.person("Ann").id, AWAY) is not None
    assert table.lines_with("is back") == 0


async def test_whoever_is_back_earlier_says_so_and_is_pinged(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "away", until="10 days")
    await table.passes(DAY)
    rung = table.game.pings("Ann")
    assert "You are back" in (await table.game.slash("Ann", "away", until="back")).text
    await ping_due(sandbox.client)
    await sandbox.settled()
    assert table.lines_with("**Ann** is back.") == 1
    assert table.game.pings("Ann") == rung + 1
    await table.passes(HOUR)
    assert await table.counted("Ann") == HOUR
    assert "You are not away" in (await table.game.slash("Ann", "away", until="back")).text


async def test_the_turn_message_says_no_longer_that_somebody_is_away_who_is_back(sandbox: SandboxBot) -> None:
    """Though pinged elsewhere."""
    table = await Timed.opened(sandbox)
    await sandbox.person("Bob").slash("table", "pings", how="direct")
    await table.game.slash("Bob", "away", until="10 days")
    await table.game.press("Ann", "Pass")
    assert "**Bob** is away until" in table.game.turn.content.splitlines()[-1]
    await table.game.slash("Bob", "away", until="back")
    assert "away" not in table.game.turn.content.splitlines()[-1]


async def test_clocks_stand_for_the_away_budget_of_the_game_however_often_and_in_which_turn_it_is_said(
    sandbox: SandboxBot,
) -> None:
    """A player who says in each of their turns that they are away stops their clock for no longer."""
    table = await Timed.opened(sandbox, bank="30 days")
    await table.game.slash("Ann", "away", until="20 days")
    await table.passes(15 * DAY)
    await table.game.slash("Ann", "away", until="back")
    assert await table.counted("Ann") == timedelta()
    for name in ("Ann", "Bob", "Cy"):
        await table.game.press(name, "Pass")
    left = table.now + 6 * DAY
    answer = await table.game.slash("Ann", "away", until="50 days")
    assert f"your away budget lasts until {stamp(left)}; then your deadline runs again" in answer.text
    assert table.lines_with(f"the away budget lasts until {stamp(left)}, then deadlines run again") == 1
    await table.passes(10 * DAY)
    assert await table.counted("Ann") == 4 * DAY
    assert f"Their away budget lasts until {stamp(left)}." in await table.status()


async def test_a_table_sets_its_away_budget_and_a_newcomer_has_one_of_their_own(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, bank="30 days")
    await table.game.slash("Ann", "mod settings", setting="away", value="2 days")
    await table.game.slash("Ann", "away", until="10 days")
    await table.passes(5 * DAY)
    assert await table.counted("Ann") == 3 * DAY
    await table.game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Dee", "Agree", question)
    await table.look()
    await table.game.slash("Dee", "away", until="10 days")
    await table.passes(5 * DAY)
    assert await table.counted("Ann") == 3 * DAY


async def test_a_seat_for_which_somebody_else_plays_does_not_wait_for_its_holder(sandbox: SandboxBot) -> None:
    """What was left out before, while nobody played for her, stays so; also when she is back."""
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "away", until="10 days")
    await table.passes(4 * DAY)
    await table.game.slash("Ann", "game substitute", who=sandbox.person("Dee").id, days=30)
    assert await table.counted("Ann") == timedelta()
    await table.passes(DAY)
    assert await table.counted("Ann") == DAY
    await table.game.slash("Ann", "away", until="back")
    assert await table.counted("Ann") == DAY


async def test_a_substitute_who_is_away_stops_the_clock_for_their_own_time_alone(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.game.slash("Ann", "game substitute", who=sandbox.person("Dee").id, days=30)
    await table.game.slash("Dee", "away", until="10 days")
    await table.passes(DAY)
    await table.game.slash("Ann", "game back")
    await table.passes(DAY)
    assert await table.counted("Ann") == DAY
    await table.game.slash("Dee", "away", until="back")
    assert await table.counted("Ann") == DAY


def test_no_clock_stood_before_whoever_is_away_had_the_seat() -> None:
    """Else its holder before them would be given time back."""
    taken = SeatEntry("p1", "holder", ANN, "Ann", 9, None, "2031-01-05")
    assert away_stops([taken], ANN, "2031-01-01", "2031-01-09") == [
        clocks.ClockStop("p1", "away", "2031-01-05", "2031-01-09")
    ]


# --- a person ------------------------------------------------------------------------------------------------------


async def test_being_away_longer_keeps_since_when(service: TableService) -> None:
    service.tables.clock = lambda: "2031-01-01T00:00:00.000+00:00"
    await be_away(service.tables, ANN, "1 day")
    service.tables.clock = lambda: "2031-01-01T12:00:00.000+00:00"
    await be_away(service.tables, ANN, "5 days")
    assert await PEOPLE.all_of(service.db, ANN) == {
        "away_until": "2031-01-06T12:00:00.000+00:00",
        "away_since": "2031-01-01T00:00:00.000+00:00",
    }
    assert await PEOPLE.all_of(service.db, BOB) == {}


async def test_an_absence_of_which_is_not_known_since_when_ends_as_well(service: TableService) -> None:
    game = await service.game()
    await PEOPLE.put(service.db, ANN, AWAY, "2031-01-02T00:00:00.000+00:00")
    service.tables.clock = lambda: "2031-01-02T00:00:00.000+00:00"
    await end_absences(service.tables)
    assert (await service.lines(game))[-1] == "**Ann** is back."
    assert await PEOPLE.all_of(service.db, ANN) == {}


async def test_it_is_stored_with_a_users_data_and_removed_with_it(service: TableService) -> None:
    await be_away(service.tables, ANN, "3 days")
    assert {row["key"] for row in (await personal_data.rows_about(service.db, ANN))["own settings"]} == {
        AWAY,
        "away_since",
    }
    await personal_data.anonymise(service.db, ANN, lambda where, text, somebody: text)
    assert await PEOPLE.all_of(service.db, ANN) == {}


async def test_a_player_who_is_away_in_a_game_without_deadlines_leaves_no_trace_there(
    sandbox: SandboxBot,
) -> None:
    game: Seated = await sandbox.game()
    await game.slash("Ann", "away", until="3 days")
    await game.slash("Ann", "away", until="back")
    assert any("**Ann** is back." in line for line in game.lines)
    assert await sandbox.db.read(lambda tx: tx.rows("SELECT * FROM clock_stops")) == []


async def test_whoever_is_back_while_others_play_their_seat_lets_nobody_be_pinged_twice(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    await game.slash("Ann", "away", until="3 days")
    await game.slash("Bob", "game agreement", player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Cy", "Agree", question)
    await ping_due(sandbox.client)
    await sandbox.settled()
    rung = [game.pings(name) for name in ("Ann", "Bob", "Cy")]
    assert min(rung[1:]) > 0
    await sandbox.person("Ann").slash("table", "away", until="back")
    await ping_due(sandbox.client)
    await sandbox.settled()
    assert [game.pings(name) for name in ("Ann", "Bob", "Cy")] == rung


async def test_whoever_is_back_first_is_pinged_for_a_seat_that_the_table_plays(sandbox: SandboxBot) -> None:
    """All others are away, so nobody has been pinged yet."""
    game = await sandbox.game()
    await game.slash("Bob", "game agreement", player="Ann")
    for name in ("Bob", "Cy"):
        await game.slash(name, "away", until="10 days")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Cy", "Agree", question)
    await ping_due(sandbox.client)
    await sandbox.settled()
    bob, cy = game.pings("Bob"), game.pings("Cy")
    await game.slash("Bob", "away", until="back")
    await ping_due(sandbox.client)
    await sandbox.settled()
    assert (game.pings("Bob"), game.pings("Cy")) == (bob + 1, cy)


async def test_every_game_says_that_a_player_is_away_and_that_they_are_back(service: TableService) -> None:
    game, woken = await service.game(), service.woken()
    service.tables.clock = lambda: "2031-01-01T00:00:00.000+00:00"
    await be_away(service.tables, ANN, "1 day")
    away_line = (
        f"**Ann** is away until {stamp(datetime(2031, 1, 2, tzinfo=UTC))}: no deadline runs, "
        "and there are no pings."
    )
    assert (await service.lines(game))[-1] == away_line
    service.tables.clock = lambda: "2031-01-01T23:59:59.999+00:00"
    await end_absences(service.tables)
    assert (await service.lines(game))[-1] == away_line
    service.tables.clock = lambda: "2031-01-02T00:00:00.000+00:00"
    await end_absences(service.tables)
    assert (await service.lines(game))[-1] == "**Ann** is back."
    assert woken == [game, game]


async def test_whoever_is_back_is_pinged_again_where_it_is_their_turn(
    thread: NewPosts, service: TableService
) -> None:
    """Also who was pinged before they left."""
    turn: dict[int, dict[str, object]] = {ANN: {"fresh": ["p1"]}, BOB: {}}
    for user in (ANN, BOB):
        await be_away(service.tables, user, "1 day")
        await thread.new()
        await come_back(service.tables, user)
        _, shown = await thread.new()
        assert shown == ("turn", turn[user])


async def test_a_game_says_who_is_away_of_those_who_play_in_it(service: TableService) -> None:
    """A holder with a substitute does not play, and the substitute has their own name."""
    game = await service.game()
    await begin_substitution(service.tables, game, ANN, (14, "Dee"), None)
    before = await service.lines(game)
    await be_away(service.tables, ANN, "1 day")
    assert await service.lines(game) == before
    await be_away(service.tables, 14, "1 day")
    (line,) = (await service.lines(game))[len(before) :]
    assert line.startswith("**Dee** is away until")


async def test_who_is_away_for_their_whole_budget_reads_that_no_deadline_runs_and_for_longer_until_when(
    service: TableService,
) -> None:
    now, game = datetime(2031, 1, 1, tzinfo=UTC), await service.game()
    await GAMES.put(service.db, game, "bank", "5 days")
    await GAMES.put(service.db, game, "away", "2 days")
    service.tables.clock = lambda: "2031-01-01T00:00:00.000+00:00"
    acts = "You may act meanwhile, which does not end it; `/away until:back` does."
    two, three = stamp(now + 2 * DAY), stamp(now + 3 * DAY)
    assert await be_away(service.tables, ANN, "2 days") == (
        f"You are away until {two}. None of your deadlines runs, and you are not pinged. {acts}"
    )
    assert (await service.lines(game))[-1] == (
        f"**Ann** is away until {two}: no deadline runs, and there are no pings."
    )
    assert await be_away(service.tables, ANN, "3 days") == (
        f"You are away until {three}. You are not pinged. In game {game} your away budget lasts until {two}; "
        f"then your deadline runs again. {acts}"
    )
    assert (await service.lines(game))[-1] == (
        f"**Ann** is away until {three}: the away budget lasts until {two}, then deadlines run again; "
        "there are no pings."
    )


async def test_a_game_that_has_ended_meanwhile_says_nothing(service: TableService) -> None:
    game, lobby = await service.game(), await service.lobby()
    before, posts = await service.lines(game), {game: table_note("A line."), lobby: table_note("A line.")}
    await service.db.write(lambda tx: _post(tx, posts, "2031-01-01T00:00:00.000+00:00"))
    assert (await service.lines(game), await service.lines(lobby)) == ([*before, "A line."], [])
