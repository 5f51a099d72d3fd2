"""Refusals of messages, embeds, files and names; docs/discord.md has the sources of limits."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from bot.sandbox import model
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json, Refusal, bad_length, form_error, too_long, too_many

MAX_CONTENT_CHARS = 2000
MAX_NONCE_CHARS = 25
MAX_FILES = 10
MAX_FILE_BYTES = 10_485_760
"""Largest upload: 10 MiB, the `attachment_size_limit` of every interaction."""
MAX_FILE_DESCRIPTION_CHARS = 1024
MAX_EMBEDS = 10
MAX_EMBED_TITLE_CHARS = 256
MAX_EMBED_DESCRIPTION_CHARS = 4096
MAX_EMBED_FOOTER_CHARS = 2048
MAX_EMBED_AUTHOR_CHARS = 256
MAX_EMBED_FIELDS = 25
MAX_FIELD_NAME_CHARS = 256
MAX_FIELD_VALUE_CHARS = 1024
MAX_EMBEDS_CHARS = 6000
"""Characters in all embeds of a message."""
MAX_MENTIONS = 100
MAX_PINS = 250
MAX_HISTORY_MESSAGES = 100
"""Most messages of a channel in one request."""
MAX_TOPIC_CHARS = 1024
MAX_THREAD_NAME_CHARS = 100
MAX_THREAD_MEMBERS = 1000
"""Most members of a thread."""
MAX_ACTIVE_THREADS = 1000
"""Threads of a guild that are not archived."""
MAX_FORUM_TAGS = 20
"""Most tags that a forum offers."""
MAX_APPLIED_TAGS = 5
"""Most tags of one post."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
"""Allowed values of `auto_archive_duration`."""
MAX_CHOICES = 25
"""Most suggestions of one autocomplete."""
MAX_CHOICE_NAME_CHARS = 100
MAX_CHOICE_VALUE_CHARS = 100
ANSWER_SECONDS = 3
"""Time for the first response to an interaction."""
TOKEN_SECONDS = 900
"""Life of an interaction's token."""


def check_uploads(uploads: Sequence[Upload], kept_files: int = 0) -> None:
    """Refuse too many or too large files; ``kept`` counts files the message has."""
    if len(uploads) + kept_files > MAX_FILES:
        raise Refusal(400, 30015, f"Maximum number of attachments in a message reached ({MAX_FILES})")
    for upload in uploads:
        if len(upload.data) > MAX_FILE_BYTES:
            raise Refusal(413, 40005, "Request entity too large")
        if len(upload.description or "") > MAX_FILE_DESCRIPTION_CHARS:
            raise too_long("attachments.0.description", MAX_FILE_DESCRIPTION_CHARS)


def check_content(content: str) -> None:
    """Refuse a text that is too long."""
    if len(content) > MAX_CONTENT_CHARS:
        raise too_long("content", MAX_CONTENT_CHARS)


def check_not_empty(content: str, *parts: Sequence[Any]) -> None:
    """Refuse an empty message (code 50006, docs.discord.com, JSON error codes)."""
    if not content.strip() and not any(parts):
        raise Refusal(400, 50006, "Cannot send an empty message")


_EMBED_TEXT_LIMITS = (
    ("title", MAX_EMBED_TITLE_CHARS),
    ("description", MAX_EMBED_DESCRIPTION_CHARS),
    ("footer.text", MAX_EMBED_FOOTER_CHARS),
    ("author.name", MAX_EMBED_AUTHOR_CHARS),
)
"""Texts of an embed, each with its most characters."""


def check_embeds(embeds: Sequence[Json], file_names: set[str]) -> None:
    """Refuse too many or too long embeds, or one that shows a file missing from the message."""
    if len(embeds) > MAX_EMBEDS:
        raise too_many("embeds", MAX_EMBEDS)
    total_chars = 0
    for number, embed in enumerate(embeds):
        total_chars += _check_embed_texts(embed, f"embeds.{number}")
        _check_pictures(embed, f"embeds.{number}", file_names)
    if total_chars > MAX_EMBEDS_CHARS:
        raise form_error(
            "embeds", f"Embed size exceeds maximum size of {MAX_EMBEDS_CHARS}", "MAX_EMBED_SIZE_EXCEEDED"
        )


