"""Small faults: what may be wrong in a module, one at a time."""

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation import mutators

LEFT_TO_MYPY = (
    *("operator_string", "operator_arg_removal", "operator_dict_arguments", "operator_lambda"),
    *("operator_assignment", "operator_match"),
)
"""Faults not made: in words for players, and such as the type checker finds."""
NARROWS = re.compile(r" is (not )?None$|^(not )?isinstance\(")
"""Conditions without which the type checker would refuse the lines next to them."""
SAME_TWICE = re.compile(
    r"^[\w.\[\]]*\b("
    r"_?(require|check|forget|wake|arrange)\w*|_?close|_retry|_sign|_write|about|accepted|add|add_done_callback"
    r"|add_termination_listener|cancel|clear|compare|disable|discard|emptied|enable|fill|freeze|inspect|migrate"
    r"|name_players|on_change|on_notice|options_of|release|rename|rests|set|set_threshold|setdefault|stop|terminate"
    r"|write_text)\("
    r"|^(make\(\)|_draw\(theme\)|draw_map\(|printed\(|text_width\()"
    r"|^super\(\)\.__(init|setitem)__\(|^[\w.\[\]]*\bpop\(.*, None\)$|^[\w.]*\bexecute\(f?\"PRAGMA"
)
"""Calls that do no more twice than once: they ask whether something holds, or let be so what is so already, or wake
somebody who then looks.
"""
NOT_RUN = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|FROM|SET|WHERE|AND|ORDER BY|CONFLICT)\b")
SQL_FAULTS = (
    *(
        (" AND ", " OR "),
        (" OR ", " AND "),
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" >= ", " > "),
    ),
    *((" IS NULL", " IS NOT NULL"), (" IS NOT NULL", " IS NULL"), (" = 0", " = 1"), (" = 1", " = 0")),
    *((" DESC", " ASC"), (" NOT IN ", " IN "), (" <> ", " = ")),
)


class Fault(NamedTuple):
    """A module with one fault: `ranges` are the lines it stands in, from the innermost expression outwards."""

    module: str
    ranges: list[tuple[int, int]]
    was: str
    became: str
    source: str


def faults(path: Path, most: int, seed: int) -> list[Fault]:
    """At most this many faults of a module, always the same ones; 0: all."""
    module = MetadataWrapper(cst.parse_module(path.read_text("utf-8")))
    finder = _Finder(has_rules=path.parts[0] == "engine" and path.parts[1] != "caretaker")
    module.visit(finder)
    random.Random(f"{seed} {path}").shuffle(finder.found)
    made: list[Fault] = []
    for found in finder.found:
        if len(made) == most > 0:
            break
        made += _made(path, module.module, *found)
    return sorted(made, key=lambda fault: fault.ranges[0])


def _made(
    path: Path, module: cst.Module, ranges: list[tuple[int, int]], was: Any, other: Any
) -> Iterator[Fault]:
    source = module.deep_replace(was, other).code
    if [*_work(source)] != [*_work(module.code)]:
        yield Fault(str(path), ranges, module.code_for_node(was), module.code_for_node(other), source)


def _work(source: str) -> Iterator[tuple[object, ...]]:
    """What a module does, without where it stands."""
    codes = [compile(source, "", "exec", dont_inherit=True)]
    for code in codes:
        codes += (const for const in code.co_consts if isinstance(const, CodeType))
        consts = [None if isinstance(const, CodeType) else (type(const), const) for const in code.co_consts]
        yield code.co_qualname, code.co_code, consts, code.co_names, code.co_varnames


class _Finder(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider, ParentNodeProvider)

    def __init__(self, *, has_rules: bool) -> None:
        super().__init__()
        self._has_rules = has_rules
        self.found: list[tuple[list[tuple[int, int]], cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, NOT_RUN) or _is_of_the_log(node) or self._is_strict(node):
            return False
        if _is_taste(node) and not self._has_rules:
            return False
        for kind, other_of in OPERATORS:
            if isinstance(node, kind):
                self.found += ((self._ranges(node), node, other) for other in other_of(node))
        return True

    def _is_strict(self, node: cst.CSTNode) -> bool:
        """`strict=` of `zip`: it says that all are as long, which they are."""
        if not isinstance(node, cst.Arg) or node.keyword is None or node.keyword.value != "strict":
            return False
        call = self.get_metadata(ParentNodeProvider, node)
        return isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value == "zip"

    def _ranges(self, node: cst.CSTNode) -> list[tuple[int, int]]:
        """Lines of the node and of all around it, up to the function."""
        found: list[tuple[int, int]] = []
        while not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Module):
            where = self.get_metadata(PositionProvider, node, None)
            if where is not None:
                found.append((where.start.line, where.end.line))
            node = self.get_metadata(ParentNodeProvider, node)
        return found


def _is_of_the_log(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Expr) and cst.Module([]).code_for_node(node).startswith("_log.")


def _is_taste(node: cst.CSTNode) -> bool:
    """A number or a time with a name, as seconds to wait: one more is another taste, and tests take it by its name.

    Where the rules of the game are, it is a rule.
    """
    if not isinstance(node, cst.AnnAssign) or not isinstance(node.value, cst.Integer | cst.Float | cst.Call):
        return False
    if isinstance(node.value, cst.Call) and cst.Module([]).code_for_node(node.value.func) != "timedelta":
        return False
    kind: str = cst.Module([]).code_for_node(node.annotation.annotation)
    return kind.startswith("Final")


# --- faults that mutmut does not make ----------------------------------------------------------------------------


def _left_out_or_doubled(node: cst.Expr) -> Iterator[cst.Expr]:
    """`pay()` is left out, or done twice."""
    if isinstance(node.value, cst.Call | cst.Await):
        yield node.with_changes(value=cst.Ellipsis())
    if isinstance(node.value, cst.Call) and not SAME_TWICE.match(cst.Module([]).code_for_node(node.value)):
        yield node.with_changes(
            value=cst.Tuple([cst.Element(node.value), cst.Element(node.value.deep_clone())])
        )


def _negated(node: cst.If) -> Iterator[cst.If]:
    """`if a:` becomes `if not a:`."""
    asked = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), asked))


def _one_side(node: cst.BooleanOperation) -> Iterator[cst.BaseExpression]:
    """`a and b` becomes `a`, or `b`."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if NARROWS.search(cst.Module([]).code_for_node(other)):
            continue
        yield side.with_changes(lpar=[cst.LeftParen(), *side.lpar], rpar=[*side.rpar, cst.RightParen()])


def _other_sql(node: cst.SimpleString | cst.FormattedStringText) -> Iterable[cst.CSTNode]:
    """`AND` becomes `OR` in what is asked of the database."""
    text = node.value
    for was, other in SQL_FAULTS if SQL.search(text) else ():
        for found in re.finditer(re.escape(was), text):
            yield node.with_changes(value=text[: found.start()] + other + text[found.end() :])


OPERATORS: list[tuple[type, Any]] = [
    *(
        (kind, other_of)
        for kind, other_of in mutators.mutation_operators
        if other_of.__name__ not in LEFT_TO_MYPY
    ),
    *((cst.Expr, _left_out_or_doubled), (cst.If, _negated), (cst.BooleanOperation, _one_side)),
    *((cst.SimpleString, _other_sql), (cst.FormattedStringText, _other_sql)),
]
