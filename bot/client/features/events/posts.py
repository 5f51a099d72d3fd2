"""Posts of an event in its channel: sign-up, standings and podium, each posted once and edited when it changes.

What the posts should show follows from what is stored; a check each minute posts the difference, so nothing is lost
when the bot stops between two steps.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Final

import discord

from bot.client.bot_client import BotClient, PeriodicCheck
from bot.client.buttons import Button, button, view_of
from bot.client.places.threads import MAX_CLOCK_SKEW
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.client.requests.retries import MINUTE_SECONDS
from bot.client.thread.apply import ARCHIVED_CODE
from bot.table.errors import Refused, error_sentence
from bot.table.events.event_settings import post_channel, settings_lines
from bot.table.events.event_standings import standings_text, standings_views
from bot.table.events.event_views import EventView
from bot.table.events.points import points_text
from bot.table.events.starting import begin_games, group_name, tell_entrants
from bot.table.markdown import discord_time, sentence_list, strong, unmarked
from engine.views import StandingsView
from render import render_standings
from storage import EventRow, StorageError, events, parse_timestamp

_log = logging.getLogger("stationmaster.events")

SIGN_UP_ROLE: Final = "sign-up"
STANDINGS_ROLE: Final = "standings"
PODIUM_ROLE: Final = "podium"
"""Roles of an event's posts."""
LONGEST_POST: Final = 1950
"""Characters of a post, of the 2000 in a message."""
ROOM_FOR_ENTRANTS: Final = 1000
ROOM_FOR_RESERVES: Final = 250
"""Characters for names in the first post."""
MOST_PICTURES: Final = 10
"""Pictures of one message on Discord."""
LONGEST_DESCRIPTION: Final = 1024
"""Characters that describe a picture on Discord."""
MOST_SEARCHED: Final = 500
"""Newest messages among which a post is looked for."""
EVENT_BUTTON_LABELS: Final = {
    "join": "Join",
    "leave": "Leave",
    "standings": "Standings",
    "games": "My games",
    "late": "Who is late?",
    "page": "Page",
    "manage": "Manage",
    "next": "Next season",
}
"""Labels of the buttons under an event's posts, by choice."""


@dataclass(frozen=True, slots=True)
class EventPost:
    """A post that an event should have; the role that it pings when it is first posted.

    `pictures` are described by `picture_text`.
    """

    role: str
    text: str
    choices: tuple[str, ...] = ()
    pinged_role: int | None = None
    pictures: tuple[StandingsView, ...] = ()
    picture_text: str = ""

    @property
    def shows(self) -> str:
        """A digest of text, buttons and pictures."""
        content = json.dumps([self.text, self.choices, self.picture_text])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def view(self, event_id: int) -> discord.ui.View:
        """Its buttons."""
        return view_of(event_button(event_id, choice) for choice in self.choices)


def event_button(event_id: int, choice: str) -> Button:
    """A button under an event's post."""
    style = discord.ButtonStyle.success if choice in ("join", "next") else discord.ButtonStyle.secondary
    return button(f"ev:{event_id}:{choice}", EVENT_BUTTON_LABELS[choice], style)


def desired_posts(view: EventView, *, has_page: bool) -> Iterator[EventPost]:
    """The posts that an event should have now, in order; with a button to its page where there is one."""
    event, settings = view.event, view.settings
    choices = {"open": ("join", "leave", "manage"), "drawn": ("join", "manage")}.get(event.status, ())
    yield EventPost(SIGN_UP_ROLE, sign_up_text(view), choices, settings.pinged_role)
    if event.status in ("running", "ended") and view.stage_tables:
        pictures = tuple(standings_views(view))[:MOST_PICTURES]
        choices = _standings_choices(event, has_page=has_page)
        text, words = standings_post_text(view), standings_text(view)
        yield EventPost(STANDINGS_ROLE, text, choices, pictures=pictures, picture_text=words)
    if event.status == "ended":
        choices, pictures = ("next",) if settings.kind == "season" else (), tuple(standings_views(view))
        text, words = podium_text(view), standings_text(view)
        yield EventPost(PODIUM_ROLE, text, choices, pictures=pictures[:MOST_PICTURES], picture_text=words)


def _standings_choices(event: EventRow, *, has_page: bool) -> tuple[str, ...]:
    page = ("page",) if has_page else ()
    care = ("late", "manage") if event.status == "running" else ()
    return ("standings", "games", *page, *care)


