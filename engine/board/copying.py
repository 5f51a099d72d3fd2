"""A map to try things on: what was found out about its track is not worked out anew."""

from engine.board.map import Map
from engine.board.rails import Rails, rails_of
from engine.board.track import Track, track_of


def board_copy(board: Map) -> Map:
    """Another map on which the same lies, with the chains and numbers of its track, to be changed on its own."""
    other = board.copied()
    other.remember(Track, track_of(board).copied(other))
    other.remember(Rails, rails_of(board).copied(other))
    return other
