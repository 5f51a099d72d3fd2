"""Moving the games of servers from one database to another."""

from pathlib import Path

from storage import leases, moving
from storage.errors import DatabaseInUse, StorageError
from storage.open_database import on_a_server, open_database


async def migrate(source: str | Path, target: str | Path, server: int | None) -> str:
    """Bring all games, or those of one server, over to another database; a sentence about it. Raises StorageError."""
    if not _is_there(source):
        raise StorageError(f"There is no database {source}: the file is missing.")
    async with await open_database(source) as old:
        if await leases.at_work(old):
            raise DatabaseInUse(f"Processes are running on {old.name}; stop them first.")
        servers = [found for found in await moving.guilds(old) if server in (None, found)]
        if not servers:
            raise StorageError(f"{old.name} has no games{'' if server is None else f' of server {server}'}.")
        async with await open_database(target) as new:
            moved = await moving.move(old, new, servers)
            return (
                f"Games: {moved.games}, with {moved.moves} rows in their logs. All are now in {new.name}, each row as "
                f"it was (digest {moved.digest[:16]}). {old.name} still has them: do not let a bot run there."
            )


def _is_there(where: str | Path) -> bool:
    return on_a_server(where) or Path(where).is_file()
