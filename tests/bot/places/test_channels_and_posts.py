"""Where a game can be played and shown: channels, forums and their tags, threads, single posts, direct messages."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client import direct_messages
from bot.client.direct_messages import MUTES, ROOM
from bot.client.game_texts import thread_name
from bot.client.places import threads
from bot.client.places.forum_posts_and_tags import STATES, ForumPosts
from bot.client.places.game_channels import absent_in, suited
from bot.client.places.messages import (
    delete,
    files_of,
    files_shown,
    table_files,
    thread_from,
)
from bot.table.errors import Refused
from bot.table.orders.sealed_auction import ASKS


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


def refused(status: int, code: int) -> Any:
    """What Discord refuses."""
    response: Any = some(status=status, reason="")
    kind = discord.NotFound if status == 404 else discord.HTTPException
    return kind(response, {"code": code, "message": ""})


# --- channels --------------------------------------------------------------------------------------------------------


def channel(kind: type[Any], **values: Any) -> Any:
    found = object.__new__(kind)
    for name, value in values.items():
        setattr(found, name, value)
    return found


def text_channel(kind: discord.ChannelType = discord.ChannelType.text) -> Any:
    return channel(discord.TextChannel, _type=kind.value)


class Post(discord.Thread):
    """A thread whose parent is set."""

    __slots__ = ("within",)
    within: Any

    @property
    def parent(self) -> Any:
        return self.within


def test_games_are_played_in_text_channels_and_forums() -> None:
    """In a post of a forum its forum is meant."""
    text, forum = text_channel(), channel(discord.ForumChannel)
    assert suited(text) is text
    assert suited(forum) is forum
    assert suited(channel(Post, within=forum)) is forum


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (channel(discord.VoiceChannel), "voice channel has no threads"),
        (channel(discord.StageChannel), "chat of a stage"),
        (channel(discord.CategoryChannel), "category takes no messages"),
        (channel(Post, within=text_channel()), "Discord allows none within a thread"),
        (text_channel(discord.ChannelType.news), "announcement channel"),
        (None, "Games are played on a server"),
    ],
)
def test_elsewhere_the_reason_says_where_a_game_can_be_played(place: Any, why: str) -> None:
    with pytest.raises(Refused, match=why):
        suited(place)


def test_what_is_missing_is_named_as_the_settings_of_the_channel_name_it() -> None:
    held = discord.Permissions.all()
    held.update(send_messages=False, create_public_threads=False)
    assert absent_in(text_channel(), held) == ["Send Messages", "Create Public Threads"]
    assert absent_in(channel(discord.ForumChannel), held) == ["Create Posts"]
    assert absent_in(text_channel(), discord.Permissions.all()) == []


# --- forums ----------------------------------------------------------------------------------------------------------


class Tags:
    """A forum with these tags, and what is changed in it."""

    def __init__(
        self,
        *names: str,
        manages: bool = True,
        required: bool = False,
        moderated: tuple[str, ...] = (),
        fails: Any = None,
    ) -> None:
        self.id = 8
        self.available_tags = [
            some(id=n, name=name, moderated=name in moderated) for n, name in enumerate(names, 1)
        ]
        self.flags = some(require_tag=required)
        self.guild = some(me=None)
        self.manages, self.fails = manages, fails
        self.threads = True
        self.made: list[str] = []
        self.opened: list[dict[str, Any]] = []

    def permissions_for(self, _: object) -> Any:
        return some(manage_channels=self.manages, manage_threads=self.threads)

    async def edit(self, *, available_tags: list[Any]) -> Any:
        if self.fails:
            raise self.fails
        self.made = [tag.name for tag in available_tags]
        names = self.made
        return Tags(*names)

    async def create_thread(self, **parts: Any) -> Any:
        self.opened.append(parts)
        return some(thread=some(id=99))


def row(number: int = 5, status: str = "lobby", thread: int | None = 3) -> Any:
    return some(id=number, name="18Chesapeake and more", status=status, channel_id=8, thread_id=thread)


def names(tags: list[Any]) -> list[str]:
    return [tag.name for tag in tags]


async def test_tags_of_a_title_are_made_where_we_may_and_there_is_room() -> None:
    """A tag has twenty characters at most; one that is there in any case is as good."""
    may, posts = Tags("OPEN"), ForumPosts(None)  # type: ignore[arg-type]
    await posts.prepare_forum(may, "18Chesapeake and more")  # type: ignore[arg-type]
    assert may.made == ["OPEN", "18Chesapeake and mor", "running", "over"]
    for other in (
        Tags(manages=False),
        Tags(*map(str, range(17))),
        Tags("18Chesapeake and mor", "open", "running", "over"),
    ):
        await posts.prepare_forum(other, "18Chesapeake and more")  # type: ignore[arg-type]
        assert other.made == []
    just = Tags(*map(str, range(16)))
    await posts.prepare_forum(just, "18Chesapeake and more")  # type: ignore[arg-type]
    assert len(just.made) == 20


async def test_a_forum_that_wants_a_tag_and_has_none_for_us_is_refused() -> None:
    posts = ForumPosts(None)  # type: ignore[arg-type]
    for forum in (
        Tags("other", manages=False, required=True),
        Tags(manages=True, required=True, fails=refused(403, 50013)),
    ):
        with pytest.raises(Refused) as wanted:
            await posts.prepare_forum(forum, "18Chesapeake and more")  # type: ignore[arg-type]
        assert str(wanted.value) == (
            "Every post in <#8> needs a tag, and it has none that fits. A member who manages channels gives it a tag "
            "'18Chesapeake and mor' or 'open', or gives me the permission Manage Channels there, so that I make them. "
            "The game was not opened."
        )
    moderated = Tags("open", manages=False, required=True, moderated=("open",))
    await posts.prepare_forum(moderated, "18AL")  # type: ignore[arg-type]
    moderated.threads = False
    with pytest.raises(Refused):
        await posts.prepare_forum(moderated, "18AL")  # type: ignore[arg-type]
    for forum in (Tags("18AL", manages=False, required=True), Tags("other", manages=False)):
        await posts.prepare_forum(forum, "18AL")  # type: ignore[arg-type]


async def test_the_post_of_a_game_has_the_tags_of_its_title_and_of_how_far_it_is() -> None:
    forum = Tags("18Chesapeake and mor", "open", "running", "over", "other", manages=False)
    number = await ForumPosts(None).post_in(forum, row(), "a name", content="x")  # type: ignore[arg-type]
    (opened,) = forum.opened
    assert (number, opened["name"], opened["content"]) == (99, "a name", "x")
    assert opened["auto_archive_duration"] == 7 * 24 * 60
    assert names(opened["applied_tags"]) == ["18Chesapeake and mor", "open"]


class Client:
    """A client that knows a forum and a thread in it."""

    def __init__(self, forum: Any, thread: Any, *, listed: bool = True, fails: Any = None) -> None:
        self._channels = {8: forum, **({3: thread} if listed else {})}
        self._thread, self._fails = thread, fails
        self.fetched = 0

    def get_channel(self, number: int) -> Any:
        return self._channels.get(number)

    async def fetch_channel(self, number: int) -> Any:
        assert number == 3
        self.fetched += 1
        if self._fails:
            raise self._fails
        return self._thread


class Thread(discord.Thread):
    """A thread that notes how it is changed."""

    __slots__ = ("changes", "tags")

    changes: list[Any]
    tags: list[Any]

    @classmethod
    def with_tags(cls, *tags: int, archived: bool = False, locked: bool = False) -> Any:
        found = object.__new__(cls)
        found.changes, found.archived, found.locked = [], archived, locked
        found.tags = [some(id=tag) for tag in tags]
        return found

    @property
    def applied_tags(self) -> Any:
        return self.tags

    async def edit(self, **changes: Any) -> Any:
        self.changes.append(changes)


def forum_of(*tags: str) -> Any:
    """A forum of the library with these tags."""
    made = Tags(*tags, manages=False)

    class Forum(discord.ForumChannel):
        __slots__ = ()

        def permissions_for(self, _: object) -> Any:
            return made.permissions_for(_)

        @property
        def flags(self) -> Any:
            return made.flags

    found = channel(Forum)
    found.id, found.guild = 8, some(me=None)
    found._available_tags = {tag.id: tag for tag in made.available_tags}
    return found


async def test_the_tags_of_a_post_follow_the_game_once() -> None:
    forum, thread = forum_of("18Chesapeake and mor", "open", "running"), Thread.with_tags(1, 2)
    posts = ForumPosts(Client(forum, thread))  # type: ignore[arg-type]
    assert posts.forum_of(row()) is forum
    for _ in range(2):
        await posts.show_tags(row(status="running"))
    assert [names(change["applied_tags"]) for change in thread.changes] == [
        ["18Chesapeake and mor", "running"]
    ]
    same = Thread.with_tags(1, 3)
    await ForumPosts(Client(forum, same)).show_tags(row(status="running"))  # type: ignore[arg-type]
    archived = Thread.with_tags(1, 2, archived=True)
    await ForumPosts(Client(forum, archived)).show_tags(row(status="running"))  # type: ignore[arg-type]
    no_tags = Thread.with_tags(1, 2)
    await ForumPosts(Client(forum_of("other"), no_tags)).show_tags(row(status="running"))  # type: ignore[arg-type]
    without = Thread.with_tags(1, 2)
    await ForumPosts(Client(forum, without)).show_tags(row(status="running", thread=None))  # type: ignore[arg-type]
    elsewhere = Thread.with_tags(1, 2)
    text = ForumPosts(Client(text_channel(), elsewhere))  # type: ignore[arg-type]
    await text.show_tags(row(status="running"))
    assert text.forum_of(row()) is None
    assert same.changes == archived.changes == no_tags.changes == without.changes == elsewhere.changes == []


async def test_tags_that_cannot_be_shown_are_tried_again() -> None:
    forum, thread = forum_of("18Chesapeake and mor", "running"), Thread.with_tags()
    client = Client(forum, thread, listed=False, fails=refused(500, 0))
    posts = ForumPosts(client)  # type: ignore[arg-type]
    await posts.show_tags(row(status="running"))
    client._fails = None
    await posts.show_tags(row(status="running"))
    assert (len(thread.changes), client.fetched) == (1, 2)
    assert STATES["abandoned"] == "over"


# --- threads and posts -----------------------------------------------------------------------------------------------


def test_a_thread_is_named_after_its_game_and_players() -> None:
    assert thread_name(5, "18AL", ["Ann", "Bob"]) == "18AL 5: Ann, Bob"


@pytest.mark.parametrize(
    ("archived", "locked", "opened"), [(True, False, True), (True, True, False), (False, False, False)]
)
async def test_a_thread_that_was_archived_is_opened_unless_it_is_locked(
    archived: bool, locked: bool, opened: bool
) -> None:
    thread = Thread.with_tags(archived=archived, locked=locked)
    await threads._opened(thread)
    await threads._opened(text_channel())
    assert thread.changes == ([{"archived": False}] if opened else [])


class Message:
    """A message with these buttons."""

    def __init__(self, number: int, *ids: str, content: str = "", gone: bool = False) -> None:
        self.id, self.content, self.gone, self.deleted = number, content, gone, False
        line = object.__new__(discord.ActionRow)
        line.children = [some(custom_id=one) for one in ids]
        self.components = [line] if ids else []
        self.attachments = [some(id=7), some(id=8)]
        self.embeds = [
            some(image=some(url="https://cdn/attachments/1/7/map.png?x")), some(image=some(url=None)),
        ]  # fmt: skip

    async def delete(self) -> None:
        if self.gone:
            raise refused(404, 10008)
        self.deleted = True


async def test_a_message_that_is_gone_is_deleted() -> None:
    gone: Any = Message(1, gone=True)
    await delete(gone)


def test_files_that_a_message_has_are_listed_by_their_numbers() -> None:
    message: Any = Message(1)
    assert [file.to_dict() for file in files_of(message)] == [{"id": "7"}, {"id": "8"}]
    shown = files_shown(message)
    assert [one and one.id for one in shown] == [7, None]


def test_the_table_may_have_two_pictures() -> None:
    assert [(file.filename, file.description) for file in table_files([b"a", b"b"], "The table.")] == [
        ("table.png", "The table."),
        ("table1.png", "What the companies have, and the trains to come."),
    ]


class Opener:
    """A message from which a thread is made."""

    def __init__(self, error: Exception | None) -> None:
        self.id, self._error = 7, error

    async def create_thread(self, *, name: str, auto_archive_duration: int) -> Any:
        assert (name, auto_archive_duration) == ("x", 7 * 24 * 60)
        if self._error:
            raise self._error
        return some(id=8)


async def test_a_thread_that_is_there_already_is_as_good() -> None:
    made: Any = [Opener(None), Opener(refused(400, 160004)), Opener(refused(400, 50035))]
    assert [await thread_from(opener, "x") for opener in made[:2]] == [8, 7]
    with pytest.raises(discord.HTTPException):
        await thread_from(made[2], "x")


# --- direct messages -------------------------------------------------------------------------------------------------


def entry(text: str) -> Any:
    return direct_messages._Entry(5, "p1", text)


def test_a_direct_message_lists_the_games_that_wait_as_many_as_fit() -> None:
    assert direct_messages._list_text([entry("a")]) == "It is your move:\na"
    assert direct_messages._list_text([entry("a"), entry("b")]) == "It is your move in 2 games:\na\nb"
    half = "x" * (ROOM // 2)
    assert direct_messages._list_text([entry(half), entry(half)]).split("\n")[1:] == [half, half]
    many = direct_messages._list_text([entry(half), entry(half), entry("c"), entry("d")]).split("\n")
    assert (many[0], many[-1], len(many)) == (
        "It is your move in 4 games:",
        "And 2 more: `/mine` lists all.",
        4,
    )
    long = "y" * (ROOM + 9)
    assert direct_messages._list_text([entry(long)]).endswith(long)


def written(*games: int) -> Any:
    notifications = [(game, "p1") for game in games]
    return some(
        id=3,
        notifications=notifications,
        game_id=games[0] if games else 9,
        created_at="2026-01-01T00:00:00+00:00",
    )


def test_each_game_of_a_direct_message_is_muted_by_a_button() -> None:
    def labels(view: discord.ui.View) -> list[str]:
        items: list[Any] = list(view.children)
        return [item.label for item in items]

    assert labels(direct_messages._buttons(written(5), board=False)) == ["Mute for this turn"]
    assert labels(direct_messages._buttons(written(5), board=True)) == ["Board", "Mute for this turn"]
    assert labels(direct_messages._buttons(written(5, 5, 6), board=True)) == [
        "Board of game 5", "Board of game 6", "Mute game 5 for this turn", "Mute game 6 for this turn",
    ]  # fmt: skip
    assert len(labels(direct_messages._buttons(written(*range(9)), board=False))) == MUTES
    assert len(labels(direct_messages._buttons(written(*range(9)), board=True))) <= MUTES


def test_the_log_names_no_account_of_a_direct_message() -> None:
    assert direct_messages._recipient(written(5, 6)) == "game 5: seat p1"
    assert direct_messages._recipient(written()) == "game 9"
    assert direct_messages._nonce(written(5)) == "l3.1767225600"


def table(**values: Any) -> Any:
    usual: dict[str, Any] = {
        "id": 5, "by_group": frozenset(), "game": some(actors=lambda: ("p1",)),
        "row": some(name="18AL", guild_id=1, thread_id=3, channel_id=2, turn_message_id=6),
    }  # fmt: skip
    return some(**(usual | values))


def test_a_direct_message_says_what_to_do_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    view = some(round_name="OR 1", entity="PRR", facts="", duty=("Buy a train.",), steps=())
    monkeypatch.setattr(direct_messages, "turn_view", lambda _: view)
    there = "https://discord.com/channels/1/3"

    def said(live: Any, thread: str = "posted", stage: int = 0, player: str = "p1") -> list[str]:
        return direct_messages._of_game(live, some(thread=thread, stage=stage, player_id=player)).split("\n")

    assert said(table()) == ["**18AL**, game 5: **OR 1: PRR**", "Buy a train.", f"[Go there]({there}/6)"]
    assert said(table(), "pending", 2)[0].endswith(" Reminder 2.")
    assert said(table(), "pending")[-1] == f"[Go there]({there})"
    row = some(name="18AL", guild_id=1, thread_id=3, channel_id=2, turn_message_id=None)
    assert said(table(row=row), "pending")[-1] == f"[Go there]({there})"
    assert direct_messages.BY_GROUP in said(table(by_group=frozenset({"p1"})))
    assert ASKS in said(table(), player="p2")
    assert ASKS not in said(table())
