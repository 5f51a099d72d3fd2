"""Discord's checks of message components and modals, and of what users enter in them.

docs/discord.md names the source of each rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.model import SELECT_TYPES, Select, walk_components
from bot.sandbox.refusal import (
    Json,
    SandboxError,
    invalid_form_body,
    length_out_of_range,
    list_too_long,
    too_long,
)

TEXT_SELECT_TYPE = 3
"""Discord's component type of a select menu with text options."""
MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
"""Maximum number of buttons in an action row; a select menu takes up a whole row."""
MAX_CUSTOM_ID_CHARS = 100
MAX_BUTTON_LABEL_CHARS = 80
MAX_PLACEHOLDER_CHARS = 150
MAX_SELECT_OPTIONS = 25
MAX_OPTION_CHARS = 100
"""Maximum number of characters in the label, value or description of a select menu's option."""
MAX_MODAL_TITLE_CHARS = 45
MAX_MODAL_ITEMS = 5
MAX_INPUT_LABEL_CHARS = 45
MAX_INPUT_PLACEHOLDER_CHARS = 100
MAX_INPUT_CHARS = 4000


def check_components(components: Sequence[Json]) -> None:
    """Raise Refusal for message components that Discord would reject."""
    _check_rows(components)
    buttons_and_menus = [c for c in walk_components(list(components)) if c.get("type") in (2, *SELECT_TYPES)]
    for component in buttons_and_menus:
        if component["type"] == 2:
            _check_button(component)
        else:
            check_select(component)
    # docs.discord.com, "Custom ID": unique per message.
    _check_unique_ids(
        [c["custom_id"] for c in buttons_and_menus if c.get("custom_id") is not None], "components"
    )


def _check_unique_ids(custom_ids: Sequence[str], path: str) -> None:
    if len(custom_ids) != len(set(custom_ids)):
        raise invalid_form_body(
            path, "Component custom id cannot be duplicated", "COMPONENT_CUSTOM_ID_DUPLICATED"
        )


def _check_rows(components: Sequence[Json]) -> None:
    if len(components) > MAX_ROWS:
        raise list_too_long("components", MAX_ROWS)
    for number, row in enumerate(components):
        if row.get("type") != 1:
            # docs.discord.com, "Legacy Message Component Behavior": top level is rows.
            raise invalid_form_body(f"components.{number}", 'Value of field "type" must be one of (1,).')
        _check_row(row, f"components.{number}")


def _check_row(row: Json, path: str) -> None:
    row_components = row.get("components", [])
    used_row_width = sum(MAX_BUTTONS_PER_ROW if c.get("type") in SELECT_TYPES else 1 for c in row_components)
    if not 1 <= used_row_width <= MAX_BUTTONS_PER_ROW:
        raise length_out_of_range(f"{path}.components", MAX_BUTTONS_PER_ROW)
    if any(c.get("type") not in (2, *SELECT_TYPES) for c in row_components):
        raise invalid_form_body(f"{path}.components", "An action row holds buttons or a select.")


def _check_custom_id(component: Json) -> None:
    custom_id = component.get("custom_id")
    if not isinstance(custom_id, str) or not 1 <= len(custom_id) <= MAX_CUSTOM_ID_CHARS:
        raise length_out_of_range("components.0.custom_id", MAX_CUSTOM_ID_CHARS)


def _check_button(button: Json) -> None:
    if len(button.get("label") or "") > MAX_BUTTON_LABEL_CHARS:
        raise too_long("components.0.label", MAX_BUTTON_LABEL_CHARS)
    if not button.get("label"):
        raise invalid_form_body("components.0", "A button needs a label.", "BUTTON_COMPONENT_INVALID")
    style = button.get("style")
    if style not in (1, 2, 3, 4, 5):
        raise invalid_form_body(
            "components.0.style", "Value must be one of (1, 2, 3, 4, 5).", "BASE_TYPE_CHOICES"
        )
    if style == 5:
        # docs.discord.com, "Button Structure": a link has an address and no custom_id.
        if not button.get("url") or button.get("custom_id"):
            raise invalid_form_body(
                "components.0", "A link button needs a url and no custom_id.", "BUTTON_COMPONENT_INVALID"
            )
    else:
        _check_custom_id(button)


