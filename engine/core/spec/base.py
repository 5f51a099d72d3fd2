"""What every part of a title's table is."""

from typing import Self

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    """A part of a title's table: never changed, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __copy__(self) -> Self:
        """The same fields; what was worked out from them may not hold for a copy in which some are changed."""
        other = super().__copy__()
        for name in other.__dict__.keys() - type(self).model_fields.keys():
            del other.__dict__[name]
        return other
