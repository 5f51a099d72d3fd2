"""Read-only views of a game: plain values, colours and labels, never the state itself."""

from engine.tell.views.board import *  # noqa: F403 - views are one vocabulary, in two parts
from engine.tell.views.sheets import *  # noqa: F403
