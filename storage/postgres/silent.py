"""Processes that were stopped between the two halves of a statement, whose transactions the server never ends.

While the server has parsed a statement and waits for its values, it counts as busy, not as idle, and no time
limit of its own applies. So a process that waited for it in vain ends its connection.
"""

from typing import Final

from storage.postgres.statements import Link

SILENCE: Final = 5
"""Seconds after which a process that leaves a statement half said counts as stopped."""

_END = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND application_name = current_setting('application_name')
      AND state = 'active' AND wait_event = 'ClientRead' AND state_change < clock_timestamp() - $1 * INTERVAL '1 second'
"""


async def end_silent(link: Link) -> bool:
    """End the connections that have fallen silent; return whether there were any.

    What they had begun is rolled back. A process that was only slow hears that it was cut off, and runs it again.
    """
    return any(ended for (ended,) in await link.fetch(_END, SILENCE))
