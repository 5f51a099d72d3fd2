"""The posts that a thread should show, from the live game and its stored rows. Pure functions."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

import discord

from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.thread.pictures_of_posts import (
    TABLE,
    Picture,
    close_up,
    digest,
    for_sale,
    names_of,
    whole_table,
)
from bot.client.thread.turn_lines import TurnLog, leading, line_text, shortest, struck_text
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.outbox.notices import Line, RoundBegun, TurnChange, end_of_offer
from engine import PlayerId
from engine.views import SaleView
from storage import Ping, Posting, ShownMessage, messages, parse_timestamp

BOARD: Final = "board"
TURN: Final = "turn"
LINE: Final = "line"
"""Lines and nothing else: of no turn, or of one that is over."""
ROUND: Final = "round"
PING: Final = "ping"
PROPOSAL: Final = "proposal"
END: Final = "end"
PAPERS: Final = "papers"
LATE: Final = timedelta(seconds=5)
"""Lines that have waited for so long, in an outage or while the bot was away, are read together."""
STRUCK: Final = 10
"""At most N earlier posts, the newest, in which an undo strikes lines out."""


@dataclass(frozen=True)
class Post:
    """A desired post: new, or the content of an existing message (`at`)."""

    role: str
    text: str | None
    """None: as it is."""
    key: str = ""
    view: discord.ui.View | None = None
    embeds: tuple[discord.Embed, ...] | None = None
    pictures: tuple[Picture, ...] | None = ()
    """None: those that it has."""
    message: ShownMessage | None = None
    rows: Sequence[Posting] = ()
    """The rows of the outbox that are shown with it."""
    users: tuple[int, ...] = ()
    """The users whom it mentions so that they are pinged."""
    roles: tuple[int, ...] = ()
    pinged: tuple[Ping, ...] = ()
    silent: bool = True
    appearance: str = ""
    """Compared in place of its words, where some of them are worth no edit."""

    @cached_property
    def shows(self) -> str:
        """A digest of text and buttons."""
        buttons = [] if self.view is None else self.view.to_components()
        embeds = [embed.to_dict() for embed in self.embeds or ()]
        return digest(json.dumps([self.appearance or self.text, buttons, embeds]).encode())


class PostDraft(NamedTuple):
    """The lower part of a turn's post: players on turn, buttons, sale; and pings."""

    text: str
    view: discord.ui.View
    sale: SaleView | None
    pinged: tuple[Ping, ...] = ()
    silent: bool = True


class WaitingRows(NamedTuple):
    """Outbox rows waiting for a turn's post: turn changes, lines, and rounds."""

    turns: Sequence[Posting]
    lines: Sequence[Posting] = ()
    rounds: Sequence[Posting] = ()
    begun: Collection[str] = ()
    """The keys of lines of which nobody knows whether they were posted."""

    @property
    def newly_on_turn(self) -> list[PlayerId]:
        """The players newly on turn."""
        return [player for turn in self.turns for player in TurnChange.read(turn.payload).fresh]


# --- lines of their own ----------------------------------------------------------------------------------------------


def line_posts(
    postings: Sequence[Posting], begun: Collection[str] = (), now: datetime | None = None
) -> list[Post]:
    """A post for each line; late lines (`now`; None: all) are batched.

    What was begun together stays together.
    """
    return [_joined_post(batch) for batch in _batches(postings, begun, now)]


def _joined_post(batch: Sequence[Posting]) -> Post:
    lines = [Line.read(row.payload) for row in batch]
    hexes = tuple(dict.fromkeys(coord for line in lines for coord in line.hexes))
    ids = tuple(row.id for row in batch)
    text = "\n".join(line.text for line in lines).strip()
    return Post(LINE, text, _key(batch), pictures=close_up(ids, hexes), rows=batch)


def _batches(
    rows: Sequence[Posting], begun: Collection[str], now: datetime | None
) -> Iterator[Sequence[Posting]]:
    firsts = {key.partition(",")[0] for key in begun}
    while rows:
        known = [n for n in range(1, len(rows) + 1) if _key(rows[:n]) in begun]
        is_late = now is None or now - parse_timestamp(rows[0].created_at) >= LATE
        many = known[-1] if known else _number_that_fits(rows, firsts) if is_late else 1
        yield rows[:many]
        rows = rows[many:]


