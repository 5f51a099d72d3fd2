"""The two kinds of errors: Refusal, if Discord would refuse a request, and SandboxError, if the sandbox is misused."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""A JSON object with Discord's fields."""


class SandboxError(Exception):
    """Raised if a test or the page asks for something that does not exist, such as an unknown option."""


class Refusal(Exception):  # noqa: N818 - Discord's answer, not a fault of ours
    """An error response from Discord: HTTP status, error code and message."""

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


def invalid_form_body(path: str, sentence: str, code: str = "BASE_TYPE_INVALID") -> Refusal:
    """Error response 50035 (invalid form body) for the field at a dotted path."""
    errors: Json = {"_errors": [{"code": code, "message": sentence}]}
    for name in reversed(path.split(".")):
        errors = {name: errors}
    return Refusal(400, 50035, "Invalid Form Body", errors)


def too_long(path: str, limit: int) -> Refusal:
    """Error response 50035 for a text with more than ``limit`` characters."""
    return invalid_form_body(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_MAX_LENGTH")


def list_too_long(path: str, limit: int) -> Refusal:
    """Error response 50035 for a list with more than ``limit`` entries."""
    return invalid_form_body(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_BAD_LENGTH")


def length_out_of_range(path: str, maximum: int) -> Refusal:
    """Error response 50035 for a text or list that is empty or longer than ``maximum``."""
    return invalid_form_body(path, f"Must be between 1 and {maximum} in length.", "BASE_TYPE_BAD_LENGTH")


def unknown_record(record_name: str) -> Refusal:
    """Error response 404 for a record that does not exist, such as "Channel".

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
