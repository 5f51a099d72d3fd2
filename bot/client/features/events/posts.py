"""Posts of an event in its channel: sign-up, standings and podium, each posted once and edited when it changes.

The posts are computed from stored data. A check each minute posts or edits those that are missing or outdated, so
nothing is lost if the bot stops between two steps.
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
from bot.client.buttons import Button, button, view_with_items
from bot.client.places.threads import MAX_CLOCK_SKEW
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.client.requests.retries import MINUTE_SECONDS
from bot.client.thread.apply import THREAD_ARCHIVED_CODE
from bot.table.errors import Refused, error_sentence
from bot.table.events.event_settings import post_channel, settings_lines
from bot.table.events.event_standings import standings_text, standings_views
from bot.table.events.event_views import EventView
from bot.table.events.points import points_text
from bot.table.events.starting import begin_games, group_name, message_entrants
from bot.table.markdown import discord_time, sentence_list, strong, without_markdown
from engine.views import StandingsView
from render import render_standings
from storage import EventRow, StorageError, events, parse_timestamp

_log = logging.getLogger("stationmaster.events")

SIGN_UP_POST_ROLE: Final = "sign-up"
STANDINGS_POST_ROLE: Final = "standings"
PODIUM_POST_ROLE: Final = "podium"
"""Role of an event's final post. The role of each post is stored with its message id."""
MAX_POST_LENGTH: Final = 1950
"""Character limit of an event's post; Discord allows 2000."""
MAX_ENTRANTS_LENGTH: Final = 1000
MAX_RESERVES_LENGTH: Final = 250
"""Character limit for the list of reserves in the sign-up post."""
MAX_PICTURES: Final = 10
"""Discord's limit for the pictures of a message."""
MAX_DESCRIPTION_LENGTH: Final = 1024
"""Discord's limit for the alt text of a picture, in characters."""
MAX_SEARCHED_MESSAGES: Final = 500
"""Number of recent messages among which a post is searched for after a crash."""
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
"""Labels of the buttons below an event's posts, by the action in the button's id."""


@dataclass(frozen=True, slots=True)
class EventPost:
    """The content that one of an event's posts should have.

    `pinged_role` is mentioned when the post is first sent. `picture_text` is the alt text of its pictures.
    """

    role: str
    text: str
    choices: tuple[str, ...] = ()
    pinged_role: int | None = None
    pictures: tuple[StandingsView, ...] = ()
    picture_text: str = ""

    @property
    def content_digest(self) -> str:
        """A digest of text, buttons and alt text; the post is edited if the stored digest differs."""
        content = json.dumps([self.text, self.choices, self.picture_text])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def view(self, event_id: int) -> discord.ui.View:
        """The buttons below this post."""
        return view_with_items(event_button(event_id, choice) for choice in self.choices)


def event_button(event_id: int, choice: str) -> Button:
    """A button below an event's post. `choice` is its action, a key of EVENT_BUTTON_LABELS."""
    style = discord.ButtonStyle.success if choice in ("join", "next") else discord.ButtonStyle.secondary
    return button(f"ev:{event_id}:{choice}", EVENT_BUTTON_LABELS[choice], style)


def desired_posts(view: EventView, *, has_page: bool) -> Iterator[EventPost]:
    """The posts that an event should have now, in order.

    With `has_page`, the standings have a button for the event's web page.
    """
    event, settings = view.event, view.settings
    choices = {"open": ("join", "leave", "manage"), "drawn": ("join", "manage")}.get(event.status, ())
    yield EventPost(SIGN_UP_POST_ROLE, sign_up_text(view), choices, settings.pinged_role)
    if event.status in ("running", "ended") and view.stage_tables:
        pictures = tuple(standings_views(view))[:MAX_PICTURES]
        choices = _standings_choices(event, has_page=has_page)
        text, alt_text = standings_post_text(view), standings_text(view)
        yield EventPost(STANDINGS_POST_ROLE, text, choices, pictures=pictures, picture_text=alt_text)
    if event.status == "ended":
        choices, pictures = ("next",) if settings.kind == "season" else (), tuple(standings_views(view))
        text, alt_text = podium_text(view), standings_text(view)
        yield EventPost(
            PODIUM_POST_ROLE, text, choices, pictures=pictures[:MAX_PICTURES], picture_text=alt_text
        )


