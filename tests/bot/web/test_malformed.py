"""Input that makes no sense is refused with a sentence, wherever it comes in, and is no incident."""

import asyncio
import gzip
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import pytest

from bot.table.rate_limits import RateLimiter
from bot.web.context import OAuthClient
from bot.web.entry.access import SESSION_COOKIE
from tests.bot.support.table_service import ANN, TableService
from tests.bot.web.visitors import OWN, Browser, Site

NO_NUMBERS: Final[tuple[object, ...]] = (2**63, -(2**63), -1, 1e400, [], {}, "", False)
POSTS: Final = ("walk", "play", "undo", "redo", "answer", "whatif", "whatif/walk", "orders")
BOARD: Final = (
    *(
        "position?at={}",
        "position?theme={}",
        "position?map_id={}",
        "position?market_id={}",
        "history?at={}",
        "hex/{}",
    ),
    *(
        "hex/A1?theme={}",
        "routes/{}",
        "routes/B&O?map_id={}",
        "offers?as={}",
        "offers?as=moderator&player={}",
    ),
    *(
        "orders?x={}",
        "plan?plan={}",
        "plan?company={}",
        "plan/{}",
        "plan/J2?plan={}",
        "routes/B&O?trains={}",
        "{}",
    ),
)
GETS: Final = (
    *(f"/board/{{game}}/{path}" for path in BOARD),
    *("/board/{}", "/board/{}/position", "/board/{game}~{}", "/board/open/{}", "/board/static/{}"),
    *("/board/result/{}", "/board/{game}/film?x={}", "/board/{game}/share?x={}", "/board/{game}/result?x={}"),
    *("/board/login/{}", "/board/login/back?state={}&code={}"),
    *("/server/{}", "/server/{}/map/1", "/server/1/board/{}", "/server/open/{}", "/server/login/{}"),
    *("/event/{}", "/event/{}.csv", "/event/{}/board/1", "/event/open/{}", "/event/login/{}"),
)
HEADERS: Final = (
    *("Accept-Encoding", "Content-Type", "Content-Encoding", "Expect", "If-None-Match", "Origin", "Range"),
    *("Sec-Fetch-Site", "User-Agent", "X-Forwarded-For"),
)
TEXTS: Final = (
    *("offer_key", "acting_as", "move_key", "theme", "map_id", "market_id", "choice", "order_details"),
    *("session_id", "private", "when_outbid"),
)
BIG: Final = 2**63
SENTENCES: Final = {200, 303, 400, 401, 403, 404, 413, 415, 417, 422}
"""No incident, and nothing that the server could not do."""


@dataclass
class Reply:
    """What came back over the wire."""

    status: int
    head: str
    body: bytes

    @property
    def sentence(self) -> str:
        return str(json.loads(self.body)["error"]) if "application/json" in self.head else self.body.decode()


async def sent(site: Site, data: bytes) -> Reply:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(site.url.rpartition(":")[2]))
    writer.write(data)
    async with asyncio.timeout(20):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        body = await reader.read()
    writer.close()
    return Reply(int(head.split()[1]), head, body)


def request(method: str, path: str | bytes, headers: dict[str, str | bytes], body: bytes = b"") -> bytes:
    """A request; text in it may hold bytes that are no text."""
    lines = {"Host": "board.test", "Connection": "close", **headers}
    written = b"".join(b"%s: %s\r\n" % (name.encode(), _bytes(text)) for name, text in lines.items())
    return b"%s %s HTTP/1.1\r\n%s\r\n%s" % (method.encode(), _bytes(path), written, body)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


async def posted(site: Site, ann: Browser, body: bytes, status: int, **headers: str) -> None:
    """A player sends this everywhere where something may be sent; each time it is refused."""
    common = {**OWN, "Cookie": f"{SESSION_COOKIE}={ann.secret}", "Content-Type": "application/json"}
    for path in POSTS:
        length = {"Content-Length": str(len(body))}
        reply = await sent(
            site, request("POST", f"/board/{ann.game}/{path}", {**common, **length, **headers}, body)
        )
        assert (reply.status, reply.sentence.endswith(".")) == (status, True), (path, body[:200], reply)


