"""Trains a ranker with the defaults of its tool and writes scores: defaults.py TOOL TRAIN TEST OUT"""

import sys

import numpy as np


def read(path):
    rows, labels, queries = [], [], []
    for line in open(path):
        words = line.split("#")[0].split()
        if not words:
            continue
        labels.append(float(words[0]))
        queries.append(words[1][4:])
        rows.append({int(word.split(":")[0]) - 1: float(word.split(":")[1]) for word in words[2:]})
    return rows, np.array(labels), queries


def dense(rows, width):
    cells = np.zeros((len(rows), width))
    for r, row in enumerate(rows):
        for column, value in row.items():
            if column < width:
                cells[r, column] = value
    return cells


tool, train_path, test_path, out = sys.argv[1:]
rows, labels, queries = read(train_path)
width = max(max(row) for row in rows if row) + 1
cells = dense(rows, width)
test = dense(read(test_path)[0], width)
groups, numbers = [], []
for i, query in enumerate(queries):
    if i == 0 or query != queries[i - 1]:
        groups.append(0)
    groups[-1] += 1
    numbers.append(len(groups))

if tool == "lightgbm":
    import lightgbm

    scores = lightgbm.LGBMRanker(verbose=-1).fit(cells, labels.astype(int), group=groups).predict(test)
elif tool == "xgboost":
    import xgboost

    scores = xgboost.XGBRanker().fit(cells, labels, group=groups).predict(test)
else:
    import catboost

    model = catboost.CatBoostRanker(verbose=False, allow_writing_files=False)
    scores = model.fit(cells, labels, group_id=numbers).predict(test)

np.savetxt(out, scores, fmt="%.17g")
