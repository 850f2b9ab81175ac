"""The nearest ranx has to trec_eval's default measures, with its own readers: with_ranx.py QRELS RUN"""

import sys

from ranx import Qrels, Run, evaluate

cutoffs = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
measures = ["map", "r-precision", "bpref", "mrr", *(f"precision@{k}" for k in cutoffs)]

qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
for name, value in evaluate(qrels, run, measures, make_comparable=True).items():
    print(f"{name}\t{value:.6f}")
