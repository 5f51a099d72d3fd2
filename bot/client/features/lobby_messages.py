"""Lobby messages, with their buttons and menus.

A lobby's message is posted when the game is opened. It is edited after each change, and when the lobby closes.
"""

import logging
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

import discord

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import ID_NUMBER_PATTERN
from bot.client.component import Component
from bot.client.entry.replies import (
    edit_clicked_message,
    reply,
    reply_after_storing,
    wrap_as_stored_but_failed,
)
from bot.client.game_texts import MAX_MESSAGE_LENGTH, game_title, thread_name
from bot.client.lobby_panel import lobby_panel, lobby_text
from bot.client.places.game_channels import require_game_permissions
from bot.client.requests.permission_problems import DISCORD_ERRORS, describe_refusal
from bot.client.requests.retries import HOUR_SECONDS
from bot.table.errors import Refused, StoredButFailed, error_sentence
from bot.table.lobby import LOBBY_LIFETIME, Lobby, lobby_expiry
from bot.table.markdown import sentence_list
from bot.table.orders import caretakers
from bot.table.pings import has_silent_pings
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY, person_settings
from bot.table.settings.table_settings import START_BY_HAND
from engine import caretaker
from storage import PERSON_SETTINGS, GameRow, direct_messages, games, parse_timestamp, seats

_log = logging.getLogger("stationmaster")

DONE_TEXT_BY_ACTION: Final = {
    "join": "You have a seat in game {}.",
    "leave": "You have left game {}.",
    "start": "Game {} has started; its thread is opening.",
    **dict.fromkeys(
        ("add", *(name.lower() for name in caretaker.STRENGTHS)), "A computer player has joined game {}."
    ),
    "remove": "A computer player has left game {}.",
}
"""Replies after a click in a lobby, by the button's action; `{}` stands for the game's number."""
OUTCOME_TEXT_BY_STATUS: Final = {"running": "has started", "abandoned": "was abandoned"}
"""Words that say how a lobby ended, by the status of its game."""
SHOWN_LATER_TEXT: Final = "The lobby message will show this when it is next updated."
"""Text added to a reply if a change is stored but the lobby message will show it later."""

# --- actions in a lobby ----------------------------------------------------------------------------------------------


class LobbyButton(Component):
    """A button of a lobby message: join, leave, start, or add or remove computer players."""

    id_pattern = (
        rf"l:(?P<game>{ID_NUMBER_PATTERN}):"
        r"(?P<choice>join|leave|start|add|apprentice|conductor|superintendent|remove)"
    )
    # A user who wants to join has no seat yet; Lobbies checks the seats.
    user_right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Carry out the button's action and update the lobby message."""
        await require_open_lobby(interaction, self.game)
        await do_lobby_action(interaction, self.game, self.choice)


