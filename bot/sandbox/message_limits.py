"""Refusals of messages, embeds, files and names; docs/discord.md has the sources of limits."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from bot.sandbox import model
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json, Refusal, bad_length, form_error, too_long, too_many

CONTENT = 2000
NONCE = 25
FILES = 10
FILE_BYTES = 10_485_760
"""Largest upload: 10 MiB, the `attachment_size_limit` of every interaction."""
FILE_DESCRIPTION = 1024
EMBEDS = 10
EMBED_TITLE = 256
EMBED_DESCRIPTION = 4096
EMBED_FOOTER = 2048
EMBED_AUTHOR = 256
EMBED_FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
EMBEDS_TOTAL = 6000
"""Characters in all embeds of a message."""
MENTIONS = 100
PINS = 250
HISTORY = 100
"""Messages of a channel asked for at once."""
TOPIC = 1024
THREAD_NAME = 100
THREAD_PEOPLE = 1000
"""People of a thread."""
ACTIVE_THREADS = 1000
"""Threads of a guild that are not archived."""
FORUM_TAGS = 20
"""Tags that a forum offers."""
APPLIED_TAGS = 5
"""Tags of a post."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
"""Allowed values of `auto_archive_duration`."""
CHOICES = 25
"""Suggestions of autocomplete."""
CHOICE_NAME = 100
CHOICE_VALUE = 100
ANSWER_SECONDS = 3
"""Time for the first response to an interaction."""
TOKEN_SECONDS = 900
"""Life of an interaction's token."""


def check_uploads(uploads: Sequence[Upload], kept: int = 0) -> None:
    """Refuse too many or too large files; ``kept`` counts files the message has."""
    if len(uploads) + kept > FILES:
        raise Refusal(400, 30015, f"Maximum number of attachments in a message reached ({FILES})")
    for upload in uploads:
        if len(upload.data) > FILE_BYTES:
            raise Refusal(413, 40005, "Request entity too large")
        if len(upload.description or "") > FILE_DESCRIPTION:
            raise too_long("attachments.0.description", FILE_DESCRIPTION)


def check_content(content: str) -> None:
    """Refuse a text that is too long."""
    if len(content) > CONTENT:
        raise too_long("content", CONTENT)


def check_not_empty(content: str, *parts: Sequence[Any]) -> None:
    """Refuse an empty message (code 50006, docs.discord.com, JSON error codes)."""
    if not content.strip() and not any(parts):
        raise Refusal(400, 50006, "Cannot send an empty message")


_EMBED_TEXTS = (
    ("title", EMBED_TITLE),
    ("description", EMBED_DESCRIPTION),
    ("footer.text", EMBED_FOOTER),
    ("author.name", EMBED_AUTHOR),
)
"""Longest texts in an embed."""


def check_embeds(embeds: Sequence[Json], file_names: set[str]) -> None:
    """Refuse too many or too long embeds, or one showing a file that is not there."""
    if len(embeds) > EMBEDS:
        raise too_many("embeds", EMBEDS)
    total = 0
    for number, embed in enumerate(embeds):
        total += _check_embed(embed, f"embeds.{number}")
        _check_pictures(embed, f"embeds.{number}", file_names)
    if total > EMBEDS_TOTAL:
        raise form_error(
            "embeds", f"Embed size exceeds maximum size of {EMBEDS_TOTAL}", "MAX_EMBED_SIZE_EXCEEDED"
        )


def _check_embed(embed: Json, path: str) -> int:
    """Number of characters that count against the total; refuses a bad embed."""
    total = 0
    for name, limit in _EMBED_TEXTS:
        value: Any = embed
        for key in name.split("."):
            value = (value or {}).get(key)
        if len(value or "") > limit:
            raise too_long(f"{path}.{name}", limit)
        total += len(value or "")
    fields = embed.get("fields", [])
    if len(fields) > EMBED_FIELDS:
        raise too_many(f"{path}.fields", EMBED_FIELDS)
    for number, entry in enumerate(fields):
        for key, limit in (("name", FIELD_NAME), ("value", FIELD_VALUE)):
            text = str(entry.get(key) or "")
            if not text.strip():
                # docs.discord.com, "Embed Field Structure": name and value are required.
                raise form_error(
                    f"{path}.fields.{number}.{key}", "This field is required", "BASE_TYPE_REQUIRED"
                )
            if len(text) > limit:
                raise too_long(f"{path}.fields.{number}.{key}", limit)
            total += len(text)
    return total


def _check_pictures(embed: Json, path: str, file_names: set[str]) -> None:
    for part, key in (*model.EMBED_PICTURES, ("", "url")):
        url = str((embed.get(part) or {} if part else embed).get(key) or "")
        if not url:
            continue
        scheme, _, rest = url.partition("://")
        where = f"{path}.{part}.{key}" if part else f"{path}.{key}"
        if scheme not in ("http", "https", "attachment") or not rest:
            # docs.discord.com, "Embed Object": http(s) and attachment addresses only.
            raise form_error(
                where, f"Scheme \"{scheme}\" must be one of ('http', 'https').", "URL_TYPE_INVALID_SCHEME"
            )
        if scheme == "attachment" and rest not in file_names:
            # How the real service treats this is unverified (docs/discord.md, messages): a picture nobody would see is
            # refused here because it can only be a mistake.
            raise form_error(where, f"No file of this message is named {rest!r}.", "UNKNOWN_ATTACHMENT")


def check_thread_name(name: str) -> None:
    """Refuse an empty or too long name of a channel or thread."""
    if not 1 <= len(name) <= THREAD_NAME:
        raise bad_length("name", THREAD_NAME)


def check_archive_minutes(minutes: int) -> None:
    """Refuse an archive time that Discord does not offer."""
    if minutes not in ARCHIVE_MINUTES:
        raise form_error(
            "auto_archive_duration", f"Value must be one of {ARCHIVE_MINUTES}.", "BASE_TYPE_CHOICES"
        )


def check_choices(choices: Sequence[Json], option_kind: int) -> None:
    """Refuse autocomplete suggestions that the real service refuses."""
    if len(choices) > CHOICES:
        raise too_long("data.choices", CHOICES)
    for number, choice in enumerate(choices):
        path = f"data.choices.{number}"
        if not 1 <= len(str(choice.get("name", ""))) <= CHOICE_NAME:
            raise bad_length(f"{path}.name", CHOICE_NAME)
        value = choice.get("value")
        if option_kind == 3:
            if not isinstance(value, str) or len(value) > CHOICE_VALUE:
                raise form_error(
                    f"{path}.value",
                    f"Must be a string of {CHOICE_VALUE} or fewer in length.",
                    "BASE_TYPE_MAX_LENGTH",
                )
        elif isinstance(value, bool) or not isinstance(value, int | float):
            # docs.discord.com, "Application Command Option Choice": the value's type follows the option's.
            raise form_error(f"{path}.value", "Value is not a number.", "NUMBER_TYPE_COERCE")


def trimmed(embed: Json) -> Json:
    """An embed with all its texts trimmed."""
    kept = copy.deepcopy(embed)
    for name, _ in _EMBED_TEXTS:
        part, _, key = name.rpartition(".")
        holder = (kept.get(part) or {}) if part else kept
        if holder.get(key):
            holder[key] = str(holder[key]).strip()
    for entry in kept.get("fields") or []:
        entry |= {key: str(entry.get(key) or "").strip() for key in ("name", "value")}
    return kept
