"""LightGBM's LambdaMART on one fold: lambdamart_fold.py TRAIN VALIDATION TEST OPTIONS

The files are LETOR's, OPTIONS a JSON object of trees, leaves, rate, minDocs, bins, truncation and patience. Prints one line of JSON: nDCG@10
on the test file (gains 2^label - 1, discounts log2(rank + 1), 0 for queries without relevant documents, equal scores in the order of the
file), the processor seconds of binning, training and scoring with one thread, and the version. Reading is not counted."""

import json
import resource
import sys

import lightgbm
import numpy


def read(path):
    labels, queries, rows = [], [], []
    with open(path) as lines:
        for line in lines:
            label, query, *cells = line.split("#", 1)[0].split()
            labels.append(float(label))
            queries.append(query)
            rows.append([cell.split(":", 1) for cell in cells])
    features = numpy.zeros((len(rows), max(int(row[-1][0]) for row in rows if row)))
    for at, row in enumerate(rows):
        for number, value in row:
            features[at, int(number) - 1] = float(value)
    starts = [at for at, query in enumerate(queries) if at == 0 or query != queries[at - 1]]
    return features, numpy.array(labels), numpy.diff([*starts, len(rows)])


def ndcg(scores, labels, sizes, depth=10):
    def dcg(order):
        top = labels[order[:depth]]
        return ((2.0**top - 1) / numpy.log2(numpy.arange(len(top)) + 2)).sum()

    total, start = 0.0, 0
    for size in sizes:
        rows = numpy.arange(start, start + size)
        ideal = dcg(rows[numpy.argsort(-labels[rows], kind="stable")])
        if ideal > 0:
            total += dcg(rows[numpy.argsort(-scores[rows], kind="stable")]) / ideal
        start += size
    return total / len(sizes)


def cpu_seconds():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


train, validation, test = (read(path) for path in sys.argv[1:4])
given = json.loads(sys.argv[4])
width = max(part[0].shape[1] for part in (train, validation, test))
train, validation, test = (
    (numpy.pad(features, ((0, 0), (0, width - features.shape[1]))), labels, sizes) for features, labels, sizes in (train, validation, test)
)
start = cpu_seconds()
options = {
    "objective": "lambdarank",
    "metric": "ndcg",
    "eval_at": [10],
    "num_leaves": given["leaves"],
    "learning_rate": given["rate"],
    "min_data_in_leaf": given["minDocs"],
    "max_bin": given["bins"],
    "lambdarank_truncation_level": given["truncation"],
    "num_threads": 1,
    "deterministic": True,
    "verbose": -1,
}
data = lightgbm.Dataset(train[0], train[1], group=train[2], params={"max_bin": given["bins"], "num_threads": 1, "verbose": -1})
watched = lightgbm.Dataset(validation[0], validation[1], group=validation[2], reference=data)
model = lightgbm.train(
    options, data, given["trees"], valid_sets=[watched], callbacks=[lightgbm.early_stopping(given["patience"], verbose=False)]
)
scores = model.predict(test[0], num_iteration=model.best_iteration, num_threads=1)
cpu = cpu_seconds() - start
print(json.dumps({"ndcg": ndcg(scores, test[1], test[2]), "cpu": cpu, "version": lightgbm.__version__}))
