"""Context of log lines, such as game, log row and incident number."""

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final

NAMES: Final = ("game", "seq", "incident", "server", "request")
"""The keys of the context, in the order in which log lines show them."""

_bound_facts: ContextVar[Mapping[str, Any]] = ContextVar("noted", default=MappingProxyType({}))


def bind(**facts: Any) -> None:
    """Add facts to the log context of this task; None removes one."""
    _bound_facts.set({**_bound_facts.get(), **facts})


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """The facts of a log record: the context, overridden by the record's own `extra`."""
    bound_facts = {
        **_bound_facts.get(),
        **{name: value for name, value in vars(record).items() if name in NAMES},
    }
    return {name: bound_facts[name] for name in NAMES if bound_facts.get(name) is not None}
