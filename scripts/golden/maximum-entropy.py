"""The most random grades of short lists with a given value of a measure, by a general solver.

    pip install numpy scipy
    python scripts/golden/maximum-entropy.py > test/golden/meta/maximum-entropy.json

Each case has the grades of a list, the judged documents of each grade, a measure in the spelling of Gradus with its value, and the
highest entropy that SLSQP found from several starts with all constraints met to 1e-8.
"""
import json
import sys

import numpy as np
import scipy
from scipy.optimize import minimize


def average_precision(mass, rank_probabilities, total):
    """E of precision at relevant ranks; mass[j] users take grades above j as relevant."""
    n = np.arange(1, len(rank_probabilities) + 1)
    value = 0.0
    for j, share in enumerate(mass):
        q = rank_probabilities[:, j + 1:].sum(axis=1)
        before = np.concatenate([[0], np.cumsum(q)[:-1]])
        value += share * np.sum(q / n * (1 + before))
    return value / total


def measures(length, judged):
    n = np.arange(1, length + 1)
    relevant = sum(judged[1:])
    ideal = [2] * judged[2] + [1] * judged[1]
    idcg = sum(g / np.log2(k + 2) for k, g in enumerate(ideal))
    top10 = sum((2 ** g - 1) / np.log2(k + 2) for k, g in enumerate(ideal[:10]))
    graded = lambda first: first * relevant + (1 - first) * judged[2]
    return {
        "nDCG": lambda p: np.sum((p[:, 1] + 2 * p[:, 2]) / np.log2(n + 1)) / idcg,
        "nDCG(gain='exp')@10": lambda p: np.sum(((p[:, 1] + 3 * p[:, 2]) / np.log2(n + 1))[:10]) / top10,
        "P@10": lambda p: np.sum(p[:10, 1:]) / 10,
        "RBP(p=0.8)": lambda p: np.sum(0.2 * 0.8 ** (n - 1) * p[:, 1:].sum(axis=1)),
        "AP": lambda p: average_precision([1], p, relevant),
        "AP(rel=2)": lambda p: average_precision([0, 1], p, judged[2]),
        "GAP": lambda p: average_precision([0.5, 0.5], p, graded(0.5)),
        "GAP(g=[0.2,0.8])": lambda p: average_precision([0.2, 0.8], p, graded(0.2)),
    }


def solve(length, counts, expectation, value, rng):
    size = length * 3

    def entropy(x):
        p = np.clip(x, 1e-300, None)
        return float(np.sum(p * np.log(p)))

    def slope(x):
        return np.log(np.clip(x, 1e-300, None)) + 1

    shape = lambda x: x.reshape(length, 3)
    sums = np.kron(np.eye(length), np.ones(3))
    columns = np.tile(np.eye(3)[1:], length)
    constraints = [
        {"type": "eq", "fun": lambda x: shape(x).sum(axis=1) - 1, "jac": lambda x: sums},
        {"type": "eq", "fun": lambda x: shape(x).sum(axis=0)[1:] - np.array(counts[1:], float), "jac": lambda x: columns},
        {"type": "eq", "fun": lambda x: expectation(shape(x)) - value},
    ]
    best = None
    start = np.tile(np.array(counts) / length, (length, 1))
    for attempt in range(2):
        first = start if attempt == 0 else start * rng.uniform(0.5, 1.5, start.shape)
        first = first / first.sum(axis=1, keepdims=True)
        found = minimize(entropy, first.ravel(), jac=slope, bounds=[(1e-12, 1)] * size, constraints=constraints, method="SLSQP",
                         options={"maxiter": 500, "ftol": 1e-12})
        missed = max(np.abs(c["fun"](found.x)).max() if np.ndim(c["fun"](found.x)) else abs(c["fun"](found.x)) for c in constraints)
        # where it stopped for another reason than that nothing is left to gain, the point says nothing
        if found.success and missed <= 1e-8 and (best is None or -found.fun > best):
            best = -found.fun
    return best


def main():
    rng = np.random.default_rng(20260701)
    cases = []
    for length in [8, 15, 30]:
        for steepness in [0.0, 3.0]:
            chance = np.exp(-steepness * np.arange(length) / length)
            grades = [int(rng.choice(3, p=[1 - 0.6 * c, 0.35 * c, 0.25 * c])) for c in chance]
            # each grade occurs
            grades[length // 2], grades[length // 3] = 1, 2
            counts = [grades.count(i) for i in range(3)]
            judged = [counts[0] + 4, counts[1] + 2, counts[2] + 1]
            for name, expectation in measures(length, judged).items():
                sure = np.eye(3)[grades]
                value = float(expectation(sure))
                entropy = solve(length, counts, expectation, value, rng)
                if entropy is not None:
                    cases.append({"grades": grades, "judged": judged, "measure": name, "value": value, "entropy": entropy})
    json.dump({"scipy": scipy.__version__, "cases": cases}, sys.stdout, indent=1)
    print()


main()
