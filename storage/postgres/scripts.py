"""Statements with their values written into them, so that several go to the server in one trip."""

from collections.abc import Sequence

import asyncpg


def filled(sql: str, values: Sequence[object]) -> str:
    """Return a statement with its values in place of `?`; raises DataError for what no column holds."""
    pieces = sql.split("?")
    if len(pieces) != len(values) + 1:
        raise asyncpg.DataError(f"{len(pieces) - 1} values are wanted, not {len(values)}: {sql}")
    return pieces[0] + "".join(
        _written(value) + piece for value, piece in zip(values, pieces[1:], strict=True)
    )


def script(statements: Sequence[str]) -> str:
    """Return statements as one message to the server."""
    return ";\n".join(statements)


def _written(value: object) -> str:
    """A value as the server reads it, however it is set: in an escaped text a backslash is as special as a quote."""
    match value:
        case None:
            return "NULL"
        case bool():
            raise asyncpg.DataError(
                f"{value} is no number, and no column holds anything else that it could be"
            )
        case int():
            return f"({value})" if value < 0 else str(value)
        case str():
            return "E'" + _sound(value).replace("\\", "\\\\").replace("'", "''") + "'"
        case bytes():
            return f"decode('{value.hex()}', 'hex')"
    raise asyncpg.DataError(f"no column holds a {type(value).__name__}")


def _sound(text: str) -> str:
    """The text, if it can be sent: a NUL would end the message."""
    if "\0" in text:
        raise asyncpg.DataError("a text may not have a NUL in it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise asyncpg.DataError(f"a text is not made of characters: {error}") from error
    return text
