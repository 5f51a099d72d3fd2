"""What every part of a title's table is."""

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    """A part of a title's table: never changed, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
