"""Storage of the sandbox's state: a file with one line of JSON for each change, and a folder of attachments.

Lines are only appended while the sandbox runs. A killed process therefore loses at most the line being written.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from bot.sandbox.model import Channel, Guild, Message
from bot.sandbox.refusal import Json

RecordKey = tuple[str, str]
RecordValue = Json | Message | Channel | Guild | None


class MemoryStore:
    """Storage in memory, which is lost when the process ends."""

    def __init__(self) -> None:
        self._file_bytes: dict[int, bytes] = {}

    def load(self) -> dict[RecordKey, Json]:
        """Return all stored records by (kind, id)."""
        return {}

    def put(self, kind: str, object_id: int | str, value: RecordValue) -> None:
        """Store a record by kind and id; None deletes it."""

    def put_file(self, attachment_id: int, data: bytes) -> None:
        """Store an attachment's bytes."""
        self._file_bytes[attachment_id] = data

    def read_file(self, attachment_id: int) -> bytes | None:
        """Return an attachment's bytes; None if they are not stored."""
        return self._file_bytes.get(attachment_id)

    def drop_file(self, attachment_id: int) -> None:
        """Delete an attachment's bytes."""
        self._file_bytes.pop(attachment_id, None)


class Journal(MemoryStore):
    """Storage in a file of JSON lines, with attachments in a folder next to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files_folder = path.with_name(path.name + ".files")
        self._files_folder.mkdir(parents=True, exist_ok=True)

    def load(self) -> dict[RecordKey, Json]:
        """Read all lines, and rewrite the file so that each record has only one line."""
        records: dict[RecordKey, Json] = {}
        lines = self._path.read_text("utf-8").split("\n") if self._path.exists() else []
        for number, line in enumerate(lines):
            if not line:
                continue
            try:
                kind, object_id, value = json.loads(line)
            except ValueError:
                if number == len(lines) - 1:  # cut off by a kill, so this change was never made
                    break
                raise
            if value is None:
                records.pop((kind, object_id), None)
            else:
                records[kind, object_id] = value
        compacted_path = self._path.with_name(self._path.name + ".new")
        compacted_path.write_text(
            "".join(json.dumps([*key, value]) + "\n" for key, value in records.items()), "utf-8"
        )
        compacted_path.replace(self._path)
        return records

    def put(self, kind: str, object_id: int | str, value: RecordValue) -> None:
        record = asdict(value) if isinstance(value, Message | Channel | Guild) else value
        with self._path.open("a", encoding="utf-8") as journal:
            journal.write(json.dumps([kind, str(object_id), record]) + "\n")

    def put_file(self, attachment_id: int, data: bytes) -> None:
        (self._files_folder / str(attachment_id)).write_bytes(data)

    def read_file(self, attachment_id: int) -> bytes | None:
        path = self._files_folder / str(attachment_id)
        return path.read_bytes() if path.exists() else None

    def drop_file(self, attachment_id: int) -> None:
        (self._files_folder / str(attachment_id)).unlink(missing_ok=True)
