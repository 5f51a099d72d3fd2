"""Refusals of messages, embeds, files and names, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.sandbox.model import Flag, Upload
from bot.sandbox.refusal import Json, Refusal, form_error, too_long

FILE_BYTES = 10_485_760
"""Largest upload: 10 MiB (DISCORD.md 2.7; `attachment_size_limit` of every interaction)."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
"""Allowed values of `auto_archive_duration` (DISCORD.md 2.6)."""


def check_uploads(uploads: Sequence[Upload], kept: int = 0) -> None:
    """Refuse too many or too large files; ``kept`` counts those the message has already."""
    if len(uploads) + kept > 10:
        # DISCORD.md 2.7: 10 files per message; code 30015 from docs.discord.com, JSON error codes.
        raise Refusal(400, 30015, "Maximum number of attachments in a message reached (10)")
    for upload in uploads:
        if len(upload.data) > FILE_BYTES:
            # DISCORD.md 2.7 (discord-api-docs PR #7312, issue #8572): 10 MiB, whatever articles say.
            raise Refusal(413, 40005, "Request entity too large")
        if len(upload.description or "") > 1024:
            # docs.discord.com, "Attachment Object": description up to 1024 characters.
            raise too_long("attachments.0.description", 1024)


def check_content(content: str, path: str = "content") -> None:
    """Refuse text of more than 2000 characters (DISCORD.md 2.7)."""
    if len(content) > 2000:
        raise too_long(path, 2000)


def check_not_empty(content: str, *parts: Sequence[Any]) -> None:
    """Refuse a message of nothing (code 50006, docs.discord.com, JSON error codes)."""
    if not content.strip() and not any(parts):
        raise Refusal(400, 50006, "Cannot send an empty message")


def check_v2(content: str, embeds: Sequence[Json], flags: int) -> None:
    """Refuse classic content together with the components-V2 flag (DISCORD.md 2.4)."""
    if flags & Flag.COMPONENTS_V2 and (content or embeds):
        field = "content" if content else "embeds"
        raise form_error(
            field, "The 'content' and 'embeds' fields cannot be used with MessageFlags.IS_COMPONENTS_V2."
        )


_EMBED_TEXTS = (
    ("title", 256),
    ("description", 4096),
    ("footer.text", 2048),
    ("author.name", 256),
)
"""Longest texts in an embed (docs.discord.com, "Embed Limits")."""


def check_embeds(embeds: Sequence[Json], file_names: set[str]) -> None:
    """Refuse embeds beyond docs.discord.com "Embed Limits", or showing a file that is not there."""
    if len(embeds) > 10:
        raise form_error("embeds", "Must be 10 or fewer in length.", "BASE_TYPE_BAD_LENGTH")
    total = 0
    for number, embed in enumerate(embeds):
        total += _check_embed(embed, f"embeds.{number}")
        _check_pictures(embed, f"embeds.{number}", file_names)
    if total > 6000:
        # docs.discord.com, "Embed Limits": 6000 characters over all embeds of a message (DISCORD.md 2.7).
        raise form_error("embeds", "Embed size exceeds maximum size of 6000", "MAX_EMBED_SIZE_EXCEEDED")


def _check_embed(embed: Json, path: str) -> int:
    """The number of characters of an embed that count against the total."""
    total = 0
    for name, limit in _EMBED_TEXTS:
        value: Any = embed
        for key in name.split("."):
            value = (value or {}).get(key)
        if len(value or "") > limit:
            raise too_long(f"{path}.{name}", limit)
        total += len(value or "")
    fields = embed.get("fields", [])
    if len(fields) > 25:
        raise form_error(f"{path}.fields", "Must be 25 or fewer in length.", "BASE_TYPE_BAD_LENGTH")
    for number, entry in enumerate(fields):
        for key, limit in (("name", 256), ("value", 1024)):
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
    places = (
        ("image", "url"),
        ("thumbnail", "url"),
        ("author", "icon_url"),
        ("footer", "icon_url"),
        ("", "url"),
    )
    for part, key in places:
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
            # How the real service treats this is unverified (DISCORD.md pitfall 12): a picture nobody would see is
            # refused here because it can only be a mistake.
            raise form_error(where, f"No file of this message is named {rest!r}.", "UNKNOWN_ATTACHMENT")


def check_thread_name(name: str) -> None:
    """Refuse a channel or thread name outside 1 to 100 characters (DISCORD.md 2.6)."""
    if not 1 <= len(name) <= 100:
        raise form_error("name", "Must be between 1 and 100 in length.", "BASE_TYPE_BAD_LENGTH")


def check_archive_minutes(minutes: int) -> None:
    """Refuse an archive time that Discord does not offer (DISCORD.md 2.6)."""
    if minutes not in ARCHIVE_MINUTES:
        raise form_error(
            "auto_archive_duration", f"Value must be one of {ARCHIVE_MINUTES}.", "BASE_TYPE_CHOICES"
        )


def check_choices(choices: Sequence[Json], option_kind: int) -> None:
    """Refuse autocomplete suggestions that the real service refuses (DISCORD.md 2.1)."""
    if len(choices) > 25:
        raise form_error("data.choices", "Must be 25 or fewer in length.", "BASE_TYPE_MAX_LENGTH")
    for number, choice in enumerate(choices):
        path = f"data.choices.{number}"
        if not 1 <= len(str(choice.get("name", ""))) <= 100:
            raise form_error(f"{path}.name", "Must be between 1 and 100 in length.", "BASE_TYPE_BAD_LENGTH")
        value = choice.get("value")
        if option_kind == 3:
            if not isinstance(value, str) or len(value) > 100:
                raise form_error(
                    f"{path}.value", "Must be a string of 100 or fewer in length.", "BASE_TYPE_MAX_LENGTH"
                )
        elif isinstance(value, bool) or not isinstance(value, int | float):
            # docs.discord.com, "Application Command Option Choice": the value's type follows the option's.
            raise form_error(f"{path}.value", "Value is not a number.", "NUMBER_TYPE_COERCE")
