"""References for the tests, effect sizes, power and correlations, from scipy, statsmodels and enumeration:

    python scripts/golden/stats.py test/golden/stats

writes one JSON file per subject. The 30-digit references of the distributions are made by stats_mpmath.py.
The inputs are seeded and rounded, so that ties and zeros occur; they are recorded next to the values.
"""

import itertools
import json
import math
import sys
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import FTestAnovaPower, TTestPower

MADE_BY = f"scripts/golden/stats.py, numpy {np.__version__}, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}"
ALTERNATIVES = ["two-sided", "greater", "less"]


def pairs_of_samples():
    """Paired samples of several shapes: continuous, rounded (ties and zeros), skewed, all better."""
    rng = np.random.default_rng(20240601)
    samples = []
    for n, decimals, shift in [(5, 3, 0.1), (8, 1, 0.0), (12, 2, 0.05), (20, 1, 0.1), (30, 4, 0.02), (50, 1, 0.04), (60, 3, -0.03), (249, 2, 0.01)]:
        second = rng.beta(1.2, 2.5, n)
        first = np.clip(second + shift + rng.normal(0, 0.12, n), 0, 1)
        samples.append((np.round(first, decimals), np.round(second, decimals)))
    base = np.round(rng.random(10), 3)
    samples.append((np.round(base + 0.1 + 0.01 * np.arange(10), 3), base))
    return samples


def exact_signed_rank(ranks, positive, alternative):
    """All 2^n signs of the given ranks."""
    sums = np.array([sum(r for r, keep in zip(ranks, signs) if keep) for signs in itertools.product([0, 1], repeat=len(ranks))])
    upper = np.mean(sums >= positive - 1e-9)
    lower = np.mean(sums <= positive + 1e-9)
    return {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}[alternative]


def paired_tests():
    rows = []
    for first, second in pairs_of_samples():
        d = first - second
        row = {"first": first.tolist(), "second": second.tolist(), "t": [], "wilcoxon": [], "sign": []}
        for alternative in ALTERNATIVES:
            t = stats.ttest_rel(first, second, alternative=alternative)
            row["t"].append({"alternative": alternative, "statistic": t.statistic, "pValue": t.pvalue})
            for zeros in ("wilcox", "pratt"):
                for correction in (True, False):
                    w = stats.wilcoxon(np.round(d, 6), zero_method=zeros, correction=correction, alternative=alternative, method="asymptotic")
                    row["wilcoxon"].append({"alternative": alternative, "zeros": "wilcoxon" if zeros == "wilcox" else "pratt", "method": "asymptotic", "continuity": correction, "pValue": float(w.pvalue)})
            rounded = np.round(d, 6)
            if len(d) <= 12:
                for zeros in ("wilcoxon", "pratt"):
                    kept = rounded[rounded != 0] if zeros == "wilcoxon" else rounded
                    ranks = stats.rankdata(np.abs(kept))
                    differing = kept != 0
                    positive = ranks[kept > 0].sum()
                    row["wilcoxon"].append({"alternative": alternative, "zeros": zeros, "method": "exact", "pValue": exact_signed_rank(ranks[differing], positive, alternative)})
            elif len(np.unique(np.abs(rounded))) == len(d) and not (rounded == 0).any():
                w = stats.wilcoxon(rounded, alternative=alternative, method="exact")
                row["wilcoxon"].append({"alternative": alternative, "zeros": "wilcoxon", "method": "exact", "pValue": float(w.pvalue)})
            for band in (0.0, 0.05):
                wins, losses = int((rounded > band).sum()), int((rounded < -band).sum())
                p = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue if wins + losses else 1.0
                row["sign"].append({"alternative": alternative, "deadBand": band, "wins": wins, "losses": losses, "pValue": float(p)})
        low, high = stats.ttest_rel(first, second).confidence_interval(0.95)
        row["interval95"] = [low, high]
        rows.append(row)
    # exact values without ties at sizes where enumeration is out of reach: scipy's own recursion
    rng = np.random.default_rng(5)
    recursion = []
    for n in (15, 25, 40, 50):
        d = np.round(rng.normal(0.15, 1, n), 6)
        for alternative in ALTERNATIVES:
            w = stats.wilcoxon(d, alternative=alternative, method="exact")
            recursion.append({"differences": d.tolist(), "alternative": alternative, "pValue": float(w.pvalue)})
    return {"samples": rows, "exactWithoutTies": recursion}


def randomization():
    rng = np.random.default_rng(99)
    rows = []
    for n, decimals in [(3, 1), (6, 1), (9, 2), (12, 4), (14, 1)]:
        d = np.round(rng.normal(0.08, 0.2, n), decimals)
        row = {"differences": d.tolist()}
        signs = np.array(list(itertools.product([-1, 1], repeat=n)))
        sums = np.round(signs @ np.abs(d), 9)
        observed = round(float(d.sum()), 9)
        row["two-sided"] = int((np.abs(sums) >= abs(observed) - 1e-9).sum())
        row["greater"] = int((sums >= observed - 1e-9).sum())
        row["less"] = int((sums <= observed + 1e-9).sum())
        row["total"] = len(sums)
        rows.append(row)
    return {"samples": rows}


