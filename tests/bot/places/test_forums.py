"""Games in a forum: a post for each, with tags for the title and for how far the game is."""

import asyncio

from bot.client.places.threads import HOUR
from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import REQUIRE_TAG, Channel
from storage import games
from tests.bot.support import changes
from tests.bot.support.harness import TABLE, House, Seated
from tests.bot.support.places import forum_of


async def _open(house: House) -> InteractionResult:
    return await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")


async def _post(house: House) -> Channel:
    [row] = await games.list_games(house.db, seed.GUILD_ID)
    return house.world.channels[row.thread_id or 0]


async def _game(house: House) -> Seated:
    """A game of Ann, Bob and Cy in the forum, started by buttons and commands in its post."""
    await _open(house)
    post = await _post(house)
    lobby = house.world.messages[post.id]
    for name in ("Bob", "Cy"):
        await house.person(name).press(lobby, "Join")
    people = [house.person(name).id for name in ("Ann", "Bob", "Cy")]
    order = dict(zip(("first", "second", "third"), people, strict=True))
    await house.person("Ann").slash(post.id, "game seats", **order)
    await house.person("Ann").press(lobby, "Start")
    await house.settled()
    return Seated(house, 1, post.id)


def _tags(house: House, post: Channel) -> set[str]:
    forum = house.world.channels[post.parent_id or 0]
    return {tag["name"] for tag in forum.tags if tag["id"] in post.applied_tags}


async def test_each_game_has_a_post_that_is_its_lobby_and_then_its_table(house: House) -> None:
    forum = await forum_of(house)
    answer = await _open(house)
    post = await _post(house)
    assert post.parent_id == forum.id
    assert f"open in <#{post.id}>" in answer.text
    assert house.world.messages[post.id].channel_id == post.id
    await house.stop()
    await house.start()
    assert (await games.get_game(house.db, 1)).status == "lobby"


async def test_a_game_in_a_post_is_played_like_any_other(house: House) -> None:
    await forum_of(house)
    game = await _game(house)
    assert game.thread == (await _post(house)).id
    assert (await _post(house)).name == "18Chesapeake 1: Ann, Bob, Cy"
    board = next(m for m in game.messages if m.embeds)
    assert board.pinned
    await game.press("Ann", "Pass")
    await game.slash("Bob", "pass")
    assert "Bob" in game.lines[-1]


async def test_tags_say_what_is_played_and_how_far_it_is(house: House) -> None:
    forum = await forum_of(house, makes_tags=True)
    await _open(house)
    post = await _post(house)
    assert {tag["name"] for tag in forum.tags} == {"18Chesapeake", "open", "running", "over"}
    assert _tags(house, post) == {"18Chesapeake", "open"}
    for name in ("Bob", "Cy"):
        await house.person(name).press(house.world.messages[post.id], "Join")
    await house.person("Ann").press(house.world.messages[post.id], "Start")
    await house.settled()
    assert _tags(house, post) == {"18Chesapeake", "running"}
    game = Seated(house, 1, post.id)
    await _end(game)
    assert _tags(house, post) == {"18Chesapeake", "over"}
    assert post.archive_minutes == HOUR
    assert " has ended: " in house.world.messages[post.id].content


async def _end(game: Seated) -> None:
    """All three agree to end the game."""
    for name in ("Ann", "Bob", "Cy"):
        asked = await game.slash(name, "game abandon")
        if asked.ephemeral and asked.ephemeral[-1].buttons:
            await game.press(name, asked.ephemeral[-1].buttons[0].label, asked.ephemeral[-1])
    assert (await games.get_game(game.house.db, game.number)).status == "finished"


async def test_a_full_lobby_says_so_in_its_post(house: House) -> None:
    await forum_of(house)
    await _open(house)
    post = await _post(house)
    for name in ("Bob", "Cy", "Dee", "Eve", "Fay"):
        await house.person(name).press(house.world.messages[post.id], "Join")
    assert await house.world.until(lambda: len(house.world.history(post.id)) == 2)
    told = house.world.history(post.id)[-1]
    assert ("has all its 6 players" in told.content, list(told.pinged)) == (True, [house.person("Ann").id])


async def test_a_lobby_that_was_given_up_is_tagged_so(house: House) -> None:
    await forum_of(house, makes_tags=True)
    await _open(house)
    post = await _post(house)
    await house.person("Ann").slash(post.id, "game abandon")
    assert _tags(house, post) == {"18Chesapeake", "over"}


async def test_tags_that_are_there_are_used_where_none_can_be_made_and_it_is_said(house: House) -> None:
    await forum_of(house, tags=("Open", "trains"))
    assert "With Manage Channels there" in (await house.person("Ann").slash(TABLE, "setup")).text
    await _open(house)
    assert _tags(house, await _post(house)) == {"Open"}


