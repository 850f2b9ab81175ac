"""One training of LightGBM or XGBoost: trees.py lightgbm|xgboost FOLDER THREADS TREES LEAVES PREDICTIONS

Reads the arrays that ltr-set.mjs makes, trains LambdaMART (binning included in the time, reading not), writes predictions of the test
set as 64-bit floats and prints what it took as one line of JSON."""

import json
import os
import resource
import sys
import time

import numpy

library, folder, threads, trees, leaves, predictions = sys.argv[1:]
threads, trees, leaves = int(threads), int(trees), int(leaves)


def read(name):
    def numbers(part, kind):
        return numpy.fromfile(os.path.join(folder, f"{name}.{part}"), kind)

    return numbers("features.f64", numpy.float64).reshape(-1, 136), numbers("labels.f64", numpy.float64), numbers("groups.u32", numpy.uint32)


def cpu_seconds():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


features, labels, groups = read("mslr-train")
if library == "lightgbm":
    import lightgbm

    def train():
        data = lightgbm.Dataset(features, labels, group=groups, params={"num_threads": threads, "verbose": -1, "max_bin": 255})
        options = {
            "objective": "lambdarank",
            "num_leaves": leaves,
            "learning_rate": 0.1,
            "num_threads": threads,
            "verbose": -1,
            "max_bin": 255,
            "deterministic": True,
        }
        return lightgbm.train(options, data, trees)

    def predict(model, rows):
        return model.predict(rows)

else:
    import xgboost

    def train():
        queries = numpy.repeat(numpy.arange(len(groups)), groups)
        data = xgboost.QuantileDMatrix(features, labels, qid=queries, max_bin=256, nthread=threads)
        options = {
            "objective": "rank:ndcg",
            "tree_method": "hist",
            "grow_policy": "lossguide",
            "max_leaves": leaves,
            "max_depth": 0,
            "eta": 0.1,
            "max_bin": 256,
            "nthread": threads,
            "lambdarank_pair_method": "topk",
            "lambdarank_num_pair_per_sample": 30,
        }
        return xgboost.train(options, data, trees)

    def predict(model, rows):
        return model.predict(xgboost.DMatrix(rows))


start, cpu_start = time.perf_counter(), cpu_seconds()
model = train()
seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu_start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
predict(model, read("mslr-test")[0]).astype(numpy.float64).tofile(predictions)
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "peakBytes": peak}))
