"""18xx.games has no 18C2C."""

import pytest

from engine.core.errors import Unreadable
from tests.engine.interchange.test_written_logs import golden, log_of


@pytest.mark.parametrize("title", ["18c2c-bank-3p", "18c2c_full-bank-2p"])
def test_a_title_that_site_does_not_have_is_named(title: str) -> None:
    with pytest.raises(Unreadable) as refused:
        log_of(golden(title))
    assert refused.value.reason.name == "log.title_not_there"
