"""Lobby messages with buttons and menus: opened, updated, closed and expired.

A lobby's message is posted when a game is opened, and edited at each change, at the start and at the end.
"""

import logging
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

import discord

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import NUMBER, Button, Menu, button, view_of
from bot.client.component import Component
from bot.client.entry.replies import edit_pressed, reply, reply_stored, stored_but_not_shown
from bot.client.game_texts import LONGEST_MESSAGE, game_title, thread_name
from bot.client.places.game_channels import require_place_of
from bot.client.requests.permission_problems import Problem, describe_refusal
from bot.client.requests.retries import HOUR
from bot.table.errors import Refused, StoredButFailed, error_sentence
from bot.table.lobby import LOBBY_LASTS, Lobby, lobby_expires
from bot.table.markdown import sentence_list
from bot.table.moves.completions import LONGEST
from bot.table.orders import caretakers
from bot.table.pings import pings_quietly
from bot.table.settings.game_rules import PROFILES, chosen_rules, differences_command, title_of
from bot.table.settings.person_settings import CLOSED, person_settings
from engine import caretaker
from storage import PEOPLE, GameRow, direct_messages, games, parse_timestamp, seats

_log = logging.getLogger("stationmaster")

DONE: Final = {
    "join": "You have a seat in game {}.",
    "leave": "You have left game {}.",
    "start": "Game {} has started; its thread is opening.",
    **dict.fromkeys(
        ("add", *(name.lower() for name in caretaker.STRENGTHS)), "A computer player has joined game {}."
    ),
    "remove": "A computer player has left game {}.",
}
"""Answers after a change of a lobby, by choice."""
LATER: Final = "The lobby message will show this after its next change."
"""When something about a lobby is seen that could not be shown."""

# --- what is done with a lobby ---------------------------------------------------------------------------------------


class LobbyButton(Component):
    """Join, leave or start on a lobby message, or seat computer players."""

    template = (
        rf"l:(?P<game>{NUMBER}):(?P<choice>join|leave|start|add|apprentice|conductor|superintendent|remove)"
    )
    # A user who joins has no seat yet; the lobby knows who has one.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Do the action, and update the lobby message."""
        await do_choice(interaction, self.game, self.choice)


class RulesSelect(Component):
    """Profile or options on a lobby message."""

    template = rf"r:(?P<game>{NUMBER}):(?P<what>profile|options)"
    right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Change the rules, and update the lobby message."""
        profile, options = (self.values[0], None) if self.what == "profile" else (None, self.values)
        await interaction.client.lobbies.choose(self.game, interaction.user.id, profile, options)
        done = f"Game {self.game} has new rules."
        await update_after(interaction.client, self.game, done, interaction)


async def do_choice(interaction: BotInteraction, game_id: int, choice: str) -> str:
    """Do an action on a lobby, and update it; returns the result in words."""
    done = DONE[choice].format(game_id)
    if choice == "start":
        await _start_game(interaction, game_id, done)
        return done
    lobby = await _change_seats(interaction, game_id, choice)
    await update_after(interaction.client, game_id, done, interaction)
    await ping_host(interaction.client, lobby, interaction.user.id)
    return done


async def _change_seats(interaction: BotInteraction, game_id: int, choice: str) -> Lobby:
    """The lobby after a user joined or left, or added or removed a computer player."""
    lobbies, user = interaction.client.lobbies, interaction.user
    if choice == "join":
        return await lobbies.join(game_id, user.id, user.display_name)
    if choice == "leave":
        return await lobbies.leave(game_id, user.id)
    if choice == "remove":
        return await caretakers.remove_caretaker(lobbies, game_id, user.id)
    strength = caretaker.STRONGEST if choice == "add" else choice.capitalize()
    return await caretakers.add_caretaker(lobbies, game_id, user.id, strength)


async def _start_game(interaction: BotInteraction, game_id: int, done: str) -> None:
    lobby = await interaction.client.lobbies.read(game_id)
    require_place_of(interaction, lobby.row, "The game was not started.")
    await interaction.client.lobbies.start(game_id, interaction.user.id)
    with stored_but_not_shown(done):
        await close_message(interaction.client, lobby.row, _names(lobby), "has started", interaction)


async def give_up(interaction: BotInteraction, lobby: Lobby) -> None:
    """Close a lobby for good."""
    await interaction.client.lobbies.give_up(lobby.row.id, interaction.user.id)
    done = f"Game {lobby.row.id} is abandoned."
    with stored_but_not_shown(done):
        await close_message(interaction.client, lobby.row, _names(lobby), "was abandoned")
        await reply(interaction, done)


async def open_lobby(interaction: BotInteraction, lobby: Lobby) -> None:
    """Post a new lobby's message, and answer; a lobby that cannot be posted is deleted."""
    client, number = interaction.client, lobby.row.id
    try:
        place = await _post(client, lobby, lobby.asked)
    except Exception as error:
        why = describe_refusal(client, error) if isinstance(error, Problem) else error_sentence(error)
        await _withdraw(client, number, why)
        raise Refused(f"The game was not opened. {why}") from error
    where = "" if place == interaction.channel_id else f" in <#{place}>"
    done = f"Game {number} is open{where}. You have a seat."
    await reply_stored(interaction, done)


