"""How good is this ranking, is B really better than A, and why do two tools disagree.

The numbers come from the program of Gradus, which this package carries and runs beside the interpreter; nothing is computed in Python.

>>> import gradus
>>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}
>>> run = {"q1": {"d1": 0.5, "d2": 0.9}, "q2": {"d2": 1.0}}
>>> gradus.evaluate(qrels, run, ["RR", "P@1"])["RR"]
0.75
"""

from __future__ import annotations

from ._answers import Answer
from ._api import (
    Run,
    audit,
    close,
    command,
    compare,
    convert_model,
    describe_model,
    evaluate,
    explain,
    fuse,
    gate,
    meta,
    report,
    tune,
    version,
)
from ._node import NodeMissing
from ._shown import Audit, Comparison, Contributions, Explanation, Gate, Importance, Report
from ._table import Table
from ._version import __version__
from .errors import InputError, Problem, WorkerError
from . import pytrec_eval, ranx  # isort: skip
from .ranker import Ranker

__all__ = [
    "Answer",
    "Audit",
    "Comparison",
    "Contributions",
    "Explanation",
    "Gate",
    "Importance",
    "InputError",
    "NodeMissing",
    "Problem",
    "Ranker",
    "Report",
    "Run",
    "Table",
    "WorkerError",
    "__version__",
    "audit",
    "close",
    "command",
    "compare",
    "convert_model",
    "describe_model",
    "evaluate",
    "explain",
    "fuse",
    "gate",
    "meta",
    "report",
    "tune",
    "version",
]
