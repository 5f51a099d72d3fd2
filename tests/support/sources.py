"""What stands in the sources of a module, read once for all tests that look through the sources."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVES: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
_ENDS: Final = (ast.Constant, ast.Name)
"""Nothing is within these."""
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
    strings: tuple[str, ...]
    """Literal strings that are no docstrings."""
    definitions: tuple[Definition, ...]
    given: tuple[str, ...]
    """The names that it gives to functions, parameters, variables and attributes."""
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    """Those within functions, too."""
    attributes: tuple[tuple[str, int], ...]
    """The attributes that it reads or sets, with their lines."""
    comparisons: tuple[ast.Compare, ...]


@cache
def source_of(path: Path) -> Source:
    return read_source(path.read_text("utf-8"))


def read_source(text: str) -> Source:
    tree = ast.parse(text)
    nodes = list(_nodes(tree))
    said = [
        node.value
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    documented = set(map(id, said))
    return Source(
        says=ast.get_docstring(tree) or "",
        docstrings=tuple(str(node.value) for node in said),
        comments=tuple(found[0] for found in _STRING_OR_COMMENT.finditer(text) if found[0][0] == "#"),
        strings=tuple(
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
        ),
        definitions=tuple(
            Definition(node.name, ast.get_docstring(node) or "", isinstance(node, FUNCTIONS))
            for node in nodes
            if isinstance(node, Defined)
        ),
        given=tuple(name for node in nodes if (name := _given(node)) is not None),
        imports=tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        attributes=tuple((node.attr, node.lineno) for node in nodes if isinstance(node, ast.Attribute)),
        comparisons=tuple(node for node in nodes if isinstance(node, ast.Compare)),
    )


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    found = [tree]
    for node in found:  # grows on the way
        for value in () if isinstance(node, _ENDS) else vars(node).values():
            if isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, _LEAVES):
                found.append(value)
    return iter(found)


def _given(node: ast.AST) -> str | None:
    """The name that a node gives to something."""
    if isinstance(node, FUNCTIONS):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.id if isinstance(node, ast.Name) else node.attr
    return None
