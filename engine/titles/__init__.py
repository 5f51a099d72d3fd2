"""The registry of titles: each one's data, rules and variants."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

from engine.core.errors import TitleError
from engine.core.spec import TitleSpec
from engine.play.rules import Rules
from engine.titles.t18al.rules import AlabamaRules
from engine.titles.t18c2c.rules import CoastToCoastRules
from engine.titles.t18chesapeake.rules import ChesapeakeRules
from engine.titles.t18ga.rules import GeorgiaRules
from engine.titles.t18ms.rules import MississippiRules
from engine.titles.t18newengland.rules import NewEnglandRules
from engine.titles.t18tn.rules import TennesseeRules
from engine.titles.t1830.rules import RulesOf1830
from engine.titles.t1846.rules import MidwestRules
from engine.titles.t1882.rules import AssiniboiaRules
from engine.titles.t1889.rules import ShikokuRules
from engine.titles.title_checks import check_choices
from engine.titles.title_files import (
    Topic,
    corrected_spec,
    load_title,
    load_topics,
    read_corrections,
    short_file_path,
)


@dataclass(frozen=True)
class Title:
    """A game title. `package` is the Python package with its data, `variant` the data file of a variant."""

    id: str
    package: str
    rules: type[Rules]
    variant: str = ""
    corrections: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
    """Corrections of the title's data by an owner of the printed game, in the order in which they are applied."""

    @cached_property
    def spec(self) -> TitleSpec:
        """The title's data with all corrections applied. Raises TitleError if the data has a mistake."""
        spec = load_title(self.package, self.variant)
        check_choices(short_file_path(self.package, self.variant), spec, self.rules.FLAGS, self.rules.OPTIONS)
        return reduce(corrected_spec, self.corrections, spec)

    @cached_property
    def topics(self) -> dict[str, Topic]:
        """Help texts on the title's rules, by topic."""
        return load_topics(self.package, self.variant.replace(".toml", "_help.toml"))

    @property
    def name(self) -> str:
        """The title's printed name, such as `1830`."""
        return self.spec.name


TITLES: dict[str, Title] = {
    "1830": Title("1830", "engine.titles.t1830", RulesOf1830),
    "1846": Title("1846", "engine.titles.t1846", MidwestRules),
    "1882": Title("1882", "engine.titles.t1882", AssiniboiaRules),
    "1889": Title("1889", "engine.titles.t1889", ShikokuRules),
    "18al": Title("18al", "engine.titles.t18al", AlabamaRules),
    "18chesapeake": Title("18chesapeake", "engine.titles.t18chesapeake", ChesapeakeRules),
    "18ga": Title("18ga", "engine.titles.t18ga", GeorgiaRules),
    "18ms": Title("18ms", "engine.titles.t18ms", MississippiRules),
    "18newengland": Title("18newengland", "engine.titles.t18newengland", NewEnglandRules),
    "18tn": Title("18tn", "engine.titles.t18tn", TennesseeRules),
    "18c2c": Title("18c2c", "engine.titles.t18c2c", CoastToCoastRules),
    "18c2c-full": Title("18c2c-full", "engine.titles.t18c2c", CoastToCoastRules, "full.toml"),
    "18chesapeake-off-the-rails": Title(
        "18chesapeake-off-the-rails", "engine.titles.t18chesapeake", ChesapeakeRules, "off_the_rails.toml"
    ),
}
"""All titles by id."""


def correct_titles(text: str) -> None:
    """Correct the data of titles in TITLES. The TOML text comes from an owner of the printed games.

    Raises TitleError if any correction is wrong; no title changes in that case.
    """
    corrections = read_corrections(text)
    corrected_titles = [_corrected_title(title(name), tables) for name, tables in corrections.items()]
    for corrected_title in corrected_titles:
        TITLES[corrected_title.id] = corrected_title


def _corrected_title(base_title: Title, correction_tables: Mapping[str, Mapping[str, Any]]) -> Title:
    corrected_title = replace(base_title, corrections=(*base_title.corrections, correction_tables))
    corrected_title.rules(corrected_title.spec, next(iter(corrected_title.spec.profiles)), frozenset())
    return corrected_title


def title(id_or_name: str) -> Title:
    """The title with this id or printed name. Raises TitleError if no title has it."""
    for listed_title in TITLES.values():
        if id_or_name in {listed_title.id, listed_title.name}:
            return listed_title
    names = ", ".join(listed_title.name for listed_title in TITLES.values())
    raise TitleError(f"There is no title {id_or_name!r}; the titles are {names}.")
