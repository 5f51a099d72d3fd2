"""Read-only views of a game for pictures and messages: plain values, labels and colours, never the game state."""

from engine.tell.views.board import *  # noqa: F403 - views are one vocabulary, in two parts
from engine.tell.views.sheets import *  # noqa: F403
