"""What the installed tools say of given rankings, for scripts/check-peers.mjs.

    pip install ir_measures==0.4.3 pytrec_eval-terrier==0.5.11 cwl-eval==1.0.12 pyndeval==0.0.8 ranx==0.3.21 \
        scikit-learn==1.9.1 lightgbm==4.7.0 xgboost-cpu==3.2.0 catboost==1.2.10
    pip install --no-deps beir==2.2.0
    python scripts/golden/peers.py ASKED.json ANSWERS.json

ASKED holds cases, each with qrels and run (and subtopics, where judgements are per subtopic), and for each tool the measures that it is
asked for in its own spelling. ANSWERS holds, for each tool, case and measure, the value of each topic and that of all, or the error. gdeval,
which ir_measures calls, needs perl.
"""
import contextlib
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")


def number(value):
    """JSON has no NaN; a value that is no finite number is told by its name."""
    value = float(value)
    return value if math.isfinite(value) else str(value)


def answer(topics, over_all=None):
    told = {"topics": {topic: number(value) for topic, value in topics.items()}}
    return told if over_all is None else {**told, "all": number(over_all)}


def ir_measures(case, name):
    import ir_measures
    from ir_measures import Qrel, ScoredDoc

    if "subtopics" in case:
        qrels = [Qrel(t, d, g, s) for t, s, d, g in case["subtopics"]]
    else:
        qrels = [Qrel(t, d, g) for t, docs in case["qrels"].items() for d, g in docs.items()]
    run = [ScoredDoc(t, d, s) for t, docs in case["run"].items() for d, s in docs.items()]
    measure = ir_measures.parse_measure(name)
    aggregator = measure.aggregator()
    topics = {}
    for row in ir_measures.iter_calc([measure], qrels, run):
        topics[row.query_id] = row.value
        aggregator.add(row.value)
    return answer(topics, aggregator.result())


def pytrec_eval(case, name):
    import pytrec_eval

    topics = {}
    for topic, scores in pytrec_eval.RelevanceEvaluator(case["qrels"], {name}).evaluate(case["run"]).items():
        ((found, value),) = scores.items()
        topics[topic] = value
    if not topics:
        return answer({})
    return answer(topics, pytrec_eval.compute_aggregated_measure(found, list(topics.values())))


def ranx(case, name):
    from ranx import Qrels, Run, evaluate

    qrels, run = Qrels(case["qrels"]), Run(case["run"])
    # it refuses other topics unless it may fill in and leave out, and that sorts the run again
    different = set(case["qrels"]) != set(case["run"])
    evaluate(qrels, run, name, make_comparable=different)
    return answer(run.scores[name], run.mean_scores[name])


def beir(case, name):
    from beir.retrieval.evaluation import EvaluateRetrieval

    measure, cutoff = name.split("@")
    run = {topic: dict(docs) for topic, docs in case["run"].items()}
    if measure in ("MRR", "R_cap", "Hole", "Accuracy"):
        custom = {"MRR": "mrr", "R_cap": "recall_cap", "Hole": "hole", "Accuracy": "accuracy"}[measure]
        return {"all": number(EvaluateRetrieval.evaluate_custom(case["qrels"], run, [int(cutoff)], custom)[name])}
    tables = EvaluateRetrieval.evaluate(case["qrels"], run, [int(cutoff)])
    return {"all": number({key: value for table in tables for key, value in table.items()}[name])}


def lists(case):
    """Labels and scores of each topic that is judged and answered, in the order of the run; what nobody judged has label 0."""
    for topic, docs in case["run"].items():
        if topic in case["qrels"]:
            yield topic, [case["qrels"][topic].get(doc, 0) for doc in docs], list(docs.values())


def mean(topics):
    return answer(topics, sum(topics.values()) / len(topics)) if topics else answer(topics)


def sklearn(case, name):
    import sklearn.metrics

    measure, _, cutoff = name.partition("@")
    compute = {"ndcg_score": sklearn.metrics.ndcg_score, "dcg_score": sklearn.metrics.dcg_score}[measure]
    k = int(cutoff) if cutoff else None
    return mean({topic: compute([labels], [scores], k=k) for topic, labels, scores in lists(case)})


def lightgbm(case, name):
    import lightgbm
    import numpy

    measure, cutoff = name.split("@")

    def value(groups):
        labels = [label for _, labels, _ in groups for label in labels]
        scores = numpy.array([score for _, _, scores in groups for score in scores], dtype=float)
        # a tree that cannot grow leaves the given scores as they are
        params = {"objective": "lambdarank", "metric": [measure], "eval_at": [int(cutoff)], "verbose": -1, "min_data_in_leaf": 100000,
                  "min_data_in_bin": 1, "feature_pre_filter": False, "num_threads": 1}
        data = lightgbm.Dataset(numpy.zeros((len(labels), 1)), labels, group=[len(l) for _, l, _ in groups], init_score=scores, free_raw_data=False)
        recorded = {}
        lightgbm.train(params, data, 1, valid_sets=[data], valid_names=["v"], callbacks=[lightgbm.record_evaluation(recorded)])
        return recorded["v"][name][0]

    groups = list(lists(case))
    return answer({group[0]: value([group]) for group in groups}, value(groups))


def xgboost(case, name):
    import numpy
    import xgboost

    def value(groups):
        labels = [label for _, labels, _ in groups for label in labels]
        scores = numpy.array([score for _, _, scores in groups for score in scores], dtype=numpy.float32)
        data = xgboost.DMatrix(numpy.zeros((len(labels), 1)), labels, group=[len(l) for _, l, _ in groups], base_margin=scores)
        booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": name, "nthread": 1, "base_score": 0,
                                 "disable_default_eval_metric": 1}, data, 0)
        return float(booster.eval(data).split(":")[-1])

    groups = list(lists(case))
    return answer({group[0]: value([group]) for group in groups}, value(groups))


def catboost(case, name):
    import catboost.utils

    def value(groups):
        labels = [label for _, labels, _ in groups for label in labels]
        scores = [float(score) for _, _, scores in groups for score in scores]
        ids = [g for g, (_, labels, _) in enumerate(groups) for _ in labels]
        return catboost.utils.eval_metric(labels, scores, name, group_id=ids)[0]

    groups = list(lists(case))
    return answer({group[0]: value([group]) for group in groups}, value(groups))


TOOLS = {"ir_measures": (ir_measures, "ir_measures"), "pytrec_eval": (pytrec_eval, "pytrec-eval-terrier"), "ranx": (ranx, "ranx"),
         "beir": (beir, "beir"), "sklearn": (sklearn, "scikit-learn"), "lightgbm": (lightgbm, "lightgbm"), "xgboost": (xgboost, "xgboost-cpu"),
         "catboost": (catboost, "catboost")}


def main():
    with open(sys.argv[1]) as file:
        asked = json.load(file)
    place = os.path.abspath(sys.argv[2])
    # some tools write logs to the working directory
    os.chdir(tempfile.mkdtemp())
    answers = {"versions": {}, "values": {}}
    for tool, requests in asked["measures"].items():
        compute, package = TOOLS[tool.split(" ")[0]]
        answers["versions"][tool] = version(package)
        told = answers["values"][tool] = {}
        for case_name, names in requests.items():
            told[case_name] = {}
            for name in names:
                with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                    try:
                        result = compute(asked["cases"][case_name], name)
                    except (Exception, subprocess.CalledProcessError) as error:
                        result = {"error": f"{type(error).__name__}: {error}"[:200]}
                told[case_name][name] = result
    with open(place, "w") as file:
        json.dump(answers, file)


main()
