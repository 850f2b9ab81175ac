"""The functions of the package."""

from __future__ import annotations


import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _inputs, _messages, _worker
from ._call import Request
from ._shown import Audit, Comparison, Explanation, Gate, Report
from ._answers import Answer
from ._table import Table

Measures = Union[str, Iterable[str], None]


def _texts(measures: Measures) -> list[str] | None:
    """Measures as they are written; the objects of ir_measures print as what they are."""
    if measures is None:
        return None
    if isinstance(measures, str):
        return measures.split()
    return [str(measure) for measure in measures]


def _settings(settings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**more, **settings}


def evaluate(qrels: Any, run: Any, measures: Measures = None, **settings: Any) -> Table:
    """Scores runs against judgements.

    `qrels` and `run` may be nested dicts, tables of pandas, polars or PyArrow, structured NumPy arrays, dicts of columns, objects of ranx,
    iterables of the records of ir_measures, or paths of files in any format. Several runs are given as a list, or as a dict of names and
    runs. Settings are the options of `gradus eval`: `convention="trec_eval"`, `rel=2`, `depth=100`, `ties="expected"` …

    >>> import gradus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}
    >>> run = {"q1": {"d1": 0.5, "d2": 0.9}, "q2": {"d2": 1.0}}
    >>> gradus.evaluate(qrels, run, ["RR", "P@1"])
    system     RR    P@1
    run    0.7500 0.5000
    """
    request = Request()
    request.judgements(qrels)
    names = request.scored(run)
    asked = _texts(measures)
    result, arrays = request.ask("eval", _settings(settings, measure=asked, name=names))
    return Table(result, arrays, asked or ())


def command(name: str, *arguments: Any, **settings: Any) -> Answer:
    """Any command of the command line, by its name and options; those that print JSON are asked for it.

    Arguments and settings that name files are paths; `gradus help` and the reference describe all of them.

    >>> import gradus
    >>> gradus.command("measures", "RR").data[0]["name"]
    'RR'
    """
    request = Request()
    request.arguments = [os.fspath(argument) if isinstance(argument, os.PathLike) else str(argument) for argument in arguments]
    return Answer(*_json(request.ask(name, _settings(settings, json=True))))


def _json(answered: tuple[dict[str, Any], list[memoryview]]) -> tuple[str, list[str], int]:
    result, arrays = answered
    return bytes(arrays[result["text"]]).decode("utf-8"), result["notes"], result["status"]


def compare(qrels: Any, runs: Any, measures: Measures = None, **settings: Any) -> Comparison:
    """Tests whether the differences between systems are real; settings are the options of `gradus compare`.

    >>> import gradus
    >>> qrels = {f"q{i}": {"d1": 1} for i in range(10)}
    >>> good = {f"q{i}": {"d1": 1.0, "d2": 0.5} for i in range(10)}
    >>> poor = {f"q{i}": {"d1": 1.0 if i == 0 else 0.1, "d2": 0.5} for i in range(10)}
    >>> found = gradus.compare(qrels, {"good": good, "poor": poor}, ["RR"])
    >>> found.pairs()[0]["significant"]
    True
    >>> found.heading
    'good is better than poor.'
    """
    request = Request()
    request.judgements(qrels)
    names = request.runs(runs)
    result, arrays = request.ask("compare", _settings(settings, measure=_texts(measures), name=names, json=True))
    picture = bytes(arrays[result["picture"]]).decode("utf-8") if "picture" in result else ""
    return Comparison(*_json((result, arrays)), words=result.get("verdict"), picture=picture)


