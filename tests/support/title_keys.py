"""`docs/title-keys.md`: every key of a title's table, from the classes that read it and their docstrings."""

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from engine.core import ids, topology
from engine.core.spec import TitleSpec
from engine.core.spec.component_specs import Spec

PAGE: Final = Path(__file__).parents[2] / "docs/title-keys.md"
HEAD: Final = """\
# The keys of `title.toml`

`tests/support/title_keys.py` makes this page from the classes in `engine/core/spec` and their docstrings.
Start with [adding a title](adding-a-title.md). Loading a title refuses keys that are not listed here.

`tile_counts` gives the number of each tile (`"unlimited"`: any number). `[tiles]` is needed only for tiles that other
games do not have; tiles whose number means the same in every game are in `engine/board/tiles.toml`. The file of a
variant has only the keys that differ: tables are merged key by key, lists of things with a `name` are merged by name,
and everything else is replaced as a whole.

`[defaults.KIND]` gives the values that the companies of a kind have in common. Its keys are those of `companies.*`; a
company's own keys override them. A company without a `kind` is `"public"`.

"""
WORDS: Final = {
    "str": "text",
    "int": "number",
    "bool": "`true` or `false`",
    "CompanyId": "company",
    "PrivateId": "private",
    "Coord": "hex",
    "TileId": "tile",
    "TrainName": "train",
    "PhaseName": "phase",
}


def page() -> str:
    found = _reached(TitleSpec, "")
    return HEAD + "\n".join(_section(model, where) for model, where in found.items()) + _stops()


def _reached(model: type[Spec], where: str) -> dict[type[Spec], str]:
    """The class and all that its keys lead to, each with the first place in the file where it stands."""
    found = {model: where}
    for name, field in model.model_fields.items():
        for inner, path in _inside(field.annotation, f"{where}.{name}".strip(".")):
            if inner not in found:
                found |= {known: at for known, at in _reached(inner, path).items() if known not in found}
    return found


def _inside(annotation: Any, path: str) -> Iterator[tuple[type[Spec], str]]:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        yield annotation, path
        return
    inner = f"{path}.*" if get_origin(annotation) is dict else path
    for argument in get_args(annotation):
        yield from _inside(argument, inner)


def _section(model: type[Spec], where: str) -> str:
    kind = model.model_fields.get("kind")
    marked = get_args(kind.annotation) if kind and get_origin(kind.annotation) is Literal else ()
    heading = f'`{where}`, kind `"{marked[0]}"`' if marked else f"`{where}`" if where else "The title"
    lines = [f"## {heading}", "", _line(inspect.getdoc(model) or ""), ""]
    rows = [row for row in _rows(model) if not (marked and row.startswith("| `kind`"))]
    table = ["| key | what it is | if it is left out | meaning |", "|---|---|---|---|", *rows]
    return "\n".join([*lines, *(table if rows else []), ""])


def _rows(model: type[Spec]) -> Iterator[str]:
    source = inspect.getmodule(model)
    assert source is not None
    for name, (annotation, says) in _written(model).items():
        field = model.model_fields[name]
        value = _value(annotation, source).replace("|", "\\|")
        yield f"| `{name}` | {value} | {_default(field)} | {_line(says)} |"


def _written(model: type[Spec]) -> dict[str, tuple[ast.expr, str]]:
    """The type and the docstring of every field, as they are written."""
    [written] = ast.parse(inspect.getsource(model)).body
    assert isinstance(written, ast.ClassDef)
    found = {}
    for statement, after in zip(written.body, [*written.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = (statement.annotation, _docstring(after))
    return found


def _docstring(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return inspect.cleandoc(str(statement.value.value))
    return ""


def _value(node: ast.expr, module: ModuleType) -> str:
    match node:
        case ast.Constant(value=None):
            return ""
        case ast.Name(id=name):
            return WORDS.get(name) or _named(name, module)
        case ast.BinOp(left=left, right=right):
            return " or ".join(filter(None, (_value(left, module), _value(right, module))))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return " or ".join(
                f'`"{value.value}"`'
                for value in _parts(inner)
                if isinstance(value, ast.Constant) and isinstance(value.value, str)
            )
        case ast.Subscript(value=ast.Name(id="tuple"), slice=inner):
            parts = _parts(inner)
            if isinstance(parts[-1], ast.Constant):
                return f"list of {_value(parts[0], module)}"
            return f"list of {len(parts)}: {', '.join(_value(part, module) for part in parts)}"
        case ast.Subscript(value=ast.Name(id="dict"), slice=inner):
            key, value = _parts(inner)
            return f"table: {_value(value, module)} by {_value(key, module)}"
    raise ValueError(ast.dump(node))


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _named(name: str, module: ModuleType) -> str:
    """A class of this page, or what an alias stands for."""
    known = getattr(module, name, None) or getattr(ids, name)
    if isinstance(known, type) and issubclass(known, Spec):
        return "table"
    if get_origin(known) is Literal:
        return " or ".join(f'`"{value}"`' for value in get_args(known))
    return {"Power": "table with its `kind`", "HouseRuleValue": "any value"}[name]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value == () or value == {} or value == "":
        return "none"
    if isinstance(value, Spec):
        return "all as below"
    if isinstance(value, tuple) and isinstance(value[0], Spec):
        return f"list of {len(value)}, all as below"
    return f"`{json.dumps(value)}`"


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _stops() -> str:
    _, written = (topology.__doc__ or "").split("\n\n", 1)
    edges = "Edges are 0 to 5 clockwise, 0 is S on a flat map, SW on a pointy one."
    return f"\n## Stops and track\n\n{_line(written)} {edges}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
