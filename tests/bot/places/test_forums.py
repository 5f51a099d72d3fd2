"""Games in a forum: a post for each, with tags for the title and for how far the game is."""

import pytest

from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import REQUIRE_TAG_FLAG, Channel
from storage import games
from tests.bot.support import changes
from tests.bot.support.places import forum_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def opened(sandbox: SandboxBot) -> InteractionResult:
    return await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")


async def rows(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.list_games(sandbox.db, seed.GUILD_ID)


async def post_of(sandbox: SandboxBot) -> Channel:
    """The post of the only game."""
    [row] = await rows(sandbox)
    return sandbox.world.channels[row.thread_id or 0]


async def started(sandbox: SandboxBot) -> Seated:
    """A game of Ann, Bob and Cy in the forum, started by buttons and commands in its post."""
    await opened(sandbox)
    post = await post_of(sandbox)
    lobby = sandbox.world.messages[post.id]
    for name in ("Bob", "Cy"):
        await sandbox.person(name).press(lobby, "Join")
    people = [sandbox.person(name).id for name in ("Ann", "Bob", "Cy")]
    order = dict(zip(("first", "second", "third"), people, strict=True))
    await sandbox.person("Ann").slash(post.id, "game seats", **order)
    await sandbox.person("Ann").press(lobby, "Start")
    await sandbox.settled()
    return Seated(sandbox, 1, post.id)


def tags(sandbox: SandboxBot, post: Channel) -> set[str]:
    forum = sandbox.world.channels[post.parent_id or 0]
    return {tag["name"] for tag in forum.tags if tag["id"] in post.applied_tags}


# --- posts -----------------------------------------------------------------------------------------------------------


async def test_post_is_lobby_and_then_table(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox)
    answer = await opened(sandbox)
    post = await post_of(sandbox)
    assert post.parent_id == forum.id
    assert f"open in <#{post.id}>" in answer.text
    assert sandbox.world.messages[post.id].channel_id == post.id
    await sandbox.stop()
    await sandbox.start()
    assert (await games.get_game(sandbox.db, 1)).status == "lobby"
    await sandbox.person("Ann").slash(post.id, "game abandon")
    assert sandbox.world.messages[post.id].content.startswith("**Game 1: 18Chesapeake** was abandoned. ")


async def test_game_in_a_post_is_played_like_any_other(sandbox: SandboxBot) -> None:
    """One that was archived is opened before anything is posted."""
    await forum_of(sandbox)
    game = await started(sandbox)
    post = await post_of(sandbox)
    assert (game.thread, post.name) == (post.id, "18Chesapeake 1: Ann, Bob, Cy")
    assert next(m for m in game.messages if m.embeds).pinned
    await game.press("Ann", "Pass")
    threads.change_channel(sandbox.world, post, {"archived": True})
    await game.slash("Bob", "pass")
    assert not post.archived
    assert "Bob" in game.lines[-1]


async def test_full_lobby_says_so_in_its_post(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await opened(sandbox)
    post = await post_of(sandbox)
    for name in ("Bob", "Cy", "Dee", "Eve", "Fay"):
        await sandbox.person(name).press(sandbox.world.messages[post.id], "Join")
    assert await sandbox.world.wait_until(lambda: len(sandbox.world.history(post.id)) == 2)
    said = sandbox.world.history(post.id)[-1]
    assert ("has all its 6 players" in said.content, list(said.pinged)) == (True, [sandbox.person("Ann").id])


async def test_game_asked_for_in_a_post_gets_its_own(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await opened(sandbox)
    first = await post_of(sandbox)
    await sandbox.person("Ann").slash(TABLE, "setup", back="channel")
    await sandbox.person("Bob").slash(first.id, "game new", title="18al")
    found = await rows(sandbox)
    assert [row.channel_id for row in found] == [first.parent_id, first.parent_id]
    assert len({row.thread_id for row in found}) == 2


async def test_missing_right_has_the_name_of_forums(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox)
    role = sandbox.world.guilds[seed.GUILD_ID].id + seed.BOT_ROLE_OFFSET
    changes.overwrite(sandbox.world, forum, role, deny=permissions.SEND_MESSAGES)
    known = sandbox.client.guilds[0]

    def denied() -> bool:
        channel = known.get_channel(forum.id)
        return channel is not None and not channel.permissions_for(known.me).send_messages

    await sandbox.learns(denied)
    assert "I need the permission Create Posts" in (await opened(sandbox)).text
    assert await rows(sandbox) == []


# --- posts that are gone ---------------------------------------------------------------------------------------------


async def test_repair_makes_another_post(sandbox: SandboxBot) -> None:
    """A forum takes no messages, and nothing can be typed in it: the lists say what is wrong."""
    forum = await forum_of(sandbox)
    game = await started(sandbox)
    before = await game.digest()
    threads.delete_channel(sandbox.world, sandbox.world.channel(game.thread))
    await sandbox.learns(lambda: sandbox.client.delivery_problems.problem_of(game.number) is not None)
    listed = (await sandbox.person("Bob").slash(TABLE, "mine")).text
    assert "The post of this game was deleted. `/game repair number:1` makes a new one." in listed
    answer = await sandbox.person("Cy").slash(TABLE, "game repair", number=game.number)
    await sandbox.settled()
    post = await post_of(sandbox)
    assert (post.id != game.thread, post.parent_id) == (True, forum.id)
    assert f"<#{post.id}>" in answer.text
    assert next(m for m in Seated(sandbox, 1, post.id).messages if m.embeds).pinned
    assert await game.digest() == before


async def test_lobby_without_its_post_gets_another(sandbox: SandboxBot) -> None:
    """With the next change, and at the start."""
    await forum_of(sandbox)
    await opened(sandbox)
    first = await post_of(sandbox)
    threads.delete_channel(sandbox.world, first)
    await sandbox.person("Bob").slash(TABLE, "game join", number=1)
    second = await post_of(sandbox)
    assert second.id != first.id
    assert "Bob" in sandbox.world.messages[second.id].content
    threads.delete_channel(sandbox.world, second)
    await sandbox.person("Ann").slash(TABLE, "game start", number=1)
    await sandbox.settled()
    third = await post_of(sandbox)
    assert (third.id != second.id, third.name) == (True, "18Chesapeake 1: Ann, Bob")


async def test_game_is_moved_into_a_forum(sandbox: SandboxBot) -> None:
    """From one of its posts."""
    forum = await forum_of(sandbox, makes_tags=True)
    await sandbox.person("Ann").slash(TABLE, "game new", title="18al")
    post = await post_of(sandbox)
    await sandbox.person("Ann").slash(TABLE, "setup", back="channel")
    game = await sandbox.game()
    answer = await sandbox.person("Ann").slash(post.id, "game move-here", number=game.number)
    await sandbox.settled()
    number = (await games.get_game(sandbox.db, game.number)).thread_id or 0
    assert f"<#{number}>" in answer.text
    assert (number != post.id, sandbox.world.channel(number).parent_id) == (True, forum.id)
    assert tags(sandbox, sandbox.world.channel(number)) == {"18Chesapeake", "running"}
    assert [m for m in Seated(sandbox, game.number, number).messages if m.buttons]


# --- tags ------------------------------------------------------------------------------------------------------------


async def test_tags_say_title_and_state(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, flags=REQUIRE_TAG_FLAG, makes_tags=True)
    game = await started(sandbox)
    post = await post_of(sandbox)
    assert {tag["name"] for tag in forum.tags} == {"18Chesapeake", "open", "running", "over"}
    assert tags(sandbox, post) == {"18Chesapeake", "running"}
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    assert tags(sandbox, post) == {"18Chesapeake", "over"}
    assert post.archive_minutes == HOUR_MINUTES
    assert " has ended: " in sandbox.world.messages[post.id].content


async def test_given_up_lobby_is_tagged_so(sandbox: SandboxBot) -> None:
    """Once Discord takes it; the tags before stay until then."""
    await forum_of(sandbox, makes_tags=True)
    await opened(sandbox)
    post = await post_of(sandbox)
    assert tags(sandbox, post) == {"18Chesapeake", "open"}
    sandbox.server.faults.fail(f"PATCH /api/v10/channels/{post.id}\n", status=403)
    await sandbox.person("Ann").slash(post.id, "game abandon")
    assert tags(sandbox, post) == {"18Chesapeake", "open"}
    await sandbox.client.threads.forums.show_tags(await games.get_game(sandbox.db, 1))
    assert tags(sandbox, post) == {"18Chesapeake", "over"}


@pytest.mark.parametrize(
    ("there", "made"),
    [
        ([str(number) for number in range(16)], ["18Chesapeake", "open", "running", "over"]),
        ([str(number) for number in range(17)], []),
        (["OPEN"], ["18Chesapeake", "running", "over"]),
    ],
)
async def test_tags_are_made_where_there_is_room(
    sandbox: SandboxBot, there: list[str], made: list[str]
) -> None:
    """A forum has twenty; one in other letters is as good."""
    forum = await forum_of(sandbox, tags=tuple(there), makes_tags=True)
    await opened(sandbox)
    assert [tag["name"] for tag in forum.tags] == [*there, *made]


async def test_tags_that_are_there_are_used(sandbox: SandboxBot) -> None:
    """If none can be made, which is said."""
    await forum_of(sandbox, tags=("Open", "trains"))
    assert "Without Manage Channels there" in (await sandbox.person("Ann").slash(TABLE, "setup")).text
    await opened(sandbox)
    assert tags(sandbox, await post_of(sandbox)) == {"Open"}


@pytest.mark.parametrize(("manages", "given"), [(False, []), (True, [{"open"}])])
async def test_moderated_tags_are_for_moderators(
    sandbox: SandboxBot, manages: bool, given: list[set[str]]
) -> None:
    forum = await forum_of(sandbox, tags=("trains", "open"), flags=REQUIRE_TAG_FLAG)
    forum.tags[1]["moderated"] = True
    allowed = permissions.MANAGE_THREADS if manages else permissions.PIN_MESSAGES
    changes.overwrite(sandbox.world, forum, seed.GUILD_ID + seed.BOT_ROLE_OFFSET, allow=allowed)

    def knows() -> bool:
        found = sandbox.client.guilds[0].get_channel(forum.id)
        return any(tag.moderated for tag in getattr(found, "available_tags", []))

    await sandbox.learns(knows)
    await opened(sandbox)
    posts = [sandbox.world.channels[row.thread_id or 0] for row in await rows(sandbox)]
    assert [tags(sandbox, post) for post in posts] == given


async def test_forum_that_wants_a_tag_says_which(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, tags=("trains",), flags=REQUIRE_TAG_FLAG)
    assert (await opened(sandbox)).text == (
        f"The game was not opened: every post in <#{forum.id}> needs a tag, and the forum has none "
        "that fits. A member who manages channels can add the tag '18Chesapeake' or 'open', or "
        "give me the permission Manage Channels there, so that I can."
    )
    assert await rows(sandbox) == []
