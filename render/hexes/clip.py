"""Cutting a convex shape to a box."""

from render.scene import Point

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def clipped(shape: tuple[Point, ...], box: Box) -> tuple[Point, ...]:
    """The part of a convex shape that lies in the box, side by side of the box."""
    left, top, right, bottom = box
    for axis, limit, sign in ((0, left, 1), (1, top, 1), (0, right, -1), (1, bottom, -1)):
        shape = _on_one_side(shape, axis, limit, sign)
    return shape


def _on_one_side(shape: tuple[Point, ...], axis: int, limit: float, sign: int) -> tuple[Point, ...]:
    found: list[Point] = []
    for i, there in enumerate(shape):
        here = shape[i - 1]
        inside = [sign * (point[axis] - limit) >= 0 for point in (here, there)]
        if inside[0] != inside[1]:
            share = (limit - here[axis]) / (there[axis] - here[axis])
            found.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
        if inside[1]:
            found.append(there)
    return tuple(found)
