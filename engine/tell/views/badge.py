"""How a company is shown."""

from dataclasses import dataclass

from engine.core.ids import CompanyId


@dataclass(frozen=True, slots=True)
class Badge:
    """A company as a disc: abbreviation and colour (`#rrggbb`)."""

    company: CompanyId
    colour: str
