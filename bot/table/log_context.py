"""Context that is added to the bot's log lines: game, log row, server, request and incident number."""

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final

CONTEXT_KEYS: Final = ("game", "seq", "incident", "server", "request")
"""Keys of the logging context, in the order in which log lines show them."""

_bound_values: ContextVar[Mapping[str, Any]] = ContextVar("log_context", default=MappingProxyType({}))


def bind(**values: Any) -> None:
    """Add values to the logging context of the current task; the value None removes a key."""
    _bound_values.set({**_bound_values.get(), **values})


def context_of_record(record: logging.LogRecord) -> dict[str, Any]:
    """The context values of a log record; the record's `extra` takes precedence."""
    bound_values = {
        **_bound_values.get(),
        **{name: value for name, value in vars(record).items() if name in CONTEXT_KEYS},
    }
    return {name: bound_values[name] for name in CONTEXT_KEYS if bound_values.get(name) is not None}
