"""What an organiser does on Discord: substitutes, withdrawals, a date, a cancelled event; and what others cannot do."""

from datetime import UTC, datetime, timedelta

from bot.client.features.events.posts import EVENT_CHECK, sign_up_text
from bot.sandbox.guild import messages, seed
from bot.sandbox.guild.person import Person
from bot.sandbox.model import Message
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY
from storage import PERSON_SETTINGS, direct_messages, events, games
from tests.bot.events.seasons import season
from tests.bot.events.test_season_on_discord import NAMES, drawn, opened, panel
from tests.bot.places.test_servers import THEIRS, another
from tests.bot.support.places import forum_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


async def picked(person: Person, message: Message, value: str) -> None:
    """Choose in the last menu of a message."""
    await person.select(message, message.selects[-1].custom_id, [value])


async def begun(sandbox: SandboxBot) -> Message:
    """The panel of a season of four that has begun, with Eve as a reserve."""
    shown = await drawn(sandbox)
    [post] = [m for m in sandbox.world.history(sandbox.lobby_channel) if m.content.startswith("**Spring 1**")]
    await sandbox.person("Eve").press(post, "Join")
    await sandbox.person("Ann").press(shown, "Start")
    await sandbox.settled()
    await EVENT_CHECK.check(sandbox.client)
    return await panel(sandbox)


async def test_substitute_is_told_of_all_games(sandbox: SandboxBot) -> None:
    ann, shown = sandbox.person("Ann"), await begun(sandbox)
    await ann.press(shown, "Substitute a player")
    await picked(ann, shown, "2")
    await picked(ann, shown, "5")
    assert "Eve replaces Bob. Running games taken over: 4." in shown.content
    told = [message.user_id for message in await direct_messages.unsent_messages(sandbox.db)]
    assert sorted(told) == sorted(sandbox.person(name).id for name in (*NAMES, "Eve"))


async def test_closed_direct_messages_are_no_excuse(sandbox: SandboxBot) -> None:
    """Who is known to accept none is pinged in one of their games."""
    cy = sandbox.person("Cy")
    await PERSON_SETTINGS.put(sandbox.db, cy.id, NO_DIRECT_MESSAGES_KEY, "closed")
    await begun(sandbox)
    await sandbox.settled()
    told = [message.user_id for message in await direct_messages.unsent_messages(sandbox.db)]
    assert sorted(told) == sorted(sandbox.person(name).id for name in NAMES if name != "Cy")
    [ping] = [message for message in cy.pings() if "Your 4 games have started" in message.content]
    assert ping.pinged == [cy.id]


async def test_caretaker_plays_for_who_withdraws(sandbox: SandboxBot) -> None:
    ann, shown = sandbox.person("Ann"), await begun(sandbox)
    await ann.press(shown, "Withdraw a player")
    await picked(ann, shown, "2")
    assert "Bob has withdrawn. The computer player plays their running games to the end: 4." in shown.content
    row = (await games.list_games(sandbox.db, seed.GUILD_ID, "running"))[0]
    async with sandbox.client.tables.reading(row.id) as live:
        assert len(live.caretaker_players) == 1
    await ann.press(shown, "Substitute a player")
    await picked(ann, shown, "2")
    await picked(ann, shown, "5")
    assert "Eve replaces Bob. Running games taken over: 4." in shown.content


async def test_last_of_many_entrants_can_withdraw(sandbox: SandboxBot) -> None:
    await opened(sandbox)
    for number in range(1, 61):
        await sandbox.client.events.enter(1, number, f"Player {number}", ())
    ann, shown = sandbox.person("Ann"), await panel(sandbox)
    await ann.press(shown, "Draw the tables")
    await ann.press(shown, "Withdraw a player")
    await picked(ann, shown, "60")
    assert "Player 60 has withdrawn" in shown.content


async def test_sign_up_closes_at_its_date(sandbox: SandboxBot) -> None:
    post = await opened(sandbox, days_open=1)
    for name in NAMES:
        await sandbox.person(name).press(post, "Join")
    for days, status in ((0.9, "open"), (1.1, "drawn")):
        later = datetime.now(UTC) + timedelta(days=days)
        sandbox.clock = later.isoformat
        await EVENT_CHECK.check(sandbox.client)
        [event] = await events.events_of_server(sandbox.db, seed.GUILD_ID)
        assert event.status == status
    assert "the tables are drawn; it starts soon" in post.content


