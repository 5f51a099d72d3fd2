"""Discord's checks of messages, embeds, files and names; docs/discord.md names the sources."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from bot.sandbox import model
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json, Refusal, invalid_form_body, length_out_of_range, list_too_long, too_long

MAX_CONTENT_CHARS = 2000
MAX_NONCE_CHARS = 25
MAX_FILES = 10
MAX_FILE_BYTES = 10_485_760
"""Maximum size of an uploaded file in bytes (10 MiB), which interactions state as `attachment_size_limit`."""
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
"""Maximum number of characters in all embeds of a message together."""
MAX_MENTIONS = 100
MAX_PINS = 250
MAX_HISTORY_MESSAGES = 100
"""Maximum number of messages in one response of the message history."""
MAX_TOPIC_CHARS = 1024
MAX_THREAD_NAME_CHARS = 100
MAX_THREAD_MEMBERS = 1000
"""Maximum number of members of a thread."""
MAX_ACTIVE_THREADS = 1000
"""Maximum number of active (not archived) threads of a server."""
MAX_FORUM_TAGS = 20
"""Maximum number of tags that a forum offers."""
MAX_APPLIED_TAGS = 5
"""Maximum number of tags that are applied to one forum post."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
"""The allowed values of `auto_archive_duration`, in minutes."""
MAX_CHOICES = 25
"""Maximum number of autocomplete choices."""
MAX_CHOICE_NAME_CHARS = 100
MAX_CHOICE_VALUE_CHARS = 100
ANSWER_SECONDS = 3
"""Seconds within which the bot must respond to an interaction."""
INTERACTION_TOKEN_SECONDS = 900
"""Seconds after which an interaction's token expires."""


def check_uploads(uploads: Sequence[Upload], kept_count: int = 0) -> None:
    """Raise Refusal if files are too many or too large. ``kept_count`` is the number of files that the message has."""
    if len(uploads) + kept_count > MAX_FILES:
        raise Refusal(400, 30015, f"Maximum number of attachments in a message reached ({MAX_FILES})")
    for upload in uploads:
        if len(upload.data) > MAX_FILE_BYTES:
            raise Refusal(413, 40005, "Request entity too large")
        if len(upload.description or "") > MAX_FILE_DESCRIPTION_CHARS:
            raise too_long("attachments.0.description", MAX_FILE_DESCRIPTION_CHARS)


def check_content(content: str) -> None:
    """Raise Refusal for a message text that is too long."""
    if len(content) > MAX_CONTENT_CHARS:
        raise too_long("content", MAX_CONTENT_CHARS)


def check_not_empty(content: str, *other_parts: Sequence[Any]) -> None:
    """Raise Refusal (50006) for a message without any content."""
    if not content.strip() and not any(other_parts):
        raise Refusal(400, 50006, "Cannot send an empty message")


_EMBED_TEXT_LIMITS = (
    ("title", MAX_EMBED_TITLE_CHARS),
    ("description", MAX_EMBED_DESCRIPTION_CHARS),
    ("footer.text", MAX_EMBED_FOOTER_CHARS),
    ("author.name", MAX_EMBED_AUTHOR_CHARS),
)
"""By kind of text in an embed: the maximum number of characters."""


def check_embeds(embeds: Sequence[Json], file_names: set[str]) -> None:
    """Raise Refusal for too many or too long embeds, or for one that shows a file which the message lacks."""
    if len(embeds) > MAX_EMBEDS:
        raise list_too_long("embeds", MAX_EMBEDS)
    total_chars = 0
    for number, embed in enumerate(embeds):
        total_chars += _check_embed_texts(embed, f"embeds.{number}")
        _check_pictures(embed, f"embeds.{number}", file_names)
    if total_chars > MAX_EMBEDS_CHARS:
        raise invalid_form_body(
            "embeds", f"Embed size exceeds maximum size of {MAX_EMBEDS_CHARS}", "MAX_EMBED_SIZE_EXCEEDED"
        )


