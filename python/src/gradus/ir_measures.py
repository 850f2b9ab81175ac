"""Gradus as a provider of ir_measures, and measures of Gradus for everything that takes those of ir_measures, such as PyTerrier.

    import ir_measures
    import gradus.ir_measures

    gradus.ir_measures.use()                       # from now on Gradus computes whatever it can
    exp = gradus.ir_measures.measure("nDCG(gain='exp')@10")   # a measure that ir_measures does not have
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import providers
from ir_measures.util import QrelsConverter, RunConverter

from . import _inputs, _worker
from ._api import evaluate
from ._call import Request
from .errors import InputError

__all__ = ["GradusMeasure", "GradusProvider", "measure", "provider", "use"]


def _rows(value: Any, converter: Any) -> Any:
    """Tables and dicts as they are, everything else as records."""
    if hasattr(value, "columns") or isinstance(value, dict):
        return value
    return list(converter(value).as_namedtuple_iter())


class GradusMeasure(ir_measures.Measure):
    """A measure as Gradus spells it."""

    __name__ = "Gradus"
    NAME = "Gradus"
    SUPPORTED_PARAMS = {"text": ir_measures.ParamInfo(dtype=str, required=True, desc="the measure as Gradus spells it")}

    def __init__(self, **params: Any) -> None:
        ir_measures.Measure.__init__(self, **params)

    def __repr__(self) -> str:
        return str(self.params["text"])


def measure(text: str) -> GradusMeasure:
    """A measure of Gradus that ir_measures and PyTerrier take, by its spelling."""
    found = GradusMeasure(text=text)
    if not provider.supports(found):
        # the sentence says what is wrong with it
        evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, [text])
    return found


class GradusEvaluator(providers.Evaluator):
    """Judgements that the worker holds, for any number of runs."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        self._qrels = _rows(qrels, QrelsConverter)
        super().__init__(list(measures), set(self._topics()))
        self._held: _worker.Held | None = None

    def _topics(self) -> Iterable[str]:
        if isinstance(self._qrels, dict):
            return self._qrels.keys()
        if hasattr(self._qrels, "columns"):
            return (str(topic) for topic in self._qrels["query_id"].unique())
        return (row.query_id for row in self._qrels)

    def _judgements(self, request: Request) -> dict[str, Any]:
        if self._held is not None and self._held.is_there:
            return {"held": self._held.handle}
        return {**_inputs.judgements(self._qrels, request.arrays), "hold": True}

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        rows = _rows(run, RunConverter)
        for convention in ("ir_measures", "gradus"):
            measures = [one for one in self.measures if provider.convention_of(one) == convention]
            if measures:
                yield from _worker.twice(lambda: list(self._calc(measures, rows, convention)))  # noqa: B023

    def _calc(self, measures: list[Any], rows: Any, convention: str) -> Iterator[Any]:
        request = Request()
        request.argument(self._judgements(request))
        request.one_run(rows, "run")
        settings: dict[str, Any] = {"convention": convention, "measure": [repr(one) for one in measures]}
        try:
            result, arrays, held = request.ask_and_hold("eval", settings)
        except InputError as error:
            # a run that answers no judged topic has the value of an empty ranking everywhere
            if "topic" in str(error) and not self._shares_topics(rows):
                return
            raise
        self._held = held or self._held
        values = arrays[result["values"]]
        width = len(measures)
        for place, topic in enumerate(result["topics"]):
            for m, one in enumerate(measures):
                value = values[place * width + m]
                if value == value:
                    yield ir_measures.Metric(query_id=topic, measure=one, value=value)

    def _shares_topics(self, rows: Any) -> bool:
        if isinstance(rows, dict):
            return any(topic in self.qrel_qids for topic in rows)
        if hasattr(rows, "columns"):
            return any(str(topic) in self.qrel_qids for topic in rows["query_id"].unique())
        return any(row.query_id in self.qrel_qids for row in rows)


class GradusProvider(providers.Provider):
    """Computes the measures of ir_measures by its rules, and measures of Gradus by its own."""

    NAME = "gradus"

    def __init__(self) -> None:
        providers.Provider.__init__(self)
        self._known: dict[str, str | None] = {}

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> GradusEvaluator:
        return GradusEvaluator(measures, qrels)

    def supports(self, measure: Any) -> bool:
        measure.validate_params()
        return self.convention_of(measure) is not None

    def convention_of(self, measure: Any) -> str | None:
        """By which rules a measure is computed: those of ir_measures where it has any for it; None if Gradus has no such measure."""
        text = repr(measure)
        if text not in self._known:
            conventions = ["gradus"] if isinstance(measure, GradusMeasure) else ["ir_measures", "gradus"]
            self._known[text] = next((one for one in conventions if _is_known(text, one)), None)
        return self._known[text]


def _is_known(text: str, convention: str) -> bool:
    try:
        # topics have numbers wherever gdeval is asked, and groups where there are subtopics
        evaluate({"query_id": ["1"], "doc_id": ["d"], "relevance": [1], "iteration": ["1"]}, {"1": {"d": 1.0}}, [text], convention=convention)
    except InputError:
        return False
    return True


provider = GradusProvider()
"""The provider; `provider.calc_aggregate(measures, qrels, run)` asks it and no other."""

providers.register(provider)
ir_measures.DefaultPipeline.providers.append(provider)


def use() -> None:
    """Lets Gradus compute everything that it can, in ir_measures and in what is built on it."""
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.remove(provider)
    pipeline.insert(0, provider)


def stop_using() -> None:
    """Lets Gradus compute only what no other provider can."""
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.remove(provider)
    pipeline.append(provider)
