"""Read-only views of a game and their builders: everything that pictures, messages and the page show.

    render_map(map_view(game))

A view is a frozen dataclass of values, colours and labels; it never holds the state itself.
"""

from pathlib import Path
from typing import Final

from engine.tell import views
from engine.tell.view_builders import *  # noqa: F403 - one door for both
from engine.tell.views import *  # noqa: F403

VIEW_CODE: Final = Path(views.__path__[0])
"""The folder of the classes of views: views that were stored are read by the same code alone."""
