"""Refusals of components and of users' inputs to them (docs/discord.md names each source)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.model import Select, leaves
from bot.sandbox.refusal import (
    Json,
    SandboxError,
    bad_length,
    form_error,
    too_long,
    too_many,
)

SELECT = 3
"""The type of a menu."""
ROWS = 5
ROW_WIDTH = 5
"""Buttons in a row; a menu takes the place of all of them."""
CUSTOM_ID = 100
BUTTON_LABEL = 80
PLACEHOLDER = 150
SELECT_OPTIONS = 25
SELECT_TEXT = 100
"""Characters of label, value and description of a menu's option."""
MODAL_TITLE = 45
MODAL_ITEMS = 5
INPUT_LABEL = 45
INPUT_PLACEHOLDER = 100
INPUT_TEXT = 4000


def check_components(components: Sequence[Json]) -> None:
    """Refuse component trees that the real service refuses."""
    _check_rows(components)
    interactive = [c for c in leaves(list(components)) if c.get("type") in (2, SELECT)]
    for component in interactive:
        if component["type"] == 2:
            _check_button(component)
        else:
            check_select(component)
    # docs.discord.com, "Custom ID": unique per message.
    _check_unique([c["custom_id"] for c in interactive if c.get("custom_id") is not None], "components")


def _check_unique(idents: Sequence[str], path: str) -> None:
    if len(idents) != len(set(idents)):
        raise form_error(path, "Component custom id cannot be duplicated", "COMPONENT_CUSTOM_ID_DUPLICATED")


def _check_rows(components: Sequence[Json]) -> None:
    if len(components) > ROWS:
        raise too_many("components", ROWS)
    for number, row in enumerate(components):
        if row.get("type") != 1:
            # docs.discord.com, "Legacy Message Component Behavior": top level is rows.
            raise form_error(f"components.{number}", 'Value of field "type" must be one of (1,).')
        _check_row(row, f"components.{number}")


def _check_row(row: Json, path: str) -> None:
    inside = row.get("components", [])
    width = sum(ROW_WIDTH if c.get("type") == SELECT else 1 for c in inside)
    if not 1 <= width <= ROW_WIDTH:
        raise bad_length(f"{path}.components", ROW_WIDTH)
    if any(c.get("type") not in (2, SELECT) for c in inside):
        raise form_error(f"{path}.components", "An action row holds buttons or a select.")


def _check_custom_id(component: Json) -> None:
    ident = component.get("custom_id")
    if not isinstance(ident, str) or not 1 <= len(ident) <= CUSTOM_ID:
        raise bad_length("components.0.custom_id", CUSTOM_ID)


def _check_button(button: Json) -> None:
    if len(button.get("label") or "") > BUTTON_LABEL:
        raise too_long("components.0.label", BUTTON_LABEL)
    if not button.get("label"):
        raise form_error("components.0", "A button needs a label.", "BUTTON_COMPONENT_INVALID")
    style = button.get("style")
    if style not in (1, 2, 3, 4, 5):
        raise form_error("components.0.style", "Value must be one of (1, 2, 3, 4, 5).", "BASE_TYPE_CHOICES")
    if style == 5:
        # docs.discord.com, "Button Structure": a link has an address and no custom_id.
        if not button.get("url") or button.get("custom_id"):
            raise form_error(
                "components.0", "A link button needs a url and no custom_id.", "BUTTON_COMPONENT_INVALID"
            )
    else:
        _check_custom_id(button)


