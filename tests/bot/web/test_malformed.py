"""Input that makes no sense is refused with a sentence, wherever it comes in, and is no incident."""

import asyncio
import gzip
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pytest

from bot.table.rate_limits import RateLimiter
from bot.web.context import LoginSecret
from bot.web.entry.access import COOKIE
from tests.bot.support.table_service import ANN, TableService
from tests.bot.web.visitors import OWN, Browser, Site

NO_NUMBERS: Final[tuple[object, ...]] = (2**63, -(2**63), -1, 1e400, [], {}, "", False)
POSTS: Final = ("walk", "play", "undo", "redo", "answer", "whatif", "whatif/walk", "orders")
BOARD: Final = (
    *(
        "position?at={}",
        "position?theme={}",
        "position?have={}",
        "position?market={}",
        "history?at={}",
        "hex/{}",
    ),
    *("hex/A1?theme={}", "routes/{}", "routes/B&O?have={}", "offers?as={}", "offers?as=moderator&player={}"),
    *("orders?x={}", "{}"),
)
GETS: Final = (
    *(f"/board/{{game}}/{path}" for path in BOARD),
    *("/board/{}", "/board/{}/position", "/board/{game}~{}", "/board/open/{}", "/board/static/{}"),
    *("/board/login/{}", "/board/login/back?state={}&code={}"),
)
HEADERS: Final = (
    *("Accept-Encoding", "Content-Type", "Content-Encoding", "Expect", "If-None-Match", "Origin", "Range"),
    *("Sec-Fetch-Site", "User-Agent", "X-Forwarded-For"),
)
TEXTS: Final = ("key", "capacity", "move", "theme", "have", "market", "choice", "what", "private", "then")
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
    """Send bytes as they are, and read the answer."""
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


async def posted(site: Site, body: bytes, status: int, **headers: str) -> None:
    """A player sends this everywhere where something may be sent; each time it is refused."""
    game = await site.service.game()
    browser = await site.browser(game, ANN)
    common = {**OWN, "Cookie": f"{COOKIE}={browser.secret}", "Content-Type": "application/json"}
    for path in POSTS:
        length = {"Content-Length": str(len(body))}
        reply = await sent(
            site, request("POST", f"/board/{game}/{path}", {**common, **length, **headers}, body)
        )
        assert (reply.status, reply.sentence.endswith(".")) == (status, True), (path, reply)


@pytest.fixture(autouse=True)
def _no_incident(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def no_incident(caplog: pytest.LogCaptureFixture) -> bool:
    """Nothing was logged as an error, or with a traceback."""
    return not [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info]


SENSELESS: Final[tuple[Mapping[str, object], ...]] = (
    *({name: value} for name in ("seq", "most", "to", "number") for value in NO_NUMBERS),
    *({name: "\ud800"} for name in TEXTS),
    {"key": "\0"}, {"picks": 5}, {"picks": [5]}, {"picks": ["\ud800"]}, {"bids": [5]}, {"bids": {"CV": BIG}},
    {"bids": {"\ud800": 5}}, {"bids": {"CV": True}}, {"tried": 5}, {"tried": [5]}, {"tried": [{"key": 5}]},
    {"tried": [{"move": "\ud800"}]},
)  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"[" * 8_000, id="nested and not closed"),
        pytest.param(b'{"seq": 1, "picks": ' + b"[" * 7_000 + b"]" * 7_000 + b"}", id="nested"),
        pytest.param(b'{"seq": 1, "key": "\xff\xfe"}', id="no UTF-8"),
        pytest.param('{"seq": 1}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b'{"seq": %s}' % (b"9" * 5_001), id="5001 digits"),
        *(pytest.param(json.dumps({"seq": 1, **sent}).encode(), id=json.dumps(sent)) for sent in SENSELESS),
    ],
)
async def test_senseless_body_is_refused(site: Site, body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    await posted(site, body, 400)
    assert no_incident(caplog)


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Type": "application/json; charset=foo"}, b'{"seq": 1}', 415),
        ({"Content-Type": "application/json; charset=base64"}, b'{"seq": 1}', 415),
        ({"Content-Type": "text/plain"}, b'{"seq": 1}', 415),
        ({"Content-Encoding": "gzip"}, b'{"seq": 1}', 415),
        ({"Content-Encoding": "gzip"}, gzip.compress(b"{}", mtime=0), 415),
        ({"Content-Encoding": "deflate"}, b'{"seq": 1}', 415),
        ({"Content-Encoding": "br"}, b'{"seq": 1}', 415),
        ({}, b"[" * 20_000, 413),
    ],
    ids=range(8),
)
async def test_body_of_another_kind_is_refused(
    site: Site, headers: dict[str, str], body: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    await posted(site, body, status, **headers)
    assert no_incident(caplog)


@pytest.mark.parametrize(
    "part",
    [
        *(b"%ED%A0%80", b"%FF", b"%00", b"%", b"%zz", b"%D9%A1", b"..", b"-1", b"0", b"1e9", b"x" * 5_000),
        *(b"9" * 10, b"9" * 5_001, str(BIG).encode(), b"\xff", b"\xed\xa0\x80", b"\xc3\xa9"),
    ],
)
async def test_senseless_address_is_refused(
    service: TableService, part: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with Site.open_on(service, secret=LoginSecret(7, "quiet", "http://127.0.0.1:1")) as site:
        game = await service.game()
        browser = await site.browser(game, ANN)
        for path in GETS:
            wanted = path.replace("{game}", str(game)).encode().replace(b"{}", part)
            reply = await sent(site, request("GET", wanted, {"Cookie": f"{COOKIE}={browser.secret}"}))
            assert reply.status in SENTENCES, (path, reply)
    assert no_incident(caplog)


@pytest.mark.parametrize(
    "text", [b"\xff", b"\xed\xa0\x80", b"%ED%A0%80", b"x" * 5_000, b"9" * 5_001, b",", b"="]
)
async def test_senseless_headers_are_no_incident(
    site: Site, game: int, ann: Browser, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    secret = ann.secret
    for name in HEADERS:
        headers: dict[str, str | bytes] = {"Cookie": f"{COOKIE}={secret}", name: text}
        reply = await sent(site, request("GET", f"/board/{game}/position", headers))
        assert reply.status in {200, 400, 417}, (name, reply)
    for name in (COOKIE, "stationmaster_waiting"):
        reply = await sent(
            site, request("GET", f"/board/{game}/position", {"Cookie": b"%s=%s" % (name.encode(), text)})
        )
        assert (reply.status, "Press Board" in reply.sentence) == (401, True)
    assert no_incident(caplog)


@pytest.mark.parametrize(
    "data",
    [
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
    ],
    ids=range(10),
)
async def test_no_http_is_refused(site: Site, data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    reply = await sent(site, data)
    assert (reply.status, reply.sentence) == (400, "That is no request of a browser.")
    assert no_incident(caplog)


@pytest.mark.parametrize("ending", [b"", b"zz\r\n", b"5\r\n{\r\n"])
async def test_broken_off_body_is_no_incident(
    site: Site, game: int, ann: Browser, ending: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    cookie = f"{COOKIE}={ann.secret}"
    headers = {**OWN, "Cookie": cookie, "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    _, writer = await asyncio.open_connection("127.0.0.1", int(site.url.rpartition(":")[2]))
    writer.write(request("POST", f"/board/{game}/play", dict(headers), ending))
    await writer.drain()
    assert (await site.stranger(game).get("/position")).status == 401, "meanwhile"
    writer.close()
    await writer.wait_closed()
    assert (await site.stranger(game).get("/position")).status == 401
    assert no_incident(caplog)


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
