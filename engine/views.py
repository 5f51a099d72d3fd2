"""Read-only views of a game for pictures, messages and the board page, and the functions that build them.

    render_map(map_view(game))

A view is a frozen dataclass of values, colours and labels. It never contains the game state.
"""

from pathlib import Path
from typing import Final

from engine.tell import views
from engine.tell.view_builders import *  # noqa: F403 - one door for both
from engine.tell.views import *  # noqa: F403

VIEW_CODE: Final = Path(views.__path__[0])
"""Folder of the view classes. Stored views are readable only with the same version of the code in this folder."""
