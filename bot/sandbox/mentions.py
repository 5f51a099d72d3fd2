"""Who a message really notifies: its text read together with its ``allowed_mentions``."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.sandbox.limits import MENTIONS
from bot.sandbox.refusal import Json, form_error

_USER = re.compile(r"<@!?(\d{15,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The people a text mentions with effect, in the order of the text, and whether it calls everyone."""

    users: tuple[int, ...]
    everyone: bool


def read_mentions(content: str, allowed: Json | None, known: Collection[int]) -> Mentioned:
    """Apply ``allowed_mentions`` to a text.

    Without the object everything in the text counts; with it only what it names (docs.discord.com, message resource,
    "Allowed Mentions Object"; docs/discord.md, messages). Mentions in embeds never count.
    """
    in_text = tuple(dict.fromkeys(int(i) for i in _USER.findall(content) if int(i) in known))
    calls = bool(_EVERYONE.search(content))
    if allowed is None:
        return Mentioned(in_text, calls)
    parse, users = allowed.get("parse", []), allowed.get("users")
    if users and "users" in parse:
        # docs.discord.com, "Allowed Mentions Object": a parse entry and its id list exclude each other.
        raise form_error("allowed_mentions", "parse:[users] and users: [ids...] are mutually exclusive.")
    if users is not None and len(users) > MENTIONS:
        raise form_error("allowed_mentions.users", f"Must be {MENTIONS} or fewer in length.")
    chosen = set(known) if "users" in parse else {int(i) for i in users or []}
    named = tuple(i for i in in_text if i in chosen)
    return Mentioned(named, calls and "everyone" in parse)
