"""Messages to and from a worker: a header as JSON, and arrays of numbers and bytes.

docs/worker-protocol.md of the repository describes them.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, Union

PROTOCOL = 1
"""The version of the protocol that this package speaks."""

_MAGIC = 0x44415247
_PREFIX = struct.Struct("<IIQ")
_TYPES: dict[str, tuple[Any, int]] = {"u8": ("B", 1), "u32": ("I", 4), "f32": ("f", 4), "f64": ("d", 8)}

assert array("I").itemsize == 4

Buffer = Union[bytes, bytearray, memoryview, "array[Any]"]


class Arrays:
    """The arrays of a message that is being put together."""

    def __init__(self) -> None:
        self.declared: list[dict[str, Any]] = []
        self.parts: list[Buffer] = []
        self.length = 0

    def add(self, kind: str, data: Buffer, count: int) -> int:
        """Adds an array and gives its number. `data` is what lies in memory: so many numbers of this kind."""
        size = count * _TYPES[kind][1]
        self.declared.append({"type": kind, "length": count})
        self.parts.append(data)
        padding = -size % 8
        if padding:
            self.parts.append(b"\0" * padding)
        self.length += size + padding
        return len(self.declared) - 1

    def bytes(self, data: bytes | bytearray | memoryview) -> int:
        """Adds bytes."""
        return self.add("u8", data, len(data))

    def doubles(self, values: array[float]) -> int:
        """Adds numbers of 64 bits."""
        return self.add("f64", values, len(values))

    def counts(self, values: array[int]) -> int:
        """Adds whole numbers from 0 to 2^32 - 1."""
        return self.add("u32", values, len(values))


def send(stream: BinaryIO, header: dict[str, Any], arrays: Arrays | None = None) -> None:
    """Writes a message."""
    declared = {} if arrays is None else {"arrays": arrays.declared}
    text = json.dumps({**header, **declared}, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    start = _PREFIX.pack(_MAGIC, len(text), 0 if arrays is None else arrays.length) + text
    if arrays is None or arrays.length < 1 << 16:
        stream.write(b"".join([start, *(bytes(part) for part in (arrays.parts if arrays else ()))]))
    else:
        stream.write(start)
        for part in arrays.parts:
            stream.write(part)
    stream.flush()


def send_parts(stream: BinaryIO, parts: Iterable[tuple[dict[str, Any], Arrays]]) -> None:
    """Writes the parts of a run, which follow their call, and says that there are no more of them, whatever happens on the way."""
    try:
        for header, arrays in parts:
            send(stream, {"part": header}, arrays)
    except OSError:
        raise
    except Exception:
        send(stream, {"part": None})
        raise
    send(stream, {"part": None})


def receive(stream: BinaryIO) -> tuple[dict[str, Any], list[memoryview]]:
    """Reads a message.

    Raises EOFError if the stream ends before or in it.
    """
    magic, header_bytes, body_bytes = _PREFIX.unpack(_exactly(stream, _PREFIX.size))
    if magic != _MAGIC:
        raise EOFError("these are other bytes than those of a worker")
    header = json.loads(bytes(_exactly(stream, header_bytes)))
    body = memoryview(_exactly(stream, body_bytes))
    arrays: list[memoryview] = []
    at = 0
    for entry in header.get("arrays", ()):
        code, size = _TYPES[entry["type"]]
        end = at + entry["length"] * size
        arrays.append(body[at:end].cast(code) if code != "B" else body[at:end])
        at = end + (-end % 8)
    return header, arrays


def _exactly(stream: BinaryIO, count: int) -> bytearray:
    data = bytearray(count)
    view = memoryview(data)
    at = 0
    while at < count:
        read = stream.readinto(view[at:])  # type: ignore[attr-defined]
        if not read:
            raise EOFError(f"the worker ended after {at} of {count} bytes")
        at += read
    return data


def texts(column: dict[str, Any], arrays: Sequence[memoryview]) -> list[str]:
    """The ids of a column that a worker sent."""
    if "codes" in column:
        known = texts(column["dictionary"], arrays)
        return [known[code] for code in arrays[column["codes"]]]
    data = bytes(arrays[column["bytes"]])
    offsets = arrays[column["offsets"]].tolist()
    return [data[start:end].decode("utf-8", "replace") for start, end in zip(offsets, offsets[1:])]