def _standings_choices(event: EventRow, *, has_page: bool) -> tuple[str, ...]:
    page = ("page",) if has_page else ()
    organiser_choices = ("late", "manage") if event.status == "running" else ()
    return ("standings", "games", *page, *organiser_choices)


def sign_up_text(view: EventView) -> str:
    """The text of the sign-up post: settings, entrants, reserves, and closing time."""
    event = view.event
    kind = "a season" if view.settings.kind == "season" else "a tournament"
    state_text = {
        "open": "open for entrants",
        "drawn": "the tables are drawn; it starts soon",
        "running": "running",
        "ended": "over",
        "cancelled": "cancelled",
    }[event.status]
    places = "" if view.settings.places is None else f" of {view.settings.places}"
    names = (
        _cut_name_list([entrant.display_name for entrant in view.present_entrants], MAX_ENTRANTS_LENGTH)
        or "nobody yet"
    )
    lines = [
        f"{strong(event.name)}: {kind}, {state_text}.",
        *(f"- {line}" for line in settings_lines(view.settings)),
        f"{strong(f'Entrants ({len(view.present_entrants)}{places})')}: {names}",
    ]
    if view.reserves:
        reserves = _cut_name_list([entrant.display_name for entrant in view.reserves], MAX_RESERVES_LENGTH)
        lines.append(f"{strong('Reserves')}: {reserves}")
    if event.status == "open" and event.closes_at is not None:
        lines.append(f"-# Sign-up closes {discord_time(parse_timestamp(event.closes_at), 'R')}.")
    elif event.status == "drawn":
        lines.append("-# Members who join now become reserves.")
    return shortened_post(lines)


def _cut_name_list(names: Sequence[str], max_length: int) -> str:
    """The names as a list; those that exceed `max_length` characters are left out and counted."""
    text, shown_count = sentence_list(names), len(names)
    while len(text) > max_length:
        shown_count -= 1
        text = f"{', '.join(names[:shown_count])} and {len(names) - shown_count} more"
    return text


def standings_post_text(view: EventView) -> str:
    """The text above the picture of the standings."""
    event = view.event
    ended_count = sum(game.status in ("finished", "abandoned") for game in view.games)
    lines = [f"{strong(event.name)}: {ended_count} of {len(view.tables)} games are over."]
    if event.deadline is not None and event.status == "running":
        lines.append(f"Deadline: {discord_time(parse_timestamp(event.deadline), 'R')}.")
    if event.status == "running" and not view.unfinished_tables and not view.is_complete:
        names = sentence_list(view.names[number] for number in view.going_on)
        lines.append(f"{names} play the next round. A moderator draws it with *Manage*.")
    return " ".join(lines)


MEDAL_BY_RANK: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
"""Medals of the first three ranks."""


def podium_text(view: EventView) -> str:
    """The text of the final post: the best three of each group of a season, or of the tournament."""
    lines = [f"{strong(view.event.name)} is over."]
    for division, rows in view.standings.items():
        medal_texts = [
            f"{MEDAL_BY_RANK[row.rank]} {view.names[row.entrant_number]} ({points_text(row.points)})"
            for row in rows
            if row.rank in MEDAL_BY_RANK
        ]
        group = f"Group {group_name(division)}: " if view.settings.kind == "season" else ""
        lines.append(f"{group}{', '.join(medal_texts)}")
    return shortened_post(lines)


def shortened_post(lines: list[str]) -> str:
    """The lines of an event's post as one text, cut at a line's end if it exceeds MAX_POST_LENGTH."""
    text = "\n".join(lines)
    return text if len(text) <= MAX_POST_LENGTH else f"{text[:MAX_POST_LENGTH].rpartition(chr(10))[0]}\n…"


