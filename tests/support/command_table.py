"""`docs/playing.md`: the table of what is played by which command, as the whole games in `tests/golden` show it."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bot.table.moves.verbs import MOVE_COMMANDS, VERBS_WITH_OWN_COMMAND, MoveCommand
from engine.core.errors import BadChoice
from engine.core.offers import Offer, OfferCursor
from engine.record import Record, read_record
from engine.titles import TITLES

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests/golden"
BEGIN, END = "<!-- what follows is made by tests/support/command_table.py -->\n", "<!-- until here -->\n"
LIKE_ANOTHER = "18c2c_full-bank-2p"
"""It has the commands of the super-short game; the page says so."""
KEPT = "yes"


def offered(record: Record, found: set[str]) -> None:
    """Add the commands that were possible in a game at some time; those that are known are not asked for."""
    game = record.initial_game()
    for action in record.actions:
        left = [(name, verb) for name, verb in MOVE_COMMANDS.items() if name not in found]
        found |= {name for offer in game.offers() for name, verb in left if _makes(verb, offer)}
        game.apply(action)


def _makes(verb: MoveCommand, offer: Offer) -> bool:
    if verb.kind != offer.kind:
        return False
    try:
        OfferCursor(offer).pick_all(dict(verb.fixed_values))
    except BadChoice:
        return False
    return True


def by_title() -> dict[str, set[str]]:
    """The commands of each title that has a game, by its name."""
    found: dict[str, set[str]] = {}
    for file in sorted(file for file in GAMES.glob("*.json") if file.stem != LIKE_ANOTHER):
        record = read_record(file.read_text("utf-8"))
        offered(record, found.setdefault(TITLES[record.title].name, set()))
    return found


def table() -> str:
    titles = by_title()
    return "".join([BEGIN, *_lines(titles), END])


def _lines(titles: dict[str, set[str]]) -> Iterator[str]:
    yield f"| command | what it does | {' | '.join(titles)} |\n"
    yield "|---" * (2 + len(titles)) + "|\n"
    for name, verb in MOVE_COMMANDS.items():
        typed = " ".join(one.name if one.is_required else f"[{one.name}]" for one in verb.parameters)
        command = f"/{name}" if name in VERBS_WITH_OWN_COMMAND else f"/move {name}"
        has = " | ".join(KEPT if name in offered else "" for offered in titles.values())
        yield f"| `{f'{command} {typed}'.strip()}` | {verb.description}. | {has} |\n"


if __name__ == "__main__":
    page = ROOT / "docs/playing.md"
    text = page.read_text("utf-8")
    page.write_text(text[: text.index(BEGIN)] + table() + text[text.index(END) + len(END) :], "utf-8")
    sys.stdout.write(f"{page}\n")
