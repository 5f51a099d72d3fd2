"""Nobody's turn is taken: the others decide about a seat only once its player has been absent for long enough."""

from contextlib import nullcontext
from datetime import datetime, timedelta

import pytest

from bot.sandbox.guild.person import InteractionResult
from bot.table.clocks.away import begin_substitution
from bot.table.clocks.clocks_and_stops import GAP
from bot.table.errors import Refused
from bot.table.moves.moves import Typed
from bot.table.orders.caretakers import play_caretakers
from bot.table.settings.person_settings import AWAY, choose_all
from bot.table.settings.table_settings import ABSENCE
from bot.table.undo import undo
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence, propose_move
from bot.table.votes.pauses import begin_pause, end_pause
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import propose_seat, require_absent
from storage import PEOPLE, Ping, clocks, log, pings
from tests.bot.sandbox.guild import let_back, send_away
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.waiting import MONDAY, Clock

DAY = timedelta(days=1)
MODERATOR = 99


def stamp(at: datetime, form: str = "f") -> str:
    return f"<t:{int(at.timestamp())}:{form}>"


async def waits(sandbox: SandboxBot) -> tuple[Clock, Seated]:
    """A game that waits for Ann, who has just been pinged."""
    clock = Clock(sandbox)
    game = await sandbox.game()
    await clock.on(seconds=30)
    assert game.pings("Ann") == 1
    return clock, game


async def passes(sandbox: SandboxBot, clock: Clock, span: timedelta) -> None:
    """Time passes while the bot is running."""
    await clocks.record_run(sandbox.db, 0, 1, (clock.now + span).isoformat(timespec="milliseconds"))
    await clock.until(clock.now + span)


async def agreement(game: Seated, player: str = "Ann") -> InteractionResult:
    """Bob proposes that the table plays a seat."""
    return await game.slash("Bob", "game agreement", player=player)


async def newcomer(game: Seated) -> InteractionResult:
    """Bob proposes that Dee takes over Ann's seat."""
    return await game.slash("Bob", "game replace", newcomer=game.sandbox.person("Dee").id, player="Ann")


def is_proposed(game: Seated) -> bool:
    """Whether the thread was asked."""
    return any(message.content.startswith("Proposal ") for message in game.messages)


async def test_nobody_loses_a_seat_who_was_just_pinged_and_the_refusal_says_from_when_on(
    patient: SandboxBot,
) -> None:
    clock, game = await waits(patient)
    pinged = clock.now
    for attempt in (agreement, newcomer):
        answer = (await attempt(game)).text
        assert "once its player has not moved for 1 day awake after the ping" in answer
        assert (
            f"**Ann** was pinged {stamp(pinged)} and counts as absent from {stamp(pinged + DAY)} on" in answer
        )
        assert stamp(pinged + DAY, "R") in answer
        assert "A moderator of games can with `/mod replace`." in answer
    assert not is_proposed(game)