def _number_that_fits(rows: Sequence[Posting], firsts: Collection[str]) -> int:
    """Number of lines that fit into a message; a too long one is alone."""
    free = [rows[0], *takewhile(lambda row: str(row.id) not in firsts, rows[1:])]
    lengths = accumulate(len(Line.read(row.payload).text) + 1 for row in free)
    return max(1, len([*takewhile(lambda length: length <= LONGEST_MESSAGE + 1, lengths)]))


def _key(rows: Sequence[Posting]) -> str:
    return ",".join(str(row.id) for row in rows)


def round_post(rounds: Sequence[Posting]) -> Post:
    """A post of the table at the start of a round, the last of several."""
    text = f"{strong(RoundBegun.read(rounds[-1].payload).name)}: the table."
    return Post(ROUND, text, _key(rounds), pictures=(whole_table(rounds[-1].id),), rows=rounds)


# --- turns -----------------------------------------------------------------------------------------------------------


def turn_posts(
    live: LiveGame, shown: messages.ShownTurns, waiting: WaitingRows, draft: PostDraft, settled: str = ""
) -> list[Post]:
    """The posts of the last shown turn, continued or ended, and of the current one.

    `settled` is what became of an offer between players, which keeps its words. An open turn message that
    has no post among these is deleted.
    """
    current = shown.turns[-1] if shown.turns else None
    continued = current and _continued(live, shown, waiting, draft, current)
    posts = [continued] if continued else _renewed(live, shown, waiting, draft, current, settled)
    # A crash came before the turn message could be closed that stood before the one that was noted.
    since = unshown(waiting.turns, shown.turns)
    before = end_of_offer([TurnChange.read(row.payload) for row in waiting.turns[: -len(since) or None]])
    over = [post for old in shown.turns[:-1] if (post := _left_over(live, shown, old, before)) is not None]
    if continued and waiting.rounds and over and not before:
        table, record = whole_table(waiting.rounds[-1].id), over[-1]
        over[-1] = replace(record, rows=waiting.rounds, pictures=(*(record.pictures or ()), table))
    return [*posts, *over]


def unshown(
    rows: Sequence[Posting | messages.StoredNotice], turns: Sequence[ShownMessage]
) -> list[TurnChange]:
    """Turn changes that the newest of these turn messages does not show."""
    newest = int(turns[-1].key or 0) if turns else 0
    return [TurnChange.read(row.payload) for row in rows if row.id > newest]


def _continued(
    live: LiveGame, shown: messages.ShownTurns, waiting: WaitingRows, draft: PostDraft, current: ShownMessage
) -> Post | None:
    """The turn continued in its post; None if a new one is needed."""
    record = TurnLog.of_message(live, shown.lines, current.message_id)
    changes = unshown(waiting.turns, shown.turns)
    begins = draft.pinged or (changes and (record.loud or any(change.passes for change in changes)))
    if live.game.over or begins or _lines_without_room(waiting.lines, record):
        return None
    # A turn is ticked off last: when no other is left open, and those who are new in it were looked for.
    is_last = len(shown.turns) == 1 and not waiting.newly_on_turn
    rows = [*waiting.lines, *waiting.turns] if is_last else waiting.lines
    return turn_post(record, draft, current, _key(waiting.turns[-1:]), rows)


def turn_post(
    record: TurnLog, draft: PostDraft, current: ShownMessage, key: str, rows: Sequence[Posting] = ()
) -> Post | None:
    """A turn's post with lines and players on turn; None if there is no room for both."""
    whole = record.with_turn_text(draft.text)
    pictures = for_sale(draft.sale) or close_up(record.pictured, record.hexes)
    return None if whole is None else Post(TURN, whole, key, draft.view, None, pictures, current, rows)


def ended_turn_post(
    record: TurnLog, shown_message: ShownMessage, rows: Sequence[Posting] = (), *more: Picture
) -> Post:
    """The post of an ended turn: lines, the map if changed, and the table if a round began."""
    pictures = (
        *close_up(record.pictured, record.hexes),
        *(more or map(Picture, names_of(shown_message, TABLE))),
    )
    return Post(LINE, record.text, shown_message.key, pictures=pictures, message=shown_message, rows=rows)