# --- updating the channel --------------------------------------------------------------------------------------------


async def advance_event(client: BotClient, event_id: int) -> None:
    """Do everything that is due in an event, such as drawing tables, starting games, and updating its posts."""
    async with client.event_post_locks.lock_of(event_id):
        view = await client.events.view(event_id)
        if view.event.status == "open":
            await _draw_when_sign_up_closes(client, view)
        elif view.event.status == "running":
            await begin_games(client.tables, client.lobbies, event_id)
            await message_entrants(client.tables, event_id)
            if (await client.events.view(event_id)).is_complete:
                await client.events.finish(event_id)
        await _update_posts(client, await client.events.view(event_id))


async def _draw_when_sign_up_closes(client: BotClient, view: EventView) -> None:
    closes_at = view.event.closes_at
    if closes_at is None or parse_timestamp(closes_at) > parse_timestamp(client.tables.clock()):
        return
    try:
        await client.events.draw(view.event.id)
    except Refused as problem:
        _log.info("event %s: cannot draw its tables when sign-up closes: %s", view.event.id, problem)


async def _update_posts(client: BotClient, view: EventView) -> None:
    stored_posts = await events.posts_of_event(client.tables.db, view.event.id)
    for post in desired_posts(view, has_page=client.tables.board_links.address is not None):
        message_id, stored_digest = stored_posts.get(post.role, (None, ""))
        if stored_digest == post.content_digest:
            continue
        first_post_id = stored_posts.get(SIGN_UP_POST_ROLE, (0, ""))[0] or None
        if message_id == 0:
            message_id = await _find_post_sent_before_crash(client, view.event, post, first_post_id)
        if not message_id or not await _edit_post(client, view.event, post, message_id, first_post_id):
            await events.set_post(client.tables.db, view.event.id, post.role, 0, "")
            message_id = await _send_post(client, view.event, post, first_post_id)
        await events.set_post(client.tables.db, view.event.id, post.role, message_id, post.content_digest)
        stored_posts[post.role] = message_id, post.content_digest


async def _picture_files(client: BotClient, event: EventRow, post: EventPost) -> list[discord.File]:
    pictures = client.pictures.for_server(event.guild_id)
    pngs = [await pictures.draw_view(render_standings, view) for view in post.pictures]
    return [
        discord.File(
            BytesIO(png), f"standings-{number}.png", description=_picture_description(post.picture_text)
        )
        for number, png in enumerate(pngs, start=1)
    ]


def _picture_description(text: str) -> str:
    lines = [without_markdown(line).replace("\\", "") for line in text.splitlines()]
    return "\n".join(lines)[:MAX_DESCRIPTION_LENGTH]


async def _find_post_sent_before_crash(
    client: BotClient, event: EventRow, post: EventPost, forum_post_id: int | None
) -> int | None:
    """The message id of a post that was sent before a crash, but whose id was not stored; None if it was not sent."""
    channel, search_start = (
        client.get_channel(post_channel(event)),
        parse_timestamp(event.created_at) - MAX_CLOCK_SKEW,
    )
    if isinstance(channel, discord.ForumChannel) and forum_post_id is None:
        threads_with_name = [thread for thread in channel.threads if thread.name == event.name]
        return next(
            (candidate.id for candidate in threads_with_name if candidate.owner_id == client.application_id),
            None,
        )
    post_target = client.get_partial_messageable(
        _posts_channel_id(client, event, forum_post_id), guild_id=event.guild_id
    )
    button_ids = {f"ev:{event.id}:{choice}" for choice in post.choices[:1]}
    async for message in post_target.history(
        limit=MAX_SEARCHED_MESSAGES, after=search_start, oldest_first=False
    ):
        is_own, shown_button_ids = message.author.id == client.application_id, _button_ids(message)
        if is_own and (not button_ids.isdisjoint(shown_button_ids) or message.content == post.text):
            return message.id
    return None