def check_select(select: Json) -> None:
    """Refuse a menu without options, with too many, with one twice, or with too long ones."""
    _check_custom_id(select)
    if len(select.get("placeholder") or "") > PLACEHOLDER:
        raise too_long("components.0.placeholder", PLACEHOLDER)
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= least <= most or not 1 <= most <= SELECT_OPTIONS:
        raise form_error(
            "components.0.max_values", f"Must be between min_values and {SELECT_OPTIONS}.", "NUMBER_TYPE_MAX"
        )
    options = select.get("options", [])
    if not 1 <= len(options) <= SELECT_OPTIONS:
        raise bad_length("components.0.options", SELECT_OPTIONS)
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if len(text or "") > SELECT_TEXT or (key != "description" and not text):
                raise form_error(
                    f"components.0.options.0.{key}", f"Must be between 1 and {SELECT_TEXT} in length."
                )
    if len({o["value"] for o in options}) != len(options):
        raise form_error(
            "components.0.options",
            "The specified option value is already used",
            "SELECT_OPTION_VALUE_DUPLICATED",
        )
    if most > len(options):
        raise form_error(
            "components.0.max_values", "Must not exceed the number of options.", "NUMBER_TYPE_MAX"
        )


def check_modal(modal: Json) -> None:
    """Refuse a form with a missing or too long title, or without items or with too many."""
    items = modal.get("components", [])
    for path, length, limit in (
        ("data.title", len(modal.get("title") or ""), MODAL_TITLE),
        ("data.custom_id", len(modal.get("custom_id") or ""), CUSTOM_ID),
        ("data.components", len(items), MODAL_ITEMS),
    ):
        if not 1 <= length <= limit:
            raise bad_length(path, limit)
    for item in items:
        if item.get("type") not in (1, 10, 18):
            # docs.discord.com, "Modal": rows, text displays and labels at top level.
            raise form_error(
                "data.components", f"Component type {item.get('type')} is not allowed in a modal."
            )
    inputs = modal_inputs(modal)
    for field in inputs:
        _check_input(field)
    _check_unique([field["custom_id"] for field in inputs], "data.components")


def modal_inputs(modal: Json) -> list[Json]:
    """The fields of a form, each with its label under ``label``."""
    inputs: list[Json] = []
    for item in modal.get("components", []):
        if item.get("type") == 18:
            inputs.append({**item["component"], "label": item.get("label") or ""})
        elif item.get("type") == 1:
            inputs.extend(item.get("components", []))
    return inputs


def _check_input(field: Json) -> None:
    _check_custom_id(field)
    if field["type"] == SELECT:
        check_select(field)
    elif field["type"] == 4:
        if not 1 <= len(field.get("label") or "") <= INPUT_LABEL:
            raise bad_length("data.components.0.label", INPUT_LABEL)
        for key, limit in (("placeholder", INPUT_PLACEHOLDER), ("value", INPUT_TEXT)):
            if len(field.get(key) or "") > limit:
                raise too_long(f"data.components.0.{key}", limit)
        _check_lengths(field.get("min_length"), field.get("max_length"))
    else:
        raise form_error("data.components", f"Component type {field['type']} is not allowed in a modal.")


def _check_lengths(least: Any, most: Any) -> None:
    long = most is not None and not 1 <= most <= INPUT_TEXT
    if long or (least is not None and not 0 <= least <= INPUT_TEXT):
        raise form_error(
            "data.components.0.max_length", f"int value should be less than or equal to {INPUT_TEXT}."
        )


def check_picks(menu: Select, values: Sequence[str]) -> None:
    """Raise SandboxError unless a menu offers the values, and in the right number."""
    if not menu.min_values <= len(values) <= menu.max_values:
        raise SandboxError(f"Choose {menu.min_values} to {menu.max_values} entries.")
    offered = [value for _, value in menu.options]
    if not set(values) <= set(offered):
        raise SandboxError(f"The menu offers {offered}.")


def fill_modal(body: Json, fields: Sequence[Json], values: Mapping[str, Any]) -> list[Json]:
    """The components of a submitted form, in its own order and nesting."""
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
    picks = values.get(name, [])
    picks = [picks] if isinstance(picks, str) else list(picks)
    offered = {option["value"] for option in field.get("options", [])}
    if offered and not set(picks) <= offered:
        raise SandboxError(f"Field {name!r} offers {sorted(offered)}.")
    if required and not picks:
        raise SandboxError(f"Field {name!r} is required.")
    return entry | {"values": picks}
