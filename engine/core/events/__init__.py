"""Events: facts that `apply` emits, put into words by `engine.tell.narrate`. Money in dollars."""

from engine.core.events.company_events import *  # noqa: F403
from engine.core.events.table_events import *  # noqa: F403
