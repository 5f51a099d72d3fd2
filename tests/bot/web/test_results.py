"""Links to share a game: its film, and the result of an ended game with a preview, for everybody who has them."""

import pytest

from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.web.test_positions import recorded
from tests.bot.web.visitors import PUBLIC, Answer, Site

ENDED = 405
"""Moves of a recorded game of 18AL that is over then."""
NAME = "<i>Cy</i> & Co"


async def opened(site: Site, link: str) -> Answer:
    """What somebody gets who has only the link."""
    return await site.stranger(0).ask("GET", link.removeprefix(PUBLIC))


@pytest.mark.parametrize("moves", [ENDED - 1, ENDED], ids=["running", "ended"])
async def test_players_share_the_film(site: Site, moves: int) -> None:
    """Spectators have their link already."""
    game = await recorded(site, moves)
    link = (await (await site.browser(game, ANN)).get("/share")).json["film_url"]
    answer = await opened(site, link)
    if moves == ENDED:
        answer = await opened(site, answer.headers["Location"])
    assert (answer.status, answer.headers["Location"]) == (303, f"/board/{game}/film")
    assert (await (await site.browser(game, None)).get("/share")).status == 403


async def test_result_has_a_preview(site: Site) -> None:
    game = await recorded(site, ENDED, ((ANN, "Ann"), (BOB, "Bob"), (CY, NAME)))
    link = await site.links.result_url(game)
    page = (await opened(site, link)).body.decode()
    for part in (
        'property="og:title" content="18AL #1: &lt;i&gt;Cy&lt;/i&gt; &amp; Co wins with $4268"',
        f'property="og:image" content="{link}/scores.png"',
        "<li>&lt;i&gt;Cy&lt;/i&gt; &amp; Co wins, $277 ahead of Ann.</li>",
    ):
        assert part in page
    assert "<i>" not in page
    starts = {"scores.png": b"\x89PNG", "chart.svg": b"<svg ", "map.svg?theme=dark": b"<svg "}
    for name, start in starts.items():
        assert (await opened(site, f"{link}/{name}")).body.startswith(start)


async def test_result_is_for_its_link_alone(site: Site) -> None:
    game, running = await recorded(site, ENDED), await recorded(site, ENDED - 1)
    link = await site.links.result_url(game)
    for wrong in (link[:-1] + ("0" if link[-1] != "0" else "1"), await site.links.result_url(running)):
        for part in ("", "/scores.png", "/film", "/board"):
            assert (await opened(site, wrong + part)).status == 404
    assert "not over" in (await (await site.browser(running, ANN)).get("/result")).error