def explain(qrels: Any, run: Any, conventions: Sequence[str], measures: Measures = None, **settings: Any) -> Explanation:
    """Says what each tool would print, and which of its rules make the difference.

    >>> import gradus
    >>> found = gradus.explain({"q": {"d1": 2, "d2": 1}}, {"q": {"d2": 2.0, "d1": 1.0}}, ["trec_eval", "ranklib"], ["nDCG@2"])
    >>> [round(value["value"], 4) for value in found["values"]]
    [0.8597, 0.7967]
    """
    request = Request()
    request.judgements(qrels)
    request.runs(run)
    asked = _settings(settings, measure=_texts(measures), json=True, **{"as": list(conventions)})
    return Explanation(*_json(request.ask("explain", asked)))


def audit(qrels: Any, runs: Any = (), **settings: Any) -> Audit:
    """Says what is odd in judgements and runs before anything is scored.

    >>> import gradus
    >>> gradus.audit({"q": {"d": 1}}, {"q": {"d": 1.0}})["worst"]
    'warning'
    """
    request = Request()
    request.judgements(qrels)
    if not (isinstance(runs, tuple) and not runs):
        request.runs(runs)
    return Audit(*_json(request.ask("audit", _settings(settings, json=True))))


def report(qrels: Any, runs: Any, measures: Measures = None, **settings: Any) -> Report:
    """A report with tables and charts, shown in a notebook; `save` writes it as a page.

    >>> import gradus
    >>> page = gradus.report({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])
    >>> page.html.startswith("<!doctype html>")
    True
    """
    request = Request()
    request.judgements(qrels)
    names = request.runs(runs)
    result, arrays = request.ask("report", _settings(settings, measure=_texts(measures), name=names, format="html"))
    return Report(bytes(arrays[result["text"]]).decode("utf-8"), result["notes"])


def gate(qrels: Any, baseline: Any, candidate: Any, measures: Measures = None, **settings: Any) -> Gate:
    """Whether a candidate may take the place of a baseline; `passed` says so. Settings are the options of `gradus gate`.

    >>> import gradus
    >>> qrels = {f"q{i}": {"d1": 1} for i in range(12)}
    >>> before = {f"q{i}": {"d1": 1.0, "d2": 0.5} for i in range(12)}
    >>> after = {f"q{i}": {"d1": 0.1, "d2": 0.5} for i in range(12)}
    >>> gradus.gate(qrels, before, after, ["RR"]).passed
    False
    """
    request = Request()
    request.judgements(qrels)
    request.argument(_inputs.run(baseline, request.arrays, "baseline"))
    request.argument(_inputs.run(candidate, request.arrays, "candidate"))
    return Gate(*_json(request.ask("gate", _settings(settings, measure=_texts(measures), json=True))))


def meta(kind: str, qrels: Any, runs: Any, measures: Measures = None, **settings: Any) -> Answer:
    """Judges the measures themselves: `kind` is *power*, *informativeness* or *stability*.

    >>> import gradus
    >>> qrels = {f"q{i}": {"d1": 1} for i in range(6)}
    >>> good = {f"q{i}": {"d1": 1.0, "d2": 0.5} for i in range(6)}
    >>> poor = {f"q{i}": {"d1": 0.1 * i, "d2": 0.25} for i in range(6)}
    >>> gradus.meta("power", qrels, {"a": good, "b": poor}, ["RR"])["pairs"]
    1
    """
    request = Request()
    request.judgements(qrels)
    request.runs(runs)
    return Answer(*_json(request.ask(f"meta {kind}", _settings(settings, measure=_texts(measures), json=True))))


class Run(dict[str, dict[str, float]]):
    """A run that was made here: topic, document and score, with a name. It can be given wherever runs are taken."""

    name: str = "run"
    notes: Sequence[str] = ()


def fuse(runs: Any, method: str = "rrf", **settings: Any) -> Run:
    """Makes one run of several; settings are the options of `gradus fuse`.

    >>> import gradus
    >>> a = {"q": {"d1": 2.0, "d2": 1.0}}
    >>> b = {"q": {"d2": 9.0, "d3": 8.0}}
    >>> list(gradus.fuse([a, b], "rrf")["q"])
    ['d2', 'd1', 'd3']
    """
    request = Request()
    request.runs(runs)
    result, arrays = request.ask("fuse", _settings(settings, method=method))
    return _run_of(result, arrays)


