"""What a person can do on the page."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from bot.sandbox.browser.page_views import result_view
from bot.sandbox.guild import messages
from bot.sandbox.guild.person import Person, Result
from bot.sandbox.guild.shows import Shows
from bot.sandbox.model import Message, Upload
from bot.sandbox.refusal import Json, SandboxError

Act = Callable[[Person, Json], Awaitable[Json]]
MOST_STEPS = 20
"""Recorded moves that are made at one press, at most."""


def _number(body: Json, key: str) -> int:
    raw = str(body.get(key, ""))
    if not raw.isdigit():
        raise SandboxError(f"{key} is missing.")
    return int(raw)


def _text(body: Json, key: str) -> str:
    text = body.get(key)
    if not isinstance(text, str):
        raise SandboxError(f"{key} is missing.")
    return text


def _message(person: Person, body: Json) -> Message:
    message = person.world.messages.get(_number(body, "message"))
    if message is None:
        raise SandboxError("That message is gone.")
    return message


def _upload(value: Json) -> Upload:
    try:
        return Upload(_text(value, "name"), base64.b64decode(_text(value, "base64"), validate=True))
    except ValueError:
        raise SandboxError("The file did not arrive whole.") from None


def _values(body: Json) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in (body.get("values") or {}).items():
        if isinstance(value, dict):
            value = _upload(value)
        values[name] = value
    return values


async def slash(person: Person, body: Json) -> Json:
    """Use a command."""
    return result_view(await person.slash(_number(body, "channel"), _text(body, "command"), **_values(body)))


async def complete(person: Person, body: Json) -> Json:
    """Ask for suggestions."""
    found = await person.autocomplete(
        _number(body, "channel"), _text(body, "command"), focused=_text(body, "focused"), **_values(body)
    )
    return {"choices": [{"name": name, "value": value} for name, value in found]}


async def press(person: Person, body: Json) -> Json:
    """Press a button."""
    return result_view(await person.press(_message(person, body), _text(body, "custom_id")))


async def select(person: Person, body: Json) -> Json:
    """Choose from a menu."""
    return result_view(
        await person.select(
            _message(person, body), _text(body, "custom_id"), [str(v) for v in body.get("values") or []]
        )
    )


async def submit(person: Person, body: Json) -> Json:
    """Send a form."""
    wanted = _number(body, "opened_by")
    for interaction in person.world.interactions.values():
        modal = Result(person.world, interaction).modal
        if interaction.id == wanted and interaction.user_id == person.id and modal is not None:
            return result_view(await person.submit(modal, **_values(body)))
    raise SandboxError("That form is gone.")


async def say(person: Person, body: Json) -> Json:
    """Write a message."""
    person.say(_number(body, "channel"), _text(body, "text"))
    return {}


async def look(person: Person, body: Json) -> Json:
    """Note that the person looks at a channel."""
    person.world.look(person.id, _number(body, "channel"))
    return {}


async def dismiss(person: Person, body: Json) -> Json:
    """Put an ephemeral message away."""
    message = _message(person, body)
    if message.only_for != person.id:
        raise SandboxError("Only your own private messages can be put away.")
    messages.delete(person.world, message)
    return {}


def _shows(person: Person) -> Shows:
    if person.world.shows is None:
        raise SandboxError("There are no games to begin with.")
    return person.world.shows


async def begin(person: Person, body: Json) -> Json:
    """Open a game to begin with."""
    return {"channel": str(await _shows(person).begin(_text(body, "name")))}


async def step(person: Person, body: Json) -> Json:
    """Make the next moves of a recorded game."""
    await _shows(person).step(_number(body, "channel"), min(_number(body, "moves"), MOST_STEPS))
    return {}


async def tape(person: Person, body: Json) -> Json:
    """Ask how far the recorded game of a channel has been shown."""
    shows, channel = person.world.shows, person.channel(_number(body, "channel"))
    found = None if shows is None else await shows.tape(channel.id)
    return {
        "tape": None if found is None else {"made": found.made, "moves": found.moves},
        "board": shows is not None and shows.has_board(channel.id),
    }


async def board(person: Person, body: Json) -> Json:
    """Ask where the page of a channel's game is."""
    return {"url": await _shows(person).board(person.channel(_number(body, "channel")).id, person.id)}


ACTS: dict[str, Act] = {
    "slash": slash,
    "complete": complete,
    "press": press,
    "select": select,
    "submit": submit,
    "say": say,
    "look": look,
    "dismiss": dismiss,
    "begin": begin,
    "step": step,
    "tape": tape,
    "board": board,
}
"""Everything the page can do, by the name in its address."""
