"""trec_eval's default measures with pytrec_eval's own readers: with_pytrec_eval.py QRELS RUN"""

import sys

import pytrec_eval

with open(sys.argv[1]) as lines:
    qrels = pytrec_eval.parse_qrel(lines)
with open(sys.argv[2]) as lines:
    run = pytrec_eval.parse_run(lines)

evaluator = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_nicknames["official"])
by_topic = evaluator.evaluate(run)

names = sorted(next(iter(by_topic.values())))
for name in names:
    values = [topic[name] for topic in by_topic.values()]
    print(f"{name}\t{pytrec_eval.compute_aggregated_measure(name, values):.6f}")
print(f"num_q\t{len(by_topic)}")
