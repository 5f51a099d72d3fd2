"""Finds in the source every place that makes a fact: the names it may have, and the values it is given."""

import ast
import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from engine.core import events as e
from engine.tell.narrate import event_fact_key

ENGINE = Path(__file__).parents[2] / "engine"


@dataclass(frozen=True)
class Made:
    """One call of `fact`: where, its names (a `*` stands for what is put in there), its values, and maybe others."""

    where: str
    names: tuple[str, ...]
    values: frozenset[str]
    more: bool


def facts_made() -> Iterator[Made]:
    for path, tree in trees_with("fact"):
        for function, call in _calls(tree):
            if isinstance(call.func, ast.Name) and call.func.id == "fact":
                where = f"{path.relative_to(ENGINE)}:{call.lineno}"
                found = {name for name in _texts(call.args[0], function, tree) if "." in name}
                assert found, f"{where}: no name is to be found in {ast.unparse(call.args[0])}"
                values, more = _values(call, function)
                yield Made(where, tuple(sorted(found)), frozenset(values), more)


def trees_with(called: str) -> Iterator[tuple[Path, ast.Module]]:
    """The files of the engine that may use this function, read."""
    sought = re.compile(rf"\b{called}\s*\(")
    for path in sorted(ENGINE.rglob("*.py")):
        text = path.read_text("utf-8")
        if sought.search(text):
            yield path, ast.parse(text)


def _calls(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.Call]]:

    def visit(node: ast.AST, function: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
        inner = node if isinstance(node, ast.FunctionDef) else function
        if isinstance(node, ast.Call):
            yield inner, node
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inner)

    return visit(tree, tree)


def _values(call: ast.Call, function: ast.AST) -> tuple[set[str], bool]:
    given, more = {word.arg for word in call.keywords if word.arg}, False
    for word in call.keywords:
        if word.arg is None:
            tables = _assigned(word.value.id, function) if isinstance(word.value, ast.Name) else ()
            keys = [key for table in tables if isinstance(table, ast.Dict) for key in table.keys]
            given |= {
                key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
            more = more or not keys or None in keys
    return given, more


def _texts(node: ast.expr, function: ast.AST, tree: ast.Module) -> Iterator[str]:
    """The texts an expression may come to; a `*` stands for what is not to be seen."""
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.JoinedStr(values=parts):
            open_ = [set(_parts(part, function, tree)) or {"*"} for part in parts]
            yield from ("".join(chosen) for chosen in product(*open_))
        case ast.IfExp(body=body, orelse=other):
            yield from _texts(body, function, tree)
            yield from _texts(other, function, tree)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _texts(value, function, tree)
        case ast.Name(id=variable):
            for value in _assigned(variable, function) or _assigned(variable, tree):
                yield from _texts(value, function, tree)
            if isinstance(function, ast.FunctionDef):
                yield from _handed_over(variable, function, tree)
        case ast.Call(func=ast.Name(id=called)):
            for value in _returned(called, tree):
                yield from _texts(value, function, tree)
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            yield from _texts(table, function, tree)
        case ast.Dict(values=values) | ast.Tuple(elts=values):
            for value in values:
                yield from _texts(value, function, tree)
        case _:
            return


def _parts(part: ast.expr, function: ast.AST, tree: ast.Module) -> Iterator[str]:
    return _texts(part.value if isinstance(part, ast.FormattedValue) else part, function, tree)


def _assigned(variable: str, scope: ast.AST) -> list[ast.expr]:
    inside = scope.body if isinstance(scope, ast.Module) else ast.walk(scope)
    found: list[ast.expr] = []
    for node in inside:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ) if name == variable:
                found.append(value)
            case _:
                pass
    return found


def _returned(called: str, tree: ast.Module) -> list[ast.expr]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == called]
    inside = (node for function in functions for node in ast.walk(function))
    return [node.value for node in inside if isinstance(node, ast.Return) and node.value is not None]


def _handed_over(variable: str, function: ast.FunctionDef, tree: ast.Module) -> Iterator[str]:
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if variable not in parameters:
        return
    place = parameters.index(variable) - (parameters[0] == "self")
    for outer, call in _calls(tree):
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if called == function.name and outer is not function:
            named = [word.value for word in call.keywords if word.arg == variable]
            for value in named or call.args[place : place + 1]:
                yield from _texts(value, outer, tree)


def matching(pattern: str, names: Iterable[str]) -> set[str]:
    """The names that fit a pattern with at most one `*`, or with several."""
    head, *rest = pattern.split("*")
    if not rest:
        return {name for name in names if name == pattern}
    return {name for name in names if name.startswith(head) and name.endswith(rest[-1])}


def event_names() -> Iterator[tuple[str, set[str]]]:
    """Every name by which an event may be described, with the values it has then."""
    tree = ast.parse((ENGINE / "tell" / "narrate.py").read_text("utf-8"))
    plain = {kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, e.Event)}
    plain.remove(e.Event)
    for kind, function, case, always in _described(tree):
        if always:
            plain.discard(kind)
        own = {field.name for field in dataclasses.fields(kind)}
        for call in ast.walk(case):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "fact_from_event":
                values = own | {word.arg for word in call.keywords if word.arg}
                for name in (
                    _texts(call.args[1], function, tree) if len(call.args) > 1 else [event_fact_key(kind)]
                ):
                    yield name, values
    yield from ((event_fact_key(kind), {field.name for field in dataclasses.fields(kind)}) for kind in plain)


def _described(tree: ast.Module) -> Iterator[tuple[type[e.Event], ast.FunctionDef, ast.AST, bool]]:
    """Every event that has a function or a case of its own, with these, and whether each such event comes there."""
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        if function.name == "_":
            yield getattr(e, function.args.args[0].annotation.attr), function, function, True  # type: ignore[union-attr]
        for case in (node for node in ast.walk(function) if isinstance(node, ast.match_case)):
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, ast.MatchClass):
                    kind = getattr(e, pattern.cls.attr)  # type: ignore[attr-defined]
                    yield kind, function, case, case.guard is None and not pattern.kwd_attrs
