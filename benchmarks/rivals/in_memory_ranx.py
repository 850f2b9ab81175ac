"""Times ranx' evaluate() on a run that is already loaded and sorted, compiled beforehand: in_memory_ranx.py QRELS RUN REPEATS"""

import sys

from ranx import Qrels, Run, evaluate

from timed import report

names = {"nDCG@10": "ndcg@10", "AP": "map", "RR": "mrr", "P@10": "precision@10", "R@100": "recall@100"}
qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec").make_comparable(qrels)


def means():
    by_name = evaluate(qrels, run, list(names.values()), save_results_in_run=False)
    return {ours: float(by_name[theirs]) for ours, theirs in names.items()}


report(means, len(qrels), int(sys.argv[3]))