def bootstrap():
    """Percentile and BCa limits from a given bootstrap distribution, by scipy.stats.bootstrap."""
    rng = np.random.default_rng(7)
    rows = []
    for n, skew in [(10, False), (25, True), (50, True)]:
        values = np.round(rng.exponential(0.2, n) if skew else rng.normal(0.1, 0.3, n), 4)
        made = stats.bootstrap((values,), np.mean, n_resamples=499, random_state=rng, method="percentile")
        row = {"values": values.tolist(), "resampledMeans": made.bootstrap_distribution.tolist()}
        for method, name in (("percentile", "percentile"), ("BCa", "bca")):
            for level in (0.9, 0.95):
                again = stats.bootstrap((values,), np.mean, n_resamples=0, bootstrap_result=made, method=method, confidence_level=level)
                row[f"{name} {level}"] = [again.confidence_interval.low, again.confidence_interval.high]
        rows.append(row)
    return {"samples": rows}


def matrices():
    rng = np.random.default_rng(11)
    made = []
    for systems, topics, decimals in [(3, 6, 2), (4, 10, 1), (6, 25, 3), (10, 50, 4)]:
        difficulty = rng.beta(1.5, 2.5, topics)
        quality = rng.normal(0, 0.08, systems)
        scores = np.clip(difficulty[None, :] + quality[:, None] + rng.normal(0, 0.1, (systems, topics)), 0, 1)
        made.append(np.round(scores, decimals))
    return made


def many_systems():
    import pandas
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rows = []
    for scores in matrices():
        systems, topics = scores.shape
        frame = pandas.DataFrame([(s, t, scores[s, t]) for s in range(systems) for t in range(topics)], columns=["system", "topic", "score"])
        two = anova_lm(ols("score ~ C(system) + C(topic)", frame).fit())
        one = stats.f_oneway(*scores)
        friedman = stats.friedmanchisquare(*scores)
        tukey = stats.tukey_hsd(*scores)
        interval = tukey.confidence_interval(0.95)
        upper = [(i, j) for i in range(systems) for j in range(i + 1, systems)]
        # blocked design: the studentised range with the two-way error, by scipy's quadrature (good to about 1e-8)
        error = two.loc["Residual", "mean_sq"]
        df = int(two.loc["Residual", "df"])
        means = scores.mean(axis=1)
        blocked = [float(stats.studentized_range.sf(abs(means[i] - means[j]) / math.sqrt(error / topics), systems, df)) for i, j in upper]
        ranks = np.mean([stats.rankdata(-scores[:, t]) for t in range(topics)], axis=0)
        spread = math.sqrt(systems * (systems + 1) / (12 * topics))
        nemenyi = [float(stats.studentized_range.sf(abs(ranks[i] - ranks[j]) / spread, systems, np.inf)) for i, j in upper]
        rows.append(
            {
                "systems": scores.tolist(),
                "twoWay": {name: [float(two.loc[key, c]) for c in ("sum_sq", "df", "mean_sq", "F", "PR(>F)")][: 3 if key == "Residual" else 5] for name, key in (("systems", "C(system)"), ("topics", "C(topic)"), ("error", "Residual"))},
                "oneWay": {"statistic": one.statistic, "pValue": one.pvalue},
                "friedman": {"statistic": friedman.statistic, "pValue": friedman.pvalue},
                "meanRanks": ranks.tolist(),
                "tukeyOneWay": [float(tukey.pvalue[i, j]) for i, j in upper],
                "tukeyOneWayHalfWidth": float((interval.high[0, 1] - interval.low[0, 1]) / 2),
                "tukeyTwoWay": blocked,
                "nemenyi": nemenyi,
            }
        )
    # randomised Tukey HSD over every arrangement
    enumerated = []
    rng = np.random.default_rng(3)
    for systems, topics, decimals in [(2, 6, 1), (3, 3, 1), (3, 4, 2), (4, 3, 2)]:
        scores = np.round(rng.random((systems, topics)), decimals)
        arrangements = list(itertools.permutations(range(systems)))
        ranges = []
        for choice in itertools.product(arrangements, repeat=topics):
            sums = np.zeros(systems)
            for t, order in enumerate(choice):
                sums += scores[list(order), t]
            ranges.append(sums.max() - sums.min())
        ranges = np.array(ranges)
        sums = scores.sum(axis=1)
        share = [float(np.mean(ranges >= abs(sums[i] - sums[j]) - 1e-9)) for i in range(systems) for j in range(i + 1, systems)]
        enumerated.append({"systems": scores.tolist(), "shares": share})
    return {"matrices": rows, "enumeratedTukey": enumerated}


