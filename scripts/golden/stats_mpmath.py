"""References for the distribution functions, at 30 digits or more: python stats_mpmath.py NAME OUTPUT.json

NAME is one of distributions, studentized-range, noncentral, mills. Needs mpmath, python-flint and scipy (for first guesses).
Every value is a string of decimal digits; the tests read it as a double.
"""

import json
import math
import sys

import flint
import mpmath
from flint import arb
from mpmath import mp, mpf

mp.dps = 50
DIGITS = 30


def text(value):
    return mp.nstr(value, DIGITS, min_fixed=0, max_fixed=0)


def normal_tails(x):
    x = mpf(x)
    return mp.erfc(-x / mp.sqrt(2)) / 2, mp.erfc(x / mp.sqrt(2)) / 2


def beta_tails(a, b, x):
    """Both tails of the beta distribution, each as its own integral so that neither is a difference."""
    a, b, x = mpf(a), mpf(b), mpf(x)
    return mp.betainc(a, b, 0, x, regularized=True), mp.betainc(b, a, 0, 1 - x, regularized=True)


def t_tails(df, t):
    df, t = mpf(df), mpf(t)
    upper = mp.betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return (1 - upper, upper) if t >= 0 else (upper, 1 - upper)


def chi_squared_tails(df, x):
    a, x = mpf(df) / 2, mpf(x) / 2
    return mp.gammainc(a, 0, x, regularized=True), mp.gammainc(a, x, mp.inf, regularized=True)


def f_tails(df1, df2, x):
    df1, df2, x = mpf(df1), mpf(df2), mpf(x)
    total = df1 * x + df2
    return mp.betainc(df1 / 2, df2 / 2, 0, df1 * x / total, regularized=True), mp.betainc(df2 / 2, df1 / 2, 0, df2 / total, regularized=True)


