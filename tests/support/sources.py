"""What stands in the sources of a module, read once for all tests that look through the sources."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_STRING_OR_COMMENT: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*''',
    re.DOTALL,
)
"""A whole string, so that nothing within one is taken for a comment; or a comment."""


@dataclass(frozen=True)
class Definition:
    """A function or class: its name and its docstring, empty where it has none."""

    name: str
    says: str
    is_function: bool


@dataclass(frozen=True)
class Source:
    """A module without its syntax tree, which would take much memory."""

    says: str
    """Its docstring, empty where it has none."""
    docstrings: tuple[str, ...]
    """Those of values, too, as they are written."""
    comments: tuple[str, ...]
    """Each with its `#`."""
    definitions: tuple[Definition, ...]
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    """Those within functions, too."""
    attributes: tuple[tuple[str, int], ...]
    """The attributes that it reads or sets, with their lines."""
    comparisons: tuple[ast.Compare, ...]


@cache
def source_of(path: Path) -> Source:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    said = [
        node.value
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    return Source(
        says=ast.get_docstring(tree) or "",
        docstrings=tuple(str(node.value) for node in said),
        comments=tuple(found[0] for found in _STRING_OR_COMMENT.finditer(text) if found[0][0] == "#"),
        definitions=tuple(
            Definition(node.name, ast.get_docstring(node) or "", isinstance(node, FUNCTIONS))
            for node in nodes
            if isinstance(node, Defined)
        ),
        imports=tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        attributes=tuple((node.attr, node.lineno) for node in nodes if isinstance(node, ast.Attribute)),
        comparisons=tuple(node for node in nodes if isinstance(node, ast.Compare)),
    )