def corrections():
    rng = np.random.default_rng(17)
    names = {"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
    rows = []
    for n in (1, 2, 5, 10, 40, 100):
        for kind in ("uniform", "small", "tied"):
            p = rng.random(n) if kind == "uniform" else rng.beta(0.2, 3, n) if kind == "small" else np.round(rng.random(n), 1)
            row = {"pValues": p.tolist()}
            for ours, theirs in names.items():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    row[ours] = multipletests(p, method=theirs)[1].tolist()
            rows.append(row)
    return {"samples": rows}


def effect_and_power():
    sizes = []
    for first, second in pairs_of_samples():
        n = len(first)
        d = first - second
        mean, spread = d.mean(), d.std(ddof=1)
        dz = mean / spread
        t = dz * math.sqrt(n)
        # interval of the noncentrality by root finding on scipy's non-central t
        from scipy.optimize import brentq

        low = brentq(lambda nc: stats.nct.sf(t, n - 1, nc) - 0.025, t - 10 - abs(t), t + 10 + abs(t), xtol=1e-12)
        high = brentq(lambda nc: stats.nct.cdf(t, n - 1, nc) - 0.025, t - 10 - abs(t), t + 10 + abs(t), xtol=1e-12)
        df = 2 * (n - 1)
        j = math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
        pooled = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
        sizes.append(
            {
                "first": first.tolist(),
                "second": second.tolist(),
                "cohenDz": dz,
                "cohenDzInterval": [low / math.sqrt(n), high / math.sqrt(n)],
                "hedgesG": j * mean / pooled,
                "glassDelta": mean / second.std(ddof=1),
            }
        )
    power = []
    for topics, effect, alpha, alternative in [(10, 0.5, 0.05, "two-sided"), (25, 0.3, 0.05, "two-sided"), (50, 0.4, 0.05, "two-sided"), (50, 0.4, 0.01, "greater"), (250, 0.2, 0.05, "two-sided")]:
        theirs = "larger" if alternative == "greater" else alternative
        power.append({"topics": topics, "effect": effect, "alpha": alpha, "alternative": alternative, "power": float(TTestPower().power(effect, topics, alpha, alternative=theirs))})
    needed = []
    for effect, alpha, wanted in [(0.2, 0.05, 0.8), (0.5, 0.05, 0.8), (0.5, 0.01, 0.95), (0.35, 0.05, 0.9), (2.0, 0.05, 0.8)]:
        n = 2
        while TTestPower().power(effect, n, alpha) < wanted:
            n += 1
        needed.append({"effect": effect, "alpha": alpha, "power": wanted, "topics": n})
    anova = []
    for systems, topics, effect in [(3, 20, 0.6), (10, 50, 0.5), (50, 30, 0.8)]:
        # Cohen's f for one system at +effect/2, one at -effect/2 and the others at 0
        f = math.sqrt(effect * effect / (2 * systems))
        anova.append({"systems": systems, "topics": topics, "effect": effect, "alpha": 0.05, "power": float(FTestAnovaPower().power(f, systems * topics, 0.05, k_groups=systems))})
    return {"sizes": sizes, "power": power, "topicsNeeded": needed, "anovaPower": anova}


def tau_ap_by_orders(truth, estimate):
    """Yilmaz's coefficient averaged over all orders of the ties of the estimate."""
    n = len(truth)
    groups = [[i for i in range(n) if estimate[i] == value] for value in sorted(set(estimate), reverse=True)]
    values = []
    for orders in itertools.product(*(itertools.permutations(group) for group in groups)):
        ranking = [i for group in orders for i in group]
        total = sum(sum(truth[ranking[above]] > truth[ranking[at]] for above in range(at)) / at for at in range(1, n))
        values.append(2 * total / (n - 1) - 1)
    return float(np.mean(values))


def correlations():
    rng = np.random.default_rng(23)
    rows = []
    for n, decimals in [(4, 1), (7, 1), (10, 1), (20, 2), (60, 1), (60, 6)]:
        x = np.round(rng.random(n), decimals)
        y = np.round(0.6 * x + 0.4 * rng.random(n), decimals)
        concordant = sum(int(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i in range(n) for j in range(i))
        rows.append(
            {
                "first": x.tolist(),
                "second": y.tolist(),
                "pearson": float(stats.pearsonr(x, y).statistic),
                "spearman": float(stats.spearmanr(x, y).statistic),
                "tauB": float(stats.kendalltau(x, y).statistic),
                "tauA": concordant / (n * (n - 1) / 2),
                "rmse": float(np.sqrt(np.mean((x - y) ** 2))),
            }
        )
    ap = []
    for n, decimals in [(4, 1), (6, 1), (7, 6), (8, 1)]:
        truth = rng.permutation(n).astype(float)
        estimate = np.round(rng.random(n), decimals) if decimals > 1 else np.round(rng.random(n) * 4) / 4
        ap.append({"truth": truth.tolist(), "estimate": estimate.tolist(), "a": tau_ap_by_orders(truth.tolist(), estimate.tolist())})
    return {"samples": rows, "apOverOrders": ap}


if __name__ == "__main__":
    folder = sys.argv[1]
    for name, build in {
        "paired-tests": paired_tests,
        "randomization": randomization,
        "bootstrap": bootstrap,
        "many-systems": many_systems,
        "corrections": corrections,
        "effect-and-power": effect_and_power,
        "correlations": correlations,
    }.items():
        result = {"madeBy": MADE_BY}
        result.update(build())
        with open(f"{folder}/{name}.json", "w") as out:
            json.dump(result, out)
            out.write("\n")