async def test_a_player_who_is_absent_for_a_day_awake_is_voted_on(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    await passes(patient, clock, DAY - timedelta(seconds=1))
    assert "counts as absent" in (await newcomer(game)).text
    await passes(patient, clock, timedelta(seconds=1))
    await newcomer(game)
    assert is_proposed(game)


async def test_quiet_hours_do_not_count(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    await game.slash("Ann", "pings", quiet_from="22:00", quiet_to="08:00")
    pinged = clock.now
    answer = (await agreement(game)).text
    # Ten hours of each night are quiet: of the day from noon, a second night and two hours more are needed.
    assert stamp(pinged + timedelta(hours=44)) in answer


async def test_a_player_who_is_not_on_turn_or_not_pinged_is_not_absent(patient: SandboxBot) -> None:
    clock = Clock(patient)
    game = await patient.game()
    assert "**Ann** has not been pinged yet." in (await agreement(game)).text
    await clock.on(seconds=30)
    assert "**Cy** is not on turn." in (await game.slash("Bob", "game agreement", player="Cy")).text


async def test_whoever_is_away_as_they_said_is_not_voted_out(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    await game.slash("Ann", "away", until="10 days")
    until = clock.now + 10 * DAY
    await passes(patient, clock, 8 * DAY)
    for attempt in (agreement, newcomer):
        assert f"**Ann** has said to be away until {stamp(until)}" in (await attempt(game)).text
    assert not is_proposed(game)


async def test_nobody_agrees_any_more_once_the_player_is_away_or_has_acted(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    await passes(patient, clock, 2 * DAY)
    await newcomer(game)
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.slash("Ann", "away", until="3 days")
    assert await patient.hears(await game.press("Cy", "Agree", question), "has said to be away until")
    await game.press(
        "Ann", "Pass", next(m for m in game.messages if any(b.label == "Pass" for b in m.buttons))
    )
    assert await patient.world.until(lambda: not patient.world.messages[question.id].buttons)
    assert any("Proposal 1 is over: **Ann** is here." in line for line in game.lines)


async def test_time_in_which_the_bot_was_down_does_not_count(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    pinged = clock.now
    await passes(patient, clock, timedelta(hours=20))
    await patient.stop()
    clock.now += timedelta(hours=6)
    await patient.start()
    for _ in range(2):
        assert stamp(pinged + timedelta(hours=30)) in (await agreement(game)).text
        await patient.client.deadlines.look()
    await passes(patient, clock, timedelta(hours=4))
    await agreement(game)
    assert is_proposed(game)


async def test_nobody_is_absent_while_the_game_pauses_and_the_time_starts_again(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    await passes(patient, clock, timedelta(hours=20))
    await game.slash("Bob", "game pause", days=2)
    assert "pauses, and nobody is absent meanwhile" in (await agreement(game)).text
    await passes(patient, clock, timedelta(hours=40))
    await game.slash("Bob", "game resume")
    await clock.on(seconds=30)
    assert stamp(clock.now + DAY) in (await agreement(game)).text


async def test_the_table_sets_the_time_but_none_that_is_too_short(patient: SandboxBot) -> None:
    clock, game = await waits(patient)
    pinged, choose = clock.now, ("Ann", "mod settings")
    short = await game.slash(*choose, setting="absence", value="1 hour")
    assert "not less than 12 hours" in short.text
    for value, hours in (("3 days", 72), ("12 hours", 12), ("second reminder", 36)):
        await game.slash(*choose, setting="absence", value=value)
        assert stamp(pinged + timedelta(hours=hours)) in (await agreement(game)).text
    await game.slash(*choose, setting="reminders", value="slow")
    assert stamp(pinged + timedelta(hours=72)) in (await agreement(game)).text
    assert ABSENCE.about in (await game.slash("Bob", "game settings")).text


async def test_a_moderator_needs_no_absence(patient: SandboxBot) -> None:
    _, game = await waits(patient)
    await game.slash("Ann", "mod replace", player="Bob")
    assert any("a caretaker, the computer, plays the seat of **Bob**" in line for line in game.lines)


async def test_a_newcomer_takes_over_a_seat_that_a_caretaker_plays_already(service: TableService) -> None:
    """Its holder was found absent, and has not acted since."""
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    proposal = await Proposals(service.tables).put(
        game, ANN, lambda live: propose_seat(live, ANN, "p2", (14, "Dee"), "group")
    )
    assert proposal.state == "open"


async def test_who_has_left_the_server_is_absent_at_once(service: TableService) -> None:
    game = await service.game()
    async with service.tables.reading(game) as live:
        with pytest.raises(Refused, match="has not been pinged yet"):
            await require_absent(service.tables, live, "p1")
    await pings.mark_departed(service.db, game, "p1")
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, "p1")


async def test_who_rejoins_the_server_is_present_at_once(patient: SandboxBot) -> None:
    """Whether they have typed anything since or not, also for votes on what was proposed before."""
    clock, game = await waits(patient)
    bob = patient.person("Bob").id
    send_away(patient.world, bob)
    await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    assert any("**Bob** has left this server" in line for line in game.lines)
    await game.slash("Ann", "game agreement", player="Bob")
    assert is_proposed(game)
    let_back(patient.world, bob)
    refused = await game.press(
        "Cy", "Agree", next(m for m in game.messages if m.content.startswith("Proposal "))
    )
    assert "**Bob** was pinged" in refused.text
    assert "**Bob** was pinged" in (await game.slash("Cy", "game agreement", player="Bob")).text
    send_away(patient.world, bob)
    await passes(patient, clock, 2 * DAY)
    assert "Proposal 2" in (await game.slash("Cy", "game agreement", player="Bob")).text


async def test_a_seat_that_a_substitute_plays_well_is_not_taken(patient: SandboxBot) -> None:
    """Neither by somebody else, who must wait for the substitute, nor by the substitute before the time is over."""
    clock, game = await waits(patient)
    dee, eve = patient.person("Dee").id, patient.person("Eve").id
    await game.slash("Ann", "game substitute", who=dee, days=14)
    until = clock.now + 14 * DAY
    await clock.on(seconds=30)
    pinged = clock.now
    await passes(patient, clock, timedelta(hours=20))
    answer = (await game.slash("Bob", "game replace", newcomer=eve, player="Ann")).text
    assert "**Dee**, **Ann**'s substitute, was pinged" in answer
    assert stamp(pinged + DAY) in answer
    await passes(patient, clock, 2 * DAY)
    answer = (await game.slash("Bob", "game replace", newcomer=dee, player="Ann")).text
    assert f"**Ann** has a substitute until {stamp(until)}" in answer
    assert not is_proposed(game)
    await game.slash("Bob", "game replace", newcomer=eve, player="Ann")
    assert is_proposed(game), "the substitute is absent"


async def test_a_substitute_without_an_end_takes_the_seat_over_after_the_same_time(
    patient: SandboxBot,
) -> None:
    clock, game = await waits(patient)
    begins, dee = clock.now, patient.person("Dee").id
    await game.slash("Ann", "game substitute", who=dee)
    answer = (await game.slash("Bob", "game replace", newcomer=dee, player="Ann")).text
    assert f"that of **Ann** from {stamp(begins + DAY)} on" in answer
    await passes(patient, clock, DAY)
    await game.slash("Bob", "game replace", newcomer=dee, player="Ann")
    assert is_proposed(game)


# --- back ------------------------------------------------------------------------------------------------------------


async def played_for_bob(service: TableService, game: int) -> None:
    """Ann passes, and a caretaker passes for Bob."""
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await service.do(game, ANN, "pass")
    await play_caretakers(service.tables, game)
    assert [row.actor for row in await log.read(service.db, game)][-1] == "p2"


@pytest.mark.parametrize("how", ["undo", "undo to"])
async def test_whoever_is_back_undoes_alone_what_was_played_for_them(service: TableService, how: str) -> None:
    game = await service.game()
    await played_for_bob(service, game)
    await Proposals(service.tables).seen(game, BOB)
    if how == "undo":
        await service.undo(game, BOB)
    else:
        await undo(service.tables, game, BOB, to=2)
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p2",)
    await service.do(game, BOB, "pass")


async def test_once_somebody_else_has_moved_neither_way_undoes_it_alone(service: TableService) -> None:
    game = await service.game()
    await played_for_bob(service, game)
    await service.do(game, CY, "pass")
    await Proposals(service.tables).seen(game, BOB)
    with pytest.raises(Refused, match="only until somebody else acts"):
        await service.undo(game, BOB)
    with pytest.raises(Refused, match="others must agree"):
        await undo(service.tables, game, BOB, to=2)


async def test_what_a_caretaker_has_played_is_nobody_elses_to_undo(service: TableService) -> None:
    game = await service.game()
    await played_for_bob(service, game)
    with pytest.raises(Refused, match="number 2, is Ann's"):
        await service.undo(game, CY)


async def test_whoever_is_back_undoes_alone_what_the_others_have_agreed_on_for_them(
    service: TableService, absent_players: None
) -> None:
    del absent_players
    game, asked = await service.game(), Proposals(service.tables)
    seat = await asked.put(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await asked.answer(game, seat.number, CY, "yes")
    move = await asked.put(game, BOB, lambda live: propose_move(live, "p1", Typed("pass")))
    await asked.answer(game, move.number, CY, "yes")
    await asked.seen(game, ANN)
    await service.undo(game, ANN)
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p1",)


async def test_why_the_others_may_not_decide_about_a_seat_yet_and_from_when_on(service: TableService) -> None:
    """About a seat that nobody holds or that others play they may."""
    now = [MONDAY]
    service.tables.clock = lambda: now[0].isoformat(timespec="milliseconds")
    game = await service.game()
    rule = "The others decide about a seat once its player has not moved for 1 day awake after the ping."
    can = "A moderator of games can with `/mod replace`."

    async def refused(player: str = "p1", newcomer: int | None = None) -> str:
        async with service.tables.reading(game) as live:
            with pytest.raises(Refused) as why:
                await require_absent(service.tables, live, player, newcomer)
        return str(why.value)

    stale = pings.NotificationChanges(("p2",))
    await service.db.write(lambda tx: stale.write(tx, game, 1, service.tables.clock()))
    assert await refused("p2") == f"{rule} **Bob** is not on turn. {can}"
    assert await refused() == f"{rule} **Ann** has not been pinged yet. {can}"
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, service.tables.clock()))
    [one], _ = await pings.of_game(service.db, game)
    pending = Ping("p1", ANN, 1, "pending", "no")
    step = pings.PingStep(one, 1, one.at, one.due_at, (pending,))
    await service.db.write(lambda tx: pings.step(tx, game, step))
    assert await refused() == f"{rule} **Ann** has not been pinged yet. {can}", "no message has it yet"
    await pings.mark_pinged(service.db, game, [pending])
    end = MONDAY + DAY
    absent = f"counts as absent from {stamp(end)} on ({stamp(end, 'R')}). {can}"
    assert await refused() == f"{rule} **Ann** was pinged {stamp(MONDAY)} and {absent}"
    await PEOPLE.put(service.db, ANN, AWAY, end.isoformat(timespec="milliseconds"))
    until = f"until {stamp(end)}: until then nobody takes the seat. {can}"
    assert await refused() == f"**Ann** has said to be away {until}"
    now[0] = end
    assert "counts as absent from" in await refused(), "the time away does not count"
    now[0] = end = end + DAY
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, "p1")
    end += DAY
    await begin_substitution(service.tables, game, ANN, (14, "Dee"), 1)
    until = f"until {stamp(end)}: until then nobody takes the seat. {can}"
    assert await refused(newcomer=14) == f"**Ann** has a substitute {until}"
    assert await refused() == f"{rule} **Dee**, **Ann**'s substitute, has not been pinged yet. {can}"
    await PEOPLE.put(service.db, 14, AWAY, end.isoformat(timespec="milliseconds"))
    assert await refused() == f"**Dee**, **Ann**'s substitute, has said to be away {until}"
    await begin_substitution(service.tables, game, BOB, (15, "Eve"), None)
    assert await refused("p2", 15) == (
        f"A substitute takes over a seat after 1 day awake: that of **Bob** from {stamp(end)} on. {can}"
    )
    now[0] += DAY
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, "p2", 15)
    now[0] -= DAY
    await begin_pause(service.tables, game, CY, None)
    assert await refused() == f"Game {game} pauses, and nobody is absent meanwhile. {can}"
    await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    await end_pause(service.tables, game, BOB)
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, "p3")
    await begin_pause(service.tables, game, CY, 1)
    assert "pauses" in await refused("p3")
    now[0] += 2 * DAY
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, "p3")


