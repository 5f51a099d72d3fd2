"""A lobby's channel hears who joins and who leaves, and the player who opened it is pinged."""

from bot.sandbox.model import Message
from tests.bot.support.harness import TABLE, House
from tests.support.unsent import unsent


def announcements(house: House) -> list[Message]:
    """What was posted in the channel about who joined or left."""
    found = house.person("Ann").messages(TABLE)
    return [m for m in found if "joins;" in m.content or "leaves;" in m.content]


async def heard(house: House, count: int) -> list[Message]:
    """The same, once there is so much of it; a press is answered before that."""
    assert await house.world.until(lambda: len(announcements(house)) == count)
    return announcements(house)


async def opened(house: House) -> Message:
    """The lobby that Ann has opened."""
    await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    return house.lobby()


async def test_the_host_is_pinged_when_a_player_joins_or_leaves(house: House) -> None:
    lobby = await opened(house)
    await house.person("Bob").press(lobby, "Join")
    await house.person("Bob").slash(TABLE, "game leave")
    joined, left = await heard(house, 2)
    assert "**Game 1: 18Chesapeake**: **Bob** joins; 2 joined. It is for 2 to 6." in joined.content
    assert "**Bob** leaves; 1 joined." in left.content
    assert list(joined.pinged) == list(left.pinged) == [house.person("Ann").id]


async def test_nobody_is_pinged_for_what_the_host_does_or_once_the_host_has_left(house: House) -> None:
    lobby = await opened(house)
    await house.person("Bob").press(lobby, "Join")
    await house.person("Ann").press(lobby, "Leave")
    await house.person("Cy").press(lobby, "Join")
    assert [list(message.pinged) for message in await heard(house, 3)] == [[house.person("Ann").id], [], []]


async def test_whoever_joins_and_leaves_again_and_again_is_posted_once(house: House) -> None:
    lobby = await opened(house)
    for _ in range(3):
        await house.person("Bob").press(lobby, "Join")
        await house.person("Bob").press(lobby, "Leave")
    await house.person("Cy").press(lobby, "Join")
    assert ["Bob" in message.content for message in await heard(house, 3)] == [True, True, False]


async def test_a_full_lobby_is_said_to_be_full(house: House) -> None:
    lobby = await opened(house)
    for name in ("Bob", "Cy", "Dee", "Eve", "Fay"):
        await house.person(name).press(lobby, "Join")
    assert "6 joined. All seats are taken." in (await heard(house, 5))[-1].content


async def test_a_server_that_pings_quietly_hears_it_without_a_sound(house: House) -> None:
    await house.person("Ann").slash(TABLE, "setup", pings="quiet")
    lobby = await opened(house)
    await house.person("Bob").press(lobby, "Join")
    assert [list(message.pinged) for message in await heard(house, 1)] == [[]]


async def test_the_host_is_pinged_where_they_have_chosen_to_be(house: House) -> None:
    ann, lobby = house.person("Ann"), await opened(house)
    await ann.slash(TABLE, "pings", how="direct")
    await house.person("Bob").press(lobby, "Join")
    await ann.slash(TABLE, "pings", how="both")
    await house.person("Cy").press(lobby, "Join")
    await ann.slash(TABLE, "pings", how="thread")
    await house.person("Dee").press(lobby, "Join")
    assert [list(message.pinged) for message in await heard(house, 3)] == [[], [ann.id], [ann.id]]
    await house.client.ping_loop.look()
    said = [message.content for message in ann.direct()]
    assert ["**Bob** joins" in said[0], "**Cy** joins" in said[1], len(said)] == [True, True, 2]
    assert all(f"<#{house.lobby_channel}>" in text for text in said)


async def test_a_host_who_is_away_is_not_pinged(house: House) -> None:
    ann, lobby = house.person("Ann"), await opened(house)
    await ann.slash(TABLE, "away", until="10")
    await house.person("Bob").press(lobby, "Join")
    assert [list(message.pinged) for message in await heard(house, 1)] == [[]]


async def test_a_host_who_takes_no_direct_messages_is_pinged_in_the_channel_from_then_on(
    house: House,
) -> None:
    ann, lobby = house.person("Ann"), await opened(house)
    await ann.slash(TABLE, "pings", how="direct")
    house.world.user(ann.id).closed = True
    await house.person("Bob").press(lobby, "Join")
    await heard(house, 1)
    await house.client.ping_loop.look()
    await house.person("Cy").press(lobby, "Join")
    assert [list(message.pinged) for message in await heard(house, 2)] == [[], [ann.id]]
    assert not await unsent(house.db), "a lobby has no thread to post anything in"
