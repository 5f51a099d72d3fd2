"""Sessions of open streams: each stream learns when its session is over, or is another's."""

import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from bot.table.board.links import BoardLinks, Visitor
from storage.errors import StorageError

_log = logging.getLogger("stationmaster.web")


class Watched:
    """The session of a stream."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor: Visitor | None = visitor
        """As last seen; None once the session is over."""


class SessionWatch:
    """Looks for sessions that ended or changed, in this process or in another."""

    def __init__(self, links: BoardLinks) -> None:
        self._links = links
        self._streams: defaultdict[str, set[Watched]] = defaultdict(set)

    @contextmanager
    def watched(self, visitor: Visitor) -> Iterator[Watched]:
        """The session of a stream, for as long as it is open."""
        stream = Watched(visitor)
        self._streams[visitor.session].add(stream)
        try:
            yield stream
        finally:
            self._streams[visitor.session].discard(stream)
            if not self._streams[visitor.session]:
                del self._streams[visitor.session]

    async def changed(self) -> set[int]:
        """Look at every session; the games in whose streams one has ended or changed."""
        asked = list(self._streams)
        try:
            found = await self._links.visitors(asked)
        except StorageError as error:
            _log.info("sessions of open pages cannot be looked at: %s", error)
            return set()
        games = set()
        for session in asked:
            for stream in self._streams.get(session, ()):
                before, stream.visitor = stream.visitor, found.get(session)
                if before is not None and before != stream.visitor:
                    games.add(before.game_id)
        return games
