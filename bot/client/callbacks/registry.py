"""The registry of components: which class a used component belongs to, also on messages of earlier releases."""

import re
from collections.abc import Mapping
from typing import Any, Final

from bot.client.callbacks.board_components import BOARD_COMPONENTS
from bot.client.callbacks.component import Component
from bot.client.callbacks.move_components import MOVE_COMPONENTS
from bot.client.callbacks.table_components import TABLE_COMPONENTS
from bot.client.callbacks.view_components import VIEW_COMPONENTS

COMPONENTS: Final[tuple[type[Component], ...]] = (
    *MOVE_COMPONENTS,
    *TABLE_COMPONENTS,
    *VIEW_COMPONENTS,
    *BOARD_COMPONENTS,
)


def component_of(data: Mapping[str, Any]) -> Component | None:
    """The component that was used, from what Discord sends of it; None where the id is nobody's.

    discord.py would first make the whole message again, with all its buttons.
    """
    custom_id = data.get("custom_id", "")
    found = ((kind, re.fullmatch(kind.template, custom_id)) for kind in COMPONENTS)
    return next((kind(match, data) for kind, match in found if match is not None), None)
