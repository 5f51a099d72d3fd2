"""Players who left their server: Discord is asked once an hour for each."""

from dataclasses import replace

import pytest

from bot.client.places.departed_members import MEMBERSHIP_CACHED_FOR, departure_text
from bot.sandbox.guild import seed
from storage import SeatEntry, pings
from tests.bot.sandbox.guild import let_back, send_away
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import BOB, CY, TableService
from tests.bot.support.waiting import Clock, handed_over

LEFT = "has left this server"
OTHERWISE = (
    "- `/game pause`: pause the game for some days, or until `/game resume`\n"
    "-# A moderator can use `/mod replace`, `/mod act` and `/mod pause`."
)
GONE = (
    "**Bob** has left this server while the game waits for them. The other players can use:\n"
    "- `/game replace newcomer: player:Bob`: let a member take over the seat\n"
    "- `/game agreement player:Bob`: play the seat as a group until somebody takes it over; with "
    "`how:caretaker` the computer plays it\n"
    f"{OTHERWISE}"
)


def asked(sandbox: SandboxBot, name: str) -> int:
    path = f"GET /api/v10/guilds/{seed.GUILD_ID}/members/{sandbox.person(name).id}"
    return sandbox.server.requests.count(path)


def said(game: Seated) -> list[str]:
    return [line for line in game.lines if LEFT in line]


async def has_departed(sandbox: SandboxBot, game: Seated) -> list[bool]:
    """True for each pending notification whose player has left."""
    return [one.has_departed for one in (await pings.notifications_of_game(sandbox.db, game.number))[0]]


async def test_departed_player_is_announced_once(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    other, board = await patient.game(), patient.client.tables.board_links
    people = {name: patient.person(name).id for name in ("Bob", "Cy")}
    opened = [
        (number, name, (await board.open(await board.personal_token(number, user, moderates=False))).secret)
        for number in (game.number, other.number)
        for name, user in people.items()
    ]
    for user in people.values():
        send_away(patient.world, user)
    patient.server.faults.fail(f"/members/{people['Bob']}", status=404, code=10013, times=1)
    await clock.on(seconds=30)
    await clock.on(hours=12)
    assert (said(game), await has_departed(patient, game)) == ([], [False]), "Discord knows no such user"
    for _ in range(2):
        await clock.on(hours=24)
        assert (said(game), await has_departed(patient, game)) == ([GONE], [True])
    seen = [(number, name) for number, name, secret in opened if await board.visitor(number, secret)]
    assert seen == [(1, "Cy"), (2, "Bob"), (2, "Cy")]
    assert asked(patient, "Cy") == 0


async def test_member_is_asked_for_once_an_hour(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    begun = asked(patient, "Bob")
    assert begun == 1
    for after, more in (
        (MEMBERSHIP_CACHED_FOR.total_seconds() - 31, 0),
        (MEMBERSHIP_CACHED_FOR.total_seconds(), 1),
    ):
        await clock.on(seconds=after)
        for name in ("Bob", "Cy", "Ann"):
            await game.press(name, "Pass")
        await clock.on(seconds=30)
        assert asked(patient, "Bob") == begun + more


async def test_returned_player_is_announced_again(patient: SandboxBot) -> None:
    """If they have taken their seat again and leave again."""
    clock, game = await handed_over(patient)
    bob, dee = patient.person("Bob").id, patient.person("Dee").id
    for count in (1, 2):
        send_away(patient.world, bob)
        await clock.on(hours=12)
        await clock.on(hours=24)
        assert len(said(game)) == count
        let_back(patient.world, bob)
        await game.slash("Bob", "game substitute", who=dee)
        await game.slash("Bob", "game back")


@pytest.mark.parametrize("how", ["agreement", "caretaker"])
async def test_seat_that_others_play_is_not_asked_for(
    patient: SandboxBot, absent_players: None, how: str
) -> None:
    del absent_players
    clock, game = Clock(patient), await patient.game()
    await game.slash("Bob", "game agreement", player="p1", **({"how": how} if how == "caretaker" else {}))
    asking = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Cy", "Agree", asking)
    begun = asked(patient, "Ann")
    send_away(patient.world, patient.person("Ann").id)
    await clock.on(seconds=30)
    await clock.on(hours=24)
    assert (asked(patient, "Ann"), said(game)) == (begun, [])


async def test_departure_says_what_can_be_done(service: TableService) -> None:
    async with service.tables.reading(await service.game()) as live:
        dee = SeatEntry("p1", "substitute", 14, "Dee", 1, None, "")
        substituted = replace(live, substitutes={"p1": dee})
        groups = (
            SeatEntry(player, "caretaker", user, "", 1, None, "")
            for player, user in (("p2", BOB), ("p3", CY))
        )
        alone = replace(live, seat_history=(*live.seat_history, *groups))
    assert departure_text(alone, "p1") == (
        "**Ann** has left this server, and nobody else plays this game. A moderator can give the "
        "seat to a member with `/mod replace player:Ann newcomer:`, or end the game with `/mod "
        "end`."
    )
    assert departure_text(substituted, "p1") == (
        "**Dee**, **Ann**'s substitute, has left this server, so the game waits. **Ann** can "
        "return with `/game back` or name another substitute with `/game substitute`. The other "
        "players can use:\n"
        f"- `/game replace newcomer: player:Ann`: let a member take over the seat\n{OTHERWISE}"
    )