async def test_a_forum_that_wants_a_tag_and_has_none_that_fits_says_which(house: House) -> None:
    await forum_of(house, tags=("trains",), flags=REQUIRE_TAG)
    answer = await _open(house)
    assert "needs a tag" in answer.text
    assert "'18Chesapeake' or 'open'" in answer.text
    assert await games.list_games(house.db, seed.GUILD_ID) == []


async def test_a_forum_that_wants_a_tag_gets_one(house: House) -> None:
    await forum_of(house, flags=REQUIRE_TAG, makes_tags=True)
    game = await _game(house)
    assert _tags(house, house.world.channels[game.thread]) == {"18Chesapeake", "running"}


async def test_a_game_asked_for_in_a_post_gets_a_post_of_its_own(house: House) -> None:
    await forum_of(house)
    await _open(house)
    first = await _post(house)
    await house.person("Ann").slash(TABLE, "setup", back="channel")
    await house.person("Bob").slash(first.id, "game new", title="18al")
    rows = await games.list_games(house.db, seed.GUILD_ID)
    assert [row.channel_id for row in rows] == [first.parent_id, first.parent_id]
    assert len({row.thread_id for row in rows}) == 2


async def test_the_right_to_post_has_the_name_that_forums_give_it(house: House) -> None:
    forum = await forum_of(house)
    guild = house.world.guilds[seed.GUILD_ID]
    changes.overwrite(house.world, forum, guild.id + seed.BOT_ROLE, deny=permissions.SEND_MESSAGES)
    known = house.client.guilds[0]

    def denied() -> bool:
        channel = known.get_channel(forum.id)
        return channel is not None and not channel.permissions_for(known.me).send_messages

    await house.learns(denied)
    answer = await _open(house)
    assert "the permission Create Posts is missing" in answer.text
    assert await games.list_games(house.db, seed.GUILD_ID) == []


async def test_repair_makes_another_post(house: House) -> None:
    forum = await forum_of(house)
    game = await _game(house)
    before = await game.digest()
    threads.remove(house.world, house.world.channel(game.thread))
    answer = await house.person("Cy").slash(TABLE, "game repair", number=game.number)
    await house.settled()
    row = await games.get_game(house.db, game.number)
    assert row.thread_id != game.thread
    assert f"<#{row.thread_id}>" in answer.text
    post = house.world.channels[row.thread_id or 0]
    assert post.parent_id == forum.id
    assert next(m for m in Seated(house, 1, post.id).messages if m.embeds).pinned
    assert await game.digest() == before


async def test_a_post_that_was_archived_is_opened_before_anything_is_posted(house: House) -> None:
    await forum_of(house)
    game = await _game(house)
    post = house.world.channel(game.thread)
    threads.change(house.world, post, {"archived": True})
    await game.slash("Ann", "pass")
    assert not post.archived
    assert "Ann" in game.lines[-1]


async def test_a_lobby_whose_post_was_deleted_gets_another(house: House) -> None:
    await forum_of(house)
    await _open(house)
    first = await _post(house)
    threads.remove(house.world, first)
    await house.person("Bob").slash(TABLE, "game join", number=1)
    second = await _post(house)
    assert second.id != first.id
    assert "Bob" in house.world.messages[second.id].content


async def test_a_post_that_is_deleted_is_reported_in_the_lists(house: House) -> None:
    """A forum takes no messages, and nothing can be typed in it."""
    await forum_of(house)
    game = await _game(house)
    threads.remove(house.world, house.world.channel(game.thread))
    async with asyncio.timeout(20):
        while house.client.delivery_problems.of(game.number) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    answer = (await house.person("Bob").slash(TABLE, "mine")).text
    assert "The post of this game is gone. `/game repair number:1` makes another." in answer


async def test_a_game_is_moved_into_a_forum_from_one_of_its_posts(house: House) -> None:
    forum = await forum_of(house, makes_tags=True)
    await house.person("Ann").slash(TABLE, "game new", title="18al")
    post = await _post(house)
    await house.person("Ann").slash(TABLE, "setup", back="channel")
    game = await house.game()
    answer = await house.person("Ann").slash(post.id, "game move-here", number=game.number)
    await house.settled()
    row = await games.get_game(house.db, game.number)
    assert f"<#{row.thread_id}>" in answer.text
    assert row.thread_id != post.id
    assert house.world.channel(row.thread_id or 0).parent_id == forum.id
    assert _tags(house, house.world.channel(row.thread_id or 0)) == {"18Chesapeake", "running"}
    assert [m for m in Seated(house, game.number, row.thread_id or 0).messages if m.buttons]