class RulesSelect(Component):
    """A menu of a lobby message, for the rules profile or the optional rules."""

    id_pattern = rf"r:(?P<game>{ID_NUMBER_PATTERN}):(?P<subject>profile|options)"
    user_right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Change the rules as chosen and update the lobby message."""
        await require_open_lobby(interaction, self.game)
        profile, options = (self.values[0], None) if self.subject == "profile" else (None, self.values)
        await interaction.client.lobbies.choose_rules(self.game, interaction.user.id, profile, options)
        done_text = f"Game {self.game} has new rules."
        await update_message_after_change(interaction.client, self.game, done_text, interaction)


async def require_open_lobby(interaction: BotInteraction, game_id: int) -> None:
    """Raise Refused if a game is no longer a lobby.

    The message is then also closed, since that may have failed when the lobby ended.
    """
    client = interaction.client
    row = await games.get_game(client.tables.db, game_id)
    if row.status in OUTCOME_TEXT_BY_STATUS:
        player_names = [seat.display_name for seat in await seats.seats(client.tables.db, game_id)]
        await close_message(client, row, player_names, OUTCOME_TEXT_BY_STATUS[row.status], interaction)
        raise Refused(f"Game {game_id} is no longer open.")


async def do_lobby_action(interaction: BotInteraction, game_id: int, choice: str) -> str:
    """Carry out an action in a lobby (`join`, `start` ...) and update its message; returns a sentence for the reply."""
    done_text = DONE_TEXT_BY_ACTION[choice].format(game_id)
    if choice == "start":
        await _start_game(interaction, game_id, done_text)
        return done_text
    lobby = await _change_seats(interaction, game_id, choice)
    await update_message_after_change(interaction.client, game_id, done_text, interaction)
    await ping_host(interaction.client, lobby, interaction.user.id)
    return done_text


async def _change_seats(interaction: BotInteraction, game_id: int, choice: str) -> Lobby:
    """Let the user join or leave, or add or remove a computer player; returns the lobby after the change."""
    lobbies, user = interaction.client.lobbies, interaction.user
    if choice == "join":
        return await lobbies.join(game_id, user.id, user.display_name)
    if choice == "leave":
        return await lobbies.leave(game_id, user.id)
    if choice == "remove":
        return await caretakers.remove_caretaker(lobbies, game_id, user.id)
    caretaker_strength = caretaker.DEFAULT_STRENGTH if choice == "add" else choice.capitalize()
    return await caretakers.add_caretaker(lobbies, game_id, user.id, caretaker_strength)


async def _start_game(interaction: BotInteraction, game_id: int, done_text: str) -> None:
    lobby = await interaction.client.lobbies.read(game_id)
    require_game_permissions(interaction, lobby.row, "The game was not started.")
    await interaction.client.lobbies.start(game_id, interaction.user.id)
    with wrap_as_stored_but_failed(done_text):
        await close_message(interaction.client, lobby.row, _player_names(lobby), "has started", interaction)


async def abandon_lobby(interaction: BotInteraction, lobby: Lobby) -> None:
    """Abandon a lobby and close its message."""
    await interaction.client.lobbies.close_lobby(lobby.row.id, interaction.user.id)
    done_text = f"Game {lobby.row.id} is abandoned."
    with wrap_as_stored_but_failed(done_text):
        await close_message(interaction.client, lobby.row, _player_names(lobby), "was abandoned")
        await reply(interaction, done_text)


async def open_lobby(interaction: BotInteraction, lobby: Lobby, pinged_role: int | None = None) -> None:
    """Post a new lobby's message, and reply. If posting fails, abandon the lobby and raise Refused."""
    client, game_id = interaction.client, lobby.row.id
    try:
        lobby_channel_id = await _post_lobby(client, lobby, lobby.users_not_rejoined, pinged_role)
    except Exception as error:
        reason = (
            describe_refusal(client, error) if isinstance(error, DISCORD_ERRORS) else error_sentence(error)
        )
        await _abandon_unposted_lobby(client, game_id, reason)
        raise Refused(f"The game was not opened. {reason}") from error
    place_text = "" if lobby_channel_id == interaction.channel_id else f" in <#{lobby_channel_id}>"
    done_text = f"Game {game_id} is open{place_text}. You have a seat."
    await reply_after_storing(interaction, done_text)


async def _abandon_unposted_lobby(client: BotClient, game_id: int, reason: str) -> None:
    """Abandon a lobby whose message could not be posted; raises StoredButFailed if that fails."""
    try:
        await client.lobbies.withdraw(game_id)
    except Exception as error:
        problem = (
            f"Game {game_id} is open, but its lobby message is missing. `/game abandon "
            f"number:{game_id}` closes the game. {reason}"
        )
        raise StoredButFailed(problem) from error


# --- its message -----------------------------------------------------------------------------------------------------


