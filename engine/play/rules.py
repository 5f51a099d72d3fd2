"""The rules of one game: title, profile, options and rounds."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from engine.core.errors import TitleError
from engine.core.spec import TitleSpec
from engine.play.rounds import Round
from engine.play.table import Hooks, Table

RULES_VERSION: Final = "4"
"""Increased when a rule changes so that a running game may be replayed differently, or not at all.

New titles, options, texts and pictures do not increase it.
"""


MAX_CACHED_SPECS: Final = 64
"""Maximum number of adapted specs cached per title, one for each combination of profile and options."""


def _cached_specs(spec: TitleSpec) -> dict[object, TitleSpec]:
    del spec
    return {}


@dataclass(frozen=True, slots=True)
class Flag:
    """A named difference from the printed rules: a `rule` that profiles choose, or leniency in reading a `log`.

    `only_old`: only for logs with actions that the site which wrote them refuses today.
    """

    use: Literal["rule", "log"]
    says: str
    only_old: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option that a table can choose: its displayed name and an explanation."""

    name: str
    says: str


class Rules(Hooks):
    """Rules of one game: title, profile and options. Raises TitleError if the title has no such profile or option."""

    FLAGS: ClassVar[Mapping[str, Flag]] = {}
    """All flags of the title, by name."""

    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    """All options of the title, by the name stored with games."""

    ROUNDS: ClassVar[Mapping[str, Round]]
    """The rounds of the title by kind (`state.round.kind`)."""

    def __init__(
        self, spec: TitleSpec, profile: str, options: frozenset[str], *, reads_log: bool = False
    ) -> None:
        """`reads_log` also switches on the profile's leniency in reading logs."""
        if profile not in spec.profiles:
            raise TitleError(
                f"{spec.name} has no profile {profile!r}; the profiles are {', '.join(spec.profiles)}"
            )
        self.profile = profile
        self.options = options
        unknown_flags = set(spec.profiles[profile]) - set(self.FLAGS)
        if unknown_flags:
            raise TitleError(f"{spec.name}: unknown flags {', '.join(sorted(unknown_flags))}")
        unknown_options = options - set(self.OPTIONS)
        if unknown_options:
            raise TitleError(f"{spec.name} has no option {', '.join(sorted(unknown_options))}")
        clashing_options = spec.clashing_options(options)
        if clashing_options:
            raise TitleError(
                f"{spec.name}: the options {', '.join(clashing_options)} exclude each other; choose one"
            )
        self.flags = frozenset(
            name for name in spec.profiles[profile] if reads_log or self.FLAGS[name].use == "rule"
        )
        self.spec = self._cached_adapted_spec(spec)

    def flag(self, name: str) -> bool:
        """True if this flag is switched on."""
        assert name in self.FLAGS, name
        return name in self.flags

    def drop_old_leniency(self) -> None:
        """Switch off leniency for actions that the site which wrote the log refuses today."""
        self.flags = frozenset(name for name in self.flags if not self.FLAGS[name].only_old)

    def option(self, name: str) -> bool:
        """True if the table chose this option."""
        assert name in self.OPTIONS, name
        return name in self.options

    def _cached_adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The adapted spec; shared by all games with the same flags and options."""
        cached_specs = spec.cached(_cached_specs)
        cache_key = (type(self), self.profile, self.options, self.flags)
        if cache_key not in cached_specs:
            if len(cached_specs) == MAX_CACHED_SPECS:
                cached_specs.clear()
            cached_specs[cache_key] = self.adapted_spec(spec)
        return cached_specs[cache_key]

    @abstractmethod
    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The title's spec with the changes of profile and options."""

    def round(self, t: Table) -> Round:
        """The rules of the current round."""
        return self.ROUNDS[t.state.round.kind]