def binomial_tails(n, p, k):
    p = mpf(p)
    terms = [mp.binomial(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    return mp.fsum(terms[: k + 1]), mp.fsum(terms[k + 1 :])


def row(name, parameters, x, tails):
    return {"distribution": name, "parameters": parameters, "x": x, "cdf": text(tails[0]), "upperTail": text(tails[1])}


def quantile_row(name, parameters, p, side, tails, guess):
    """The x at which the tail `side` equals the double p, by the secant method on ln |x| and ln of the tail."""
    index = 0 if side == "quantile" else 1
    target = mp.log(mpf(p))
    sign = 1 if guess > 0 else -1

    def excess(u):
        return mp.log(tails(sign * mp.exp(u))[index]) - target

    before, here = mp.log(abs(mpf(guess))), mp.log(abs(mpf(guess))) + mpf("1e-6")
    f_before, f_here = excess(before), excess(here)
    for _ in range(60):
        if f_here == f_before or abs(here - before) < mpf("1e-40"):
            break
        before, here, f_before = here, here - f_here * (here - before) / (f_here - f_before), f_here
        f_here = excess(here)
    assert abs(f_here) < mpf("1e-35"), (name, parameters, p, side, f_here)
    solved = sign * mp.exp(here)
    return {"distribution": name, "parameters": parameters, "p": p, "side": side, "x": text(solved)}


def distributions():
    from scipy import stats

    points, quantiles = [], []
    for x in [-37.5, -20.0, -8.0, -3.0, -1.0, -0.25, 0.001, 0.5, 1.0, 1.959964, 3.0, 5.0, 7.03, 12.0, 26.5, 37.5]:
        points.append(row("normal", [], x, normal_tails(x)))
    for p in [1e-300, 1e-100, 1e-20, 1e-12, 1e-6, 0.001, 0.025, 0.05, 0.3, 0.45, 0.4999]:
        quantiles.append(quantile_row("normal", [], p, "upperQuantile", lambda x: normal_tails(x), float(stats.norm.isf(p))))

    for df in [1, 2, 3, 5, 10, 24, 49, 99, 490, 1000, 4900, 6979]:
        for t in [0.01, 0.5, 1.0, 2.0, 3.4, 7.0, 10.0, 38.0]:
            points.append(row("t", [df], t, t_tails(df, t)))
        points.append(row("t", [df], -2.5, t_tails(df, -2.5)))
        for p in [1e-12, 1e-6, 0.0005, 0.025, 0.05, 0.4]:
            quantiles.append(quantile_row("t", [df], p, "upperQuantile", lambda x, df=df: t_tails(df, x), float(stats.t.isf(p, df))))

    for df in [1, 2, 3, 5, 10, 49, 128, 490, 4900]:
        for p in [1e-12, 1e-6, 0.01, 0.5]:
            x = float(f"{stats.chi2.ppf(p, df):.6g}")
            points.append(row("chi-squared", [df], x, chi_squared_tails(df, x)))
            x = float(f"{stats.chi2.isf(p, df):.6g}")
            points.append(row("chi-squared", [df], x, chi_squared_tails(df, x)))
        for p in [1e-12, 0.001, 0.05, 0.4]:
            quantiles.append(quantile_row("chi-squared", [df], p, "upperQuantile", lambda x, df=df: chi_squared_tails(df, x), float(stats.chi2.isf(p, df))))
            quantiles.append(quantile_row("chi-squared", [df], p, "quantile", lambda x, df=df: chi_squared_tails(df, x), float(stats.chi2.ppf(p, df))))

    for df1, df2 in [(1, 1), (1, 49), (2, 10), (5, 2), (9, 441), (128, 6272), (49, 6272), (3, 4900)]:
        for p in [1e-12, 1e-5, 0.05, 0.5]:
            x = float(f"{stats.f.ppf(p, df1, df2):.6g}")
            points.append(row("F", [df1, df2], x, f_tails(df1, df2, x)))
            x = float(f"{stats.f.isf(p, df1, df2):.6g}")
            points.append(row("F", [df1, df2], x, f_tails(df1, df2, x)))
        for p in [1e-12, 0.01, 0.3]:
            quantiles.append(quantile_row("F", [df1, df2], p, "upperQuantile", lambda x, a=df1, b=df2: f_tails(a, b, x), float(stats.f.isf(p, df1, df2))))

    for a, b in [(0.5, 0.5), (0.5, 24.5), (2, 3), (10, 1), (24.5, 0.5), (300, 700), (2450, 0.5)]:
        for x in [1e-6, 0.01, 0.2, 0.5, 0.75, 0.99, 0.9999]:
            lower, upper = beta_tails(a, b, x)
            if lower > mpf("1e-300") and upper > mpf("1e-300"):
                points.append(row("beta", [a, b], x, (lower, upper)))
        for p in [1e-12, 0.025, 0.4]:
            quantiles.append(quantile_row("beta", [a, b], p, "quantile", lambda x, a=a, b=b: beta_tails(a, b, x), float(stats.beta.ppf(p, a, b))))

    for n, p in [(1, 0.5), (10, 0.5), (44, 0.5), (50, 0.3), (249, 0.5), (1000, 0.01), (1000, 0.5)]:
        for k in sorted({0, n // 10, n // 4, n // 3, n // 2, (2 * n) // 3, n - 1}):
            points.append(row("binomial", [n, p], k, binomial_tails(n, p, k)))
    return {"points": points, "quantiles": quantiles}


def gauss_legendre(count):
    """Nodes and weights on [-1, 1] by Newton's method on the Legendre polynomial."""
    rule = []
    for i in range(1, count + 1):
        x = mp.cos(mp.pi * (i - mpf(1) / 4) / (count + mpf(1) / 2))
        for _ in range(100):
            below, here = mpf(1), x
            for n in range(2, count + 1):
                below, here = here, ((2 * n - 1) * x * here - (n - 1) * below) / n
            slope = count * (x * here - below) / (x * x - 1)
            step = here / slope
            x -= step
            if abs(step) < mpf(10) ** (-mp.dps + 2):
                break
        rule.append((x, 2 / ((1 - x * x) * slope * slope)))
    return rule


def whole_power(x, n):
    """x^n by multiplication: Arb's own power has no value for a ball that reaches below 0."""
    result = arb(1)
    while n > 0:
        if n & 1:
            result *= x
        x, n = x * x, n >> 1
    return result


class RangeOfNormals:
    """Both tails of the range of k normals by Gauss-Legendre panels over the position of the largest,
    narrower for many groups because the integrand is.

    In Arb's ball arithmetic (python-flint), whose erfc is several times faster than mpmath's.
    """

    def __init__(self, k, count, side):
        self.k = k
        self.rule = [(arb(mp.nstr(x, 45)), arb(mp.nstr(weight, 45))) for x, weight in gauss_legendre(count)]
        self.root_half = 1 / arb(2).sqrt()
        self.nodes = []
        width = min(1.5, (10 if side == "upperTail" else 3) / math.sqrt(k))
        for panel in range(math.floor(-10.5 / width), math.ceil(34 / width)):
            for x, weight in self.rule:
                z = width * (panel + (x + 1) / 2)
                density = (-z * z / 2).exp() / (2 * arb.pi()).sqrt()
                self.nodes.append((float(z), z, width / 2 * weight * density, self.below(z)))

    def below(self, z):
        return (-z * self.root_half).erfc() / 2

    def upper(self, w):
        k, first, last = self.k, float(w) / 2 - 10, max(float(w) / 2 + 10, 11)
        total = arb(0)
        for at, z, weight, below in self.nodes:
            if first < at < last:
                total += weight * (whole_power(below, k - 1) - whole_power(below - self.below(z - w), k - 1))
        return k * total

    def lower(self, w):
        k, total = self.k, arb(0)
        for at, z, weight, below in self.nodes:
            if at < 11:
                total += weight * whole_power(below - self.below(z - w), k - 1)
        return k * total


def studentized_tails(normals, df, q, side):
    """The expectation of one tail of the range at q*s over s = exp(u), by Gauss-Legendre panels on u."""
    tail = normals.upper if side == "upperTail" else normals.lower
    big_q = arb(q)
    if df == math.inf:
        return tail(big_q)
    k = normals.k
    half = arb(df) / 2
    constant = 2 * half**half / half.gamma()
    width = 2 / math.sqrt(2 * (df + k))

    def bound(u):
        """Logarithm of something never smaller than the integrand, cheap, to find where the mass is."""
        s = math.exp(u)
        log_tail = min(0.0, 2 * math.log(k) - (q * s) ** 2 / 4) if side == "upperTail" else min(0.0, (k - 1) * math.log(q * s))
        return df * u - df * s * s / 2 + log_tail

    panels = range(int(-50 / df / width) - 40, int(3 / width) + 40)
    bounds = [max(bound(width * panel), bound(width * (panel + 1))) for panel in panels]
    peak = max(bounds)
    total = arb(0)
    for panel, log_bound in zip(panels, bounds):
        if log_bound < peak - 48 or (side == "upperTail" and q * math.exp(width * panel) > 45):
            continue
        for x, weight in normals.rule:
            u = width * (panel + (x + 1) / 2)
            s = u.exp()
            total += weight * constant * (df * u - half * s * s).exp() * tail(big_q * s)
    return total * width / 2


def studentized_range():
    """Cases at q chosen to give tails from 0.9 to 1e-12; each value is computed with two different rules, which must agree."""
    mp.dps = 50
    flint.ctx.dps = 45
    upper_cases = {
        (2, 1): [0.5, 18.0, 12000.0, 1e12],
        (3, 2): [1.0, 8.33, 190.0, 1.9e6],
        (2, 2): [10.0],
        (5, 10): [1.2, 4.65, 9.6, 22.0, 48.0],
        (3, 49): [0.05, 3.42, 6.2, 9.6, 13.0],
        (10, 49): [2.0, 4.7, 7.6, 11.3],
        (129, 49): [4.2, 7.0, 10.0],
        (5, 490): [3.87, 6.1, 8.5, 10.8],
        (129, 490): [6.3, 8.2, 10.5],
        (5, 4900): [8.0, 3.86, 6.05, 10.5],
        (101, 4900): [5.0, 6.12, 7.9, 9.9, 11.5],
        (129, 6272): [4.5, 6.27, 11.0],
        (2, math.inf): [2.77, 10.2],
        (10, math.inf): [1.0, 4.474, 10.9],
        (40, math.inf): [5.5],
    }
    lower_cases = {(2, 5): [1e-9], (3, 49): [0.001, 0.05], (10, 4900): [0.4], (129, 490): [2.5]}
    rows = []
    for side, table in (("upperTail", upper_cases), ("cdf", lower_cases)):
        for (k, df), qs in table.items():
            rules = [RangeOfNormals(k, count, side) for count in (15, 19)]
            for q in qs:
                values = [studentized_tails(rule, df, q, side) for rule in rules]
                error = abs(float(values[0] / values[1] - 1))
                print(side, k, df, q, values[1].str(20, radius=False), error, file=sys.stderr, flush=True)
                assert error < 1e-13, (k, df, q, error)
                rows.append({"groups": k, "df": "Infinity" if df == math.inf else df, "q": q, "side": side, "value": values[1].str(20, radius=False), "agreement": float(f"{error:.1e}")})
    return {"points": rows}


def noncentral():
    mp.dps = 40

    def t_upper(df, delta, t):
        df, delta, t = mpf(df), mpf(delta), mpf(t)
        constant = 2 * (df / 2) ** (df / 2) / mp.gamma(df / 2)
        spread = 1 / mp.sqrt(2 * df)
        cuts = sorted({max(mpf(0), 1 + step * spread) for step in range(-16, 17)})
        return mp.quad(lambda s: constant * s ** (df - 1) * mp.exp(-df * s * s / 2) * normal_tails(t * s - delta)[1], cuts)

    def f_upper(df1, df2, nc, x):
        df1, df2, nc, x = mpf(df1), mpf(df2), mpf(nc), mpf(x)
        half = nc / 2
        total = mpf(0)
        y = df2 / (df2 + df1 * x)
        for j in range(0, int(half + 40 * mp.sqrt(half + 1) + 60)):
            total += mp.exp(-half + j * mp.log(half) - mp.loggamma(j + 1)) * mp.betainc(df2 / 2, df1 / 2 + j, 0, y, regularized=True)
        return total

    rows = []
    for df, delta, t in [(4, 1.0, 2.5), (9, 0.5, 2.262), (24, 3.0, 2.06), (49, 2.8, 2.0096), (49, 2.8, -2.0096), (49, -1.0, 2.0), (49, 8.0, 2.0), (99, 20.0, 18.0), (249, 5.0, 9.5), (3, 30.0, 60.0)]:
        rows.append({"distribution": "t", "parameters": [df, delta], "x": t, "upperTail": text(t_upper(df, delta, t))})
    for df1, df2, nc, x in [(2, 30, 5.0, 3.3), (4, 196, 12.0, 2.4), (9, 441, 20.0, 1.9), (128, 6272, 60.0, 1.2), (1, 49, 8.0, 4.0)]:
        rows.append({"distribution": "F", "parameters": [df1, df2, nc], "x": x, "upperTail": text(f_upper(df1, df2, nc, x))})
    return {"points": rows}


def mills():
    """Chebyshev coefficients of the scaled normal tail, as written in src/stats/distributions/special-functions.ts."""

    def scaled(t):
        x = 4 * (1 - t) / t
        return normal_tails(x)[1] * mp.exp(x * x / 2) / t

    count = 60
    angles = [mp.pi * (k + mpf(1) / 2) / count for k in range(count)]
    values = [scaled((mp.cos(angle) + 1) / 2) for angle in angles]
    coefficients = [(1 if j == 0 else 2) / mpf(count) * mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles)) for j in range(25)]
    return {"coefficients": [float(c) for c in coefficients]}


if __name__ == "__main__":
    builders = {"distributions": distributions, "studentized-range": studentized_range, "noncentral": noncentral, "mills": mills}
    result = {"madeBy": f"scripts/golden/stats_mpmath.py {sys.argv[1]}, mpmath {mpmath.__version__}, python-flint {flint.__version__}"}
    result.update(builders[sys.argv[1]]())
    with open(sys.argv[2], "w") as out:
        json.dump(result, out, indent=1)
        out.write("\n")
