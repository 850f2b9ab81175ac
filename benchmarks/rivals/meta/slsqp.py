"""The most random grades of lists with a given value of nDCG or GAP, by a general solver: python slsqp.py PROBLEMS.json

Prints JSON: for each problem the seconds of the solver and the entropy, null where it did not meet the constraints to 1e-8.
"""

import json
import sys
import time

import numpy as np
from scipy.optimize import minimize


def expectation_of(measure, length, judged):
    n = np.arange(1, length + 1)
    if measure == "nDCG":
        ideal = np.array([2] * judged[2] + [1] * judged[1])
        norm = np.sum(ideal / np.log2(np.arange(2, len(ideal) + 2)))
        weights = np.stack([np.zeros(length), 1 / np.log2(n + 1), 2 / np.log2(n + 1)], axis=1) / norm
        return lambda p: np.sum(weights * p), lambda p: weights
    total = 0.5 * (judged[1] + judged[2]) + 0.5 * judged[2]

    def value(p):
        result = 0.0
        for lowest in (1, 2):
            q = p[:, lowest:].sum(axis=1)
            result += 0.5 * np.sum(q / n * (1 + np.cumsum(q) - q))
        return result / total

    def slope(p):
        result = np.zeros_like(p)
        for lowest in (1, 2):
            q = p[:, lowest:].sum(axis=1)
            behind = np.sum(q / n) - np.cumsum(q / n)
            result[:, lowest:] += (0.5 * ((1 + np.cumsum(q) - q) / n + behind))[:, None]
        return result / total

    return value, slope


def solve(measure, problem):
    length, counts = problem["length"], np.array(problem["counts"], float)
    value, slope = expectation_of(measure, length, problem["judged"])
    grid = lambda x: x.reshape(length, 3)
    sums = np.kron(np.eye(length), np.ones(3))
    columns = np.tile(np.eye(3)[1:], length)
    constraints = [
        {"type": "eq", "fun": lambda x: grid(x).sum(axis=1) - 1, "jac": lambda x: sums},
        {"type": "eq", "fun": lambda x: grid(x).sum(axis=0)[1:] - counts[1:], "jac": lambda x: columns},
        {"type": "eq", "fun": lambda x: value(grid(x)) - problem["value"], "jac": lambda x: slope(grid(x)).ravel()},
    ]
    safe = lambda x: np.clip(x, 1e-300, None)
    start = np.tile(counts / length, (length, 1)).ravel()
    begin = time.perf_counter()
    found = minimize(
        lambda x: np.sum(safe(x) * np.log(safe(x))),
        start,
        jac=lambda x: np.log(safe(x)) + 1,
        bounds=[(1e-12, 1)] * (3 * length),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    seconds = time.perf_counter() - begin
    missed = max(float(np.max(np.abs(c["fun"](found.x)))) for c in constraints)
    return {"seconds": seconds, "entropy": -float(found.fun) if missed <= 1e-8 else None}


if __name__ == "__main__":
    with open(sys.argv[1]) as source:
        asked = json.load(source)
    json.dump([solve(asked["measure"], problem) for problem in asked["problems"]], sys.stdout)
