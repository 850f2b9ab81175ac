"""What ranx and trectools make of the same runs.

    pip install ranx==0.3.21 trectools==0.0.50
    python scripts/golden/fusion.py test/golden/fusion

writes ranx.json and trectools.json: the runs, made from a seed and without equal scores, and for each method, normalisation and
choice of parameters the fused score of every document, documents in the order of their ids.
"""

import json
import os
import random
import sys
from importlib.metadata import version

import numpy as np
import pandas as pd
from ranx import Run, fuse
from ranx.normalization import norm_switch
from trectools import TrecRun
from trectools import fusion as trectools_fusion

OUT = os.path.abspath(sys.argv[1])
NORMS = ["min-max", "max", "sum", "zmuv", "rank", "borda"]


def make_runs(rng):
    """Three runs with different depths and scales; one has negative scores, and each leaves documents out."""
    runs = {"first": {}, "second": {}, "third": {}}
    for topic in range(1, 5):
        docs = [f"d{i:02}" for i in range(12)]
        for name, low, high, count in [("first", 1, 30, 9), ("second", 0, 1, 7), ("third", -5, 5, 6)]:
            kept = rng.sample(docs, count - topic % 2)
            scores = {doc: round(rng.uniform(low, high), 4) for doc in kept}
            scores[kept[0]] = round(high - rng.random() / 10, 4)
            assert len(set(scores.values())) == len(scores)
            runs[name][f"t{topic}"] = scores
    return runs


def transitive_runs(rng):
    """Five complete rankings whose majorities contain no circle, so that there is one order of Condorcet."""
    runs = {f"r{i}": {} for i in range(5)}
    for topic in range(1, 5):
        while True:
            docs = [f"d{i:02}" for i in range(9)]
            rng.shuffle(docs)
            orders = []
            for _ in range(5):
                keys = {doc: place + rng.gauss(0, 1.6) for place, doc in enumerate(docs)}
                orders.append(sorted(docs, key=keys.get))
            beats = {
                (a, b): sum(order.index(a) < order.index(b) for order in orders) > 2 for a in docs for b in docs if a != b
            }
            wins = sorted(sum(beats[a, b] for b in docs if a != b) for a in docs)
            # nobody wins equally often exactly when there is no circle
            if wins == list(range(9)) and len({tuple(order) for order in orders}) == 5:
                break
        for i, order in enumerate(orders):
            runs[f"r{i}"][f"t{topic}"] = {doc: float(len(order) - place) for place, doc in enumerate(order)}
    return runs


def listed(result):
    return {topic: [float(docs[doc]) for doc in sorted(docs)] for topic, docs in sorted(result.items())}


def by_ranx(runs, method, norm, params):
    made = [Run(json.loads(json.dumps(run)), name=name) for name, run in runs.items()]
    fused = fuse(made, norm=norm, method=method, params=params)
    return listed({topic: dict(docs) for topic, docs in fused.run.items()})


def ranx_cases(runs):
    weights = [0.5, 0.2, 0.3]
    scored = [("sum", {}), ("mnz", {}), ("min", {}), ("max", {}), ("med", {}), ("anz", {}), ("gmnz", {"gamma": 0.5})]
    scored += [("wsum", {"weights": weights}), ("wmnz", {"weights": weights}), ("mixed", {"weights": weights})]
    ranked = [("rrf", {"k": 60}), ("rrf", {"k": 1}), ("isr", {}), ("log_isr", {}), ("logn_isr", {"sigma": 0.01})]
    ranked += [("rbc", {"phi": 0.8}), ("bordafuse", {}), ("w_bordafuse", {"weights": weights})]
    cases = []
    for method, params in scored:
        for norm in NORMS:
            cases.append({"method": method, "norm": norm, "params": params, "result": by_ranx(runs, method, norm, params)})
    for method, params in scored[:2]:
        cases.append({"method": method, "norm": "none", "params": params, "result": by_ranx(runs, method, None, params)})
    for method, params in ranked:
        cases.append({"method": method, "norm": None, "params": params, "result": by_ranx(runs, method, None, params)})
    return cases


def condorcet_cases(runs):
    even = by_ranx(runs, "condorcet", None, {})
    return [{"method": "condorcet", "norm": None, "params": {}, "result": even}]


def lone_documents():
    """Lists of one document, and of equal scores: what ranx gives where a denominator is 0."""
    lone = {"t1": {"d1": 3.0}, "t2": {"d1": 2.0, "d2": 2.0}}
    norms = {}
    for norm in ["min-max", "sum", "zmuv"]:
        run = norm_switch(norm)(Run(json.loads(json.dumps(lone))))
        norms[norm] = listed({topic: dict(docs) for topic, docs in run.run.items()})
    return {"run": lone, "norms": norms}


def trec_run(name, run):
    rows = []
    for topic, docs in run.items():
        for rank, doc in enumerate(sorted(docs, key=docs.get, reverse=True), start=1):
            rows.append((topic, "Q0", doc, rank, docs[doc], name))
    made = TrecRun(None)
    made.load_run_from_dataframe(pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"]))
    return made


def by_trectools(fused):
    result = {}
    for _, row in fused.run_data.iterrows():
        result.setdefault(row["query"], {})[row["docid"]] = row["score"]
    return listed(result)


def trectools_cases(runs):
    made = [trec_run(name, run) for name, run in runs.items()]
    # combos forgets all runs but two; the methods by rank take any number
    two = made[:2]
    cases = []
    for strategy in ["sum", "max", "min", "anz", "mnz", "med"]:
        result = by_trectools(trectools_fusion.combos(two, strategy=strategy))
        cases.append({"method": strategy, "numRuns": 2, "params": {}, "result": result})
    for k in [60, 10]:
        result = by_trectools(trectools_fusion.reciprocal_rank_fusion(made, k=k))
        cases.append({"method": "rrf", "numRuns": 3, "params": {"k": k}, "result": result})
    result = by_trectools(trectools_fusion.rank_biased_precision_fusion(made, p=0.8))
    cases.append({"method": "rbc", "numRuns": 3, "params": {"p": 0.8}, "result": result})
    return cases


def write(name, content):
    with open(os.path.join(OUT, name), "w") as file:
        json.dump(content, file, separators=(",", ":"), allow_nan=False)
        file.write("\n")


runs = make_runs(random.Random(1905))
transitive = transitive_runs(random.Random(7))
write(
    "ranx.json",
    {
        "versions": {name: version(name) for name in ["ranx", "numba", "numpy"]},
        "runs": runs,
        "cases": ranx_cases(runs),
        "transitive": {"runs": transitive, "cases": condorcet_cases(transitive)},
        "lone": lone_documents(),
    },
)
write(
    "trectools.json",
    {"versions": {name: version(name) for name in ["trectools", "pandas"]}, "runs": runs, "cases": trectools_cases(runs)},
)