def check_select(select: Json) -> None:
    """Raise Refusal for a select menu whose options are missing, too many, duplicated or too long."""
    _check_custom_id(select)
    if len(select.get("placeholder") or "") > MAX_PLACEHOLDER_CHARS:
        raise too_long("components.0.placeholder", MAX_PLACEHOLDER_CHARS)
    min_values, max_values = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= min_values <= max_values or not 1 <= max_values <= MAX_SELECT_OPTIONS:
        raise invalid_form_body(
            "components.0.max_values",
            f"Must be between min_values and {MAX_SELECT_OPTIONS}.",
            "NUMBER_TYPE_MAX",
        )
    if select["type"] != TEXT_SELECT_TYPE:
        _check_picker(select)
        return
    options = select.get("options", [])
    if not 1 <= len(options) <= MAX_SELECT_OPTIONS:
        raise length_out_of_range("components.0.options", MAX_SELECT_OPTIONS)
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if len(text or "") > MAX_OPTION_CHARS or (key != "description" and not text):
                raise invalid_form_body(
                    f"components.0.options.0.{key}", f"Must be between 1 and {MAX_OPTION_CHARS} in length."
                )
    if len({o["value"] for o in options}) != len(options):
        raise invalid_form_body(
            "components.0.options",
            "The specified option value is already used",
            "SELECT_OPTION_VALUE_DUPLICATED",
        )
    if max_values > len(options):
        raise invalid_form_body(
            "components.0.max_values", "Must not exceed the number of options.", "NUMBER_TYPE_MAX"
        )


_DEFAULT_VALUE_TYPE_BY_SELECT_TYPE = {6: "role", 8: "channel"}


def _check_picker(select: Json) -> None:
    """Raise Refusal for a role or channel menu that lists options, or has invalid default values."""
    if "options" in select:
        raise invalid_form_body("components.0.options", "Options are only for menus of texts.")
    default_values = select.get("default_values") or []
    # docs.discord.com, "Select Default Value Structure": between min_values and max_values, of the menu's kind.
    if default_values and not select.get("min_values", 1) <= len(default_values) <= select.get(
        "max_values", 1
    ):
        raise invalid_form_body("components.0.default_values", "Must be between min_values and max_values.")
    if any(
        default_value.get("type") != _DEFAULT_VALUE_TYPE_BY_SELECT_TYPE[select["type"]]
        for default_value in default_values
    ):
        raise invalid_form_body(
            "components.0.default_values", "A default value has another kind than the menu."
        )


def check_modal(modal: Json) -> None:
    """Raise Refusal for a modal with an invalid title, or with missing, too many or invalid items."""
    items = modal.get("components", [])
    for path, length, limit in (
        ("data.title", len(modal.get("title") or ""), MAX_MODAL_TITLE_CHARS),
        ("data.custom_id", len(modal.get("custom_id") or ""), MAX_CUSTOM_ID_CHARS),
        ("data.components", len(items), MAX_MODAL_ITEMS),
    ):
        if not 1 <= length <= limit:
            raise length_out_of_range(path, limit)
    for item in items:
        if item.get("type") not in (1, 10, 18):
            # docs.discord.com, "Modal": rows, text displays and labels at top level.
            raise invalid_form_body(
                "data.components", f"Component type {item.get('type')} is not allowed in a modal."
            )
    inputs = modal_inputs(modal)
    for field in inputs:
        _check_input(field)
    _check_unique_ids([field["custom_id"] for field in inputs], "data.components")