async def _withdraw(client: BotClient, game_id: int, why: str) -> None:
    """Delete a lobby; raises Stored if that fails, too."""
    try:
        await client.lobbies.withdraw(game_id)
    except Exception as error:
        where = (
            f"Game {game_id} is open, but its lobby message is missing. `/game abandon "
            f"number:{game_id}` closes the game. {why}"
        )
        raise StoredButFailed(where) from error


# --- its message -----------------------------------------------------------------------------------------------------


async def _post(client: BotClient, lobby: Lobby, pinged: Sequence[int] = ()) -> int:
    """Post a lobby's message and return its place; mentioned users are notified.

    If it cannot be noted which message it is, it is deleted again.
    """
    message = await _send(client, lobby, discord.AllowedMentions(users=[*map(discord.Object, pinged)]))
    try:
        # A thread bears the number of the message it starts from: this is where the game will be.
        await client.tables.show_in(lobby.row.id, message.id)
    except BaseException:
        await message.delete()
        raise
    return message.channel.id


async def _send(
    client: BotClient, lobby: Lobby, mentions: discord.AllowedMentions
) -> discord.PartialMessage | discord.Message:
    """Send a lobby's message; in a forum it starts a post."""
    row = lobby.row
    message: dict[str, Any] = {
        "content": lobby_text(lobby),
        "view": lobby_panel(lobby),
        "allowed_mentions": mentions,
    }
    forum = client.threads.forums.forum_of(row)
    if forum is None:
        return await _messageable(client, row, row.channel_id).send(**message)
    post = await client.threads.forums.post_in(
        forum, row, thread_name(row.id, row.name, _names(lobby)), **message
    )
    return _messageable(client, row, post).get_partial_message(post)


async def update_message(client: BotClient, game_id: int, asked: discord.Interaction | None = None) -> None:
    """Update the lobby message, as the answer to a click on it; a deleted one is posted anew."""
    async with client.lobby_locks.of(game_id):
        try:
            lobby = await client.lobbies.read(game_id)
        except Refused:
            return  # it has started or was closed meanwhile, which its message says
        try:
            await _edit(client, lobby.row, asked, content=lobby_text(lobby), view=lobby_panel(lobby))
        except discord.NotFound:
            await _post(client, lobby)


async def update_after(
    client: BotClient, game_id: int, done: str, asked: discord.Interaction | None = None
) -> None:
    """Update the lobby message after an action; raises Stored."""
    with stored_but_not_shown(done, LATER):
        await update_message(client, game_id, asked)


