"""Games in a forum: a post for each, with tags for the title and for how far the game is."""

import asyncio

from bot.client.places.threads import HOUR
from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import REQUIRE_TAG, Channel
from storage import games
from tests.bot.support import changes
from tests.bot.support.places import forum_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def _open(sandbox: SandboxBot) -> InteractionResult:
    return await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")


async def _post(sandbox: SandboxBot) -> Channel:
    [row] = await games.list_games(sandbox.db, seed.GUILD_ID)
    return sandbox.world.channels[row.thread_id or 0]


async def _game(sandbox: SandboxBot) -> Seated:
    """A game of Ann, Bob and Cy in the forum, started by buttons and commands in its post."""
    await _open(sandbox)
    post = await _post(sandbox)
    lobby = sandbox.world.messages[post.id]
    for name in ("Bob", "Cy"):
        await sandbox.person(name).press(lobby, "Join")
    people = [sandbox.person(name).id for name in ("Ann", "Bob", "Cy")]
    order = dict(zip(("first", "second", "third"), people, strict=True))
    await sandbox.person("Ann").slash(post.id, "game seats", **order)
    await sandbox.person("Ann").press(lobby, "Start")
    await sandbox.settled()
    return Seated(sandbox, 1, post.id)


def _tags(sandbox: SandboxBot, post: Channel) -> set[str]:
    forum = sandbox.world.channels[post.parent_id or 0]
    return {tag["name"] for tag in forum.tags if tag["id"] in post.applied_tags}


async def test_each_game_has_a_post_that_is_its_lobby_and_then_its_table(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox)
    answer = await _open(sandbox)
    post = await _post(sandbox)
    assert post.parent_id == forum.id
    assert f"open in <#{post.id}>" in answer.text
    assert sandbox.world.messages[post.id].channel_id == post.id
    await sandbox.stop()
    await sandbox.start()
    assert (await games.get_game(sandbox.db, 1)).status == "lobby"


