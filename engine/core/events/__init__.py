"""Events: one record for each change that an action causes; `engine.tell.narrate` words them. Money is in dollars."""

from engine.core.events.company_events import *  # noqa: F403
from engine.core.events.table_events import *  # noqa: F403