async def close_message(
    client: BotClient, row: GameRow, people: list[str], fate: str, asked: discord.Interaction | None = None
) -> None:
    """Close a lobby message: no buttons, and the outcome."""
    text = f"{game_title(row)} {fate}. {sentence_list(people)}"
    async with client.lobby_locks.of(row.id):
        try:
            await _edit(client, row, asked, content=text[:LONGEST_MESSAGE], view=None)
        except discord.NotFound:
            return  # somebody deleted the lobby message; the game does not need it
    await client.threads.forums.show_tags(await games.get_game(client.tables.db, row.id))


async def _edit(client: BotClient, row: GameRow, asked: discord.Interaction | None, **parts: Any) -> None:
    number = row.thread_id or 0  # where it was not posted
    if asked is not None and asked.message is not None and asked.message.id == row.thread_id:
        try:
            await edit_pressed(asked, **parts)
            return
        except discord.NotFound:
            pass  # Discord may have waited for the answer no longer, or the message is gone
    message = _messageable(client, row, _message_channel(client, row)).get_partial_message(number)
    async with client.old_edits.waiting_place(message.channel.id, message.id):
        await message.edit(**parts)


async def post_line(client: BotClient, row: GameRow, text: str) -> None:
    """Post a text about a lobby in its channel, without pings."""
    await _messageable(client, row, row.channel_id).send(f"{game_title(row)}: {text}", silent=True)


# --- pings, and the end ----------------------------------------------------------------------------------------------


async def ping_host(client: BotClient, lobby: Lobby, by_user: int) -> None:
    """Ping a full lobby's host once, unless they filled it themselves (`by_user`).

    They are pinged where their `/pings` say, and not while they are away or in quiet hours.
    """
    try:
        await _ping_host(client, lobby, by_user)
    except Problem as error:
        _log.info("game %s: cannot post that all seats are taken: %r", lobby.row.id, error)


async def _ping_host(client: BotClient, lobby: Lobby, by_user: int) -> None:
    row, most, db = lobby.row, max(lobby.player_counts), client.tables.db
    if len(lobby.seats) < most:
        return
    history = await seats.memberships(db, row.id)
    host = history[0].user_id
    taken = list(accumulate(1 if entry.event == "joined" else -1 for entry in history))
    if taken.count(most) > 1 or host == by_user or host not in lobby.people:
        return
    line = f"{game_title(row)} has all its {most} players. Press *Start* to begin."
    if await _is_pinged_here(client, host, row, line):
        await _messageable(client, row, _message_channel(client, row)).send(
            f"<@{host}> {line}",
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(host)]),
            silent=await pings_quietly(db, row.guild_id),
        )


async def _is_pinged_here(client: BotClient, host: int, row: GameRow, line: str) -> bool:
    """True if a user is pinged in a lobby's channel; otherwise the line goes to a direct message, if they want one."""
    db, now = client.tables.db, client.tables.clock()
    person = await person_settings(db, host)
    if person.free(parse_timestamp(now)) > parse_timestamp(now):
        return False
    is_closed = await PEOPLE.get(db, host, CLOSED) is not None
    if person.how == "thread" or is_closed:
        return True
    said = f"{line} <#{_message_channel(client, row)}>"
    await db.write(lambda tx: direct_messages.queue_message(tx, host, said, (), row.id, now))
    return person.how == "both"


async def _expire(client: BotClient) -> None:
    """Close every lobby of these shards that has waited too long."""
    now = parse_timestamp(client.tables.clock())
    for row in await games.games_in(client.tables.db, "lobby", client.tables.share):
        if lobby_expires(row.created_at) <= now:
            await _close_expired(client, row)


async def _close_expired(client: BotClient, row: GameRow) -> None:
    people = [seat.display_name for seat in await seats.seats(client.tables.db, row.id)]
    async with client.tables.lock(row.id):
        try:
            await client.lobbies.read(row.id)
        except Refused:
            return  # it has started meanwhile
        await client.lobbies.withdraw(row.id)
    try:
        fate = f"expired, because it did not start within {LOBBY_LASTS.days} days"
        await close_message(client, row, people, fate)
    except Problem as error:
        _log.info("game %s: cannot update its expired lobby message: %r", row.id, error)


