"""Mergers, formations and nationals: which companies, and when."""

from typing import Literal

from engine.core.ids import CompanyId, PhaseName
from engine.core.spec.base import Spec


class MergersSpec(Spec):
    """Small companies merge or convert into large ones, in a round after each operating round from a phase on."""

    small: str
    """The kind of companies that merge."""
    large: str
    """The kind of companies they become."""
    from_phase: PhaseName
    """The first phase with such a round."""


class UnionsSpec(Spec):
    """Players propose in turn, after each stock round from a phase on, that two companies become one."""

    kind: str
    """The kind of companies that may merge."""
    from_phase: PhaseName
    """The first phase with such proposals."""
    consent: Literal["both", "own"] = "both"
    """Whether both presidents must agree, or the proposing player must be president of both."""


class NationalsSpec(Spec):
    """Companies that form when a phase begins and take over others that have lost their last train."""

    forms: dict[PhaseName, CompanyId]
    """The company that each phase forms."""
    least_price: int
    """The lowest price it starts at, in dollars."""
    absorbs: Literal["lost_train", "all_trainless"] = "lost_train"
    """Whether companies that had no train before stay as they are."""
