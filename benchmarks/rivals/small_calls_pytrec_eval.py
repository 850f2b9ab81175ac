"""Times 100,000 calls of one evaluator with ten ranked documents."""

import pytrec_eval

from timed import report

CALLS = 100_000
REPEATS = 10
qrels = {"q1": {"a": 1, "b": 0, "c": 2, "d": 0, "e": 1}}
run = {"q1": {doc: 10.0 - i for i, doc in enumerate("jihgfedcba")}}
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})


def many_calls():
    for _ in range(CALLS):
        by_topic = evaluator.evaluate(run)
    return {"nDCG@10": by_topic["q1"]["ndcg_cut_10"]}


report(many_calls, 1, REPEATS)