EXPIRY: Final = PeriodicCheck("expired lobbies", _expire, HOUR)


def _message_channel(client: BotClient, row: GameRow) -> int:
    """The channel of a lobby message; in a forum its post."""
    return row.channel_id if client.threads.forums.forum_of(row) is None else row.thread_id or 0


def _messageable(client: BotClient, row: GameRow, channel_id: int) -> discord.PartialMessageable:
    return client.get_partial_messageable(channel_id, guild_id=row.guild_id)


def _names(lobby: Lobby) -> list[str]:
    return [seat.display_name for seat in lobby.seats]


# --- what they say ----------------------------------------------------------------------------------------------------

CHOICES: Final = {
    "join": "Join",
    "leave": "Leave",
    "start": "Start",
    "apprentice": "Computer: Apprentice",
    "conductor": "Computer: Conductor",
    "superintendent": "Computer: Superintendent",
    "remove": "Remove a computer",
}
"""Choices on a lobby message, with the labels of their buttons; `add` is the label of lobbies posted earlier."""


def lobby_text(lobby: Lobby) -> str:
    """The text of the lobby message."""
    counts = lobby.player_counts
    order = "seated in this order" if lobby.fixed else "the seating is drawn at the start"
    settings = (
        "deadlines, reminders and a sealed auction of the privates"
        if lobby.may_seal
        else "deadlines and reminders"
    )
    change = (
        f"Joined players can change the rules below or with `/game options`, and {settings} with "
        "`/game settings`."
    )
    agreed = "".join(f"\n{line}" for line in lobby.agreed)
    seated = "\n".join(f"{seat.seat}. {seat.display_name}" for seat in lobby.seats) or "nobody yet"
    again = sentence_list(f"<@{user}>" for user in lobby.asked)
    seated += f"\nPlay again, {again}?" if again else ""
    return (
        f"{game_title(lobby.row)} for {min(counts)} to {max(counts)} players"
        f"\n{chosen_rules(lobby.row)}{differences_command(lobby.row)}{agreed}\n{seated}"
        f"\n-# {len(lobby.seats)} joined, {order}."
        f" Join below, or with `/game join`. {change} {_expires(lobby)}"
    )


def _expires(lobby: Lobby) -> str:
    return f"If it does not start, it closes <t:{int(lobby_expires(lobby.row.created_at).timestamp())}:R>."


def lobby_panel(lobby: Lobby) -> discord.ui.View:
    """The lobby's buttons, and menus for profile and options."""
    game_id, title = lobby.row.id, title_of(lobby.row)
    computers = ["apprentice", "conductor", "superintendent"]
    if len(lobby.people) < len(lobby.seats):
        computers.append("remove")
    items: list[discord.ui.Item[Any]] = []
    for row, choices in enumerate((["join", "leave", "start"], computers)):
        for choice in choices:
            items.append(lobby_button(game_id, choice))
            items[-1].row = row
    profiles = [_rule(name, name, PROFILES[name], name == lobby.row.profile) for name in title.spec.profiles]
    items.append(discord.ui.Select(custom_id=f"r:{game_id}:profile", placeholder="Rules", options=profiles))
    options = [
        _rule(code, option.name, option.says, code in lobby.options)
        for code, option in title.rules.OPTIONS.items()
    ]
    if options:
        items.append(options_menu(game_id, options))
    return view_of(items)


def _rule(value: str, name: str, sentence: str, chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(label=name, value=value, description=sentence[:LONGEST], default=chosen)


def lobby_button(game: int, choice: str) -> Button:
    """A button on a lobby message."""
    style = discord.ButtonStyle.success if choice == "start" else discord.ButtonStyle.secondary
    return button(f"l:{game}:{choice}", CHOICES[choice], style)


def options_menu(game: int, options: list[discord.SelectOption]) -> Menu:
    """The optional rules, on a lobby message: any number of these."""
    return discord.ui.Select(
        custom_id=f"r:{game}:options",
        placeholder="Options: none",
        min_values=0,
        max_values=len(options),
        options=options,
    )
