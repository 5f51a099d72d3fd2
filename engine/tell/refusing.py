"""Refusals: what is wrong, the section of the rulebook that says so, and what is allowed."""

from collections.abc import Callable, Mapping

from engine.core.errors import IllegalAction
from engine.core.facts import Fact, fact


def refusal(problem: IllegalAction, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    """The refusal in the words of `say`; `sections` are the title's, by topic or by the whole name of a rule."""
    sentence = _reason(problem.reason, say, sections)
    if problem.allowed is None:
        return sentence
    now = problem.allowed.name == "allowed.now"
    name = "refusal.possible" if now else "refusal.allowed"
    return say(fact(name, refusal=sentence, allowed=problem.allowed))


def _reason(told: Fact, say: Callable[[Fact], str], sections: Mapping[str, str]) -> str:
    section = sections.get(told.name) or sections.get(told.topic)
    if section is None:
        return say(fact("refusal.plain", reason=told))
    return say(fact("refusal.with_section", reason=told, section=section))
