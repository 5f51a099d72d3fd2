"""The titles: data and a few rule overrides each. Only this module names them."""

from dataclasses import dataclass
from functools import cached_property

from engine.core.errors import TitleError
from engine.core.spec import TitleSpec
from engine.play.rules import Rules
from engine.titles.reading import load_title
from engine.titles.t18al.rules import AlabamaRules
from engine.titles.t18c2c.rules import CoastToCoastRules
from engine.titles.t18chesapeake.rules import ChesapeakeRules
from engine.titles.t18newengland.rules import NewEnglandRules
from engine.titles.t18tn.rules import TennesseeRules
from engine.titles.topics import Topic, load_topics


@dataclass(frozen=True)
class Title:
    """A title: its id, the package with its data, its rules, and the file of a variant, if it is one."""

    id: str
    package: str
    rules: type[Rules]
    variant: str = ""

    @cached_property
    def spec(self) -> TitleSpec:
        """What the title's table says."""
        return load_title(self.package, self.variant)

    @cached_property
    def topics(self) -> dict[str, Topic]:
        """Its rules in a few lines by topic."""
        return load_topics(self.package, self.variant.replace(".toml", "_help.toml"))

    @property
    def name(self) -> str:
        """The printed name."""
        return self.spec.name


TITLES: dict[str, Title] = {
    "18al": Title("18al", "engine.titles.t18al", AlabamaRules),
    "18chesapeake": Title("18chesapeake", "engine.titles.t18chesapeake", ChesapeakeRules),
    "18newengland": Title("18newengland", "engine.titles.t18newengland", NewEnglandRules),
    "18tn": Title("18tn", "engine.titles.t18tn", TennesseeRules),
    "18c2c": Title("18c2c", "engine.titles.t18c2c", CoastToCoastRules),
    "18c2c-full": Title("18c2c-full", "engine.titles.t18c2c", CoastToCoastRules, "full.toml"),
    "18chesapeake-off-the-rails": Title(
        "18chesapeake-off-the-rails", "engine.titles.t18chesapeake", ChesapeakeRules, "off_the_rails.toml"
    ),
}
"""Every title by its id."""


def title(wanted: str) -> Title:
    """The title with this id or name; raises TitleError."""
    for known in TITLES.values():
        if wanted in {known.id, known.name}:
            return known
    names = ", ".join(known.name for known in TITLES.values())
    raise TitleError(f"There is no title {wanted!r} here; there are {names}.")
