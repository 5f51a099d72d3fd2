"""Shards: groups into which Discord divides the servers (guilds), and the shards that a process serves."""

from dataclasses import dataclass
from typing import Final


def shard_of(guild_id: int, shard_count: int) -> int:
    """Return the number of the shard to which a server (guild) belongs."""
    return (guild_id >> 22) % shard_count


@dataclass(frozen=True, slots=True)
class ShardSet:
    """The shards that a process serves: `shards` are their numbers, from 0 to `shard_count` - 1."""

    shards: tuple[int, ...] = (0,)
    shard_count: int = 1

    def holds(self, guild_id: int) -> bool:
        """True if a server (guild) belongs to one of these shards."""
        return shard_of(guild_id, self.shard_count) in self.shards

    def sql_condition(self) -> str:
        """Return an SQL condition on the column `guild_id` that is true for the servers of these shards."""
        if not self.shards:
            return "1 = 0"
        return f"(guild_id >> 22) % {self.shard_count} IN ({', '.join(map(str, self.shards))})"

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.shards))} of {self.shard_count}"


ALL_SHARDS: Final = ShardSet()
"""All servers (guilds), undivided: shard 0 of 1."""
NO_SHARDS: Final = ShardSet(())
"""An empty set of shards, for a standby process."""
