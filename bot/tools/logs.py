"""Log lines for people or programs, with context, without secrets and accounts."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, TextIO, TypeAlias

from bot.table.log_context import facts_of

HIDDEN: Final = "***"
_PASSWORD: Final = re.compile(r"((?:://|postgres(?:ql)?:/?)[^\s:/@]*:)[^\s@]+(?=@)")
"""The password in the address of a database, also of one that was mistyped."""
_TOKEN: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
"""Token in an address of Discord's that lets anybody answer an interaction."""
_NAMED_TOKEN: Final = re.compile(r"(token\\?[\"']: *\\?[\"'])[\w.-]+")
"""The same in what the event socket says, and the bot's own in what is said to it."""
_ACCOUNT: Final = re.compile(r"(/(?:members|users)/)\d+")
"""The account in an address of Discord's that a warning about rate limits or refusals shows."""


def without_secrets(text: str, *secrets: str) -> str:
    """The text without these secrets, URLs' credentials, and interaction tokens."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    for pattern in (_PASSWORD, _TOKEN, _NAMED_TOKEN, _ACCOUNT):
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


Form: TypeAlias = Literal["text", "json"]


class LineFormatter(logging.Formatter):
    """A formatter: time, level, logger, message, and context as key=value."""

    def __init__(self, *secrets: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s%(about)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """The line, followed by any exception."""
        return without_secrets(self._formatted(record), *self._secrets)

    def _formatted(self, record: logging.LogRecord) -> str:
        record.about = "".join(f" {name}={value}" for name, value in facts_of(record).items())
        return super().format(record)


class JsonFormatter(LineFormatter):
    """A formatter of one JSON object a line."""

    def _formatted(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": at, "level": record.levelname, "logger": record.name}
        line |= {"message": record.getMessage(), **facts_of(record)}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


FORMS: Final[dict[Form, Callable[..., LineFormatter]]] = {"text": LineFormatter, "json": JsonFormatter}


def log_lines(level: str, form: Form, *secrets: str, to: TextIO | None = None) -> None:
    """Log from this level on, in this format, without these secrets; to standard error by default."""
    handler = logging.StreamHandler(to)
    handler.setFormatter(FORMS[form](*secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
