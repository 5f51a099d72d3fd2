"""Log lines for people or programs: with context, without secrets and account ids."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, TextIO, TypeAlias

from bot.table.log_context import facts_of

HIDDEN_MARK: Final = "***"
_PASSWORD_PATTERN: Final = re.compile(r"((?:://|postgres(?:ql)?:/?)[^\s:/@]*:)[^\s@]+(?=@)")
"""The password in a database URL, even if the URL is mistyped."""
_TOKEN_PATTERN: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
"""The interaction token in a URL of Discord, with which anybody could answer."""
_NAMED_TOKEN_PATTERN: Final = re.compile(r"(token\\?[\"']: *\\?[\"'])[\w.-]+")
"""Tokens in gateway messages: of interactions, and the bot's own."""
_ACCOUNT_PATTERN: Final = re.compile(r"(/(?:members|users)/)\d+")
"""The account id in a URL of Discord, as in warnings about rate limits."""


def without_secrets(text: str, *secrets: str) -> str:
    """The text without these secrets, credentials in URLs, and interaction tokens."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN_MARK)
    for pattern in (_PASSWORD_PATTERN, _TOKEN_PATTERN, _NAMED_TOKEN_PATTERN, _ACCOUNT_PATTERN):
        text = pattern.sub(rf"\g<1>{HIDDEN_MARK}", text)
    return text


LogFormat: TypeAlias = Literal["text", "json"]


class LineFormatter(logging.Formatter):
    """Formats a record as a line: time, level, logger, message, and context as key=value."""

    def __init__(self, *secrets: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s%(about)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """The line, followed by the traceback of an exception."""
        return without_secrets(self._format_line(record), *self._secrets)

    def _format_line(self, record: logging.LogRecord) -> str:
        record.about = "".join(f" {name}={value}" for name, value in facts_of(record).items())
        return super().format(record)


class JsonFormatter(LineFormatter):
    """Formats a record as one line of JSON."""

    def _format_line(self, record: logging.LogRecord) -> str:
        timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": timestamp, "level": record.levelname, "logger": record.name}
        line |= {"message": record.getMessage(), **facts_of(record)}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


FORMATTERS: Final[dict[LogFormat, Callable[..., LineFormatter]]] = {
    "text": LineFormatter,
    "json": JsonFormatter,
}


def configure_logging(level: str, log_format: LogFormat, *secrets: str, stream: TextIO | None = None) -> None:
    """Log records from this level on, in this format and without `secrets`; to standard error by default."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATTERS[log_format](*secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