async def _post_lobby(
    client: BotClient, lobby: Lobby, pinged_users: Sequence[int] = (), pinged_role: int | None = None
) -> int:
    """Post a lobby's message, which pings users and a role; returns the id of its channel or forum post.

    If the message's id cannot be stored, the message is deleted again.
    """
    roles = [] if pinged_role is None else [discord.Object(pinged_role)]
    mentions = discord.AllowedMentions(users=[*map(discord.Object, pinged_users)], roles=roles)
    message = await _send_lobby(client, lobby, mentions, "".join(f"<@&{role.id}>\n" for role in roles))
    try:
        # The game's thread will be made from this message and have the same id.
        await client.tables.record_thread_of_game(lobby.row.id, message.id)
    except BaseException:
        await message.delete()
        raise
    return message.channel.id


async def _send_lobby(
    client: BotClient, lobby: Lobby, mentions: discord.AllowedMentions, role_mention: str
) -> discord.PartialMessage | discord.Message:
    """Send a lobby's message. In a forum, it opens a forum post."""
    row = lobby.row
    message: dict[str, Any] = {
        "content": role_mention + lobby_text(lobby),
        "view": lobby_panel(lobby),
        "allowed_mentions": mentions,
    }
    forum = client.threads.forums.forum_of(row)
    if forum is None:
        return await _messageable(client, row, row.channel_id).send(**message)
    post_id = await client.threads.forums.open_game_post(
        forum, row, thread_name(row.id, row.name, _player_names(lobby)), **message
    )
    return _messageable(client, row, post_id).get_partial_message(post_id)


async def update_message(client: BotClient, game_id: int, click: discord.Interaction | None = None) -> None:
    """Update a lobby's message, or post it again if it was deleted.

    If `click` (a click on the message) is given, the update is sent as the response to that click.
    """
    async with client.lobby_locks.lock_of(game_id):
        try:
            lobby = await client.lobbies.read(game_id)
        except Refused:
            return  # the game has started or was abandoned, which the message shows already
        try:
            await _edit_lobby_message(
                client, lobby.row, click, content=lobby_text(lobby), view=lobby_panel(lobby)
            )
        except discord.NotFound:
            await _post_lobby(client, lobby)


async def update_message_after_change(
    client: BotClient, game_id: int, done_text: str, click: discord.Interaction | None = None
) -> None:
    """Update a lobby's message after a stored change; raises StoredButFailed if that fails."""
    with wrap_as_stored_but_failed(done_text, SHOWN_LATER_TEXT):
        await update_message(client, game_id, click)


async def close_message(
    client: BotClient,
    row: GameRow,
    player_names: list[str],
    outcome: str,
    click: discord.Interaction | None = None,
) -> None:
    """Show in a lobby's message how the lobby ended (`outcome`), and remove the message's buttons."""
    text = f"{game_title(row)} {outcome.removesuffix('.')}. {sentence_list(player_names)}"
    async with client.lobby_locks.lock_of(row.id):
        try:
            await _edit_lobby_message(client, row, click, content=text[:MAX_MESSAGE_LENGTH], view=None)
        except discord.NotFound:
            return  # the message was deleted and is not needed any more
    await client.threads.forums.show_tags(await games.get_game(client.tables.db, row.id))


async def _edit_lobby_message(
    client: BotClient, row: GameRow, click: discord.Interaction | None, **parts: Any
) -> None:
    message_id = row.thread_id or 0  # not posted: no message has this id
    if click is not None and click.message is not None and click.message.id == row.thread_id:
        try:
            await edit_clicked_message(click, **parts)
            return
        except discord.NotFound:
            pass  # the interaction has expired, or the message is gone
    message = _messageable(client, row, _message_channel_id(client, row)).get_partial_message(message_id)
    async with client.old_edits.edit_slot(message.channel.id, message.id):
        await message.edit(**parts)


async def post_lobby_line(client: BotClient, row: GameRow, text: str) -> None:
    """Post a line about a lobby in its channel, without pings."""
    await _messageable(client, row, row.channel_id).send(f"{game_title(row)}: {text}", silent=True)


