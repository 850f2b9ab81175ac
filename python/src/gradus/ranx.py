"""The functions of ranx, by its rules: `evaluate`, `compare` and `fuse` with the same arguments.

>>> from gradus import ranx
>>> qrels = {"q1": {"d1": 1, "d2": 0}}
>>> ranx.evaluate(qrels, {"q1": {"d2": 0.9, "d1": 0.5}}, "mrr")
0.5
>>> ranx.evaluate(qrels, {"q1": {"d2": 0.9, "d1": 0.5}}, ["mrr", "precision@1"])
{'mrr': 0.5, 'precision@1': 0.0}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _api
from ._shown import Comparison

__all__ = ["compare", "evaluate", "fuse"]

_TESTS = {"student": "t", "fisher": "randomization", "tukey": "tukey"}


def evaluate(
    qrels: Any, run: Any, metrics: str | Sequence[str], return_mean: bool = True, make_comparable: bool = False
) -> float | dict[str, float] | list[float] | dict[str, list[float]]:
    """The value of a metric, or of several by their names; with `return_mean=False` those of each topic, in the order of their ids."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    missing = {"missing": "zero"} if make_comparable else {}
    table = _api.evaluate(qrels, run, names, convention="ranx", **missing)
    if return_mean:
        found: dict[str, Any] = {name: table.mean(name) for name in names}
    else:
        found = {name: list(table.per_topic(name).values()) for name in names}
    return found[metrics] if isinstance(metrics, str) else found


def compare(
    qrels: Any,
    runs: Sequence[Any] | Mapping[str, Any],
    metrics: Sequence[str],
    stat_test: str = "student",
    max_p: float = 0.01,
    random_seed: int = 42,
    **settings: Any,
) -> Comparison:
    """Tests every pair of runs. Unlike in ranx, p-values are corrected for the number of pairs (`correction="none"` leaves that out)."""
    return _api.compare(
        qrels,
        list(runs) if not isinstance(runs, Mapping) else runs,
        list(metrics),
        **{"convention": "ranx", "test": _TESTS.get(stat_test, stat_test), "alpha": max_p, "seed": random_seed, **settings},
    )


def fuse(
    runs: Sequence[Any], kind: str | None = None, norm: str | None = "min-max", method: str = "wsum", params: Mapping[str, Any] | None = None
) -> _api.Run:
    """One run of several, by the names that ranx has for methods and norms."""
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in (params or {}).items()}
    takes_scores = (kind or method) not in ("rrf", "isr", "log_isr", "rbc", "bordafuse", "condorcet")
    return _api.fuse(list(runs), kind or method, **({"norm": norm} if takes_scores and norm else {}), **given)
