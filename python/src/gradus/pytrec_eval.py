"""A stand-in for pytrec_eval: the same names, the same answers.

    import gradus.pytrec_eval as pytrec_eval

    >>> from gradus import pytrec_eval
    >>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}}, {"map", "ndcg_cut.5"})
    >>> sorted(evaluator.evaluate({"q1": {"d1": 1.0, "d2": 0.5}})["q1"].items())
    [('map', 0.5), ('ndcg_cut_5', 0.6309297535714575)]
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from . import _inputs, _worker
from ._call import Request

__all__ = ["RelevanceEvaluator", "compute_aggregated_measure", "parse_qrel", "parse_run", "supported_measures", "supported_nicknames"]

_DEPTHS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_TENTHS = tuple(f"{i / 10:.2f}" for i in range(11))
_FIFTHS = tuple(f"{i / 5:.2f}" for i in range(1, 11))

#: The cutoffs that trec_eval takes where none are given; empty for measures without.
_CUTOFFS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank".split(), ()),
    "iprec_at_recall": _TENTHS,
    "P": _DEPTHS,
    "relstring": (),
    "recall": _DEPTHS,
    **dict.fromkeys("infAP gm_bpref".split(), ()),
    "Rprec_mult": _FIFTHS,
    **dict.fromkeys("utility 11pt_avg binG G ndcg ndcg_rel Rndcg".split(), ()),
    **dict.fromkeys("ndcg_cut map_cut relative_P".split(), _DEPTHS),
    "success": ("1", "5", "10"),
    **dict.fromkeys("set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret".split(), ()),
}

#: The measures of pytrec_eval that Gradus has.
supported_measures: set[str] = set(_CUTOFFS)

#: Names for several measures.
supported_nicknames: dict[str, set[str]] = {
    "official": set("runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P".split()),
    "set": set("runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map set_F".split()),
    "all_trec": set(_CUTOFFS),
}

#: Names whose cutoffs are printed with two decimals.
_SHARES = ("iprec_at_recall", "Rprec_mult")

#: Texts in the output of trec_eval, which are 0 where numbers are expected.
_TEXTS = ("runid", "relstring")

_FLOOR = 1e-5
"""What trec_eval takes smaller values for in a geometric mean."""


def _names(measures: Iterable[str]) -> list[str]:
    """Each measure with its cutoff, as it is called in the results."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for measure in measures:
        if measure in supported_nicknames:
            for name in supported_nicknames[measure]:
                wanted[name].update(_CUTOFFS[name])
            continue
        if measure in _CUTOFFS:
            wanted[measure].update(() if wanted[measure] else _CUTOFFS[measure])
            continue
        for name in sorted(_CUTOFFS, key=len, reverse=True):
            found = re.fullmatch(rf"{re.escape(name)}[._]([0-9]+(\.[0-9]+)?(,[0-9]+(\.[0-9]+)?)*)", measure)
            if found:
                wanted[name].update(_cutoff(name, text) for text in found[1].split(","))
                break
        else:
            raise ValueError(f"unsupported measure {measure}")
    ordered = [(name, sorted(wanted[name], key=float)) for name in _CUTOFFS if name in wanted]
    return [f"{name}_{cutoff}" if cutoff else name for name, cutoffs in ordered for cutoff in cutoffs or [""]]


def _cutoff(name: str, text: str) -> str:
    return f"{float(text):.2f}" if name in _SHARES else text


class RelevanceEvaluator:
    """Evaluates runs against judgements, as the class of pytrec_eval does."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if isinstance(measures, str):
            raise TypeError("measures: expected a set of names, found one text")
        self._measures = _names(measures)
        self._qrels = {topic: docs for topic, docs in query_relevance.items() if len(docs) > 0}
        self._level = relevance_level
        self._judged_only = judged_docs_only_flag
        self._held: _worker.Held | None = None

    def _judgements(self, request: Request) -> dict[str, Any]:
        if self._held is not None and self._held.is_there:
            return {"held": self._held.handle}
        return {**_inputs.judgements(self._qrels, request.arrays), "hold": True}

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Topic, measure and value, for the topics that are judged and answered."""
        # pytrec_eval leaves topics out that only one side has
        judged = [(topic, len(docs)) for topic, docs in scores.items() if topic in self._qrels]
        found = {topic: self._of_nothing() for topic, size in judged if size == 0}
        if len(found) < len(judged):
            found.update(_worker.twice(lambda: self._evaluate(scores)))
        return {topic: found[topic] for topic, _ in judged}

    def _of_nothing(self) -> dict[str, float]:
        """What pytrec_eval says of a topic that was answered with nothing."""
        special = {"num_q": 1.0, "gm_map": math.log(_FLOOR), "gm_bpref": math.log(_FLOOR)}
        return {name: special.get(name, 0.0) for name in self._measures}

    def _evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        request = Request()
        request.argument(self._judgements(request))
        request.one_run(scores, "run")
        computed = [name for name in self._measures if name not in _TEXTS]
        # something has to be asked for
        settings = {"convention": "pytrec_eval", "measure": computed or ["num_q"], "rel": self._level}
        if self._judged_only:
            settings["judged_only"] = True
        result, arrays, held = request.ask_and_hold("eval", settings)
        self._held = held or self._held
        values = arrays[result["values"]].tolist()
        width = len(result["measures"])
        logarithms = [name for name in computed if name.startswith("gm_")]
        found: dict[str, dict[str, float]] = {}
        nothing = dict.fromkeys(self._measures, 0.0)
        for place, topic in enumerate(result["topics"]):
            row = {**nothing, **dict(zip(computed, values[place * width : (place + 1) * width]))}
            # trec_eval keeps the logarithm of what has a geometric mean
            for name in logarithms:
                row[name] = math.log(max(row[name], _FLOOR))
            found[topic] = row
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_held": None}


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """The value over all topics, of the values that `evaluate` gives: a sum for counts, a mean for all others."""
    if measure.startswith("num_"):
        return float(sum(values))
    try:
        import numpy

        mean = float(numpy.mean(values))
    except ImportError:
        mean = sum(values) / len(values)
    return math.exp(mean) if measure.startswith("gm_") else float(mean)


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The lines of a TREC run as nested dicts."""
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for line in f_run:
        query_id, _, doc_id, _, score, _ = line.strip().split()
        assert doc_id not in run[query_id]
        run[query_id][doc_id] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The lines of a TREC qrels file as nested dicts."""
    qrel: dict[str, dict[str, int]] = defaultdict(dict)
    for line in f_qrel:
        query_id, _, doc_id, relevance = line.strip().split()
        assert doc_id not in qrel[query_id]
        qrel[query_id][doc_id] = int(relevance)
    return qrel