async def test_games_of_a_cancelled_event_go_on(sandbox: SandboxBot) -> None:
    ann, shown = sandbox.person("Ann"), await begun(sandbox)
    for _ in range(2):
        await ann.press(shown, "Cancel the event")
    post = next(
        m for m in sandbox.world.history(sandbox.lobby_channel) if m.content.startswith("**Spring 1**")
    )
    assert (post.content.splitlines()[0], post.buttons) == ("**Spring 1**: a season, cancelled.", [])
    assert len(await games.list_games(sandbox.db, seed.GUILD_ID, "running")) == 4


async def test_deleted_post_comes_again(sandbox: SandboxBot) -> None:
    """With the next change, so that members can still enter."""
    post = await opened(sandbox)
    messages.delete(sandbox.world, post)
    await sandbox.person("Ann").press(await panel(sandbox), "Add a computer player")
    posts = [m for m in sandbox.world.history(sandbox.lobby_channel) if m.content.startswith("**Spring 1**")]
    assert [[button.label for button in post.buttons] for post in posts] == [["Join", "Leave", "Manage"]]


async def test_event_is_nothing_to_other_servers(sandbox: SandboxBot) -> None:
    """A moderator elsewhere presses buttons with the number of an event that is not theirs."""
    await drawn(sandbox)
    guild, _ = await another(sandbox, "Dee")
    dee = sandbox.person("Dee")
    await dee.slash(THEIRS, "event new", name="Theirs", title="1889")
    theirs = (await dee.slash(THEIRS, "event manage")).ephemeral[0]
    for forged in ("em:1:draw", "em:1:start", "em:1:numbers", "em:1:by:2", "ev:1:join", "ev:1:manage"):
        answer = await dee.press_removed_button(theirs, forged)
        assert "Event 1 belongs to another server" in answer.text, forged
    answer = await dee.slash(THEIRS, "event standings", event=1)
    assert "Event 1 belongs to another server" in answer.text
    assert "Spring" not in (await dee.slash(THEIRS, "event list")).text
    [event] = await events.events_of_server(sandbox.db, seed.GUILD_ID)
    assert (event.status, len(await events.entrants_of_event(sandbox.db, event.id))) == ("drawn", 4)
    assert len(await events.events_of_server(sandbox.db, guild.id)) == 1


def test_sign_up_post_counts_who_has_no_room() -> None:
    text = sign_up_text(season(30))
    assert len(text) < 1950
    assert "**Entrants (210)**: Ada 1, Ben 1" in text
    assert text.endswith(" more")


async def test_second_page_has_rules_and_more(sandbox: SandboxBot) -> None:
    post, ann, shown = await opened(sandbox), sandbox.person("Ann"), await panel(sandbox)
    await ann.press(shown, "Rules and more")
    for choice, value in (("withdrawal", "loses"), ("profile", "18xx.games"), ("seeding", "rating")):
        await ann.select(shown, f"em:1:{choice}", [value])
    assert "- Players who withdraw lose their points" in post.content.splitlines()
    assert "- Rules: 18xx.games" in post.content.splitlines()
    await ann.press(shown, "Manage")
    assert [button.label for button in shown.buttons][-2:] == ["Draw the tables", "Cancel the event"]


async def test_pace_leaves_reminders_as_they_are(sandbox: SandboxBot) -> None:
    post, ann, shown = await opened(sandbox), sandbox.person("Ann"), await panel(sandbox)
    await ann.select(shown, "em:1:reminders", ["none"])
    for pace in ("brisk", "slow"):
        await ann.select(shown, "em:1:pace", [pace])
    assert "- Reminders: none" in post.content.splitlines()
    assert "- Time bank: 21 days for each player, for the whole game" in post.content.splitlines()


async def test_numbers_of_a_tournament(sandbox: SandboxBot) -> None:
    """Two of each table and eight in all go on; what is impossible is refused with what is allowed."""
    post, ann = await opened(sandbox, kind="tournament"), sandbox.person("Ann")
    form = (await ann.press(await panel(sandbox), "Numbers and deadline")).modal
    assert form is not None
    await ann.submit(form, pair="2 8", days="30")
    assert (
        "Everybody plays 1 heat; the first 2 of each table and the best of the rest advance" in post.content
    )
    refused = await ann.submit(form, pair="many")
    assert "1 to 3 players of each table advance, and up to 210 in all" in refused.text


async def test_forum_post_is_edited_though_archived(sandbox: SandboxBot) -> None:
    """It archives itself when nobody writes in it for days."""
    forum = await forum_of(sandbox)
    await sandbox.person("Ann").slash(TABLE, "event new", name="Spring 1", title="18tn")
    [post] = [channel for channel in sandbox.world.channels.values() if channel.parent_id == forum.id]
    post.archived = True
    await sandbox.person("Ann").press(await panel(sandbox), "Add a computer player")
    [first] = sandbox.world.history(post.id)
    assert (post.archived, "Entrants (1)" in first.content) == (False, True)
