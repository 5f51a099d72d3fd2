"""The rules of one game: its title, profile (set of rule variants), options and rounds."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from engine.core.errors import TitleError
from engine.core.spec import TitleSpec
from engine.play.rounds import Round
from engine.play.table import Hooks, Table

RULES_VERSION: Final = "4"
"""Version of the rules; increased when a change could make the replay of a running game differ or fail.

New titles, options, texts and pictures do not count as such changes.
"""


MAX_CACHED_SPECS: Final = 64
"""Maximum number of adapted specs cached per title; each combination of profile and options has its own spec."""


def _new_spec_cache(spec: TitleSpec) -> dict[object, TitleSpec]:
    del spec
    return {}


@dataclass(frozen=True, slots=True)
class Flag:
    """A named difference from the printed rules.

    `purpose` is `rule` if profiles can choose the flag, or `log` if it only makes the replay of logs more lenient. An
    `is_for_old_logs` flag applies only to logs with actions that 18xx.games itself refuses today.
    """

    purpose: Literal["rule", "log"]
    explanation: str
    is_for_old_logs: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option that a group can choose for a game: its displayed name and an explanation."""

    name: str
    explanation: str


class Rules(Hooks):
    """The rules of one game: title, profile (set of rule variants) and options.

    Raises TitleError if the title has no such profile or option.
    """

    FLAGS: ClassVar[Mapping[str, Flag]] = {}
    """All flags (named differences from the printed rules) of the title, by name."""

    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    """All game options of the title, by the name stored with games."""

    ROUNDS: ClassVar[Mapping[str, Round]]
    """The title's rounds, by kind (`state.round.kind`)."""

    def __init__(
        self, spec: TitleSpec, profile: str, options: frozenset[str], *, reads_log: bool = False
    ) -> None:
        """`reads_log` also switches on the profile's leniency for replaying 18xx.games logs."""
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
            name for name in spec.profiles[profile] if reads_log or self.FLAGS[name].purpose == "rule"
        )
        self.spec = self._cached_adapted_spec(spec)

    def has_flag(self, name: str) -> bool:
        """True if this flag (a named difference from the printed rules) is switched on."""
        assert name in self.FLAGS, name
        return name in self.flags

    def drop_old_leniency(self) -> None:
        """Switch off leniency for logged actions that 18xx.games itself refuses today."""
        self.flags = frozenset(name for name in self.flags if not self.FLAGS[name].is_for_old_logs)

    def has_option(self, name: str) -> bool:
        """True if this option was chosen for the game."""
        assert name in self.OPTIONS, name
        return name in self.options

    def _cached_adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        cached_specs = spec.cached(_new_spec_cache)
        cache_key = (type(self), self.profile, self.options, self.flags)
        if cache_key not in cached_specs:
            if len(cached_specs) == MAX_CACHED_SPECS:
                cached_specs.clear()
            cached_specs[cache_key] = self.adapted_spec(spec)
        return cached_specs[cache_key]

    @abstractmethod
    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The title's spec, changed by profile and options."""

    def round(self, t: Table) -> Round:
        """The kind of the current round, with its steps."""
        return self.ROUNDS[t.state.round.kind]
