"""The shift-method bootstrap of all pairs with shared samples in numpy:

    python bootstrap_all_pairs.py FORM SCORES.json RESAMPLES ROUNDS

FORM is "gather", the definition vectorised over samples (one pair at a time), or "matmul", the sums of all pairs and all
samples as two matrix products by a BLAS with all cores (hundreds of megabytes of intermediate results).
Prints JSON: seconds and processor seconds per round and the last achieved significance levels.
"""

import json
import sys
import time

import numpy as np


def gather(scores, resamples, seed):
    rng = np.random.default_rng(seed)
    systems, topics = scores.shape
    samples = rng.integers(0, topics, (resamples, topics))
    root = np.sqrt(topics)
    levels = []
    for i in range(systems):
        for j in range(i + 1, systems):
            z = scores[i] - scores[j]
            mean = z.mean()
            if not z.any():  # equal systems: nothing tells them apart
                levels.append(1.0)
                continue
            observed = abs(mean / (z.std(ddof=1) / root))
            w = (z - mean)[samples]
            t = w.mean(axis=1) / (w.std(axis=1, ddof=1) / root)
            levels.append((np.abs(t) >= observed).mean())
    return np.array(levels)


def matmul(scores, resamples, seed):
    rng = np.random.default_rng(seed)
    systems, topics = scores.shape
    samples = rng.integers(0, topics, (resamples, topics))
    times = np.stack([np.bincount(sample, minlength=topics) for sample in samples]).astype(float)
    first, second = np.triu_indices(systems, 1)
    z = scores[first] - scores[second]
    mean = z.mean(axis=1)
    with np.errstate(invalid="ignore"):
        observed = np.abs(mean / (z.std(axis=1, ddof=1) / np.sqrt(topics)))
    w = z - mean[:, None]
    means = (w @ times.T) / topics
    squares = (w * w) @ times.T
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(means) / np.sqrt((squares - topics * means * means) / (topics - 1) / topics)
    return np.where(np.isnan(observed), 1.0, (t >= observed[:, None]).mean(axis=1))


if __name__ == "__main__":
    form = {"gather": gather, "matmul": matmul}[sys.argv[1]]
    with open(sys.argv[2]) as source:
        scores = np.array(json.load(source))
    resamples, rounds = int(sys.argv[3]), int(sys.argv[4])
    seconds, cpu_seconds = [], []
    for current in range(rounds):
        start, cpu_start = time.perf_counter(), time.process_time()
        levels = form(scores, resamples, current)
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu_start)
    json.dump({"seconds": seconds, "cpuSeconds": cpu_seconds, "pValues": levels.tolist()}, sys.stdout)
