"""Answers with a shape of their own in notebooks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ._answers import Answer, html_table

if TYPE_CHECKING:
    import pandas


class Comparison(Answer):
    """Systems compared: the verdict, means with intervals, and pairs with corrected p-values."""

    def __init__(
        self, text: str, notes: Sequence[str] = (), status: int = 0, words: Mapping[str, Any] | None = None, picture: str = ""
    ) -> None:
        super().__init__(text, notes, status)
        self._words: Mapping[str, Any] = words or {}
        self.picture = picture

    @property
    def verdict(self) -> str:
        """The finding as one sentence."""
        return str(self.data["verdict"]["sentence"])

    @property
    def heading(self) -> str:
        """The finding in a few words."""
        return str(self._words["heading"])

    def pairs(self, measure: str | None = None) -> list[dict[str, Any]]:
        """Every pair: measure, system, against, difference, p-values, effect sizes and whether it is significant."""
        return [
            {"measure": one["measure"], **pair}
            for one in self.data["measures"]
            if measure in (None, one["measure"])
            for pair in one["pairs"]
        ]

    def means(self) -> dict[str, dict[str, float]]:
        """The mean of each system, by measure."""
        return {one["measure"]: {system["system"]: system["mean"] for system in one["systems"]} for one in self.data["measures"]}

    @property
    def methods(self) -> str:
        """What was done, as a paper would say it."""
        return str(self.data["methods"])

    def verdicts(self) -> list[str]:
        """A sentence for each pair."""
        return [_verdict(pair, self.data["alpha"]) for pair in self.pairs()]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each pair."""
        import pandas

        return pandas.json_normalize(self.pairs())

    def __repr__(self) -> str:
        return "\n".join([self.verdict, *self.verdicts()])

    def _repr_html_(self) -> str:
        parts: list[str] = [self._verdict_html()]
        for one in self.data["measures"]:
            rows = [
                {
                    "system": system["system"],
                    one["measure"]: system["mean"],
                    "interval": _interval(system["interval"]),
                    "significantly better than": ", ".join(system["better"]) or "–",
                }
                for system in one["systems"]
            ]
            parts.append(html_table(rows, ["system", one["measure"], "interval", "significantly better than"]))
            pairs = [
                {
                    "pair": f"{pair['system']} − {pair['against']}",
                    "difference": pair["difference"],
                    "interval": _interval(pair["interval"]),
                    "p": _p_value(pair["pValue"]),
                    "corrected p": _p_value(pair["correctedPValue"]),
                    "significant": pair["significant"],
                }
                for pair in one["pairs"]
            ]
            parts.append(html_table(pairs, ["pair", "difference", "interval", "p", "corrected p", "significant"]))
            parts.append(_bars(one["systems"], one["measure"]))
        parts.append(f"<p>{escape(self.methods)}</p>")
        return "".join(parts) + self._notes_html()

    def _verdict_html(self) -> str:
        """The answer before the numbers: the finding, what stands behind it, its picture, and what a reader should know."""
        words = self._words
        if not words:
            return f"<p><strong>{escape(self.verdict)}</strong></p>"
        topics = f"<p>{escape(words['topics'])}</p>" if words["topics"] else ""
        caveats = "".join(
            f"<li>{'⚠ ' if one['isWarning'] else ''}<strong>{escape(one['title'])}</strong> {escape(one['text'])}</li>" for one in words["caveats"]
        )
        heading = f"<p><strong>{escape(words['sign'])} {escape(words['heading'])}</strong> {escape(words['detail'])}</p>"
        # as wide as there is room, and nothing of it is cut off at its edge
        picture = self.picture.replace("<svg ", '<svg style="max-width:100%;height:auto;overflow:visible" ', 1)
        return heading + picture + topics + (f"<ul>{caveats}</ul>" if caveats else "")


def _interval(interval: dict[str, float] | None) -> str:
    return "–" if interval is None else f"[{interval['low']:.4f}, {interval['high']:.4f}]"


def _p_value(value: float | None) -> str:
    return "–" if value is None else "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _verdict(pair: dict[str, Any], alpha: float) -> str:
    better, worse = (pair["system"], pair["against"]) if pair["difference"] >= 0 else (pair["against"], pair["system"])
    size = abs(pair["difference"])
    p_value = pair["correctedPValue"]
    shown = "no p-value" if p_value is None else f"p {'' if p_value < 0.0001 else '= '}{_p_value(p_value)} after correction"
    if pair["significant"]:
        return f"{pair['measure']}: {better} is {size:.4f} higher than {worse}, and that is significant at {alpha} ({shown})"
    return f"{pair['measure']}: the difference of {size:.4f} between {better} and {worse} is not significant at {alpha} ({shown})"


