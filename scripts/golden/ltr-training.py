"""Records what LightGBM trains with options that Gradus has too: python3 scripts/golden/ltr-training.py test/golden/ltr

Needs lightgbm 4.7.0 and numpy. Writes NAME.txt (the model) and NAME.expected.json (data, parameters, scores) into the folders
options and categorical, in the layout that scripts/golden/ltr.mjs reads.
"""

import json
import sys
from pathlib import Path

import lightgbm
import numpy

BASE = {
    "objective": "regression",
    "num_leaves": 6,
    "min_data_in_leaf": 10,
    "learning_rate": 0.5,
    "boost_from_average": False,
    "verbosity": -1,
    "num_threads": 1,
    "seed": 1,
    "feature_pre_filter": False,
}


def labelled(rng, cells):
    merit = cells[:, 0] + 0.5 * cells[:, 1] * cells[:, 2] + 0.7 * rng.normal(size=len(cells))
    return numpy.digitize(merit, [0.3, 1.0, 1.8]).astype(float)


def plain(seed, rows=480, features=6):
    rng = numpy.random.default_rng(seed)
    cells = numpy.round(rng.normal(size=(rows, features)), 3)
    return cells, labelled(rng, cells), []


def with_missing(seed):
    cells, labels, _ = plain(seed)
    rng = numpy.random.default_rng(seed + 1)
    cells[rng.random(cells.shape) < 0.15] = numpy.nan
    cells[rng.random(cells.shape) < 0.1] = 0
    return cells, labels, []


def with_categories(seed, rows=900):
    rng = numpy.random.default_rng(seed)
    cells = numpy.round(rng.normal(size=(rows, 5)), 3)
    kinds = numpy.minimum(rng.geometric(0.12, size=rows), 40)
    few = rng.integers(0, 3, size=rows)
    effect = rng.normal(size=41)
    labels = numpy.digitize(cells[:, 0] + effect[kinds] + 0.5 * (few == 1), [0.0, 1.0, 2.0]).astype(float)
    cells[:, 3] = kinds
    cells[:, 4] = few
    cells[rng.random(rows) < 0.08, 3] = numpy.nan
    cells[rng.random(rows) < 0.03, 3] = -2
    return cells, labels, [3, 4]


def record(folder, topic, name, data, extra, weighted=False, trees=3):
    cells, labels, categorical = data
    weights = numpy.round(numpy.random.default_rng(99).uniform(0.5, 1.5, size=len(labels)), 2) if weighted else None
    parameters = {**BASE, **extra}
    train = lightgbm.Dataset(cells, label=labels, weight=weights, categorical_feature=categorical or "auto", params=parameters)
    model = lightgbm.train(parameters, train, num_boost_round=trees)
    target = Path(folder) / topic
    target.mkdir(parents=True, exist_ok=True)
    model.save_model(str(target / f"{name}.txt"))
    expected = {
        "parameters": parameters,
        "categorical": categorical,
        "rows": [[None if numpy.isnan(x) else float(x) for x in row] for row in cells],
        "labels": labels.tolist(),
        "weights": None if weights is None else weights.tolist(),
        "scores": model.predict(cells[:30], raw_score=True).tolist(),
        "model": f"{name}.txt",
        "tool": f"LightGBM {lightgbm.__version__}",
    }
    (target / f"{name}.expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    out = sys.argv[1]
    record(out, "options", "max-delta-step", plain(11), {"max_delta_step": 0.4, "lambda_l1": 3.0})
    record(out, "options", "wide-bins", plain(12, rows=1500, features=3), {"max_bin": 1000, "min_data_in_bin": 1})
    record(out, "options", "missing-smooth", with_missing(13), {"path_smooth": 20.0, "lambda_l2": 1.0})
    record(out, "options", "missing-set-apart", with_missing(2022), {"num_leaves": 17, "min_data_in_leaf": 2}, weighted=True)
    record(out, "options", "interaction-many-leaves", plain(2033), {"num_leaves": 13, "min_data_in_leaf": 25, "interaction_constraints": [[0, 1], [1, 2, 3], [4]]})
    record(out, "options", "few-bins-min-gain", plain(14), {"max_bin": 20, "min_gain_to_split": 5.0, "max_depth": 2})
    record(out, "categorical", "missing-many", with_categories(15), {"min_data_per_group": 20, "cat_smooth": 3})
    record(out, "categorical", "weighted-l1", with_categories(16), {"lambda_l1": 1.0, "cat_l2": 2.0, "max_cat_threshold": 4}, weighted=True)
