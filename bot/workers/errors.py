"""Errors raised by jobs in workers, with sentences for the user."""

# ruff: noqa: N818 - an error is named after what is wrong


class NotDone(Exception):
    """Raised if a job was not done. Nothing has changed, and `str()` gives a sentence for the user."""


class TooManyQuestions(NotDone):
    """Raised if a user or server has too many questions waiting for workers."""


class TookTooLong(NotDone):
    """Raised if a job was stopped because it reached its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"This took longer than {seconds:.0f} seconds, so it was stopped. Nothing was changed."
        )


class PositionOutdated(NotDone):
    """Raised if a move changed the game while a question about its position was being answered."""

    def __init__(self) -> None:
        super().__init__("The game has moved on since you asked. Please ask again.")


class WorkerDied(NotDone):
    """Raised if the worker process died, because it was killed or ran out of memory."""

    def __init__(self) -> None:
        super().__init__("The process working on this crashed. Nothing was changed. Please try again.")


class WorkersClosed(NotDone):
    """Raised if a job is not done because the bot is stopping."""

    def __init__(self) -> None:
        super().__init__("The bot is restarting. Please try again in a minute.")
