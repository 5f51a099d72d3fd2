"""A user who acts in a game is present: a seat that others play for them is theirs again."""

import logging

from bot.client.posts.proposal_posts import ProposalPosts
from bot.table.errors import Refused
from bot.table.votes.proposals import Proposals
from storage.errors import StorageError

_log = logging.getLogger("stationmaster.presence")


class SeenPlayers:
    """Notes that people act."""

    def __init__(self, proposals: Proposals, posts: ProposalPosts) -> None:
        self._proposals = proposals
        self._posts = posts

    async def note(self, game_id: int, user_id: int) -> None:
        """Somebody acts in a game, whatever comes of it."""
        try:
            over = await self._proposals.seen(game_id, user_id)
        except (Refused, StorageError) as error:
            # What they ask for says the same, or asks for nothing that needs the game.
            _log.info("game %s: cannot check whether a player was away: %s", game_id, error)
            return
        for proposal in over:
            await self._posts.settle(proposal)
