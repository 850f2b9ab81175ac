"""Trains LambdaMART with LightGBM on sparse LETOR text: sparse.py FILE MIN_DOCS TREES PREDICTIONS

Writes the predictions of the training documents, one number per line."""

import sys

import lightgbm
import numpy
from scipy.sparse import csr_matrix

path, min_docs, trees, predictions = sys.argv[1:]
labels, groups, starts, columns, values = [], [], [0], [], []
last = None
with open(path) as lines:
    for line in lines:
        label, query, *features = line.split()
        labels.append(int(label))
        if query != last:
            groups.append(0)
            last = query
        groups[-1] += 1
        for feature in features:
            column, value = feature.split(":")
            columns.append(int(column) - 1)
            values.append(float(value))
        starts.append(len(columns))
matrix = csr_matrix((values, columns, starts), shape=(len(labels), max(columns) + 1))
options = {"objective": "lambdarank", "num_leaves": 31, "min_data_in_leaf": int(min_docs), "num_threads": 1, "verbose": -1}
data = lightgbm.Dataset(matrix, labels, group=groups, params=options)
model = lightgbm.train(options, data, int(trees))
numpy.savetxt(predictions, model.predict(matrix))