async def test_a_game_in_a_post_is_played_like_any_other(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    game = await _game(sandbox)
    assert game.thread == (await _post(sandbox)).id
    assert (await _post(sandbox)).name == "18Chesapeake 1: Ann, Bob, Cy"
    board = next(m for m in game.messages if m.embeds)
    assert board.pinned
    await game.press("Ann", "Pass")
    await game.slash("Bob", "pass")
    assert "Bob" in game.lines[-1]


async def test_tags_say_what_is_played_and_how_far_it_is(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, makes_tags=True)
    await _open(sandbox)
    post = await _post(sandbox)
    assert {tag["name"] for tag in forum.tags} == {"18Chesapeake", "open", "running", "over"}
    assert _tags(sandbox, post) == {"18Chesapeake", "open"}
    for name in ("Bob", "Cy"):
        await sandbox.person(name).press(sandbox.world.messages[post.id], "Join")
    await sandbox.person("Ann").press(sandbox.world.messages[post.id], "Start")
    await sandbox.settled()
    assert _tags(sandbox, post) == {"18Chesapeake", "running"}
    game = Seated(sandbox, 1, post.id)
    await _end(game)
    assert _tags(sandbox, post) == {"18Chesapeake", "over"}
    assert post.archive_minutes == HOUR
    assert " has ended: " in sandbox.world.messages[post.id].content


async def _end(game: Seated) -> None:
    """All three agree to end the game."""
    for name in ("Ann", "Bob", "Cy"):
        asked = await game.slash(name, "game abandon")
        if asked.ephemeral and asked.ephemeral[-1].buttons:
            await game.press(name, asked.ephemeral[-1].buttons[0].label, asked.ephemeral[-1])
    assert (await games.get_game(game.sandbox.db, game.number)).status == "finished"


async def test_a_full_lobby_says_so_in_its_post(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await _open(sandbox)
    post = await _post(sandbox)
    for name in ("Bob", "Cy", "Dee", "Eve", "Fay"):
        await sandbox.person(name).press(sandbox.world.messages[post.id], "Join")
    assert await sandbox.world.until(lambda: len(sandbox.world.history(post.id)) == 2)
    told = sandbox.world.history(post.id)[-1]
    assert ("has all its 6 players" in told.content, list(told.pinged)) == (True, [sandbox.person("Ann").id])


async def test_a_lobby_that_was_given_up_is_tagged_so(sandbox: SandboxBot) -> None:
    await forum_of(sandbox, makes_tags=True)
    await _open(sandbox)
    post = await _post(sandbox)
    await sandbox.person("Ann").slash(post.id, "game abandon")
    assert _tags(sandbox, post) == {"18Chesapeake", "over"}


async def test_tags_that_are_there_are_used_where_none_can_be_made_and_it_is_said(
    sandbox: SandboxBot,
) -> None:
    await forum_of(sandbox, tags=("Open", "trains"))
    assert "With Manage Channels there" in (await sandbox.person("Ann").slash(TABLE, "setup")).text
    await _open(sandbox)
    assert _tags(sandbox, await _post(sandbox)) == {"Open"}


async def test_a_forum_that_wants_a_tag_and_has_none_that_fits_says_which(sandbox: SandboxBot) -> None:
    await forum_of(sandbox, tags=("trains",), flags=REQUIRE_TAG)
    answer = await _open(sandbox)
    assert "needs a tag" in answer.text
    assert "'18Chesapeake' or 'open'" in answer.text
    assert await games.list_games(sandbox.db, seed.GUILD_ID) == []


async def test_a_forum_that_wants_a_tag_gets_one(sandbox: SandboxBot) -> None:
    await forum_of(sandbox, flags=REQUIRE_TAG, makes_tags=True)
    game = await _game(sandbox)
    assert _tags(sandbox, sandbox.world.channels[game.thread]) == {"18Chesapeake", "running"}


async def test_a_game_asked_for_in_a_post_gets_a_post_of_its_own(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await _open(sandbox)
    first = await _post(sandbox)
    await sandbox.person("Ann").slash(TABLE, "setup", back="channel")
    await sandbox.person("Bob").slash(first.id, "game new", title="18al")
    rows = await games.list_games(sandbox.db, seed.GUILD_ID)
    assert [row.channel_id for row in rows] == [first.parent_id, first.parent_id]
    assert len({row.thread_id for row in rows}) == 2


async def test_the_right_to_post_has_the_name_that_forums_give_it(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox)
    guild = sandbox.world.guilds[seed.GUILD_ID]
    changes.overwrite(sandbox.world, forum, guild.id + seed.BOT_ROLE, deny=permissions.SEND_MESSAGES)
    known = sandbox.client.guilds[0]

    def denied() -> bool:
        channel = known.get_channel(forum.id)
        return channel is not None and not channel.permissions_for(known.me).send_messages

    await sandbox.learns(denied)
    answer = await _open(sandbox)
    assert "the permission Create Posts is missing" in answer.text
    assert await games.list_games(sandbox.db, seed.GUILD_ID) == []


async def test_repair_makes_another_post(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox)
    game = await _game(sandbox)
    before = await game.digest()
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    answer = await sandbox.person("Cy").slash(TABLE, "game repair", number=game.number)
    await sandbox.settled()
    row = await games.get_game(sandbox.db, game.number)
    assert row.thread_id != game.thread
    assert f"<#{row.thread_id}>" in answer.text
    post = sandbox.world.channels[row.thread_id or 0]
    assert post.parent_id == forum.id
    assert next(m for m in Seated(sandbox, 1, post.id).messages if m.embeds).pinned
    assert await game.digest() == before


async def test_a_post_that_was_archived_is_opened_before_anything_is_posted(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    game = await _game(sandbox)
    post = sandbox.world.channel(game.thread)
    threads.change(sandbox.world, post, {"archived": True})
    await game.slash("Ann", "pass")
    assert not post.archived
    assert "Ann" in game.lines[-1]


async def test_a_lobby_whose_post_was_deleted_gets_another(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await _open(sandbox)
    first = await _post(sandbox)
    threads.remove(sandbox.world, first)
    await sandbox.person("Bob").slash(TABLE, "game join", number=1)
    second = await _post(sandbox)
    assert second.id != first.id
    assert "Bob" in sandbox.world.messages[second.id].content


async def test_a_post_that_is_deleted_is_reported_in_the_lists(sandbox: SandboxBot) -> None:
    """A forum takes no messages, and nothing can be typed in it."""
    await forum_of(sandbox)
    game = await _game(sandbox)
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    async with asyncio.timeout(20):
        while sandbox.client.delivery_problems.of(game.number) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    answer = (await sandbox.person("Bob").slash(TABLE, "mine")).text
    assert "The post of this game is gone. `/game repair number:1` makes another." in answer


async def test_a_game_is_moved_into_a_forum_from_one_of_its_posts(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, makes_tags=True)
    await sandbox.person("Ann").slash(TABLE, "game new", title="18al")
    post = await _post(sandbox)
    await sandbox.person("Ann").slash(TABLE, "setup", back="channel")
    game = await sandbox.game()
    answer = await sandbox.person("Ann").slash(post.id, "game move-here", number=game.number)
    await sandbox.settled()
    row = await games.get_game(sandbox.db, game.number)
    assert f"<#{row.thread_id}>" in answer.text
    assert row.thread_id != post.id
    assert sandbox.world.channel(row.thread_id or 0).parent_id == forum.id
    assert _tags(sandbox, sandbox.world.channel(row.thread_id or 0)) == {"18Chesapeake", "running"}
    assert [m for m in Seated(sandbox, game.number, row.thread_id or 0).messages if m.buttons]
