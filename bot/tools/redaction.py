"""Text without what must not be shown: tokens, and passwords in addresses."""

import re
from typing import Final

HIDDEN: Final = "***"
_PASSWORD: Final = re.compile(r"((?:://|postgres(?:ql)?:/?)[^\s:/@]*:)[^\s@]+(?=@)")
"""The password in the address of a database, also of one that was mistyped."""
_TOKEN: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
"""What lets anybody answer an interaction, in an address of Discord's."""
_NAMED_TOKEN: Final = re.compile(r"(token\\?[\"']: *\\?[\"'])[\w.-]+")
"""The same in what the event socket says, and the bot's own in what is said to it."""
_ACCOUNT: Final = re.compile(r"(/(?:members|users)/)\d+")
"""The account in an address of Discord's that a warning about rate limits or refusals shows."""


def without_secrets(text: str, *secrets: str) -> str:
    """The text without these, without passwords and accounts in addresses, and without tokens of interactions."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    for pattern in (_PASSWORD, _TOKEN, _NAMED_TOKEN, _ACCOUNT):
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text
