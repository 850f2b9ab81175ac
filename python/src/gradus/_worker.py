"""The worker process: one for each interpreter, started when it is needed first."""

from __future__ import annotations

import atexit
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar, cast

from . import _messages
from ._node import find_node, program
from .errors import InputError, WorkerError

_PIPE_SIZE = 1 << 20
T = TypeVar("T")
Parts = Callable[[], Iterator[tuple[dict[str, Any], _messages.Arrays]]]
"""Makes the parts of a run that follow their call, once more if the worker died meanwhile."""


class Worker:
    """A running worker, and the calls that go to it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [find_node(os.environ.get("GRADUS_NODE") or None), program(), "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # what Ctrl-C in a terminal ends is this interpreter, which then decides about the worker
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.stdin = cast(BinaryIO, self.process.stdin)
        self.stdout = cast(BinaryIO, self.process.stdout)
        _widen(self.stdin, self.stdout)
        self.number = 0
        self.handles: set[int] = set()
        hello, _ = self._exchange({"call": "hello", "protocol": _messages.PROTOCOL}, None)
        self.version: str = hello["version"]

    def _exchange(
        self, header: dict[str, Any], arrays: _messages.Arrays | None, parts: Parts | None = None
    ) -> tuple[dict[str, Any], list[memoryview]]:
        self.number += 1
        broken: OSError | None = None
        odd: InputError | None = None
        try:
            _messages.send(self.stdin, {"id": self.number, **header}, arrays)
            if parts is not None:
                _messages.send_parts(self.stdin, parts())
        except InputError as error:
            # the worker answers all the same
            odd = error
        except OSError as error:
            # a worker that refuses a message says so before it ends
            broken = error
        try:
            answer, received = _messages.receive(self.stdout)
        except EOFError as error:
            raise _Ended(str(error)) from broken or error
        if odd is not None:
            raise odd
        if "problems" in answer:
            raise InputError(answer["message"], answer["problems"])
        if "defect" in answer:
            raise WorkerError(f"internal error: {answer['defect']}; this is a defect of Gradus, please report it")
        if answer.get("id") != self.number:
            raise _Ended("the worker answered another call")
        return answer["ok"], received

    def stop(self, wait: float = 2.0) -> None:
        """Ends the process: politely where it waits for a call, otherwise at once."""
        for stream in (self.stdin, self.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            self.process.wait(wait)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def abandon(self) -> None:
        """Ends the process in the middle of a call."""
        self.process.kill()
        self.stop()


class _Ended(WorkerError):
    """The process is gone."""


def _widen(*pipes: BinaryIO) -> None:
    """Larger pipes need fewer turns for large messages, where the system has them."""
    try:
        import fcntl
    except ImportError:
        return
    command = getattr(fcntl, "F_SETPIPE_SZ", None)
    if command is None:
        return
    for pipe in pipes:
        try:
            fcntl.fcntl(pipe.fileno(), command, _PIPE_SIZE)
        except OSError:
            pass


_lock = threading.RLock()
_worker: Worker | None = None
_released: list[tuple[Worker, int]] = []


def _current() -> Worker:
    global _worker
    if _worker is not None and _worker.process.poll() is not None:
        _worker.stop(0)
        _worker = None
    if _worker is None:
        _worker = Worker()
    return _worker


def _drop(worker: Worker) -> None:
    global _worker
    worker.abandon()
    if _worker is worker:
        _worker = None


def call(
    header: dict[str, Any], arrays: _messages.Arrays | None = None, parts: Parts | None = None
) -> tuple[dict[str, Any], list[memoryview]]:
    """Asks the worker, and waits for its answer. Calls of several threads come one after another. `parts` are those of a run that follows.

    A worker that died is started again, and the call is made once more, unless it speaks of what the other worker held.
    """
    with _lock:
        for attempt in (1, 2):
            worker = _current()
            try:
                return worker._exchange({**header, "release": _released_by(worker)}, arrays, parts)
            except _Ended:
                _drop(worker)
                if attempt == 2 or _names_handle(header):
                    raise
            except (InputError, WorkerError):
                if worker.process.poll() is not None:
                    _drop(worker)
                raise
            except BaseException:
                # Ctrl-C: nobody waits for this answer any more, and the next call must not get it
                _drop(worker)
                raise
    raise AssertionError


def _names_handle(header: dict[str, Any]) -> bool:
    return any("held" in one for one in header.get("inputs", ()))


class Held:
    """Something that the worker holds, for as long as this object is there."""

    def __init__(self, worker: Worker, handle: int) -> None:
        self._worker = worker
        self.handle = handle

    @property
    def is_there(self) -> bool:
        """Whether the worker that holds it is still the one that is asked."""
        return self._worker is _worker and self._worker.process.poll() is None

    def __del__(self) -> None:
        # not asked now: this may run in the middle of a call
        _released.append((self._worker, self.handle))


def twice(ask: Callable[[], T]) -> T:
    """What a call gives that speaks of something held; once more, with all of it sent again, if the worker died meanwhile."""
    try:
        return ask()
    except _Ended:
        return ask()


def call_and_hold(
    header: dict[str, Any], arrays: _messages.Arrays, parts: Parts | None
) -> tuple[dict[str, Any], list[memoryview], Held | None]:
    """Asks the worker, and says what it keeps if it was asked to hold an input."""
    with _lock:
        answer, received = call(header, arrays, parts)
        handles = answer.get("handles", ())
        assert _worker is not None
        return answer, received, Held(_worker, handles[0]) if handles else None


def _released_by(worker: Worker) -> list[int]:
    """What nobody needs any more; what another worker held is gone already."""
    found: list[int] = []
    while _released:
        owner, handle = _released.pop()
        if owner is worker:
            found.append(handle)
    return found


def shut_down() -> None:
    """Ends the worker, if there is one; the next call starts another."""
    global _worker
    with _lock:
        if _worker is not None:
            _worker.stop()
            _worker = None


def worker_process() -> int | None:
    """The id of the worker process, if there is one."""
    return None if _worker is None else _worker.process.pid


def _after_fork_in_child() -> None:
    """The worker belongs to the parent: a child that needs one starts its own."""
    global _worker, _lock
    _lock = threading.RLock()
    inherited, _worker = _worker, None
    _released.clear()
    if inherited is None:
        return
    # the parent's worker must see the end of its input when the parent ends, not when its last child does
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (inherited.stdin, inherited.stdout):
        try:
            os.dup2(nothing, stream.fileno(), inheritable=False)
        except (OSError, ValueError):
            pass
    os.close(nothing)
    # it is no child of this process, and must not be waited for
    inherited.process.returncode = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
atexit.register(shut_down)
