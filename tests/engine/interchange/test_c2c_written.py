"""18xx.games does not offer 18C2C."""

import pytest

from engine.core.actions import build_action
from engine.core.errors import Unreadable
from engine.interchange.exporter import Exporter
from tests.engine.interchange.test_written_logs import written
from tests.golden.positions import golden
from tests.titles.builders import new_game


@pytest.mark.parametrize("title", ["18c2c-bank-3p", "18c2c_full-bank-2p"])
def test_title_that_site_does_not_have(title: str) -> None:
    with pytest.raises(Unreadable) as refused:
        written(golden(title))
    assert refused.value.reason.name == "log.title_not_there"


def test_kind_of_action_that_no_log_has() -> None:
    with pytest.raises(Unreadable) as refused:
        Exporter(new_game(3, title="18c2c")).write_action(
            build_action("remove_private", "a", "a", private="KTC")
        )
    assert refused.value.reason.name == "log.not_in_logs"
