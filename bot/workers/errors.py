"""Errors of workers, with sentences for the user."""

# ruff: noqa: N818 - an error is named after what is wrong


class NotDone(Exception):
    """Work that was not done; `str()` is the sentence for the user, and nothing has changed."""


class TooManyQuestions(NotDone):
    """Too many questions of one user or server are waiting."""


class TookTooLong(NotDone):
    """The time limit was reached, and the work ended."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took longer than {seconds:.0f} seconds, so it was stopped. Nothing was changed."
        )


class PositionGone(NotDone):
    """The game moved on during a question about its position."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since you asked. Please ask again.")


class WorkerDied(NotDone):
    """The worker process died: killed, or out of memory."""

    def __init__(self) -> None:
        super().__init__("The process working on this crashed. Nothing was changed. Please try again.")


class WorkersClosed(NotDone):
    """The bot is closing, and takes no more work."""

    def __init__(self) -> None:
        super().__init__("The bot is restarting. Please try again in a minute.")
