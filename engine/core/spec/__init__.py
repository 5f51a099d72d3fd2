"""The data of a title: a game's printed facts, validated on loading, without rules in code."""

from engine.core.spec.component_specs import *  # noqa: F403 - the table is one, in four parts
from engine.core.spec.house_rule_specs import *  # noqa: F403
from engine.core.spec.private_specs import *  # noqa: F403
from engine.core.spec.title import *  # noqa: F403
