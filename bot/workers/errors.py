"""Errors of workers, with sentences for the user."""

# ruff: noqa: N818 - an error is named after what is wrong


class NotDone(Exception):
    """A job was not done; `str()` is the sentence for the user, and nothing has changed."""


class TooManyQuestions(NotDone):
    """Too many questions of one user or server are waiting."""


class TookTooLong(NotDone):
    """The job reached its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took longer than {seconds:.0f} seconds, so it was stopped. Nothing was changed."
        )


class PositionGone(NotDone):
    """The game moved on while a question about its position was answered."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since you asked. Please ask again.")


class WorkerDied(NotDone):
    """The worker process died: it was killed, or had no memory left."""

    def __init__(self) -> None:
        super().__init__("The process working on this crashed. Nothing was changed. Please try again.")


class WorkersClosed(NotDone):
    """The bot is stopping and takes no more jobs."""

    def __init__(self) -> None:
        super().__init__("The bot is restarting. Please try again in a minute.")