def _run_of(result: Mapping[str, Any], arrays: Sequence[memoryview]) -> Run:
    topics = _messages.texts(result["topics"], arrays)
    docs = _messages.texts(result["docs"], arrays)
    scores = arrays[result["scores"]].tolist()
    run = Run()
    run.name = result["name"]
    run.notes = result["notes"]
    at = 0
    for topic, count in zip(topics, arrays[result["rowsOfTopics"]]):
        run[topic] = dict(zip(docs[at : at + count], scores[at : at + count]))
        at += count
    return run


def tune(runs: Any, qrels: Any, measure: str, method: str = "wsum", **settings: Any) -> Answer:
    """Chooses the weights of a fusion on some topics and tests them on others; settings are the options of `gradus fuse --tune`.

    >>> import gradus
    >>> qrels = {f"q{i}": {"d1": 1} for i in range(10)}
    >>> a = {f"q{i}": {"d1": 2.0, "d2": 1.0} for i in range(10)}
    >>> b = {f"q{i}": {"d2": 2.0, "d1": 1.0} for i in range(10)}
    >>> sorted(gradus.tune({"a": a, "b": b}, qrels, "RR"))[0]
    'comparison'
    """
    request = Request()
    request.runs(runs)
    judged = request.add(_inputs.judgements(qrels, request.arrays))
    asked = _settings(settings, tune=measure, qrels={"input": judged}, method=method, json=True)
    return Answer(*_json(request.ask("fuse", asked)))


def version() -> str:
    """The version of the program that computes.

    >>> import gradus
    >>> gradus.version() == gradus.__version__
    True
    """
    result, arrays = Request().ask("version", {})
    return bytes(arrays[result["text"]]).decode("utf-8").split()[1]


def close() -> None:
    """Ends the worker process; the next call starts another. It ends with the interpreter anyway."""
    _worker.shut_down()


def _in_folder(name: str) -> tuple[tempfile.TemporaryDirectory[str], Path]:
    folder = tempfile.TemporaryDirectory(prefix="gradus-")
    return folder, Path(folder.name) / name


def convert_model(model: bytes | str, to: str, **settings: Any) -> bytes:
    """A model in the form of another tool: `lightgbm`, `xgboost`, `ranklib`, `onnx` … Settings are the options of `gradus model convert`.

    `model` is the content of a model file, which tells its form itself. What the other form cannot express is a warning.

    >>> import gradus
    >>> ranker = gradus.Ranker("linear-regression").fit([[0.0], [1.0]], [0, 1], group=[2])
    >>> gradus.convert_model(ranker.model_, "ranklib").startswith(b"## ")
    True
    """
    content = model.encode("utf-8") if isinstance(model, str) else bytes(model)
    request = Request()
    request.argument({"kind": "bytes", "name": "the model", "bytes": request.arrays.bytes(content)})
    folder, path = _in_folder("model")
    with folder:
        request.arguments.append(str(path))
        result, _ = request.ask("model convert", _settings(settings, to=to))
        for note in result["notes"]:
            warnings.warn(note, stacklevel=2)
        return path.read_bytes()


def describe_model(model: bytes | str) -> Answer:
    """What a model is made of, from the content of its file.

    >>> import gradus
    >>> ranker = gradus.Ranker("linear-regression").fit([[0.0], [1.0]], [0, 1], group=[2])
    >>> gradus.describe_model(ranker.model_)["scorer"]
    'linear'
    """
    content = model.encode("utf-8") if isinstance(model, str) else bytes(model)
    request = Request()
    request.argument({"kind": "bytes", "name": "the model", "bytes": request.arrays.bytes(content)})
    return Answer(*_json(request.ask("model inspect", {"json": True})))


