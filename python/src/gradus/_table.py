"""Scores of systems on topics, as a small table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars


class Table(Mapping[str, Any]):
    """Scores, with the values of each topic.

    Of one system it is a mapping from measures to values over all topics; of several it is a mapping from systems to such mappings.

    >>> import gradus
    >>> table = gradus.evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 0.5, "d2": 0.9}}, ["RR", "P@1"])
    >>> table["RR"], table["P@1"]
    (0.5, 0.0)
    >>> table.value("q1", "RR")
    0.5
    """

    systems: list[str]
    topics: list[str]
    measures: list[str]
    notes: list[str]
    convention: str

    def __init__(
        self,
        result: Mapping[str, Any],
        arrays: Sequence[memoryview],
        asked: Sequence[str] = (),
    ) -> None:
        self.systems = list(result["systems"])
        self.topics = list(result["topics"])
        self.measures = list(result["measures"])
        self.notes = list(result.get("notes", ()))
        self.convention = result.get("convention", "gradus")
        self.directions: list[str] = list(result.get("directions", ()))
        self._values = arrays[result["values"]]
        self._means = arrays[result["means"]]
        # what was asked for by another spelling is found by it too
        self._names = dict(zip(asked, self.measures)) if len(asked) == len(self.measures) else {}
        self._names.update((name, name) for name in self.measures)

    def _measure(self, measure: str) -> int:
        try:
            return self.measures.index(self._names[measure])
        except KeyError:
            raise KeyError(f"no measure {measure} in this table, it has {', '.join(self.measures)}") from None

    def _system(self, system: str | None) -> int:
        if system is None:
            if len(self.systems) == 1:
                return 0
            raise KeyError(f"the table has {len(self.systems)} systems, say which: {', '.join(self.systems)}")
        try:
            return self.systems.index(system)
        except ValueError:
            raise KeyError(f"no system {system} in this table, it has {', '.join(self.systems)}") from None

    def mean(self, measure: str, system: str | None = None) -> float:
        """The value over all topics."""
        return float(self._means[self._system(system) * len(self.measures) + self._measure(measure)])

    def means(self, system: str | None = None) -> dict[str, float]:
        """The values over all topics, measure by measure."""
        start = self._system(system) * len(self.measures)
        return dict(zip(self.measures, self._means[start : start + len(self.measures)].tolist()))

    def value(self, topic: str, measure: str, system: str | None = None) -> float:
        """The value on one topic."""
        row = self._system(system) * len(self.topics) + self.topics.index(str(topic))
        return float(self._values[row * len(self.measures) + self._measure(measure)])

    def per_topic(self, measure: str, system: str | None = None) -> dict[str, float]:
        """The value on each topic; NaN where a system has none."""
        width = len(self.measures)
        start = self._system(system) * len(self.topics) * width
        end = start + len(self.topics) * width
        return dict(zip(self.topics, self._values[start + self._measure(measure) : end : width]))

    def __getitem__(self, key: str) -> Any:
        if len(self.systems) == 1 and key in self._names:
            return self.mean(key)
        return self.means(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures if len(self.systems) == 1 else self.systems)

    def __len__(self) -> int:
        return len(self.measures if len(self.systems) == 1 else self.systems)

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """System, topic, measure and value as nested dicts."""
        rows = self.rows()
        found: dict[str, dict[str, dict[str, float]]] = {system: {} for system in self.systems}
        for system, topic, *values in rows:
            found[system][topic] = dict(zip(self.measures, values))
        return found

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """A tuple of system, topic and values for each system and topic."""
        width = len(self.measures)
        at = 0
        for system in self.systems:
            for topic in self.topics:
                yield (system, topic, *self._values[at : at + width].tolist())
                at += width

    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """The values as an array of systems, topics and measures."""
        import numpy

        shape = (len(self.systems), len(self.topics), len(self.measures))
        return numpy.frombuffer(self._values, dtype="float64").reshape(shape)

    def _data(self, per_topic: bool) -> dict[str, Any]:
        width = len(self.measures)
        values = self._values if per_topic else self._means
        columns: dict[str, Any] = {"system": [one for one in self.systems for _ in (self.topics if per_topic else (0,))]}
        if per_topic:
            columns["topic"] = self.topics * len(self.systems)
        columns.update((name, values[m::width].tolist()) for m, name in enumerate(self.measures))
        return columns

    def to_pandas(self, per_topic: bool = True) -> pandas.DataFrame:
        """A row for each system and topic, a column for each measure; without topics, a row for each system."""
        import pandas

        return pandas.DataFrame(self._data(per_topic))

    def to_polars(self, per_topic: bool = True) -> polars.DataFrame:
        """The same for polars."""
        import polars

        return polars.DataFrame(self._data(per_topic))

    def __repr__(self) -> str:
        width = max(map(len, ["system", *self.systems]))
        columns = [max(len(name), 6) for name in self.measures]
        head = " ".join(["system".ljust(width), *(name.rjust(size) for name, size in zip(self.measures, columns))])
        lines = [head]
        for system in self.systems:
            values = self.means(system).values()
            lines.append(" ".join([system.ljust(width), *(f"{value:.4f}".rjust(size) for value, size in zip(values, columns))]))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in ["", *self.measures])
        body = "".join(
            f"<tr><th>{escape(system)}</th>"
            + "".join(f"<td>{value:.4f}</td>" for value in self.means(system).values())
            + "</tr>"
            for system in self.systems
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        shown = f"<ul>{notes}</ul>" if notes else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{len(self.topics)} topics</p>{shown}"
