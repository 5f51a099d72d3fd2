"""HTML elements, for pages that workers write."""

from html import escape


def tag(name: str, *children: str, **attributes: str) -> str:
    """An element around markup; attributes are escaped, `class_` stands for `class`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>"


def unseen(text: str) -> str:
    """Words for screen readers, where others see a heading or a sign."""
    return tag("span", escape(text), class_="unseen")
