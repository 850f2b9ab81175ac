"""What can go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the input, so that a person can mend it."""

    message: str
    source: str | None = None
    line: int | None = None
    way_out: str | None = None


class InputError(ValueError):
    """The input or the request cannot be used; the message is the sentence that the command line prints.

    >>> import gradus
    >>> try:
    ...     gradus.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["nDGC@10"])
    ... except gradus.InputError as error:
    ...     print(str(error).splitlines()[0])
    there is no measure nDGC@10; did you mean nDCG? gradus measures lists them all
    """

    def __init__(self, message: str, problems: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.problems: tuple[Problem, ...] = tuple(
            Problem(one.get("message", ""), one.get("source"), one.get("line"), one.get("wayOut")) for one in problems
        )


class NotANumber(InputError, TypeError):
    """Something stands where a number belongs; also what Python calls a type error."""


class WorkerError(RuntimeError):
    """The worker process ended, or something went wrong in it that should not have."""
