"""A season on Discord: opened, entered, drawn, begun, played, ended and followed by the next."""

from bot.client.features.events.posts import EVENT_CHECK
from bot.sandbox.guild import seed
from bot.sandbox.model import Message
from storage import direct_messages, events, games, seats
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

NAMES = ("Ann", "Bob", "Cy", "Dee")


async def opened(sandbox: SandboxBot, **values: object) -> Message:
    """The sign-up post of an event that Ann has opened."""
    await sandbox.person("Ann").slash(TABLE, "event new", name="Spring 1", title="18chesapeake", **values)
    return next(
        m for m in sandbox.world.history(sandbox.lobby_channel) if m.content.startswith("**Spring 1**")
    )


async def panel(sandbox: SandboxBot) -> Message:
    """The panel that only Ann sees."""
    return (await sandbox.person("Ann").slash(TABLE, "event manage")).ephemeral[0]


async def drawn(sandbox: SandboxBot, computers: int = 0) -> Message:
    """The panel of a drawn season of four."""
    post = await opened(sandbox)
    for name in NAMES[: 4 - computers]:
        await sandbox.person(name).press(post, "Join")
    shown = await panel(sandbox)
    for _ in range(computers):
        await sandbox.person("Ann").press(shown, "Add a computer player")
    await sandbox.person("Ann").press(shown, "Draw the tables")
    return shown


async def test_members_enter_and_leave_by_the_post(sandbox: SandboxBot) -> None:
    post = await opened(sandbox, places=2)
    for name in NAMES[:3]:
        await sandbox.person(name).press(post, "Join")
    assert "**Entrants (2 of 2)**: Ann and Bob\n**Reserves**: Cy" in post.content
    left = await sandbox.person("Bob").press(post, "Leave")
    assert left.text == "You have left Spring 1. Cy takes your place."
    assert "**Entrants (2 of 2)**: Ann and Cy" in post.content
    again = await sandbox.person("Bob").press(post, "Leave")
    assert again.text == "You have not entered Spring 1."


async def test_start_opens_every_game_once(sandbox: SandboxBot) -> None:
    shown = await drawn(sandbox)
    assert "Group A: 4 games, 4 each" in shown.content
    assert [button.label for button in shown.buttons] == [
        *("Start", "Draw again", "Withdraw a player", "Substitute a player", "Cancel the event")
    ]
    assert await games.list_games(sandbox.db, seed.GUILD_ID) == []
    await sandbox.person("Ann").press(shown, "Start")
    await sandbox.settled()
    await EVENT_CHECK.check(sandbox.client)
    rows = await games.list_games(sandbox.db, seed.GUILD_ID, "running")
    assert [row.name for row in rows] == [f"Spring 1 A{number} · 18Chesapeake" for number in (1, 2, 3, 4)]
    sat = [[seat.user_id for seat in await seats.seats(sandbox.db, row.id)] for row in rows]
    assert all(len({seated[place] for seated in sat}) == 4 for place in range(4)), "each in each seat once"
    assert sandbox.rung == [], "nobody is pinged in a thread"
    told = await direct_messages.unsent_messages(sandbox.db)
    assert sorted(message.user_id for message in told) == sorted(sandbox.person(name).id for name in NAMES)
    assert told[0].text.startswith("**Spring 1** begins. Your 4 games have started:")
    await EVENT_CHECK.check(sandbox.client)
    assert len(await games.list_games(sandbox.db, seed.GUILD_ID)) == 4
    assert await direct_messages.unsent_messages(sandbox.db) == told


async def test_ended_games_count_and_the_podium_follows(sandbox: SandboxBot) -> None:
    shown = await drawn(sandbox)
    ann = sandbox.person("Ann")
    await ann.press(shown, "Start")
    await sandbox.settled()
    shown = await panel(sandbox)
    ended = await ann.press(shown, "End unfinished games")
    assert "4 games have ended with their current scores." in shown.content, ended.text
    await EVENT_CHECK.check(sandbox.client)
    posts = [m.content for m in sandbox.world.history(sandbox.lobby_channel)]
    podium = next(text for text in posts if text.startswith("**Spring 1** is over."))
    assert "Group A: 🥇 " in podium
    [event] = await events.events_of_server(sandbox.db, seed.GUILD_ID)
    assert event.status == "ended"