async def test_a_player_must_be_absent_when_it_is_proposed_and_when_it_is_agreed_to(
    service: TableService,
) -> None:
    """Others may refuse it at any time."""
    now = [MONDAY]
    service.tables.clock = lambda: now[0].isoformat(timespec="milliseconds")
    game, asked = await service.game(), Proposals(service.tables)
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, service.tables.clock()))
    for compose in (
        lambda live: propose_absence(live, BOB, "p1"),
        lambda live: propose_seat(live, BOB, "p1", (14, "Dee"), "group"),
    ):
        with pytest.raises(Refused, match="counts as absent from"):
            await asked.put(game, BOB, compose)
    now[0] += DAY
    proposal = await asked.put(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    until = now[0] + DAY
    await PEOPLE.put(service.db, ANN, AWAY, until.isoformat(timespec="milliseconds"))
    with pytest.raises(Refused, match="has said to be away until"):
        await asked.answer(game, proposal.number, CY, "yes")
    assert (await asked.answer(game, proposal.number, CY, "no")).proposal.state == "refused"


async def test_whose_quiet_hours_are_the_whole_day_is_absent_nevertheless(service: TableService) -> None:
    """Of quiet hours that are too many only the first count."""
    game, pinged = await service.game(), MONDAY
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, pinged.isoformat(timespec="milliseconds")))
    await choose_all(service.db, ANN, {"quiet_from": "00:00", "quiet_to": "23:59"})
    for days in (1, 7):
        service.tables.clock = lambda days=days: (pinged + days * DAY).isoformat(timespec="milliseconds")  # type: ignore[misc]
        async with service.tables.reading(game) as live:
            with nullcontext() if days == 7 else pytest.raises(Refused, match="counts as absent from"):
                await require_absent(service.tables, live, "p1")


@pytest.mark.parametrize(
    ("last_run", "absent"),
    [
        (None, True),
        (DAY - GAP, True),
        (DAY - GAP - timedelta(milliseconds=1), False),
        (timedelta(hours=-1), False),
    ],
)
async def test_time_without_a_sign_of_life_of_the_bot_until_just_now_does_not_count(
    service: TableService, last_run: timedelta | None, absent: bool
) -> None:
    """It is not noted as a time in which the bot was down yet."""
    game, pinged = await service.game(), MONDAY
    at = pinged.isoformat(timespec="milliseconds")
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, at))
    if last_run is not None:
        await clocks.record_run(service.db, 0, 1, (pinged + last_run).isoformat(timespec="milliseconds"))
    service.tables.clock = lambda: (pinged + DAY).isoformat(timespec="milliseconds")
    async with service.tables.reading(game) as live:
        with nullcontext() if absent else pytest.raises(Refused, match="counts as absent from"):
            await require_absent(service.tables, live, "p1")
