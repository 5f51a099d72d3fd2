"""Limits of components, modals, embeds, files, mentions and suggestions."""

from typing import Any

import pytest

from bot.sandbox import message_limits
from bot.sandbox.component_limits import check_components, check_modal
from bot.sandbox.guild.mentions import read_mentions
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json, Refusal

ANN, BOB = 100_000_000_000_000_011, 100_000_000_000_000_012


def button(object_id: str = "a", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "A", "custom_id": object_id, **more}


def row(*inside: Json) -> Json:
    return {"type": 1, "components": list(inside)}


def menu(*labels: str, values: str = "", **more: Any) -> Json:
    options = [{"label": label, "value": values or str(n)} for n, label in enumerate(labels)]
    return {"type": 3, "custom_id": "menu", "options": options, **more}


def picker(kind: int, *chosen: Json, **more: Any) -> Json:
    """A menu of roles (6) or channels (8)."""
    return {"type": kind, "custom_id": "menu", "default_values": [*chosen], **more}


def text_input(object_id: str = "in", **more: Any) -> Json:
    return {"type": 4, "style": 1, "custom_id": object_id, "label": "In", **more}


COMPONENTS: dict[str, list[Json]] = {
    "six rows": [row(button(str(n))) for n in range(6)],
    "six buttons in a row": [row(*(button(str(n)) for n in range(6)))],
    "an empty row": [row()],
    "a button outside of rows": [button()],
    "an id of 101": [row(button("x" * 101))],
    "a label of 81": [row(button(label="x" * 81))],
    "no label": [row(button(label=""))],
    "an unknown style": [row(button(style=9))],
    "an id twice": [row(button("same")), row(button("same"))],
    "a link to nowhere": [row({"type": 2, "style": 5, "label": "link"})],
    "26 options": [row(menu(*"abcdefghijklmnopqrstuvwxyz"))],
    "no options": [row(menu())],
    "more choices than options": [row(menu("a", "b", max_values=3))],
    "a placeholder of 151": [row(menu("a", "b", placeholder="x" * 151))],
    "a menu beside a button": [row(menu("a", "b"), button())],
    "a value twice": [row(menu("a", "b", values="1"))],
    "an option of 101": [row(menu("x" * 101))],
    "a menu of roles with options": [row(picker(6, options=[]))],
    "a role in a menu of channels": [row(picker(8, {"id": "1", "type": "role"}))],
    "two roles chosen of one": [row(picker(6, *({"id": id_, "type": "role"} for id_ in "12")))],
    "text in place of a row": [{"type": 10, "content": "text is no row"}],
}


@pytest.mark.parametrize("components", COMPONENTS.values(), ids=COMPONENTS)
def test_components_refused(components: list[Json]) -> None:
    with pytest.raises(Refusal) as refused:
        check_components(components)
    assert refused.value.code == 50035


def test_components_accepted() -> None:
    rows = [row(*(button(f"{r}.{n}") for n in range(5))) for r in range(4)]
    check_components([*rows, row(menu(*"abcdefghijklmnopqrstuvwxy", max_values=25))])


MODALS: dict[str, Json] = {
    "a title of 46": {"title": "x" * 46},
    "no title": {"title": ""},
    "no inputs": {"components": []},
    "six inputs": {"components": [row(text_input(str(n))) for n in range(6)]},
    "a label of 46": {"components": [row(text_input(label="x" * 46))]},
    "a text of 4001": {"components": [row(text_input(max_length=4001))]},
    "an id twice": {"components": [row(text_input()), row(text_input())]},
    "an id of 101": {"custom_id": "x" * 101},
}


@pytest.mark.parametrize("changes", MODALS.values(), ids=MODALS)
def test_modal_refused(changes: Json) -> None:
    sound: Json = {"title": "t", "custom_id": "m", "components": [row(text_input())]}
    check_modal(sound)
    with pytest.raises(Refusal):
        check_modal(sound | changes)


EMBEDS: tuple[Json, ...] = (
    {"title": "x" * 257},
    {"description": "x" * 4097},
    {"footer": {"text": "x" * 2049}},
    {"author": {"name": "x" * 257}},
    {"fields": [{"name": "n", "value": "v"}] * 26},
    {"fields": [{"name": "n", "value": "x" * 1025}]},
    {"fields": [{"name": "", "value": "v"}]},
    {"image": {"url": "file:///etc/hosts"}},
    {"image": {"url": "attachment://other.png"}},
)


@pytest.mark.parametrize("embed", EMBEDS)
def test_embed_refused(embed: Json) -> None:
    with pytest.raises(Refusal):
        message_limits.check_embeds([embed], {"map.png"})


def test_ten_files_and_ten_embeds() -> None:
    message_limits.check_uploads([Upload("a.png", b"")] * 10)
    message_limits.check_embeds([{"image": {"url": "attachment://map.png"}}] * 10, {"map.png"})
    with pytest.raises(Refusal):
        message_limits.check_uploads([Upload("a.png", b"")] * 11)
    with pytest.raises(Refusal):
        message_limits.check_embeds([{"title": "t"}] * 11, set())


MENTIONS: tuple[tuple[Json | None, tuple[int, ...]], ...] = (
    (None, (ANN, BOB)),
    ({"parse": []}, ()),
    ({"parse": ["users"]}, (ANN, BOB)),
    ({"parse": [], "users": [str(BOB)]}, (BOB,)),
    ({"parse": ["users"], "users": []}, (ANN, BOB)),
)


@pytest.mark.parametrize(("allowed", "pinged"), MENTIONS)
def test_allowed_mentions(allowed: Json | None, pinged: tuple[int, ...]) -> None:
    text = f"<@{ANN}> <@!{BOB}> <@{ANN}> <@100000000000000999> @everyone"
    mentioned = read_mentions(text, allowed, {ANN, BOB})
    assert (mentioned.users, mentioned.has_everyone) == (pinged, allowed is None)


ODD_MENTIONS: tuple[Json, ...] = (
    {"parse": ["people"]},
    {"parse": ["users"], "users": [str(ANN)]},
    {"parse": ["roles"], "roles": ["1"]},
    {"users": [str(number) for number in range(101)]},
    {"roles": [str(number) for number in range(101)]},
)


@pytest.mark.parametrize("allowed", ODD_MENTIONS)
def test_allowed_mentions_refused(allowed: Json) -> None:
    with pytest.raises(Refusal):
        read_mentions("", allowed, [ANN])


def test_suggestions_follow_the_type() -> None:
    message_limits.check_choices([{"name": "one", "value": 1}], 4)
    for value, kind in (("1", 4), ("x" * 101, 3)):
        with pytest.raises(Refusal):
            message_limits.check_choices([{"name": "one", "value": value}], kind)
