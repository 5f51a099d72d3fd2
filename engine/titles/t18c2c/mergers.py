"""Mergers and nationals of 18C2C as its house rules have them."""

from collections.abc import Mapping
from typing import Final

from engine.core.spec import TitleSpec

SETTLED: Final[Mapping[str, str]] = {
    "Track joins two corporations where a route, however long, leads from a token of one to one of the other": (
        "A route is what connects everywhere else: no track twice, past no city full of others' tokens."
    ),
}
"""Readings of what the text leaves open."""


def with_mergers(spec: TitleSpec) -> TitleSpec:
    """The table with what its house rules say of mergers and nationals; both may be left out."""
    unions, nationals = spec.unions, spec.nationals
    assert unions is not None
    assert nationals is not None
    consent = "both" if spec.house_rule("merger_consent") == "both_presidents" else "own"
    absorbs = spec.house_rule("national_absorbs")
    changes = {
        "unions": unions.model_copy(update={"consent": consent}) if spec.house_rule("merger_round") else None,
        "nationals": nationals.model_copy(update={"absorbs": absorbs})
        if spec.house_rule("nationals")
        else None,
    }
    return spec.model_copy(update=changes)
