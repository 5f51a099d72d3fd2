"""Nobody's turn is taken: the others decide about a seat only once its player has been absent for long enough."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta

import pytest

from bot.table.clocks.away import begin_substitution
from bot.table.clocks.clocks_and_stops import MIN_DOWNTIME
from bot.table.errors import Refused
from bot.table.moves.moves import TypedMove
from bot.table.orders.caretakers import play_caretakers
from bot.table.settings.person_settings import AWAY_UNTIL_KEY, choose_user_settings
from bot.table.undo import undo
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence, propose_move
from bot.table.votes.pauses import begin_pause, end_pause
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import propose_seat, require_absent
from storage import GAME_SETTINGS, PERSON_SETTINGS, Ping, clocks, log, pings
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.waiting import MONDAY, Clock

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DEE, EVE, MODERATOR = 14, 15, 99
CAN = "A moderator can give the seat away now, with `/mod replace`."


def text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


def stamp(at: datetime, form: str = "f") -> str:
    return f"<t:{int(at.timestamp())}:{form}>"


async def pinged(service: TableService, at: datetime = MONDAY) -> int:
    """A game whose player on turn, Ann, was pinged then."""
    service.tables.clock = lambda: text(at)
    game, known = await service.game(), pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, text(at)))
    return game


async def require(service: TableService, game: int, player: str = "p1", newcomer: int | None = None) -> None:
    async with service.tables.reading(game) as live:
        await require_absent(service.tables, live, player, newcomer)


def refused(expected: bool, why: str = "count as absent from") -> AbstractContextManager[object]:
    return pytest.raises(Refused, match=why) if expected else nullcontext()


# --- the service -----------------------------------------------------------------------------------------------------


async def test_refusal_says_from_when_on(service: TableService) -> None:
    now = MONDAY
    game = await service.game()
    service.tables.clock = lambda: text(now)
    rule = (
        "The others can decide about a seat when its player has not moved for 1 day after the ping, "
        "not counting quiet hours."
    )

    async def why(player: str = "p1", newcomer: int | None = None) -> str:
        with pytest.raises(Refused) as found:
            await require(service, game, player, newcomer)
        return str(found.value)

    stale, known = pings.NotificationChanges(("p2",)), pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: stale.write(tx, game, 1, text(now)))
    assert await why("p2") == f"{rule} **Bob** does not have to act now. {CAN}"
    assert await why() == f"{rule} The bot has not pinged **Ann** yet. {CAN}"
    await service.db.write(lambda tx: known.write(tx, game, 1, text(now)))
    [one], _ = await pings.notifications_of_game(service.db, game)
    pending = Ping("p1", ANN, 1, "pending", "no")
    step = pings.PingStep(one, 1, one.at, one.due_at, (pending,))
    await service.db.write(lambda tx: pings.store_ping_step(tx, game, step))
    assert await why() == f"{rule} The bot has not pinged **Ann** yet. {CAN}", "no message has it yet"
    await pings.mark_pinged(service.db, game, [pending])
    end = MONDAY + DAY
    absent = f"so they count as absent from {stamp(end)} on ({stamp(end, 'R')}). {CAN}"
    assert await why() == f"{rule} The bot pinged **Ann** {stamp(MONDAY)}, {absent}"
    await PERSON_SETTINGS.put(service.db, ANN, AWAY_UNTIL_KEY, text(end))
    until = f"until {stamp(end)}, and until then nobody can take the seat. {CAN}"
    assert await why() == f"**Ann** is away {until}"
    now = end
    assert "count as absent from" in await why(), "the time away does not count"
    now = end = end + DAY
    await require(service, game)


async def test_substitute_is_absent_for_the_holder(service: TableService) -> None:
    game, now = await pinged(service), MONDAY
    service.tables.clock = lambda: text(now)
    end = MONDAY + DAY
    until = f"until {stamp(end)}, and until then nobody can take the seat. {CAN}"
    await begin_substitution(service.tables, game, ANN, (DEE, "Dee"), 1)
    await begin_substitution(service.tables, game, BOB, (EVE, "Eve"), None)
    for player, newcomer, why in (
        ("p1", DEE, f"**Ann** has a substitute {until}"),
        ("p1", None, f"The bot has not pinged **Dee**, **Ann**'s substitute, yet. {CAN}"),
        (
            "p2",
            EVE,
            f"before they can take it over: the seat of **Bob** from {stamp(end)} on. {CAN}",
        ),
    ):
        with pytest.raises(Refused) as found:
            await require(service, game, player, newcomer)
        assert str(found.value).endswith(why)
    await PERSON_SETTINGS.put(service.db, DEE, AWAY_UNTIL_KEY, text(end))
    with pytest.raises(Refused) as found:
        await require(service, game)
    assert str(found.value) == f"**Dee**, **Ann**'s substitute, is away {until}"
    now = end
    await require(service, game, "p2", EVE)


async def test_nobody_is_absent_in_a_pause(service: TableService) -> None:
    game, now = await pinged(service), MONDAY
    service.tables.clock = lambda: text(now)
    await begin_pause(service.tables, game, CY, None)
    with refused(expected=True, why=rf"^Game {game} is paused, so nobody counts as absent\. A moderator"):
        await require(service, game)
    await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    await end_pause(service.tables, game, BOB)
    await require(service, game, "p3")
    await begin_pause(service.tables, game, CY, 1)
    with refused(expected=True, why="is paused"):
        await require(service, game, "p3")
    now = MONDAY + 2 * DAY
    await require(service, game, "p3")


async def test_moderators_need_no_absence(service: TableService) -> None:
    two = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await service.lobbies.set_seat_order(two, ANN, (ANN, BOB))
    await service.lobbies.start(two, ANN)
    three, dee = await service.game(), (DEE, "Dee")
    await let_caretaker_play(service.tables, three, MODERATOR, "p2")
    for game, by, compose in (
        (two, BOB, lambda live: propose_absence(live, BOB, "p1")),
        (two, BOB, lambda live: propose_absence(live, BOB, "p1", "caretaker")),
        (three, ANN, lambda live: propose_seat(live, ANN, "p1", dee, "own")),
        (three, MODERATOR, lambda live: propose_seat(live, MODERATOR, "p1", dee, "moderator")),
        (three, ANN, lambda live: propose_seat(live, ANN, "p2", dee, "group")),
    ):
        assert (await Proposals(service.tables).propose(game, by, compose)).state == "open"


NIGHTS = {"quiet_from": "22:00", "quiet_to": "08:00"}
TOO_MANY = {"quiet_from": "00:00", "quiet_to": "23:59"}
MOMENT = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("settings", "own", "last_run", "span"),
    [
        ({}, {}, None, DAY),
        ({"absence": "3 days"}, {}, None, 3 * DAY),
        ({"absence": "12 hours"}, {}, None, 12 * HOUR),
        ({"absence": "second reminder"}, {}, None, 36 * HOUR),
        ({"absence": "second reminder", "reminders": "slow"}, {}, None, 72 * HOUR),
        # Quiet hours do not count; of those that are too many only the first sixteen.
        ({}, NIGHTS, None, 44 * HOUR),
        ({}, TOO_MANY, None, 76 * HOUR),
        # Nor does time without the bot.
        ({}, {}, DAY - MIN_DOWNTIME, DAY),
        ({}, {}, DAY - MIN_DOWNTIME - MOMENT, None),
        ({}, {}, -HOUR, None),
    ],
)
async def test_player_is_absent_after_a_time(
    service: TableService,
    settings: dict[str, str],
    own: dict[str, str],
    last_run: timedelta | None,
    span: timedelta | None,
) -> None:
    game = await pinged(service)
    for setting, value in settings.items():
        await GAME_SETTINGS.put(service.db, game, setting, value)
    await choose_user_settings(service.db, ANN, own)
    if last_run is not None:
        await clocks.record_bot_run(service.db, 0, 1, text(MONDAY + last_run))
    for late, expected in ((-MOMENT, True), (timedelta(), span is None)):
        now = text(MONDAY + (span or DAY) + late)
        service.tables.clock = lambda now=now: now  # type: ignore[misc]
        with refused(expected):
            await require(service, game)


# --- back ------------------------------------------------------------------------------------------------------------


async def played_for_bob(service: TableService) -> int:
    """A game in which Ann passes, and a caretaker passes for Bob."""
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await service.do(game, ANN, "pass")
    await play_caretakers(service.tables, game)
    assert [row.actor for row in await log.read_rows(service.db, game)][-1] == "p2"
    return game


@pytest.mark.parametrize("to", [None, 2])
async def test_returned_player_undoes_what_was_played(service: TableService, to: int | None) -> None:
    game = await played_for_bob(service)
    with pytest.raises(Refused, match="number 2, is Ann's"):
        await service.undo(game, CY)
    await Proposals(service.tables).record_activity(game, BOB)
    await undo(service.tables, game, BOB, target_seq=to)
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p2",)
    await service.do(game, BOB, "pass")


async def test_returned_player_undoes_nothing_later(service: TableService) -> None:
    game = await played_for_bob(service)
    await service.do(game, CY, "pass")
    await Proposals(service.tables).record_activity(game, BOB)
    for to, why in ((None, "only until somebody else acts"), (2, "others must agree")):
        with pytest.raises(Refused, match=why):
            await undo(service.tables, game, BOB, target_seq=to)


@pytest.mark.usefixtures("absent_players")
async def test_returned_player_undoes_what_was_agreed(service: TableService) -> None:
    game, asked = await service.game(), Proposals(service.tables)
    for compose in (
        lambda live: propose_absence(live, BOB, "p1"),
        lambda live: propose_move(live, "p1", TypedMove("pass")),
    ):
        proposal = await asked.propose(game, BOB, compose)
        await asked.vote(game, proposal.number, CY, "yes")
    await asked.record_activity(game, ANN)
    await service.undo(game, ANN)
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p1",)


# --- on Discord ------------------------------------------------------------------------------------------------------


async def waits(sandbox: SandboxBot) -> tuple[Clock, Seated, Callable[[], list[str]]]:
    """A game that waits for Ann, who has just been pinged; and the proposals in its thread."""
    clock, game = Clock(sandbox), await sandbox.game()
    await clock.on(seconds=30)
    assert game.pings("Ann") == 1
    return clock, game, lambda: [m.content[:10] for m in game.messages if m.content.startswith("Proposal ")]


async def passes(sandbox: SandboxBot, clock: Clock, span: timedelta) -> None:
    await clocks.record_bot_run(sandbox.db, 0, 1, text(clock.now + span))
    await clock.until(clock.now + span)


async def test_absent_player_is_voted_on(patient: SandboxBot) -> None:
    clock, game, proposals = await waits(patient)
    end, replace = clock.now + DAY, {"newcomer": patient.person("Dee").id, "player": "Ann"}
    await passes(patient, clock, DAY - timedelta(seconds=1))
    for answer in (
        await game.slash("Bob", "game replace", **replace),
        await game.slash("Bob", "game agreement", player="Ann"),
    ):
        assert (
            f"The bot pinged **Ann** {stamp(end - DAY)}, so they count as absent from {stamp(end)}"
            in answer.text
        )
    assert proposals() == []
    await passes(patient, clock, timedelta(seconds=1))
    await game.slash("Bob", "game replace", **replace)
    question = game.proposal(1)
    await game.slash("Ann", "away", until="3 days")
    assert await patient.hears(await game.press("Cy", "Agree", question), "is away until")
    turn = next(m for m in game.messages if any(b.label == "Pass" for b in m.buttons))
    await game.press("Ann", "Pass", turn)
    assert await patient.world.wait_until(lambda: not patient.world.messages[question.id].buttons)
    assert any("Proposal 1 has ended, because **Ann** is back." in line for line in game.lines)
