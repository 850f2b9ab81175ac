"""References for whole comparisons of systems, from scipy and statsmodels:

    python scripts/golden/stats_comparison.py test/golden/stats/comparison.json

Three seeded tables of topics x systems; for all pairs, and for all systems against the first one, the p-values of the paired tests and
their corrections by every method, intervals of the mean difference, and d_z. Pairs are (later system, earlier system).
"""

import itertools
import json
import sys

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

METHODS = {"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}


def compare(systems, pairs):
    rows = []
    for i, j in pairs:
        difference = systems[i] - systems[j]
        t = stats.ttest_rel(systems[i], systems[j])
        interval = t.confidence_interval(0.95)
        wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
        rows.append(
            {
                "pair": [i, j],
                "difference": float(difference.mean()),
                "interval": [float(interval.low), float(interval.high)],
                "dz": float(difference.mean() / difference.std(ddof=1)),
                "winTieLoss": [wins, len(difference) - wins - losses, losses],
                "t": float(t.pvalue),
                "tLess": float(stats.ttest_rel(systems[i], systems[j], alternative="less").pvalue),
                "sign": float(stats.binomtest(wins, wins + losses).pvalue),
            }
        )
    p = [row["t"] for row in rows]
    corrected = {ours: multipletests(p, method=theirs)[1].tolist() for ours, theirs in METHODS.items()}
    return {"pairs": rows, "corrected": corrected}


rng = np.random.default_rng(20240917)
tables = []
for topics, count, step in [(12, 3, 0.08), (30, 4, 0.03), (50, 5, 0.02)]:
    difficulty = rng.beta(2, 3, topics)
    systems = [np.round(np.clip(difficulty + step * s + rng.normal(0, 0.1, topics), 0, 1), 4) for s in range(count)]
    every = [(j, i) for i, j in itertools.combinations(range(count), 2)]
    tables.append(
        {
            "systems": [values.tolist() for values in systems],
            "allPairs": compare(systems, every),
            "baseline": compare(systems, [(s, 0) for s in range(1, count)]),
        }
    )
made_by = f"scripts/golden/stats_comparison.py, numpy {np.__version__}, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}"
with open(sys.argv[1], "w") as out:
    json.dump({"madeBy": made_by, "tables": tables}, out)
    out.write("\n")
