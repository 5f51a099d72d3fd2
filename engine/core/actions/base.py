"""What every kind of action has."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from engine.core.ids import EntityId, PlayerId


class Choices(BaseModel):
    """One kind of action: who decides, for whom, and the choices."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    HEAD: ClassVar[frozenset[str]] = frozenset({"kind", "actor", "entity"})

    actor: PlayerId
    entity: EntityId

    def chosen(self) -> dict[str, Any]:
        """The slots of the action by name: every field except kind, actor and entity."""
        return {name: value for name, value in self.__dict__.items() if name not in self.HEAD}