def sign_up_text(view: EventView) -> str:
    """The text of the post in which members enter."""
    event = view.event
    kind = "a season" if view.settings.kind == "season" else "a tournament"
    state = {
        "open": "open for entrants",
        "drawn": "the tables are drawn; it starts soon",
        "running": "running",
        "ended": "over",
        "cancelled": "cancelled",
    }[event.status]
    places = "" if view.settings.places is None else f" of {view.settings.places}"
    names = _listed([entrant.display_name for entrant in view.present], ROOM_FOR_ENTRANTS) or "nobody yet"
    lines = [
        f"{strong(event.name)}: {kind}, {state}.",
        *(f"- {line}" for line in settings_lines(view.settings)),
        f"{strong(f'Entrants ({len(view.present)}{places})')}: {names}",
    ]
    if view.reserves:
        reserves = _listed([entrant.display_name for entrant in view.reserves], ROOM_FOR_RESERVES)
        lines.append(f"{strong('Reserves')}: {reserves}")
    if event.status == "open" and event.closes_at is not None:
        lines.append(f"-# Sign-up closes {discord_time(parse_timestamp(event.closes_at), 'R')}.")
    elif event.status == "drawn":
        lines.append("-# Who joins now is a reserve.")
    return cut(lines)


def _listed(names: Sequence[str], room: int) -> str:
    """These names in a sentence; those for whom there is no room are counted."""
    text, shown = sentence_list(names), len(names)
    while len(text) > room:
        shown -= 1
        text = f"{', '.join(names[:shown])} and {len(names) - shown} more"
    return text


def standings_post_text(view: EventView) -> str:
    """The text above the picture of the standings."""
    event = view.event
    over = sum(game.status in ("finished", "abandoned") for game in view.games)
    lines = [f"{strong(event.name)}: {over} of {len(view.tables)} games are over."]
    if event.deadline is not None and event.status == "running":
        lines.append(f"Deadline: {discord_time(parse_timestamp(event.deadline), 'R')}.")
    if event.status == "running" and not view.unfinished_games and not view.is_complete:
        names = sentence_list(view.names[number] for number in view.going_on)
        lines.append(f"{names} go on. A moderator draws the next round with *Manage*.")
    return " ".join(lines)


MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
"""Signs of the first three ranks."""


def podium_text(view: EventView) -> str:
    """The text of the post at the end: the first three of each group, or of the tournament."""
    lines = [f"{strong(view.event.name)} is over."]
    for division, rows in view.standings.items():
        first = [
            f"{MEDALS[row.rank]} {view.names[row.user_id]} ({points_text(row.points)})"
            for row in rows
            if row.rank in MEDALS
        ]
        group = f"Group {group_name(division)}: " if view.settings.kind == "season" else ""
        lines.append(f"{group}{', '.join(first)}")
    return cut(lines)


def cut(lines: list[str]) -> str:
    """These lines in one message; the text is cut at the end of a line if it is too long."""
    text = "\n".join(lines)
    return text if len(text) <= LONGEST_POST else f"{text[:LONGEST_POST].rpartition(chr(10))[0]}\n…"


# --- bringing the channel up to date ---------------------------------------------------------------------------------


async def advance(client: BotClient, event_id: int) -> None:
    """Do what is due in an event: draw at its date, begin games, tell entrants, end it, and update its posts."""
    async with client.event_post_locks.lock_of(event_id):
        view = await client.events.view(event_id)
        if view.event.status == "open":
            await _close_sign_up(client, view)
        elif view.event.status == "running":
            await begin_games(client.tables, client.lobbies, event_id)
            await tell_entrants(client.tables, event_id)
            if (await client.events.view(event_id)).is_complete:
                await client.events.finish(event_id)
        await _update_posts(client, await client.events.view(event_id))


async def _close_sign_up(client: BotClient, view: EventView) -> None:
    closes_at = view.event.closes_at
    if closes_at is None or parse_timestamp(closes_at) > parse_timestamp(client.tables.clock()):
        return
    try:
        await client.events.draw(view.event.id)
    except Refused as problem:
        _log.info("event %s: not drawn at its date: %s", view.event.id, problem)


async def _update_posts(client: BotClient, view: EventView) -> None:
    posted = await events.posts_of(client.tables.db, view.event.id)
    for post in desired_posts(view, has_page=client.tables.board.address is not None):
        message_id, shown = posted.get(post.role, (None, ""))
        if shown == post.shows:
            continue
        first_post = posted.get(SIGN_UP_ROLE, (0, ""))[0] or None
        if message_id == 0:
            message_id = await _sent_before(client, view.event, post, first_post)
        if not message_id or not await _edit(client, view.event, post, message_id, first_post):
            await events.set_post(client.tables.db, view.event.id, post.role, 0, "")
            message_id = await _send(client, view.event, post, first_post)
        await events.set_post(client.tables.db, view.event.id, post.role, message_id, post.shows)
        posted[post.role] = message_id, post.shows


async def _files(client: BotClient, event: EventRow, post: EventPost) -> list[discord.File]:
    pictures = client.pictures.for_server(event.guild_id)
    drawn = [await pictures.draw_view(render_standings, view) for view in post.pictures]
    return [
        discord.File(BytesIO(png), f"standings-{number}.png", description=_description(post.picture_text))
        for number, png in enumerate(drawn, start=1)
    ]