# --- pings and expiry ------------------------------------------------------------------------------------------------


async def ping_host(client: BotClient, lobby: Lobby, acting_user_id: int) -> None:
    """Ping a lobby's host once when all seats are taken, unless the host took the last one (`acting_user_id`).

    The host's settings decide where. Hosts who are away or in quiet hours are not pinged.
    """
    try:
        await _ping_host(client, lobby, acting_user_id)
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot post that all seats are taken: %r", lobby.row.id, error)


async def _ping_host(client: BotClient, lobby: Lobby, acting_user_id: int) -> None:
    row, max_players, db = lobby.row, max(lobby.player_counts), client.tables.db
    if len(lobby.seats) < max_players or lobby.start != START_BY_HAND:
        return
    seat_changes = await seats.lobby_changes(db, row.id)
    host_id = seat_changes[0].user_id
    taken_seat_counts = list(accumulate(1 if entry.event == "joined" else -1 for entry in seat_changes))
    if taken_seat_counts.count(max_players) > 1 or host_id == acting_user_id or host_id not in lobby.people:
        return
    line = f"{game_title(row)} has all its {max_players} players. Press *Start* to begin."
    if await _must_ping_host_here(client, host_id, row, line):
        await _messageable(client, row, _message_channel_id(client, row)).send(
            f"<@{host_id}> {line}",
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(host_id)]),
            silent=await has_silent_pings(db, row.guild_id),
        )


async def _must_ping_host_here(client: BotClient, host_id: int, row: GameRow, line: str) -> bool:
    """True if the host must be pinged in the lobby's channel. If the host wants a direct message, it is queued."""
    db, now = client.tables.db, client.tables.clock()
    host_settings = await person_settings(db, host_id, row.guild_id)
    if host_settings.next_ping_time(parse_timestamp(now)) > parse_timestamp(now):
        return False
    is_dm_closed = await PERSON_SETTINGS.get(db, host_id, NO_DIRECT_MESSAGES_KEY) is not None
    if host_settings.ping_place == "thread" or is_dm_closed:
        return True
    text = f"{line} <#{_message_channel_id(client, row)}>"
    await db.write(lambda tx: direct_messages.queue_message(tx, host_id, text, (), row.id, now))
    return host_settings.ping_place == "both"


async def _close_expired_lobbies(client: BotClient) -> None:
    now = parse_timestamp(client.tables.clock())
    for row in await games.games_with_status(client.tables.db, "lobby", client.tables.shards):
        if lobby_expiry(row.created_at) <= now:
            await _close_expired_lobby(client, row)


async def _close_expired_lobby(client: BotClient, row: GameRow) -> None:
    player_names = [seat.display_name for seat in await seats.seats(client.tables.db, row.id)]
    async with client.tables.lock(row.id):
        try:
            await client.lobbies.read(row.id)
        except Refused:
            return  # the game has started meanwhile
        await client.lobbies.withdraw(row.id)
    try:
        outcome = f"expired, because it did not start within {LOBBY_LIFETIME.days} days"
        await close_message(client, row, player_names, outcome)
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot update its expired lobby message: %r", row.id, error)


EXPIRY_CHECK: Final = PeriodicCheck("expired lobbies", _close_expired_lobbies, HOUR_SECONDS)


def _message_channel_id(client: BotClient, row: GameRow) -> int:
    """The id of the channel, or of the forum post, that contains a lobby's message."""
    return row.channel_id if client.threads.forums.forum_of(row) is None else row.thread_id or 0


def _messageable(client: BotClient, row: GameRow, channel_id: int) -> discord.PartialMessageable:
    return client.get_partial_messageable(channel_id, guild_id=row.guild_id)


def _player_names(lobby: Lobby) -> list[str]:
    return [seat.display_name for seat in lobby.seats]
