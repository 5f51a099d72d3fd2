"""Automatic refusals."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import message_limits
from bot.sandbox.component_limits import check_components, check_modal
from bot.sandbox.guild.mentions import read_mentions
from bot.sandbox.guild.registered_commands import check_commands
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Refusal

ANN, BOB = 100_000_000_000_000_011, 100_000_000_000_000_012


def button(ident: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "A", "custom_id": ident, **more}


def row(*inside: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inside)}


def menu(count: int, **more: Any) -> dict[str, Any]:
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "menu", "options": options, **more}


def text_input(**more: Any) -> dict[str, Any]:
    return {"type": 4, "style": 1, "custom_id": "in", "label": "In", **more}


@pytest.mark.parametrize(
    "components",
    [
        [row(button(str(n))) for n in range(6)],
        [row(*(button(str(n)) for n in range(6)))],
        [row()],
        [button()],
        [row(button("x" * 101))],
        [row(button(label="x" * 81))],
        [row(button(label=""))],
        [row(button(style=9))],
        [row(button("same")), row(button("same"))],
        [row({"type": 2, "style": 5, "label": "link"})],
        [row(menu(26))],
        [row(menu(0))],
        [row(menu(2, max_values=3))],
        [row(menu(2, placeholder="x" * 151))],
        [row(menu(2), button())],
        [
            row(
                {
                    "type": 3,
                    "custom_id": "m",
                    "options": [{"label": "a", "value": "1"}, {"label": "b", "value": "1"}],
                }
            )
        ],
        [row({"type": 3, "custom_id": "m", "options": [{"label": "x" * 101, "value": "1"}]})],
        [{"type": 10, "content": "text is no row"}],
    ],
)
def test_components_refused(components: list[dict[str, Any]]) -> None:
    with pytest.raises(Refusal) as refused:
        check_components(components)
    assert refused.value.code == 50035


def test_components_accepted() -> None:
    rows = [row(*(button(f"{r}.{n}") for n in range(5))) for r in range(4)]
    check_components([*rows, row(menu(25, max_values=25))])


@pytest.mark.parametrize(
    "modal",
    [
        {"title": "x" * 46, "custom_id": "m", "components": [row(text_input())]},
        {"title": "", "custom_id": "m", "components": [row(text_input())]},
        {"title": "t", "custom_id": "m", "components": []},
        {"title": "t", "custom_id": "m", "components": [row(text_input(custom_id=str(n))) for n in range(6)]},
        {"title": "t", "custom_id": "m", "components": [row(text_input(label="x" * 46))]},
        {"title": "t", "custom_id": "m", "components": [row(text_input(max_length=4001))]},
        {"title": "t", "custom_id": "m", "components": [row(text_input()), row(text_input())]},
        {"title": "t", "custom_id": "x" * 101, "components": [row(text_input())]},
    ],
)
def test_modals_refused(modal: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        check_modal(modal)


@pytest.mark.parametrize(
    "embed",
    [
        {"title": "x" * 257},
        {"description": "x" * 4097},
        {"footer": {"text": "x" * 2049}},
        {"author": {"name": "x" * 257}},
        {"fields": [{"name": "n", "value": "v"}] * 26},
        {"fields": [{"name": "n", "value": "x" * 1025}]},
        {"fields": [{"name": "", "value": "v"}]},
        {"image": {"url": "file:///etc/hosts"}},
        {"image": {"url": "attachment://other.png"}},
    ],
)
def test_embeds_refused(embed: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        message_limits.check_embeds([embed], {"map.png"})


def test_eleven_files_and_eleven_embeds_are_refused() -> None:
    with pytest.raises(Refusal):
        message_limits.check_uploads([Upload("a.png", b"")] * 11)
    with pytest.raises(Refusal):
        message_limits.check_embeds([{"title": "t"}] * 11, set())
    message_limits.check_embeds([{"image": {"url": "attachment://map.png"}}] * 10, {"map.png"})


def command(**more: Any) -> dict[str, Any]:
    return {"name": "lay", "description": "Lay a tile", **more}


def option(name: str = "hex", **more: Any) -> dict[str, Any]:
    return {"type": 3, "name": name, "description": "d", **more}


@pytest.mark.parametrize(
    "commands",
    [
        [command(name="Lay")],
        [command(name="x" * 33)],
        [command(name="lay tile")],
        [command(description="")],
        [command(description="x" * 101)],
        [command(), command()],
        [command(name=f"c{n}") for n in range(101)],
        [command(options=[option(f"o{n}") for n in range(26)])],
        [command(options=[option(), option()])],
        [command(options=[option("a"), option("b", required=True)])],
        [command(options=[option(choices=[{"name": "a", "value": "a"}] * 26)])],
        [command(options=[option(choices=[{"name": "x" * 101, "value": "a"}])])],
        [command(options=[option(choices=[{"name": "a", "value": "a"}], autocomplete=True)])],
        [command(options=[option(), {"type": 1, "name": "sub", "description": "d"}])],
        [command(options=[{"type": 2, "name": "g", "description": "d", "options": [
            {"type": 2, "name": "h", "description": "d", "options": []}]}])],
        [command(options=[option(f"o{n}", description="x" * 100, choices=[
            {"name": f"{c}" * 50, "value": f"{c}" * 50} for c in range(4)]) for n in range(20)])],
    ],
)  # fmt: skip
def test_commands_refused(commands: list[dict[str, Any]]) -> None:
    with pytest.raises(Refusal) as refused:
        check_commands(commands)
    assert refused.value.code == 50035


def test_commands_accepted() -> None:
    sub = {"type": 1, "name": "new", "description": "d", "options": [option(required=True), option("b")]}
    group = {"type": 2, "name": "seats", "description": "d", "options": [sub]}
    check_commands([command(options=[sub, group]), command(name="pass")])


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, (ANN, BOB)),
        ({"parse": []}, ()),
        ({"parse": ["users"]}, (ANN, BOB)),
        ({"parse": [], "users": [str(BOB)]}, (BOB,)),
        ({"parse": ["users"], "users": []}, (ANN, BOB)),
    ],
)
def test_allowed_mentions(allowed: dict[str, Any] | None, pinged: tuple[int, ...]) -> None:
    text = f"<@{ANN}> <@!{BOB}> <@{ANN}> <@100000000000000999> @everyone"
    mentioned = read_mentions(text, allowed, {ANN, BOB})
    assert mentioned.users == pinged
    assert mentioned.everyone == (allowed is None)


def test_allowed_mentions_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(Refusal):
        read_mentions("", {"parse": ["users"], "users": [str(ANN)]}, {ANN})


def test_suggestions_follow_the_type_of_the_option() -> None:
    message_limits.check_choices([{"name": "one", "value": 1}], 4)
    with pytest.raises(Refusal):
        message_limits.check_choices([{"name": "one", "value": "1"}], 4)
    with pytest.raises(Refusal):
        message_limits.check_choices([{"name": "one", "value": "x" * 101}], 3)
