"""What a person may send by a menu or a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.model import Select
from bot.sandbox.refusal import Json, SandboxError


def check_picks(menu: Select, values: Sequence[str]) -> None:
    """Raise SandboxError unless the values are offered by a menu and of the right number."""
    if not menu.min_values <= len(values) <= menu.max_values:
        raise SandboxError(f"Choose {menu.min_values} to {menu.max_values} entries.")
    offered = [value for _, value in menu.options]
    if menu.kind == 3 and not set(values) <= set(offered):
        raise SandboxError(f"The menu offers {offered}.")


def fill_modal(body: Json, fields: Sequence[Json], values: Mapping[str, Any]) -> list[Json]:
    """The components of a sent form, in its own order and nesting."""
    known = {field["custom_id"] for field in fields}
    for name in values:
        if name not in known:
            raise SandboxError(f"The form has no field {name!r}; it has {sorted(known)}.")
    sent: list[Json] = []
    for item in body["components"]:
        if item["type"] == 18:
            sent.append({"type": 18, "id": item.get("id", 0), "component": _entry(item["component"], values)})
        elif item["type"] == 1:
            sent.append({"type": 1, "components": [_entry(field, values) for field in item["components"]]})
    return sent


def _entry(field: Json, values: Mapping[str, Any]) -> Json:
    name, kind = field["custom_id"], field["type"]
    entry: Json = {"type": kind, "custom_id": name, "id": field.get("id", 0)}
    required = field.get("required", True)
    if kind == 4:
        text = str(values.get(name, field.get("value") or ""))
        least = field.get("min_length") or (1 if required else 0)
        if len(text) > (field.get("max_length") or 4000) or (len(text) < least and (text or required)):
            raise SandboxError(
                f"Field {name!r} takes {least} to {field.get('max_length') or 4000} characters."
            )
        return entry | {"value": text}
    if kind in (21, 23):
        return entry | {"value": values.get(name, False if kind == 23 else None)}
    picks = values.get(name, [])
    picks = [picks] if isinstance(picks, str) else list(picks)
    offered = {option["value"] for option in field.get("options", [])}
    if offered and not set(picks) <= offered:
        raise SandboxError(f"Field {name!r} offers {sorted(offered)}.")
    if required and not picks:
        raise SandboxError(f"Field {name!r} is required.")
    return entry | {"values": picks}
