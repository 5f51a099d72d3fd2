"""Servers as the world keeps them: roles, and who is a member with which of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sandbox.refusal import Json


@dataclass(slots=True)
class Role:
    """A role; ``permissions`` are bits, and that of everyone has the guild's id."""

    id: int
    name: str
    permissions: int
    managed: bool = False
    """Whether it came with a bot's invitation."""
    mentionable: bool = False


@dataclass(slots=True)
class Guild:
    """A server: its owner, its roles, and the roles of each member in addition to that of everyone."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)

    def roles_of(self, user_id: int) -> list[int]:
        """Ids of a member's roles, everyone's first."""
        return [self.id, *self.members.get(user_id, [])]

    @classmethod
    def read(cls, kept: Json) -> Guild:
        """The guild as it was kept on disk, where every key is a text."""
        roles = [Role(**role) for role in kept["roles"].values()]
        members = {int(user): list(held) for user, held in kept["members"].items()}
        return cls(kept["id"], kept["name"], kept["owner_id"], {role.id: role for role in roles}, members)