def _check_embed_texts(embed: Json, path: str) -> int:
    """Number of characters that count against the total; refuses a bad embed."""
    total_chars = 0
    for name, limit in _EMBED_TEXT_LIMITS:
        value: Any = embed
        for key in name.split("."):
            value = (value or {}).get(key)
        if len(value or "") > limit:
            raise too_long(f"{path}.{name}", limit)
        total_chars += len(value or "")
    fields = embed.get("fields", [])
    if len(fields) > MAX_EMBED_FIELDS:
        raise too_many(f"{path}.fields", MAX_EMBED_FIELDS)
    for number, entry in enumerate(fields):
        for key, limit in (("name", MAX_FIELD_NAME_CHARS), ("value", MAX_FIELD_VALUE_CHARS)):
            text = str(entry.get(key) or "")
            if not text.strip():
                # docs.discord.com, "Embed Field Structure": name and value are required.
                raise form_error(
                    f"{path}.fields.{number}.{key}", "This field is required", "BASE_TYPE_REQUIRED"
                )
            if len(text) > limit:
                raise too_long(f"{path}.fields.{number}.{key}", limit)
            total_chars += len(text)
    return total_chars


def _check_pictures(embed: Json, path: str, file_names: set[str]) -> None:
    for part, key in (*model.EMBED_PICTURE_FIELDS, ("", "url")):
        url = str((embed.get(part) or {} if part else embed).get(key) or "")
        if not url:
            continue
        scheme, _, file_name = url.partition("://")
        field_path = f"{path}.{part}.{key}" if part else f"{path}.{key}"
        if scheme not in ("http", "https", "attachment") or not file_name:
            # docs.discord.com, "Embed Object": http(s) and attachment addresses only.
            raise form_error(
                field_path,
                f"Scheme \"{scheme}\" must be one of ('http', 'https').",
                "URL_TYPE_INVALID_SCHEME",
            )
        if scheme == "attachment" and file_name not in file_names:
            # How the real service treats this is unverified (docs/discord.md, messages): a picture nobody would see is
            # refused here because it can only be a mistake.
            raise form_error(
                field_path, f"No file of this message is named {file_name!r}.", "UNKNOWN_ATTACHMENT"
            )


def check_thread_name(name: str) -> None:
    """Refuse an empty or too long name of a channel or thread."""
    if not 1 <= len(name) <= MAX_THREAD_NAME_CHARS:
        raise bad_length("name", MAX_THREAD_NAME_CHARS)


def check_archive_minutes(minutes: int) -> None:
    """Refuse an archive time that Discord does not offer."""
    if minutes not in ARCHIVE_MINUTES:
        raise form_error(
            "auto_archive_duration", f"Value must be one of {ARCHIVE_MINUTES}.", "BASE_TYPE_CHOICES"
        )


def check_choices(choices: Sequence[Json], option_kind: int) -> None:
    """Refuse autocomplete suggestions that the real service refuses."""
    if len(choices) > MAX_CHOICES:
        raise too_long("data.choices", MAX_CHOICES)
    for number, choice in enumerate(choices):
        path = f"data.choices.{number}"
        if not 1 <= len(str(choice.get("name", ""))) <= MAX_CHOICE_NAME_CHARS:
            raise bad_length(f"{path}.name", MAX_CHOICE_NAME_CHARS)
        value = choice.get("value")
        if option_kind == 3:
            if not isinstance(value, str) or len(value) > MAX_CHOICE_VALUE_CHARS:
                raise form_error(
                    f"{path}.value",
                    f"Must be a string of {MAX_CHOICE_VALUE_CHARS} or fewer in length.",
                    "BASE_TYPE_MAX_LENGTH",
                )
        elif isinstance(value, bool) or not isinstance(value, int | float):
            # docs.discord.com, "Application Command Option Choice": the value's type follows the option's.
            raise form_error(f"{path}.value", "Value is not a number.", "NUMBER_TYPE_COERCE")


def trimmed_embed(embed: Json) -> Json:
    """An embed with all its texts trimmed."""
    trimmed = copy.deepcopy(embed)
    for name, _ in _EMBED_TEXT_LIMITS:
        part, _, key = name.rpartition(".")
        text_holder = (trimmed.get(part) or {}) if part else trimmed
        if text_holder.get(key):
            text_holder[key] = str(text_holder[key]).strip()
    for entry in trimmed.get("fields") or []:
        entry |= {key: str(entry.get(key) or "").strip() for key in ("name", "value")}
    return trimmed
