"""Functions that build HTML elements as text."""

from html import escape


def tag(name: str, *children: str, **attributes: str) -> str:
    """An HTML element whose `children` are HTML.

    Attribute values are escaped; `class_` sets the attribute `class`.
    """
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
    )
    return f"<{name}{attribute_text}>{''.join(children)}</{name}>"


def screen_reader_text(text: str) -> str:
    """Hidden text for screen readers, in place of a heading or symbol that other users see."""
    return tag("span", escape(text), class_="unseen")
