"""Work for workers: map and market as SVG, and the difference of two pictures, line by line."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import blake2b
from typing import Any, Self

from engine.tell.views import MapView, MarketView
from render import map_svg, market_svg


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG, packed, and what it is known by."""

    id: str
    data: bytes

    @classmethod
    def of(cls, svg: str) -> Self:
        """That of a text."""
        body = svg.encode()
        return cls(blake2b(body, digest_size=8).hexdigest(), zlib.compress(body, 3))

    @property
    def svg(self) -> str:
        """The text."""
        return zlib.decompress(self.data).decode()

    def sent(self, base: "Picture | None" = None) -> dict[str, Any]:
        """As the page gets it: whole, or as the difference from one that it has."""
        if base is None:
            return {"id": self.id, "svg": self.svg}
        if base.id == self.id:
            return {"id": self.id, "base": self.id, "edits": []}
        return {"id": self.id, "base": base.id, "edits": edits(base.svg.split("\n"), self.svg.split("\n"))}


def edits(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, Sequence[str]]]:
    """What makes new lines of old ones: where, how many go, and what comes in their place; places are those of old."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        (begin, end - begin, new[start:stop])
        for tag, begin, end, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]


def map_picture(view: MapView, theme: str) -> Picture:
    """The whole map."""
    return Picture.of(map_svg(view, theme=theme))


def market_picture(view: MarketView, theme: str) -> Picture:
    """The stock market."""
    return Picture.of(market_svg(view, theme=theme))
