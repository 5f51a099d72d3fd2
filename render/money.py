"""Dollars as they are written, also those that who looks may not know."""


def money(dollars: int | None) -> str:
    """`$70`; None is secret."""
    return "secret" if dollars is None else f"${dollars}"
