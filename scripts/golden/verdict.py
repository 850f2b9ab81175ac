"""Verdicts by numpy and scipy: difference, interval, p, topics that decide, equivalence and planning, for pairs of made-up systems.

    python scripts/golden/verdict.py > test/golden/verdict/verdict.json

Needs numpy and scipy.
"""

import json

import numpy as np
import scipy
from scipy import optimize, stats

ALPHA = 0.05
POWER = 0.8
MARGIN = 0.02


def paired_t(differences, side="two-sided", at=0.0):
    return float(stats.ttest_1samp(differences, at, alternative=side).pvalue)


def sign_test(differences):
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return float(stats.binomtest(wins, wins + losses).pvalue)


def interval(differences, level):
    result = stats.ttest_1samp(differences, 0).confidence_interval(level)
    return [float(result.low), float(result.high)]


def power(topics, difference, spread):
    df = topics - 1
    critical = stats.t.ppf(1 - ALPHA / 2, df)
    shift = np.sqrt(topics) * difference / spread
    # the far tail underflows to NaN where it is nothing
    return stats.nct.sf(critical, df, shift) + np.nan_to_num(stats.nct.cdf(-critical, df, shift))


def detectable(topics, spread):
    return float(optimize.brentq(lambda d: power(topics, d, spread) - POWER, 1e-3 * spread, 3 * spread, xtol=1e-13))


def needed(difference, spread):
    topics = 2
    while power(topics, difference, spread) < POWER:
        topics += 1
    return topics


def fewest_to_tip(differences, test):
    gains = int((differences > 0).sum())
    ordered = np.sort(differences)[::-1]
    for k in range(1, min(gains, len(ordered) - 2) + 1):
        if test(ordered[k:]) > ALPHA:
            return k
    return None


def case(name, first, second):
    differences = first - second
    order = sorted(range(len(differences)), key=lambda t: (-differences[t], t))
    gains = [t for t in order if differences[t] > 0][:5]
    rest = np.array([differences[t] for t in order if t not in gains])
    spread = float(np.std(differences, ddof=1))
    return {
        "name": name,
        "first": first.tolist(),
        "second": second.tolist(),
        "difference": float(differences.mean()),
        "interval": interval(differences, 1 - ALPHA),
        "t": paired_t(differences),
        "sign": sign_test(differences),
        "better": int((differences > 0).sum()),
        "worse": int((differences < 0).sum()),
        "gains": gains,
        "without": None if len(rest) < 2 else {"difference": float(rest.mean()), "t": paired_t(rest), "sign": sign_test(rest)},
        "fewestToTip": {"t": fewest_to_tip(differences, paired_t), "sign": fewest_to_tip(differences, sign_test)},
        "equivalence": {
            "margin": MARGIN,
            "interval": interval(differences, 1 - 2 * ALPHA),
            "pValue": max(paired_t(differences, "greater", -MARGIN), paired_t(differences, "less", MARGIN)),
        },
        "detectable": detectable(len(differences), spread),
        "needed": needed(abs(float(differences.mean())), spread),
    }


def scores(generator, topics):
    return np.round(generator.beta(2, 2, topics), 3)


def near(generator, values, gain, spread):
    return np.round(np.clip(values + gain + spread * generator.standard_normal(len(values)), 0, 1), 3)


def main():
    generator = np.random.default_rng(20261116)
    cases = []
    for name, topics, gain, spread in [
        ("better", 50, 0.12, 0.15),
        ("not told apart", 30, 0.02, 0.15),
        ("equivalent", 40, 0.002, 0.02),
        ("too few", 5, 0.15, 0.15),
    ]:
        second = scores(generator, topics)
        cases.append(case(name, near(generator, second, gain, spread), second))
    made_by = f"scripts/golden/verdict.py, numpy {np.__version__}, scipy {scipy.__version__}"
    print(json.dumps({"madeBy": made_by, "alpha": ALPHA, "power": POWER, "cases": cases}))


main()