def _check_embed_texts(embed: Json, path: str) -> int:
    """Raise Refusal for an invalid embed. Returns its number of characters, as counted for the total limit."""
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
        raise list_too_long(f"{path}.fields", MAX_EMBED_FIELDS)
    for number, entry in enumerate(fields):
        for key, limit in (("name", MAX_FIELD_NAME_CHARS), ("value", MAX_FIELD_VALUE_CHARS)):
            text = str(entry.get(key) or "")
            if not text.strip():
                # docs.discord.com, "Embed Field Structure": name and value are required.
                raise invalid_form_body(
                    f"{path}.fields.{number}.{key}", "This field is required", "BASE_TYPE_REQUIRED"
                )
            if len(text) > limit:
                raise too_long(f"{path}.fields.{number}.{key}", limit)
            total_chars += len(text)
    return total_chars


def _check_pictures(embed: Json, path: str, file_names: set[str]) -> None:
    for embed_part, key in (*model.EMBED_PICTURE_FIELDS, ("", "url")):
        url = str((embed.get(embed_part) or {} if embed_part else embed).get(key) or "")
        if not url:
            continue
        scheme, _, file_name = url.partition("://")
        field_path = f"{path}.{embed_part}.{key}" if embed_part else f"{path}.{key}"
        if scheme not in ("http", "https", "attachment") or not file_name:
            # docs.discord.com, "Embed Object": only http(s) and attachment URLs.
            raise invalid_form_body(
                field_path,
                f"Scheme \"{scheme}\" must be one of ('http', 'https').",
                "URL_TYPE_INVALID_SCHEME",
            )
        if scheme == "attachment" and file_name not in file_names:
            # What Discord does with it is unverified (docs/discord.md, messages). It is refused here, since a picture
            # that nobody can see must be a mistake.
            raise invalid_form_body(
                field_path, f"No file of this message is named {file_name!r}.", "UNKNOWN_ATTACHMENT"
            )


def check_thread_name(name: str) -> None:
    """Raise Refusal for an empty or too long name of a channel or thread."""
    if not 1 <= len(name) <= MAX_THREAD_NAME_CHARS:
        raise length_out_of_range("name", MAX_THREAD_NAME_CHARS)


def check_archive_minutes(minutes: int) -> None:
    """Raise Refusal for an archive time that Discord does not allow."""
    if minutes not in ARCHIVE_MINUTES:
        raise invalid_form_body(
            "auto_archive_duration", f"Value must be one of {ARCHIVE_MINUTES}.", "BASE_TYPE_CHOICES"
        )


def check_choices(choices: Sequence[Json], option_kind: int) -> None:
    """Raise Refusal for autocomplete suggestions that Discord would reject."""
    if len(choices) > MAX_CHOICES:
        raise too_long("data.choices", MAX_CHOICES)
    for number, choice in enumerate(choices):
        path = f"data.choices.{number}"
        if not 1 <= len(str(choice.get("name", ""))) <= MAX_CHOICE_NAME_CHARS:
            raise length_out_of_range(f"{path}.name", MAX_CHOICE_NAME_CHARS)
        value = choice.get("value")
        if option_kind == 3:
            if not isinstance(value, str) or len(value) > MAX_CHOICE_VALUE_CHARS:
                raise invalid_form_body(
                    f"{path}.value",
                    f"Must be a string of {MAX_CHOICE_VALUE_CHARS} or fewer in length.",
                    "BASE_TYPE_MAX_LENGTH",
                )
        elif isinstance(value, bool) or not isinstance(value, int | float):
            # docs.discord.com, "Application Command Option Choice": the type of the value must be the option's.
            raise invalid_form_body(f"{path}.value", "Value is not a number.", "NUMBER_TYPE_COERCE")


def trimmed_embed(embed: Json) -> Json:
    """An embed with leading and trailing white space removed from its texts."""
    trimmed_copy = copy.deepcopy(embed)
    for name, _ in _EMBED_TEXT_LIMITS:
        embed_part, _, key = name.rpartition(".")
        text_holder = (trimmed_copy.get(embed_part) or {}) if embed_part else trimmed_copy
        if text_holder.get(key):
            text_holder[key] = str(text_holder[key]).strip()
    for entry in trimmed_copy.get("fields") or []:
        entry |= {key: str(entry.get(key) or "").strip() for key in ("name", "value")}
    return trimmed_copy
