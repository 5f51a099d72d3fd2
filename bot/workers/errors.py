"""Why a piece of work was not done, in sentences for the person who asked for it."""

# ruff: noqa: N818 - an error is named after what is wrong


class NotDone(Exception):
    """A piece of work that was not done: `str()` is the sentence for the person; nothing has changed."""


class TooMany(NotDone):
    """Too many questions of one person or one server wait."""


class TookTooLong(NotDone):
    """The time limit is over, and the work has been ended."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took longer than {seconds:.0f} seconds, so it was stopped. Nothing was changed."
        )


class PositionGone(NotDone):
    """The game has moved on while a question about its position was worked on."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since you asked. Please ask again.")


class WorkerDied(NotDone):
    """The worker process died: it was killed, or there was no memory left."""

    def __init__(self) -> None:
        super().__init__("The process working on this crashed. Nothing was changed. Please try again.")


class Closed(NotDone):
    """The bot is being closed, and takes no more work."""

    def __init__(self) -> None:
        super().__init__("The bot is restarting. Please try again in a minute.")