@pytest.fixture(autouse=True)
def no_incident(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is logged as an error, or with a traceback."""
    caplog.set_level(logging.INFO)
    yield
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info]


SENSELESS: Final[tuple[Mapping[str, object], ...]] = (
    *({name: value} for name in ("seq", "max_bid", "target_seq", "proposal_number") for value in NO_NUMBERS),
    *({name: "\ud800"} for name in TEXTS), {"seq": "1"}, {"seq": True}, {"seq": None},
    {"picks": ["x" * 3000]}, {"picks": "no list"}, {"picks": ["x"] * 40},
    {"offer_key": "\0"}, {"picks": 5}, {"picks": [5]}, {"picks": ["\ud800"]}, {"bids": [5]}, {"bids": {"CV": BIG}},
    {"bids": {"\ud800": 5}}, {"bids": {"CV": True}}, {"tried_moves": 5}, {"tried_moves": [5]},
    {"tried_moves": [{"offer_key": 5}]}, {"tried_moves": [{"move_key": "\ud800"}]},
)  # fmt: skip


BODIES: Final = (
    b"",
    b"[" * 8_000,
    b'{"seq": 1, "picks": ' + b"[" * 7_000 + b"]" * 7_000 + b"}",
    b'{"seq": 1, "offer_key": "\xff\xfe"}',
    '{"seq": 1}'.encode("utf-16"),
    b'{"seq": %s}' % (b"9" * 5_001),
    *(json.dumps({"seq": 1, **body}).encode() for body in SENSELESS),
)


async def test_senseless_bodies_are_refused(site: Site, ann: Browser) -> None:
    for body in BODIES:
        await posted(site, ann, body, 400)


async def test_bodies_of_another_kind_are_refused(site: Site, ann: Browser) -> None:
    for kind in ("application/json; charset=foo", "application/json; charset=base64", "text/plain"):
        await posted(site, ann, b'{"seq": 1}', 415, **{"Content-Type": kind})
    for encoding, body in (
        *((encoding, b'{"seq": 1}') for encoding in ("gzip", "deflate", "br")),
        ("gzip", gzip.compress(b"{}", mtime=0)),
    ):
        await posted(site, ann, body, 415, **{"Content-Encoding": encoding})
    await posted(site, ann, b"[" * 20_000, 413)


PARTS: Final = (
    *(b"%ED%A0%80", b"%FF", b"%00", b"%", b"%zz", b"%D9%A1", b"..", b"-1", b"0", b"1e9", b"x" * 5_000),
    *(b"9" * 10, b"9" * 5_001, str(BIG).encode(), b"\xff", b"\xed\xa0\x80", b"\xc3\xa9"),
)


async def test_senseless_addresses_are_refused(service: TableService, game: int) -> None:
    async with Site.open_on(service, oauth_client=OAuthClient(7, "quiet", "http://127.0.0.1:1")) as site:
        cookie: dict[str, str | bytes] = {
            "Cookie": f"{SESSION_COOKIE}={(await site.browser(game, ANN)).secret}"
        }
        for part in PARTS:
            for path in GETS:
                wanted = path.replace("{game}", str(game)).encode().replace(b"{}", part)
                reply = await sent(site, request("GET", wanted, cookie))
                assert reply.status in SENTENCES, (path, part, reply)


async def test_senseless_headers_are_no_incident(site: Site, ann: Browser) -> None:
    path, own = f"/board/{ann.game}/position", f"{SESSION_COOKIE}={ann.secret}"
    for text in (b"\xff", b"\xed\xa0\x80", b"%ED%A0%80", b"x" * 5_000, b"9" * 5_001, b",", b"="):
        for name in HEADERS:
            reply = await sent(site, request("GET", path, {"Cookie": own, name: text}))
            assert reply.status in {200, 400, 417}, (name, reply)
        for name in (SESSION_COOKIE, "stationmaster_waiting"):
            reply = await sent(site, request("GET", path, {"Cookie": b"%s=%s" % (name.encode(), text)}))
            assert (reply.status, "Press Board" in reply.sentence) == (401, True)


NO_HTTP: Final = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/9\r\n\r\n",
    b"GET http://[::1/board HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
)


async def test_no_http_is_refused(site: Site) -> None:
    for data in NO_HTTP:
        reply = await sent(site, data)
        assert (reply.status, reply.sentence) == (400, "This is not a valid HTTP request."), data


async def test_broken_off_body_is_no_incident(site: Site, game: int, ann: Browser) -> None:
    cookie = f"{SESSION_COOKIE}={ann.secret}"
    headers = {**OWN, "Cookie": cookie, "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    for ending in (b"", b"zz\r\n", b"5\r\n{\r\n"):
        _, writer = await asyncio.open_connection("127.0.0.1", int(site.url.rpartition(":")[2]))
        writer.write(request("POST", f"/board/{game}/play", dict(headers), ending))
        await writer.drain()
        assert (await site.stranger(game).get("/position")).status == 401, "meanwhile"
        writer.close()
        await writer.wait_closed()
        assert (await site.stranger(game).get("/position")).status == 401


async def test_senseless_body_costs_a_move(service: TableService) -> None:
    async with Site.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as site:
        browser = await site.browser(await service.game(), ANN)
        found = [(await browser.post("/play", ["no move"])).status for _ in range(31)]
        assert (found[0], found[-1]) == (400, 429)


@pytest.mark.parametrize(
    ("proxies", "first", "second", "same"),
    [
        ("127.0.0.1", "2001:db8:0:1::5", "2001:db8:0:1:ffff::9", True),
        ("127.0.0.1", "2001:db8:0:1::5", "2001:db8:0:2::5", False),
        ("127.0.0.1", "::ffff:192.0.2.1", "192.0.2.1", True),
        ("127.0.0.1", "192.0.2.1", "192.0.2.2", False),
        ("127.0.0.1", "no address", "another one", True),
        ("10.0.0.0/8, ::1", "192.0.2.1", "192.0.2.2", True),
        # The last that the proxy has added counts; what the browser itself claims stands before it.
        ("127.0.0.1", "198.51.100.7, 203.0.113.9", "192.0.2.1, 203.0.113.9", True),
        ("127.0.0.1", "198.51.100.7, 203.0.113.9", "203.0.113.9, 192.0.2.1", False),
    ],
)
async def test_addresses_count_behind_a_proxy(
    service: TableService, proxies: str, first: str, second: str, same: bool
) -> None:
    async with Site.open_on(service, factor=1, proxies=proxies) as site:
        for _ in range(25):
            await site.stranger(1).ask("GET", "/board/open/x.0", {"X-Forwarded-For": first})
        again = await site.stranger(1).ask("GET", "/board/open/x.0", {"X-Forwarded-For": second})
        assert again.status == (429 if same else 403)