def _bars(systems: Sequence[dict[str, Any]], measure: str) -> str:
    """Means with their intervals as a small picture."""
    spans = [_span(system) for system in systems]
    most = max([1e-12, *(high for _, _, high in spans)])
    names = [system["system"] if len(system["system"]) <= 40 else system["system"][:39] + "…" for system in systems]
    left = 12 + 8 * max(map(len, names))
    width, height = left + 310, 24 * len(systems)
    parts = []
    for place, (name, span) in enumerate(zip(names, spans)):
        top = 24 * place + 4
        low, mean, high = (300 * max(0.0, value) / most for value in span)
        parts.append(
            f'<text x="0" y="{top + 12}" font-size="12" fill="currentColor">{escape(name)}</text>'
            f'<rect x="{left}" y="{top}" width="{mean:.1f}" height="16" fill="#4269d0" fill-opacity="0.6"/>'
            f'<line x1="{left + low:.1f}" x2="{left + high:.1f}" y1="{top + 8}" y2="{top + 8}" stroke="currentColor"/>'
        )
    label = escape(f"{measure}: means and intervals")
    return f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'


def _span(system: Mapping[str, Any]) -> tuple[float, float, float]:
    """The low end of the interval, the mean and the high end; 0 for a mean that there is not."""
    mean = system["mean"] or 0.0
    interval = system["interval"] or {"low": mean, "high": mean}
    return interval["low"] or 0.0, mean, interval["high"] or 0.0


class Explanation(Answer):
    """What tools say of a ranking, and which of their rules make the difference."""

    def sentences(self) -> list[str]:
        """One for each pair of tools and measure."""
        return [one["sentence"] for one in self.data["explanations"]]

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        values = html_table(self.data["values"], ["measure", "convention", "value", "printed", "numTopics"])
        parts = []
        for one in self.data["explanations"]:
            parts.append(f"<p>{escape(one['sentence'])}</p>")
            parts.append(html_table(one["contributions"], ["label", "share", "alone", "reason"]))
        return values + "".join(parts) + self._notes_html()


class Audit(Answer):
    """What is odd in files or tables."""

    def findings(self) -> Iterator[dict[str, Any]]:
        """Every finding, with the name of what it was found in."""
        for file in self.data["files"]:
            for finding in file["findings"]:
                yield {"in": file["name"], **finding}

    def __repr__(self) -> str:
        return "\n".join(f"{one['severity']}: {one['in']}: {one['sentence']}" for one in self.findings())

    def _repr_html_(self) -> str:
        return html_table(list(self.findings()), ["severity", "in", "sentence", "recommendation"]) + self._notes_html()


class Gate(Answer):
    """Whether a candidate may take the place of a baseline."""

    @property
    def passed(self) -> bool:
        """True if it may."""
        return bool(self.data["passed"])

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "failed"
        return "\n".join([verdict, *(f"{'ok' if one['passed'] else 'FAILED'}: {one['name']}: {one['message']}" for one in self.data["checks"])])

    def _repr_html_(self) -> str:
        verdict = "passed" if self.passed else "failed"
        colour = "#1a7f37" if self.passed else "#cf222e"
        return (
            f'<p><strong style="color:{colour}">The gate {verdict}.</strong></p>'
            + html_table(self.data["checks"], ["name", "passed", "message"])
            + self._notes_html()
        )


class Importance(Answer):
    """How much each feature of a model matters, the most important first."""

    def features(self) -> dict[str, float]:
        """The features by their names, or their numbers where they have none."""
        return {str(one.get("name", one["id"])): one[self.data["by"]] for one in self.data["features"]}

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {value:.4g}" for name, value in self.features().items())

    def _repr_html_(self) -> str:
        found = self.features()
        systems = [{"system": name, "mean": abs(value), "interval": None} for name, value in list(found.items())[:_MOST_BARS]]
        rows = [{"feature": name, self.data["by"]: value} for name, value in found.items()]
        picture = _bars(systems, f"importance by {self.data['by']}") if systems else ""
        return picture + html_table(rows, ["feature", self.data["by"]]) + self._notes_html()


class Contributions(Answer):
    """What each feature added to the scores of the documents of one query."""

    def __repr__(self) -> str:
        return "\n".join(
            f"{one['rank']}. {one['document']}: {one['score']:.4f} = {one['base']:.4f} {' '.join(_part(part) for part in one['features'])}"
            for one in self.data["documents"]
        )

    def _repr_html_(self) -> str:
        rows = [
            {
                "rank": one["rank"],
                "document": one["document"],
                "label": one["label"],
                "score": one["score"],
                "base": one["base"],
                "what features added": ", ".join(_part(part) for part in one["features"]),
            }
            for one in self.data["documents"]
        ]
        title = f"<p><strong>query {escape(str(self.data['query']))}</strong></p>"
        return title + html_table(rows, ["rank", "document", "label", "score", "base", "what features added"]) + self._notes_html()


def _part(part: Mapping[str, Any]) -> str:
    return f"{part['contribution']:+.4f} ({part.get('name', part['id'])})"


_MOST_BARS = 30
"""More bars than these are no picture any more."""


class Report:
    """A report as a page that needs nothing else."""

    def __init__(self, html: str, notes: Sequence[str] = ()) -> None:
        self.html = html
        self.notes = list(notes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"Report({len(self.html)} characters of HTML)"

    def _repr_html_(self) -> str:
        # a page of its own, so that its style and script stay away from the notebook
        return f'<iframe srcdoc="{escape(self.html, quote=True)}" style="width:100%;height:600px;border:0" sandbox="allow-scripts"></iframe>'
