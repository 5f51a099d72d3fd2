"""The two failures of a request: Discord's refusal, and an error of the sandbox's user."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""One JSON object as it travels over the wire; its fields are Discord's own."""


class SandboxError(Exception):
    """A sandbox user asked for something that does not exist, such as an unknown option."""


class Refusal(Exception):  # noqa: N818 - Discord's answer, not a fault of ours
    """Discord's refusal: HTTP status, numeric code and sentence."""

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
    """A 50035 for the field at a dotted path (docs.discord.com, "Error Messages")."""
    errors: Json = {"_errors": [{"code": code, "message": sentence}]}
    for name in reversed(path.split(".")):
        errors = {name: errors}
    return Refusal(400, 50035, "Invalid Form Body", errors)


def too_long(path: str, limit: int) -> Refusal:
    """A 50035 for a text of more than ``limit`` characters."""
    return form_error(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_MAX_LENGTH")


def too_many(path: str, limit: int) -> Refusal:
    """A 50035 for a list of more than ``limit`` entries."""
    return form_error(path, f"Must be {limit} or fewer in length.", "BASE_TYPE_BAD_LENGTH")


def bad_length(path: str, maximum: int) -> Refusal:
    """A 50035 for a text or a list that is empty, or longer than ``maximum``."""
    return form_error(path, f"Must be between 1 and {maximum} in length.", "BASE_TYPE_BAD_LENGTH")


def unknown(record_name: str) -> Refusal:
    """A 404 for an unknown record (docs.discord.com/developers/topics/opcodes-and-status-codes)."""
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
