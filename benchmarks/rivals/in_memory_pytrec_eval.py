"""Times pytrec_eval's evaluate() on a run that is already loaded: in_memory_pytrec_eval.py QRELS RUN REPEATS"""

import sys

import pytrec_eval

from timed import report

with open(sys.argv[1]) as lines:
    qrels = pytrec_eval.parse_qrel(lines)
with open(sys.argv[2]) as lines:
    run = pytrec_eval.parse_run(lines)

names = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@10": "P_10", "R@100": "recall_100"}
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"})


def means():
    by_topic = evaluator.evaluate(run).values()
    return {ours: sum(topic[theirs] for topic in by_topic) / len(by_topic) for ours, theirs in names.items()}


report(means, len(evaluator.evaluate(run)), int(sys.argv[3]))
