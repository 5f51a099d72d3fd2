"""Read-only views of a game, for pictures, messages and the board page, and the functions that build them.

    render_map(map_view(game))

A view is a frozen dataclass of values, colours and labels; it never holds the state itself.
"""

from pathlib import Path
from typing import Final

from engine.tell import views
from engine.tell.view_builders import *  # noqa: F403 - one door for both
from engine.tell.views import *  # noqa: F403

VIEW_CODE: Final = Path(views.__path__[0])
"""The folder with the classes of views; stored views can only be read by the same code."""
