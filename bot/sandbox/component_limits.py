"""Refusals of buttons, menus and forms, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.sandbox.model import Flag, leaves
from bot.sandbox.refusal import Json, Refusal, form_error, too_long

SELECTS = (3, 5, 6, 7, 8)
V2_KINDS = (9, 10, 11, 12, 13, 14, 17)


def check_components(components: Sequence[Json], flags: int) -> None:
    """Refuse component trees beyond DISCORD.md 2.3 and 2.4 and docs.discord.com, "Component Reference"."""
    if flags & Flag.COMPONENTS_V2:
        _check_v2(components)
    else:
        _check_rows(components)
    interactive = [c for c in leaves(list(components)) if c.get("type") == 2 or c.get("type") in SELECTS]
    for component in interactive:
        if component["type"] == 2:
            _check_button(component)
        else:
            check_select(component)
    idents = [c["custom_id"] for c in interactive if c.get("custom_id") is not None]
    if len(idents) != len(set(idents)):
        # docs.discord.com, "Custom ID": unique per message.
        raise form_error(
            "components", "Component custom id cannot be duplicated", "COMPONENT_CUSTOM_ID_DUPLICATED"
        )


def _check_rows(components: Sequence[Json]) -> None:
    if len(components) > 5:
        # DISCORD.md 2.3: five rows.
        raise form_error("components", "Must be 5 or fewer in length.", "BASE_TYPE_BAD_LENGTH")
    for number, row in enumerate(components):
        if row.get("type") != 1:
            # docs.discord.com, "Legacy Message Component Behavior": top level is rows without the V2 flag.
            raise form_error(f"components.{number}", 'Value of field "type" must be one of (1,).')
        _check_row(row, f"components.{number}")


def _check_row(row: Json, path: str) -> None:
    inside = row.get("components", [])
    width = sum(5 if c.get("type") in SELECTS else 1 for c in inside)
    if not 1 <= width <= 5:
        # docs.discord.com, "Action Row": up to five buttons, or a single select.
        raise form_error(f"{path}.components", "Must be between 1 and 5 in length.", "BASE_TYPE_BAD_LENGTH")
    if any(c.get("type") != 2 and c.get("type") not in SELECTS for c in inside):
        raise form_error(f"{path}.components", "An action row holds buttons or a select.")


def _check_v2(components: Sequence[Json]) -> None:
    tree = list(leaves(list(components)))
    if len(tree) > 40:
        raise form_error(
            "components", "The total number of components is limited to 40.", "BASE_TYPE_BAD_LENGTH"
        )
    if sum(len(c.get("content") or "") for c in tree if c.get("type") == 10) > 4000:
        raise form_error(
            "components", "The total number of characters is limited to 4000.", "BASE_TYPE_MAX_LENGTH"
        )
    for component in tree:
        if component.get("type") not in (1, 2, *SELECTS, *V2_KINDS):
            raise form_error("components", f"Unknown component type {component.get('type')}.")
        if component.get("type") == 1:
            _check_row(component, "components")


def _check_custom_id(component: Json) -> None:
    ident = component.get("custom_id")
    if not isinstance(ident, str) or not 1 <= len(ident) <= 100:
        # DISCORD.md 2.3: custom_id is at most 100 characters.
        raise form_error(
            "components.0.custom_id", "Must be between 1 and 100 in length.", "BASE_TYPE_BAD_LENGTH"
        )


def _check_button(button: Json) -> None:
    if len(button.get("label") or "") > 80:
        # docs.discord.com, "Button Structure": label of 80 characters.
        raise too_long("components.0.label", 80)
    if not button.get("label") and not button.get("emoji"):
        raise form_error("components.0", "A button needs a label or an emoji.", "BUTTON_COMPONENT_INVALID")
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
    """Refuse a menu outside docs.discord.com "String Select": 1-25 options, unique, of 100 characters."""
    _check_custom_id(select)
    if len(select.get("placeholder") or "") > 150:
        raise too_long("components.0.placeholder", 150)
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= least <= 25 or not 1 <= most <= 25 or least > most:
        raise form_error("components.0.max_values", "Must be between min_values and 25.", "NUMBER_TYPE_MAX")
    if select["type"] != 3:
        return
    options = select.get("options", [])
    if not 1 <= len(options) <= 25:
        raise form_error(
            "components.0.options", "Must be between 1 and 25 in length.", "BASE_TYPE_BAD_LENGTH"
        )
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if len(text or "") > 100 or (key != "description" and not text):
                raise form_error(f"components.0.options.0.{key}", "Must be between 1 and 100 in length.")
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
    """Refuse a form outside DISCORD.md 2.5: title of 45 characters, one to five items."""
    if not 1 <= len(modal.get("title") or "") <= 45:
        raise form_error("data.title", "Must be between 1 and 45 in length.", "BASE_TYPE_BAD_LENGTH")
    if not 1 <= len(modal.get("custom_id") or "") <= 100:
        raise form_error("data.custom_id", "Must be between 1 and 100 in length.", "BASE_TYPE_BAD_LENGTH")
    items = modal.get("components", [])
    if not 1 <= len(items) <= 5:
        raise form_error("data.components", "Must be between 1 and 5 in length.", "BASE_TYPE_BAD_LENGTH")
    for item in items:
        if item.get("type") not in (1, 10, 18):
            # docs.discord.com, "Modal": rows, text displays and labels at top level.
            raise form_error(
                "data.components", f"Component type {item.get('type')} is not allowed in a modal."
            )
    inputs = modal_inputs(modal)
    for field in inputs:
        _check_input(field)
    if len({f["custom_id"] for f in inputs}) != len(inputs):
        raise form_error(
            "data.components", "Component custom id cannot be duplicated", "COMPONENT_CUSTOM_ID_DUPLICATED"
        )


def modal_inputs(modal: Json) -> list[Json]:
    """The fields of a form, each with its label under ``label``."""
    found: list[Json] = []
    for item in modal.get("components", []):
        if item.get("type") == 18:
            found.append({**item["component"], "label": item.get("label") or ""})
        elif item.get("type") == 1:
            found.extend(item.get("components", []))
    return found


def _check_input(field: Json) -> None:
    _check_custom_id(field)
    if field["type"] in SELECTS:
        check_select(field)
    elif field["type"] == 4:
        if not 1 <= len(field.get("label") or "") <= 45:
            # docs.discord.com, "Label" and "Text Input": label of 45 characters.
            raise form_error(
                "data.components.0.label", "Must be between 1 and 45 in length.", "BASE_TYPE_BAD_LENGTH"
            )
        for key, limit in (("placeholder", 100), ("value", 4000)):
            if len(field.get(key) or "") > limit:
                raise too_long(f"data.components.0.{key}", limit)
        _check_lengths(field.get("min_length"), field.get("max_length"))
    elif field["type"] not in (19, 21, 22, 23):
        raise form_error("data.components", f"Component type {field['type']} is not allowed in a modal.")


def _check_lengths(least: Any, most: Any) -> None:
    # docs.discord.com, "Text Input": 0-4000 and 1-4000.
    if (least is not None and not 0 <= least <= 4000) or (most is not None and not 1 <= most <= 4000):
        raise form_error("data.components.0.max_length", "int value should be less than or equal to 4000.")


def check_flag_kept(before: int, after: int) -> None:
    """Refuse to take the V2 flag off again (DISCORD.md 2.4)."""
    if before & Flag.COMPONENTS_V2 and not after & Flag.COMPONENTS_V2:
        raise Refusal(
            400,
            50035,
            "Invalid Form Body",
            {
                "flags": {
                    "_errors": [
                        {
                            "code": "MESSAGE_FLAGS_V2",
                            "message": "The IS_COMPONENTS_V2 flag cannot be removed.",
                        }
                    ]
                }
            },
        )


def check_gallery_edit(components: Sequence[Json]) -> None:
    """Refuse a media gallery in an edit, as reported in discord-api-docs #7529 (DISCORD.md 2.4)."""
    if any(c.get("type") == 12 for c in leaves(list(components))):
        raise form_error("components", "The request body contains an invalid media gallery.")
