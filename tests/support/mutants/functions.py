"""Functions of modules that are imported already, made to do what another source says."""

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType


def shape(source: str) -> list[tuple[object, ...]]:
    return [_work(code) for code in _codes(compile(source, "", "exec", dont_inherit=True))]


def mended(path: str, was: str, became: str) -> bool:
    """Let functions do what `became` says; False if more than functions differs, which wants a fresh process."""
    before, after = (
        list(_codes(compile(source, path, "exec", dont_inherit=True))) for source in (was, became)
    )
    if len(before) != len(after):
        return False
    differ = [old for old, new in zip(before, after, strict=True) if _work(old) != _work(new)]
    if not all(code.co_flags & inspect.CO_OPTIMIZED for code in differ):
        return False
    became_of = {_place(old): new for old, new in zip(before, after, strict=True)}
    try:
        for function in _functions(path):
            function.__code__ = became_of[_place(function.__code__)]
    except ValueError:  # it sees other variables of the function around it
        return False
    return True


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _work(code: CodeType) -> tuple[object, ...]:
    consts = [None if isinstance(const, CodeType) else (type(const), const) for const in code.co_consts]
    return code.co_qualname, code.co_code, consts, code.co_names, code.co_varnames


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _functions(path: str) -> Iterator[FunctionType]:
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            yield one