def _description(text: str) -> str:
    """The words of a picture, without marks."""
    lines = [unmarked(line).replace("\\", "") for line in text.splitlines()]
    return "\n".join(lines)[:LONGEST_DESCRIPTION]


async def _sent_before(
    client: BotClient, event: EventRow, post: EventPost, first_post: int | None
) -> int | None:
    """The message of a post during which the bot was stopped or lost its connection; None if it was not sent."""
    channel, since = (
        client.get_channel(post_channel(event)),
        parse_timestamp(event.created_at) - MAX_CLOCK_SKEW,
    )
    if isinstance(channel, discord.ForumChannel) and first_post is None:
        named = [thread for thread in channel.threads if thread.name == event.name]
        return next((each.id for each in named if each.owner_id == client.application_id), None)
    place = client.get_partial_messageable(_place(client, event, first_post), guild_id=event.guild_id)
    ids = {f"ev:{event.id}:{choice}" for choice in post.choices[:1]}
    async for message in place.history(limit=MOST_SEARCHED, after=since, oldest_first=False):
        is_own, shown = message.author.id == client.application_id, _button_ids(message)
        if is_own and (not ids.isdisjoint(shown) or message.content == post.text):
            return message.id
    return None


def _button_ids(message: discord.Message) -> list[str]:
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return [getattr(part, "custom_id", None) or "" for row in rows for part in row.children]


async def _send(client: BotClient, event: EventRow, post: EventPost, first_post: int | None) -> int:
    """Post it, in a forum as an answer to the first post; returns the message's id."""
    roles = [] if post.pinged_role is None else [discord.Object(post.pinged_role)]
    text = post.text if post.pinged_role is None else f"<@&{post.pinged_role}>\n{post.text}"
    message: dict[str, Any] = {
        "content": text[:2000],
        "view": post.view(event.id),
        "files": await _files(client, event, post),
        "allowed_mentions": discord.AllowedMentions(roles=roles),
    }
    channel = client.get_channel(post_channel(event))
    if isinstance(channel, discord.ForumChannel) and first_post is None:
        opened = await channel.create_thread(name=event.name, **message)
        return opened.thread.id
    place = client.get_partial_messageable(_place(client, event, first_post), guild_id=event.guild_id)
    # Sent again after a crash, the same post is made once.
    return (await place.send(nonce=f"ev{event.id}{post.role}", **message)).id


async def _edit(
    client: BotClient, event: EventRow, post: EventPost, message_id: int, first_post: int | None
) -> bool:
    """Show what has changed; False if somebody has deleted the post."""
    place = client.get_partial_messageable(_place(client, event, first_post), guild_id=event.guild_id)
    message = place.get_partial_message(message_id)

    async def show() -> None:
        files = await _files(client, event, post)
        await message.edit(content=post.text, view=post.view(event.id), attachments=files)

    try:
        async with client.old_edits.edit_slot(place.id, message_id):
            try:
                await show()
            except discord.HTTPException as error:
                if error.code != ARCHIVED_CODE:
                    raise
                # A post of a forum archives itself when nobody has written in it for days.
                await client.threads.open(place)
                await show()
    except discord.NotFound:
        _log.info("event %s: its post (%s) was deleted, and comes again", event.id, post.role)
        return False
    return True


def _place(client: BotClient, event: EventRow, first_post: int | None) -> int:
    """The channel of an event's posts: in a forum its own post, which has the number of its first message."""
    channel_id = post_channel(event)
    in_forum = isinstance(client.get_channel(channel_id), discord.ForumChannel)
    return first_post if in_forum and first_post is not None else channel_id


async def cancel(client: BotClient, event_id: int) -> None:
    """Show that an event is cancelled, and cancel it: if the bot is stopped between, it goes on as if nothing was."""
    async with client.event_post_locks.lock_of(event_id):
        view = await client.events.view(event_id)
        if view.event.status in events.LIVING:
            with suppress(*DISCORD_ERRORS):
                await _update_posts(client, replace(view, event=replace(view.event, status="cancelled")))
        await client.events.cancel(event_id)


async def _advance_all(client: BotClient) -> None:
    """Do what is due in every event of these shards, and show what ended since."""
    for event in await events.living_events(client.tables.db, PODIUM_ROLE, client.tables.share):
        await advance_safely(client, event.id)


async def advance_safely(client: BotClient, event_id: int) -> None:
    """Do what is due in an event; what is wrong is logged, and tried again a minute later."""
    try:
        await advance(client, event_id)
    except DISCORD_ERRORS as problem:
        _log.warning("event %s: cannot update its posts: %r", event_id, problem)
    except (Refused, StorageError) as problem:
        _log.warning("event %s: %s", event_id, error_sentence(problem))
    except asyncio.CancelledError:
        raise
    except Exception:  # noqa: BLE001 - other events go on
        _log.exception("event %s: cannot be continued", event_id)


EVENT_CHECK: Final = PeriodicCheck("events", _advance_all, MINUTE_SECONDS)