def _renewed(
    live: LiveGame,
    shown: messages.ShownTurns,
    waiting: WaitingRows,
    draft: PostDraft,
    old: ShownMessage | None,
    settled: str,
) -> list[Post]:
    """The turn in a new post, or none after the game; the old one keeps its lines.

    The lines of the end of an offer are the first of the turn that follows.
    """
    number = None if old is None else old.message_id
    aside = leading(shown.lines)
    record = TurnLog.of_message(live, shown.lines if settled else aside, number)
    ended = TurnLog.of_message(live, [row for row in shown.lines if row not in aside], number)
    whole = record.with_turn_text(draft.text) if not live.game.over and (settled or record.new) else None
    kept = old if ended.text and not settled else None
    left = _lines_without_room(waiting.lines, *([ended] if kept else []), *([record] if whole else []))
    posts, late, rounds = list[Post](), list[Post](), waiting.rounds
    if kept:
        lines = [row for row in waiting.lines if row.id in ended.new]
        table = [whole_table(rounds[-1].id)] if rounds else []
        # An edit that only adds the table need not be waited for.
        late = (
            [ended_turn_post(ended, kept, rounds, *table)]
            if rounds and kept.shows == ended_turn_post(ended, kept).shows
            else []
        )
        posts = [
            ended_turn_post(ended, kept, lines)
            if late
            else ended_turn_post(ended, kept, [*lines, *rounds], *table)
        ]
    elif rounds:
        posts = [round_post(rounds)]
    unsaid = [row for row in left if Line.read(row.payload).silent]
    posts += line_posts([row for row in left if row not in unsaid], waiting.begun)
    posts += [Post(LINE, "", rows=unsaid)] if unsaid else []
    if not live.game.over:
        begun = [row for row in waiting.lines if whole and row.id in record.new]
        post = Post(TURN, whole or draft.text, _key(waiting.turns[-1:]), draft.view, rows=begun)
        pictures = for_sale(draft.sale) or (close_up(record.pictured, record.hexes) if whole else ())
        users = tuple(player.user_id for player in draft.pinged)
        posts.append(replace(post, pictures=pictures, users=users, pinged=draft.pinged, silent=draft.silent))
    return [*posts, *late, *([_closed_proposal_post(old, settled)] if old and settled else [])]


def _closed_proposal_post(shown_message: ShownMessage, settled: str) -> Post:
    """A closed proposal between players, without buttons, with its outcome."""
    return Post(
        LINE, None, shown_message.key, None, (discord.Embed(description=settled),), None, shown_message
    )


def _left_over(
    live: LiveGame, shown: messages.ShownTurns, shown_message: ShownMessage, settled: str
) -> Post | None:
    if settled:
        return _closed_proposal_post(shown_message, settled)
    record = TurnLog.of_message(live, [row for row in shown.lines if not row.waits], shown_message.message_id)
    return ended_turn_post(record, shown_message) if record.text else None


def _lines_without_room(lines: Sequence[Posting], *records: TurnLog) -> list[Posting]:
    """Lines for which their turns' posts have no room."""
    shown = {number for record in records for number in record.new}
    return [row for row in lines if row.id not in shown]


def struck_posts(
    live: LiveGame, rows: Sequence[messages.StoredNotice], turns: Sequence[ShownMessage]
) -> list[Post]:
    """Earlier posts whose lines an undo strikes out."""
    open_turns, texts = {turn.message_id for turn in turns}, dict[int, list[str]]()
    for row in rows:
        if row.message_id is not None and row.message_id not in open_turns:
            texts.setdefault(row.message_id, []).append(line_text(Line.read(row.payload)))
    posts = []
    for number, plain in sorted(texts.items())[-STRUCK:]:
        struck = [struck_text(live, text) for text in plain]
        if struck != plain and len("\n".join(plain)) <= LONGEST_MESSAGE:
            at = ShownMessage(
                0, live.id, LINE, "", number, "", "[]", ""
            )  # lines are known by their message alone
            posts.append(Post(LINE, shortest(struck, plain), pictures=None, message=at))
    return posts
