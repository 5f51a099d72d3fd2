"""What companies of a kind have in common stands once in a title's table."""

from importlib.resources import files
from pathlib import Path

import pytest

from engine.core.errors import TitleError
from engine.core.spec import CompanySpec
from engine.titles.title_files import load_title

TEMPLATE = files("engine.titles.template").joinpath("title.toml").read_text("utf-8")
MINOR = """
[companies.M]
name = "Minor"
colour = "#000000"
kind = "minor"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package, which a title of the test's own fills; named after the test."""
    folder = tmp_path / f"title_of_{tmp_path.name}"
    folder.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def companies(package: Path, more: str, variant: str = "") -> dict[str, CompanySpec]:
    """The companies of the template with more in its table, and of a variant of that."""
    (package / "__init__.py").touch()
    (package / "title.toml").write_text(TEMPLATE + more)
    (package / "variant.toml").write_text(variant)
    return load_title(package.name, "variant.toml" if variant else "").companies


def test_company_has_defaults_of_its_kind(package: Path) -> None:
    found = companies(package, f'[defaults.minor]\ntoken_prices = [0]\ncapital = "sales"\n{MINOR}')
    assert (found["M"].token_prices, found["M"].capital) == ((0,), "sales")
    assert (found["E&E"].token_prices, found["E&E"].capital) == ((0, 40), "float")


def test_own_keys_override_defaults(package: Path) -> None:
    shared = "[defaults.minor]\ntoken_prices = [0]\nobjective = { bonus = 100 }\n"
    found = companies(package, f'{shared}{MINOR}token_prices = [0, 20]\nobjective = {{ hex = "C3" }}\n')
    assert found["M"].token_prices == (0, 20)
    assert found["M"].objective is not None
    assert found["M"].objective.model_dump() == {"hex": "C3", "bonus": 100}


def test_variant_changes_defaults(package: Path) -> None:
    found = companies(package, "", "[defaults.public]\nfloat_percent = 50\n")
    assert {company.float_percent for company in found.values()} == {50}
    assert {company.token_prices for company in found.values()} == {(0, 40)}


@pytest.mark.parametrize(
    ("defaults", "said"),
    [("minr]\ntoken_prices = [0]", "the kinds are minor, public"), ("minor]\ntokns = [0]", "tokns")],
)
def test_misspelt_defaults_are_named(package: Path, defaults: str, said: str) -> None:
    with pytest.raises(TitleError, match=said):
        companies(package, f"[defaults.{defaults}\n{MINOR}token_prices = [0]\n")
