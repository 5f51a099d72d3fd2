"""Display names: nobody's name is read as markup, and nobody is taken for somebody else."""

import pytest

from bot.table.player_names import computer_name, distinct_name, harmless_name, look_alike_key
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Ann", "Ann"),
        ("**Ann** <@1> `x`", "Ann 1 x"),
        ("@everyone", "everyone"),
        ("<@&99> <#12> <:x:3>", "&99 12 x 3"),
        ("[Ann](https://evil.example)", "Ann https evil.example"),
        ("discord.gg/abcdef", "discord.gg abcdef"),
        ("Ann\nBob's turn\r\n# Bank", "Ann Bob's turn Bank"),
        ("A\u200bn\u200d\u2060n\ufeff", "Ann"),
        ("A\ufe0fnn\u180b", "Ann"),
        ("\u202eevil\u2066\u200f", "evil"),
        ("Ann\u00a0\u3000B", "Ann B"),
        ("\u3164\u2800\u115f", "Player"),
        ("***", "Player"),
        ("", "Player"),
        ("- Ann", "Ann"),
        ("\uff08\uff12\uff09\uff20here", "2 here"),
        ("𝓐𝓷𝓷", "Ann"),
        ("Zoë Müller-Łódź", "Zoë Müller-Łódź"),
        ("안나", "안나"),
        ("a\u0301\u0302\u0303\u0304\u0305", "\u00e1\u0302\u0303"),
        ("\u0301\u0302\u0303Ann", "\u0301\u0302Ann"),
        ("Ａｎｎ", "Ann"),
        ("-# +Ann.", "Ann"),
    ],
)
def test_name_is_harmless(name: str, seen: str) -> None:
    assert harmless_name(name) == seen


def test_name_has_a_length() -> None:
    assert len(harmless_name("x" * 99)) == 32
    assert harmless_name(f"{'x' * 31} y") == "x" * 31


def test_harmless_name_stays() -> None:
    for name in ("Ann", "[Ann](https://evil.example)", "𝓐𝓷𝓷 ﬁ½", "x" * 99):
        assert harmless_name(harmless_name(name)) == harmless_name(name)


@pytest.mark.parametrize(
    "other", ["ann", "ÁNN", "A n n", "Аnn", "𝔄𝔫𝔫", "Ann\u200b", "Ann.", "ΑNN", "(Ann)", "@Ann"]
)
def test_lookalikes_are_numbered(other: str) -> None:
    assert look_alike_key(harmless_name(other)) == look_alike_key("Ann")
    assert distinct_name(other, ["Ann", "Bob"]) == f"{harmless_name(other)} (2)"


@pytest.mark.parametrize(
    ("name", "other"),
    [("Bill", "BilI"), ("Bill", "8i11"), ("modern", "modem"), ("Bob", "B0b"), ("Will", "VVill")],
)
def test_letters_and_digits_are_confused(name: str, other: str) -> None:
    assert distinct_name(other, [name]) == f"{other} (2)"


@pytest.mark.parametrize("other", ["Anna", "Bob", "Cy", "Nan", "안나"])
def test_other_names_stay(other: str) -> None:
    assert distinct_name(other, ["Ann"]) == other


def test_number_of_a_namesake_is_not_a_name() -> None:
    assert distinct_name("Ann", ["Ann", "Ann (2)"]) == "Ann (3)"
    assert distinct_name("Ann (2)", ["Ann", "Bob"]) == "Ann 2"


def test_computer_names_begin_differently() -> None:
    names = ["Lion", "ADLER"]
    for _ in range(12):
        names.append(computer_name("Superintendent", names))
    assert len({name[:8].casefold() for name in names}) == len(names)
    assert names[2:4] == ["Comet (Superintendent)", "Mogul (Superintendent)"]


async def test_namesakes_are_distinct_in_lines(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "**Аnn**"), (CY, "ann")))
    await service.lobbies.set_seat_order(game, ANN, (ANN, BOB, CY))
    await service.lobbies.start(game, ANN)
    async with service.tables.reading(game) as live:
        names = [seat.display_name for seat in live.seats]
        assert names == [name for _, name in live.game.players]
    assert names == ["Ann", "Аnn (2)", "ann (3)"]
    outcome = await service.pass_on(game)
    assert outcome.lines[0].startswith("**Ann** passes")
    outcome = await service.pass_on(game)
    assert outcome.lines[0].startswith("**Аnn (2)** passes")


async def test_name_loses_its_link(sandbox: SandboxBot) -> None:
    sandbox.world.user(sandbox.person("Dee").id).name = "[x](https://evil.example)"
    person = sandbox.person("[x](https://evil.example)")
    await person.slash("table", "game new", title="18chesapeake")
    assert "1. x https evil.example\n" in sandbox.lobby().content
