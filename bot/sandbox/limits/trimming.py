"""Texts as the service keeps them: without white space at either end (docs/discord.md, messages)."""

from __future__ import annotations

from bot.sandbox.refusal import Json

_TEXTS = ("title", "description")
_INSIDE = (("footer", "text"), ("author", "name"))


def trimmed(embed: Json) -> Json:
    """An embed with all its texts trimmed."""
    kept = dict(embed)
    kept |= {key: str(embed[key]).strip() for key in _TEXTS if embed.get(key)}
    for part, key in _INSIDE:
        if (embed.get(part) or {}).get(key):
            kept[part] = {**embed[part], key: str(embed[part][key]).strip()}
    if embed.get("fields"):
        kept["fields"] = [_field(entry) for entry in embed["fields"]]
    return kept


def _field(entry: Json) -> Json:
    return {**entry, **{key: str(entry.get(key) or "").strip() for key in ("name", "value")}}
