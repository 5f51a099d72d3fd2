"""A title's rules in a few lines by topic, for people at a table who want to look something up."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.core.errors import TitleError
from engine.titles.reading import patched


class Topic(BaseModel):
    """One topic: its heading, where the rulebook has it, and the rules in short sentences."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    section: str
    lines: tuple[str, ...]


@cache
def load_topics(package: str, variant: str = "") -> dict[str, Topic]:
    """Read `help.toml` of a title package by topic; a variant's file says only what differs. Raises TitleError."""
    raw = tomllib.loads(files(package).joinpath("help.toml").read_text("utf-8"))
    if variant:
        raw = patched(raw, tomllib.loads(files(package).joinpath(variant).read_text("utf-8")))
    try:
        return {name: Topic.model_validate(topic) for name, topic in raw.items()}
    except ValidationError as error:
        raise TitleError(f"{package}: {error}") from error
