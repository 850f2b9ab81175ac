"""One training of a linear RankSVM: ranksvm.py dlib|liblinear hinge|squared-hinge BASE COLUMNS C TOLERANCE WEIGHTS

Reads BASE.features.f64 (row by row), BASE.labels.f64 and BASE.groups.u32, minimises 1/2 |w|^2 + C * (sum over pairs of the loss), writes
the weights as 64-bit floats and prints what it took as one line of JSON. Reading is not counted; what a library wants instead of the
rows (differences of pairs, lists of vectors) is."""

import json
import resource
import sys
import time

import numpy

library, loss, base, columns, c, tolerance, out = sys.argv[1:]
columns, c, tolerance = int(columns), float(c), float(tolerance)
features = numpy.fromfile(f"{base}.features.f64").reshape(-1, columns)
labels = numpy.fromfile(f"{base}.labels.f64")
sizes = numpy.fromfile(f"{base}.groups.u32", numpy.uint32).astype(int)
queries = [slice(end - size, end) for end, size in zip(numpy.cumsum(sizes), sizes)]


def cpu_seconds():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


if library == "liblinear":
    from sklearn.svm import LinearSVC

    def differences():
        """Of each pair, the better document minus the other, or the reverse: liblinear wants two classes."""
        blocks = []
        for rows in queries:
            higher, lower = numpy.nonzero(labels[rows][:, None] > labels[rows][None, :])
            if len(higher):
                blocks.append(features[rows][higher] - features[rows][lower])
        pairs = numpy.concatenate(blocks)
        signs = numpy.where(numpy.arange(len(pairs)) % 2 == 0, 1, -1)
        pairs *= signs[:, None]
        return pairs, signs

    def train():
        pairs, signs = differences()
        # the primal solver where there is one: with more pairs than features it is the faster one
        kind = {"loss": "hinge", "dual": True} if loss == "hinge" else {"loss": "squared_hinge", "dual": False}
        model = LinearSVC(C=c, tol=tolerance, fit_intercept=False, max_iter=100_000, random_state=1, **kind)
        return model.fit(pairs, signs).coef_[0]

else:
    import dlib

    def train():
        data = dlib.ranking_pairs()
        pairs = 0
        for rows in queries:
            vectors = [dlib.vector(row) for row in features[rows]]
            grades = labels[rows]
            # dlib knows two sides only; each grade against all that are lower gives every pair once
            for grade in numpy.unique(grades)[1:]:
                pair = dlib.ranking_pair()
                for i in numpy.flatnonzero(grades == grade):
                    pair.relevant.append(vectors[i])
                for i in numpy.flatnonzero(grades < grade):
                    pair.nonrelevant.append(vectors[i])
                data.append(pair)
                pairs += len(pair.relevant) * len(pair.nonrelevant)
        trainer = dlib.svm_rank_trainer()
        # its c weighs the mean over pairs
        trainer.c = c * pairs
        trainer.epsilon = tolerance
        return numpy.array(trainer.train(data).weights)


start, cpu_start = time.perf_counter(), cpu_seconds()
weights = train()
seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu_start
numpy.asarray(weights, numpy.float64).tofile(out)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "peakBytes": peak}))
