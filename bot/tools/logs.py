"""Log formats: readable lines or JSON, with context, and without secrets and account ids."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal, TextIO, TypeAlias

from bot.table.log_context import context_of_record

HIDDEN_TEXT_MARK: Final = "***"
_PASSWORD_PATTERN: Final = re.compile(r"((?:://|postgres(?:ql)?:/?)[^\s:/@]*:)[^\s@]+(?=@)")
"""Regex for the password in a database URL, even if the URL is mistyped."""
_TOKEN_PATTERN: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
"""Regex for the interaction token in a Discord URL; anybody who has it could send replies."""
_NAMED_TOKEN_PATTERN: Final = re.compile(r"(token\\?[\"']: *\\?[\"'])[\w.-]+")
"""Regex for tokens in gateway messages: the bot's token and interaction tokens."""
_ACCOUNT_PATTERN: Final = re.compile(r"(/(?:members|users)/)\d+")
"""Regex for the account id in a Discord URL, which appears in warnings about rate limits."""


def without_secrets(text: str, *secrets: str) -> str:
    """The text with `***` in place of these secrets, account ids, and passwords and tokens in URLs."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN_TEXT_MARK)
    for pattern in (_PASSWORD_PATTERN, _TOKEN_PATTERN, _NAMED_TOKEN_PATTERN, _ACCOUNT_PATTERN):
        text = pattern.sub(rf"\g<1>{HIDDEN_TEXT_MARK}", text)
    return text


LogFormat: TypeAlias = Literal["text", "json"]


class LineFormatter(logging.Formatter):
    """Formats a log record as a line: time, level, logger, message, and context as key=value."""

    def __init__(self, *secrets: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s%(about)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """The log record as a line, followed by the traceback of an exception."""
        return without_secrets(self._format_line(record), *self._secrets)

    def _format_line(self, record: logging.LogRecord) -> str:
        record.about = "".join(f" {name}={value}" for name, value in context_of_record(record).items())
        return super().format(record)


class JsonFormatter(LineFormatter):
    """Formats a log record as one line of JSON."""

    def _format_line(self, record: logging.LogRecord) -> str:
        timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": timestamp, "level": record.levelname, "logger": record.name}
        line |= {"message": record.getMessage(), **context_of_record(record)}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


FORMATTER_BY_LOG_FORMAT: Final[dict[LogFormat, Callable[..., LineFormatter]]] = {
    "text": LineFormatter,
    "json": JsonFormatter,
}


def configure_logging(level: str, log_format: LogFormat, *secrets: str, stream: TextIO | None = None) -> None:
    """Set up logging of records from `level` on, in this format and without `secrets`, to standard error by default."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATTER_BY_LOG_FORMAT[log_format](*secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
