"""TypeScript declarations of the page's answers and of the views in them: `python -m tests.page.answer_types`."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from bot.web import answers

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}


class Declarations:
    """Interfaces by name, each written when it is first named."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}

    def text_of(self, kind: Any) -> str:
        """The TypeScript of a Python type."""
        if kind in PLAIN:
            return PLAIN[kind]
        if is_typeddict(kind) or is_dataclass(kind):
            return self._interface(kind)
        origin, parts = get_origin(kind), get_args(kind)
        if origin is Literal:
            return " | ".join(f'"{one}"' if isinstance(one, str) else str(one).lower() for one in parts)
        if origin in (Union, types.UnionType):
            return " | ".join(map(self.text_of, parts))
        if origin is dict:
            return f"Record<{self.text_of(parts[0])}, {self.text_of(parts[1])}>"
        if origin in (list, Sequence) or (origin is tuple and parts[1:] == (...,)):
            return f"({self.text_of(parts[0])})[]"
        if origin is tuple:
            return f"[{', '.join(map(self.text_of, parts))}]"
        raise TypeError(f"no declaration for {kind}")

    def _interface(self, kind: Any) -> str:
        name: str = kind.__name__
        if name not in self.lines:
            self.lines[name] = []
            optional: frozenset[str] = getattr(kind, "__optional_keys__", frozenset())
            hints = get_type_hints(kind)
            fields = hints if is_typeddict(kind) else kind.__dataclass_fields__
            self.lines[name] = [
                f"  {field}{'?' * (field in optional)}: {self.text_of(hints[field])};" for field in fields
            ]
        return name

    def __iter__(self) -> Iterator[str]:
        for name, lines in self.lines.items():
            yield "\n".join([f"interface {name} {{", *lines, "}"])


def declarations() -> str:
    """All answers, and the views in them."""
    found = Declarations()
    for kind in vars(answers).values():
        if isinstance(kind, type) and kind.__module__ == answers.__name__:
            found.text_of(kind)
    return "\n".join(["declare namespace Answer {", *found, "}"])


if __name__ == "__main__":
    sys.stdout.write(f"{declarations()}\n")
