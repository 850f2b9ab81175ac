"""Answers of commands: what the command line prints as JSON, shown in notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any


class Answer(Mapping[str, Any]):
    """What a command found, under the names that its JSON has.

    It is a mapping; `data` is the plain dict, `text` the JSON itself, and `notes` what a reader must know.
    """

    def __init__(self, text: str, notes: Sequence[str] = (), status: int = 0) -> None:
        self.text = text
        self.data: Any = json.loads(text)
        self.notes = list(notes)
        self.status = status

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def _notes_html(self) -> str:
        return "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.data)})"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(json.dumps(self.data, indent=2, ensure_ascii=False))}</pre>{self._notes_html()}"


def shown(value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value)


def _cell(value: Any) -> str:
    # notebooks put everything to the right, where sentences cannot be read
    style = ' style="text-align:left"' if isinstance(value, str) else ""
    return f"<td{style}>{escape(shown(value))}</td>"


def html_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Rows as a table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(_cell(row.get(name)) for name in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
