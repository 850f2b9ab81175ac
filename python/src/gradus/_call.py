"""Calls of commands."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from . import _inputs, _worker
from ._messages import Arrays
from .errors import InputError


class Request:
    """A call that is being put together."""

    def __init__(self) -> None:
        self.arrays = Arrays()
        self.inputs: list[dict[str, Any]] = []
        self.arguments: list[int | str] = []
        self._parts: _worker.Parts | None = None
        self._whole: Callable[[], dict[str, Any]] = dict

    def add(self, header: dict[str, Any]) -> int:
        """Adds an input, and gives its number."""
        self.inputs.append(header)
        return len(self.inputs) - 1

    def argument(self, header: dict[str, Any]) -> None:
        """Adds an input that is an argument by its place."""
        self.arguments.append(self.add(header))

    def judgements(self, value: Any) -> None:
        """Adds judgements as an argument."""
        self.argument(_inputs.judgements(value, self.arrays))

    def scored(self, value: Any) -> list[str] | None:
        """Adds runs as the arguments of `eval`, and gives the names that they are to have, if any were given."""
        runs = _inputs.named_runs(value)
        if len(runs) > 1:
            return self.runs(value)
        (name, one), = runs
        self.one_run(one, name or "run")
        return None if name is None else [name]

    def runs(self, value: Any) -> list[str] | None:
        """Adds runs as arguments, and gives the names that they are to have, if any were given."""
        runs = _inputs.named_runs(value)
        for place, (name, one) in enumerate(runs, 1):
            default = "run" if len(runs) == 1 else f"run {place}"
            self.argument(_inputs.run(one, self.arrays, name or default))
        names = [name for name, _ in runs]
        return [str(name) for name in names] if all(name is not None for name in names) else None

    def one_run(self, value: Any, name: str) -> None:
        """Adds a run as the last argument of `eval`, which scores a large one while it is put together."""
        self._parts = _inputs.run_parts(value)
        if self._parts is None:
            self.argument(_inputs.run(value, self.arrays, name))
            return
        self._whole = lambda: _inputs.run(value, self.arrays, name)
        self.argument({"kind": "run", "name": name, "tag": name, "parts": True})

    def ask(self, command: str, settings: dict[str, Any]) -> tuple[dict[str, Any], list[memoryview]]:
        """Makes the call."""
        result, arrays, _ = self.ask_and_hold(command, settings)
        return result, arrays

    def ask_and_hold(self, command: str, settings: dict[str, Any]) -> tuple[dict[str, Any], list[memoryview], _worker.Held | None]:
        """Makes the call, and gives what the worker holds from now on, if an input asked for that."""
        # relative paths are those of this process, wherever the worker was started
        header = {"call": command, "folder": os.getcwd(), "inputs": self.inputs, "arguments": self.arguments, "settings": plain(settings)}
        result, arrays, held = _worker.call_and_hold(header, self.arrays, self._parts)
        if result.get("whole"):
            # something is odd in the run, or has to be computed from all of it
            self.inputs[-1] = self._whole()
            result, arrays, held = _worker.call_and_hold(header, self.arrays, None)
        return result, arrays, held


def plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as JSON can say them."""
    return {name: _plain(value, name) for name, value in settings.items() if value is not None}


def _plain(value: Any, name: str) -> Any:
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, dict):
        return {str(key): _plain(one, name) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, name) for one in value]
    if hasattr(value, "item"):
        return _plain(value.item(), name)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise InputError(f"{name}: expected a finite number, found {value}")
        return value
    return str(value)
