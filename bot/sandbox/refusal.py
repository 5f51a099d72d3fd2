"""The two ways in which a request can fail: Discord refuses it, or the sandbox was used wrongly."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""A JSON object with Discord's fields."""


class SandboxError(Exception):
    """The sandbox was asked for something that does not exist, such as an unknown option."""


class Refusal(Exception):  # noqa: N818 - Discord's answer, not a fault of ours
    """Discord's refusal of a request: HTTP status, error code and sentence."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> Json:
        body: Json = {"code": self.code, "message": self.message}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


def form_error(path: str, sentence: str, code: str = "BASE_TYPE_INVALID") -> Refusal:
    """A refusal with 50035 for the field at a dotted path (docs.discord.com, "Error Messages")."""
    errors: Json = {"_errors": [{"code": code, "message": sentence}]}
    for name in reversed(path.split(".")):
        errors = {name: errors}
    return Refusal(400, 50035, "Invalid Form Body", errors)


def too_long(path: str, limit: int) -> Refusal:
    """A refusal with 50035 of a text with more than ``limit`` characters."""
    return form_error(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_MAX_LENGTH")


def too_many(path: str, limit: int) -> Refusal:
    """A refusal with 50035 of a list with more than ``limit`` entries."""
    return form_error(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_BAD_LENGTH")


def bad_length(path: str, maximum: int) -> Refusal:
    """A refusal with 50035 of a text or list that is empty or longer than ``maximum``."""
    return form_error(path, f"Must be between 1 and {maximum} in length.", "BASE_TYPE_BAD_LENGTH")


def unknown(record_name: str) -> Refusal:
    """A refusal with 404 because a record is unknown.

    See docs.discord.com/developers/topics/opcodes-and-status-codes.
    """
    code_by_name = {
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "User": 10013,
        "Webhook": 10015,
        "Interaction": 10062,
        "Application": 10002,
    }
    name = "interaction" if record_name == "Interaction" else record_name
    return Refusal(404, code_by_name[record_name], f"Unknown {name}")