def _button_ids(message: discord.Message) -> list[str]:
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return [getattr(component, "custom_id", None) or "" for row in rows for component in row.children]


async def _send_post(client: BotClient, event: EventRow, post: EventPost, first_post_id: int | None) -> int:
    """Send an event's post and return its message id. In a forum, it is sent below the event's first post."""
    roles = [] if post.pinged_role is None else [discord.Object(post.pinged_role)]
    text = post.text if post.pinged_role is None else f"<@&{post.pinged_role}>\n{post.text}"
    message: dict[str, Any] = {
        "content": text[:2000],
        "view": post.view(event.id),
        "files": await _picture_files(client, event, post),
        "allowed_mentions": discord.AllowedMentions(roles=roles),
    }
    channel = client.get_channel(post_channel(event))
    if isinstance(channel, discord.ForumChannel) and first_post_id is None:
        forum_post = await channel.create_thread(name=event.name, **message)
        return forum_post.thread.id
    post_target = client.get_partial_messageable(
        _posts_channel_id(client, event, first_post_id), guild_id=event.guild_id
    )
    # After a crash, the nonce keeps Discord from making the same post twice.
    return (await post_target.send(nonce=f"ev{event.id}{post.role}", **message)).id


async def _edit_post(
    client: BotClient, event: EventRow, post: EventPost, message_id: int, first_post_id: int | None
) -> bool:
    """Edit an event's post; False if the post was deleted."""
    post_target = client.get_partial_messageable(
        _posts_channel_id(client, event, first_post_id), guild_id=event.guild_id
    )
    message = post_target.get_partial_message(message_id)

    async def show() -> None:
        files = await _picture_files(client, event, post)
        await message.edit(content=post.text, view=post.view(event.id), attachments=files)

    try:
        async with client.old_edits.edit_slot(post_target.id, message_id):
            try:
                await show()
            except discord.HTTPException as error:
                if error.code != THREAD_ARCHIVED_CODE:
                    raise
                # A forum post archives itself if nobody writes in it for days.
                await client.threads.open(post_target)
                await show()
    except discord.NotFound:
        _log.info("event %s: its post (%s) was deleted; the bot posts it again", event.id, post.role)
        return False
    return True


def _posts_channel_id(client: BotClient, event: EventRow, forum_post_id: int | None) -> int:
    """The id of the channel for an event's posts or, in a forum, of the event's forum post."""
    channel_id = post_channel(event)
    is_in_forum = isinstance(client.get_channel(channel_id), discord.ForumChannel)
    return forum_post_id if is_in_forum and forum_post_id is not None else channel_id


async def cancel(client: BotClient, event_id: int) -> None:
    """Cancel an event.

    The event's posts are edited first. If the bot stops before the cancellation is stored, the event continues.
    """
    async with client.event_post_locks.lock_of(event_id):
        view = await client.events.view(event_id)
        if view.event.status in events.UNFINISHED_STATUSES:
            with suppress(*DISCORD_ERRORS):
                await _update_posts(client, replace(view, event=replace(view.event, status="cancelled")))
        await client.events.cancel(event_id)


async def _advance_all(client: BotClient) -> None:
    for event in await events.unfinished_events(client.tables.db, PODIUM_POST_ROLE, client.tables.shards):
        await advance_event_safely(client, event.id)


async def advance_event_safely(client: BotClient, event_id: int) -> None:
    """Do everything due in an event. Errors are logged; the next check tries again."""
    try:
        await advance_event(client, event_id)
    except DISCORD_ERRORS as problem:
        _log.warning("event %s: cannot update its posts: %r", event_id, problem)
    except (Refused, StorageError) as problem:
        _log.warning("event %s: %s", event_id, error_sentence(problem))
    except asyncio.CancelledError:
        raise
    except Exception:  # noqa: BLE001 - one event must not stop the others
        _log.exception("event %s: cannot continue it", event_id)


EVENT_CHECK: Final = PeriodicCheck("events", _advance_all, MINUTE_SECONDS)