def modal_inputs(modal: Json) -> list[Json]:
    """The input fields of a modal. Each field's label is added under the key ``label``."""
    inputs: list[Json] = []
    for item in modal.get("components", []):
        if item.get("type") == 18:
            inputs.append({**item["component"], "label": item.get("label") or ""})
        elif item.get("type") == 1:
            inputs.extend(item.get("components", []))
    return inputs


def _check_input(field: Json) -> None:
    _check_custom_id(field)
    if field["type"] == TEXT_SELECT_TYPE:
        check_select(field)
    elif field["type"] == 4:
        if not 1 <= len(field.get("label") or "") <= MAX_INPUT_LABEL_CHARS:
            raise length_out_of_range("data.components.0.label", MAX_INPUT_LABEL_CHARS)
        for key, limit in (("placeholder", MAX_INPUT_PLACEHOLDER_CHARS), ("value", MAX_INPUT_CHARS)):
            if len(field.get(key) or "") > limit:
                raise too_long(f"data.components.0.{key}", limit)
        _check_lengths(field.get("min_length"), field.get("max_length"))
    else:
        raise invalid_form_body(
            "data.components", f"Component type {field['type']} is not allowed in a modal."
        )


def _check_lengths(min_length: Any, max_length: Any) -> None:
    has_bad_maximum = max_length is not None and not 1 <= max_length <= MAX_INPUT_CHARS
    if has_bad_maximum or (min_length is not None and not 0 <= min_length <= MAX_INPUT_CHARS):
        raise invalid_form_body(
            "data.components.0.max_length", f"int value should be less than or equal to {MAX_INPUT_CHARS}."
        )


def check_picked_values(menu: Select, values: Sequence[str]) -> None:
    """Raise SandboxError unless a user may choose these values, and this number of values, in the select menu."""
    if not menu.min_values <= len(values) <= menu.max_values:
        raise SandboxError(f"Choose {menu.min_values} to {menu.max_values} entries.")
    offered_values = [value for _, value in menu.options]
    if not set(values) <= set(offered_values):
        raise SandboxError(f"The menu offers {offered_values}.")


def filled_modal_components(body: Json, fields: Sequence[Json], values: Mapping[str, Any]) -> list[Json]:
    """The components that Discord's client sends for a modal filled in with these values, by custom_id.

    Raises SandboxError if a field does not exist or does not accept its value.
    """
    field_names = {field["custom_id"] for field in fields}
    for name in values:
        if name not in field_names:
            raise SandboxError(f"The form has no field {name!r}; it has {sorted(field_names)}.")
    filled_items: list[Json] = []
    for item in body["components"]:
        if item["type"] == 18:
            filled_items.append(
                {"type": 18, "id": item.get("id", 0), "component": _filled_field(item["component"], values)}
            )
        elif item["type"] == 1:
            filled_items.append(
                {"type": 1, "components": [_filled_field(field, values) for field in item["components"]]}
            )
    return filled_items


def _filled_field(field: Json, values: Mapping[str, Any]) -> Json:
    name, kind = field["custom_id"], field["type"]
    filled_entry: Json = {"type": kind, "custom_id": name, "id": field.get("id", 0)}
    is_required = field.get("required", True)
    if kind == 4:
        text = str(values.get(name, field.get("value") or ""))
        min_chars = field.get("min_length") or (1 if is_required else 0)
        if len(text) > (field.get("max_length") or 4000) or (len(text) < min_chars and (text or is_required)):
            raise SandboxError(
                f"Field {name!r} takes {min_chars} to {field.get('max_length') or 4000} characters."
            )
        return filled_entry | {"value": text}
    picked_values = values.get(name, [])
    picked_values = [picked_values] if isinstance(picked_values, str) else list(picked_values)
    offered_values = {option["value"] for option in field.get("options", [])}
    if offered_values and not set(picked_values) <= offered_values:
        raise SandboxError(f"Field {name!r} offers {sorted(offered_values)}.")
    if is_required and not picked_values:
        raise SandboxError(f"Field {name!r} is required.")
    return filled_entry | {"values": picked_values}
