"""Discord's own description of its API (OpenAPI): whether a request, or an answer to it, is as it says.

The description is no part of this repository; where it is not at hand nothing is held against it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import jsonschema_rs
from jsonschema_rs import ValidationError, ValidationErrorKind

DESCRIPTION: Final = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"
"""Where it is found, beside the checkout."""
URI: Final = "urn:discord"
UNDESCRIBED: Final[Mapping[str, str]] = {
    "POST /channels/{channel_id}/threads?use_nested_fields": "asks for the form of body that the description has",
}
MEDIA: Final = {"title": "GUILD_MEDIA", "const": 16}
"""A type of channels that Discord's documentation has ("Channel Types"), and the description does not yet."""
FORM_ERROR: Final = {
    "type": "object",
    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    "required": ["code", "message"],
}
JSON: Final = "application/json"
SHOWN: Final = 300
"""Characters that are shown of what a description says."""
Json = dict[str, Any]


class Route(NamedTuple):
    """A method and a path of the description, such as `GET /channels/{channel_id}`."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Description:
    """All routes, and validators that are compiled once for each part of a route."""

    def __init__(self, document: Json) -> None:
        self._document = document
        # Paths with fewer parameters go first: `/users/@me` is no `/users/{user_id}`.
        paths = sorted(document["paths"], key=lambda path: (path.count("{"), path))
        self._paths = [(path, _pattern(path)) for path in paths]
        self._registry = jsonschema_rs.Registry([(URI, document)])
        self._route = cache(self._sought)
        self._query = cache(self._wrong_query)
        self._validator = cache(self._compiled)

    def route(self, method: str, path: str) -> Route | None:
        """The route of a request to this path behind `/api/v10`; None where the description has none."""
        return self._route(method, re.sub(r"\d{5,}", "1", path))

    def _sought(self, method: str, path: str) -> Route | None:
        for known, pattern in self._paths:
            if pattern.fullmatch(path) and method.lower() in self._document["paths"][known]:
                return Route(method, known)
        return None

    def wrong_body(self, route: Route, body: object) -> Iterator[str]:
        described = self._at(_place(route)).get("requestBody")
        if described is None:
            if body:
                yield f"{route}: the request has a body, and the description has none"
            return
        described, where = self._resolved(described, (*_place(route), "requestBody"))
        if body is not None:
            yield from self._wrong(f"{route}: body", (*where, "content", JSON, "schema"), body)
        elif described.get("required"):
            yield f"{route}: the request has no body, and the description requires one"

    def wrong_query(self, route: Route, query: Mapping[str, str]) -> tuple[str, ...]:
        return self._query(route, tuple(query.items()))

    def _wrong_query(self, route: Route, query: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        known, found = self._queries(route), list[str]()
        for name, text in query:
            if f"{route}?{name}" in UNDESCRIBED:
                continue
            if name not in known:
                found.append(f"{route}: query {name}: the description has no such parameter")
                continue
            schema, _ = known[name]
            wrong = [[*self._wrong(f"{route}: query {name}", schema, value)] for value in _read(text)]
            found += wrong[0] if all(wrong) else []
        missing = {name for name, (_, required) in known.items() if required} - dict(query).keys()
        return (*found, *(f"{route}: query {name}: the description requires it" for name in sorted(missing)))

    def _queries(self, route: Route) -> dict[str, tuple[tuple[str, ...], bool]]:
        """By the name of each parameter of the query where its schema stands, and whether it must be there."""
        place = _place(route)
        return {
            found["name"]: ((*owner, "parameters", str(number), "schema"), bool(found.get("required")))
            for owner in (place[:-1], place)
            for number, found in enumerate(self._at(owner).get("parameters", ()))
            if found["in"] == "query"
        }

    def wrong_answer(self, route: Route, status: int, content: bytes) -> Iterator[str]:
        responses = self._at(_place(route))["responses"]
        key = next((key for key in (str(status), f"{status // 100}XX") if key in responses), None)
        if key is None:
            if status < 500:
                yield f"{route}: status {status}: the description has {', '.join(responses)}"
            return
        described, where = self._resolved(responses[key], (*_place(route), "responses", key))
        what = f"{route}: answer {status}"
        if JSON in described.get("content", {}):
            answered = json.loads(content or b"null")
            yield from self._wrong(what, (*where, "content", JSON, "schema"), answered)
        elif content:
            yield f"{what}: it has a body, and the description has none"

    def _wrong(self, what: str, where: tuple[str, ...], value: object) -> Iterator[str]:
        for error in self._validator(where).iter_errors(value):
            cause = _cause(error)
            place = "".join(
                f"[{part}]" if isinstance(part, int) else f".{part}" for part in cause.instance_path
            )
            yield f"{what} at {place.lstrip('.') or 'its top'}: {cause.message[:SHOWN]}"

    def _compiled(self, where: tuple[str, ...]) -> jsonschema_rs.Validator:
        schema = {"$ref": f"{URI}#/{'/'.join(map(_escaped, where))}"}
        return jsonschema_rs.Draft202012Validator(schema, registry=self._registry)

    def _at(self, where: tuple[str, ...]) -> Any:
        found: Any = self._document
        for part in where:
            found = found[int(part)] if isinstance(found, list) else found[part]
        return found

    def _resolved(self, described: Json, where: tuple[str, ...]) -> tuple[Json, tuple[str, ...]]:
        while "$ref" in described:
            where = tuple(described["$ref"].removeprefix("#/").split("/"))
            described = self._at(where)
        return described, where


@cache
def description() -> Description | None:
    """The description, read once in a process; None where it is not at hand."""
    if not DESCRIPTION.exists():
        return None
    document = json.loads(DESCRIPTION.read_text("utf-8"))
    schemas = document["components"]["schemas"]
    schemas["ChannelTypes"]["oneOf"].append(MEDIA)
    schemas["InnerErrors"]["properties"]["_errors"]["items"] = FORM_ERROR
    return Description(document)


def ids_as_text(body: Any) -> Any:
    """A body with ids as text where discord.py sends numbers: of attachments, mentions, replies, direct messages and
    what is chosen in a menu.

    Discord takes both there.
    """
    if isinstance(body, list):
        return [ids_as_text(one) for one in body]
    if not isinstance(body, dict):
        return body
    found = {key: ids_as_text(value) for key, value in body.items()}
    if "recipient_id" in found:
        found["recipient_id"] = _text(found["recipient_id"])
    if isinstance(mentions := found.get("allowed_mentions"), dict):
        lists = {key: [*map(_text, mentions[key])] for key in ("users", "roles") if key in mentions}
        found["allowed_mentions"] = {**mentions, **lists}
    if isinstance(reference := found.get("message_reference"), dict):
        found["message_reference"] = {
            key: _text(value) if key.endswith("_id") else value for key, value in reference.items()
        }
    for one in attachments if isinstance(attachments := found.get("attachments"), list) else ():
        if isinstance(one, dict) and "id" in one:
            one["id"] = _text(one["id"])
    for one in defaults if isinstance(defaults := found.get("default_values"), list) else ():
        one["id"] = _text(one["id"])
    return found


def _text(value: Any) -> Any:
    return str(value) if type(value) is int else value


def _read(text: str) -> Iterator[str | int | bool]:
    """All that a text in a query may stand for; what it most likely does comes first."""
    if text.lower() in ("true", "false", "1", "0"):
        yield text.lower() in ("true", "1")
    if re.fullmatch(r"-?\d+", text):
        yield int(text)
    yield text


def _place(route: Route) -> tuple[str, ...]:
    return "paths", route.path, route.method.lower()


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(
        "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", path))
    )


def _escaped(part: str) -> str:
    """A part of a pointer into JSON, in an address."""
    return (
        part.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D").replace("@", "%40")
    )


def _cause(error: ValidationError) -> ValidationError:
    """The mistake in the form that a value comes closest to."""
    kind = error.kind
    if not isinstance(kind, ValidationErrorKind.AnyOf | ValidationErrorKind.OneOfNotValid):
        return error
    branches = [[_cause(one) for one in branch] for branch in kind.context if branch]
    if not branches:
        return error
    nearest = max(branches, key=lambda branch: (min(len(one.instance_path) for one in branch), -len(branch)))
    return nearest[0]
