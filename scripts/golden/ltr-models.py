"""Models trained by LightGBM, XGBoost and RankLib, and the scores that these tools give to some documents.

    RANKLIB_CLASSPATH='ranklib-2.10.1.jar:commons-math3-3.6.1.jar' python scripts/golden/ltr-models.py

Needs numpy, lightgbm, xgboost, java, and a build of Gradus (npm run build). Writes test/golden/ltr-models: for each case the
model file as the tool wrote it and NAME.scores.json with rows (null is missing) and scores. Afterwards every model is
converted by Gradus to the formats of all three tools, the tools read the files again, and exports.json records how their
scores compare with those of Gradus (largest difference relative to the largest score; 0 is equality in every bit).
"""

import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

import lightgbm as lgb
import numpy as np
import xgboost as xgb

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(ROOT, "test", "golden", "ltr-models")
RANKLIB = os.environ["RANKLIB_CLASSPATH"]
FEATURES = 5
QUERIES = 40
PER_QUERY = 10


def documents(seed, missing, zeros):
    """Rounded normal values, so that thresholds are met exactly; a share of them missing, a share of them zero."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(QUERIES * PER_QUERY, FEATURES)), 2)
    x[rng.random(x.shape) < zeros] = 0
    signal = x[:, 0] + 0.5 * x[:, 1] - 0.4 * x[:, 2] * x[:, 3] + 0.3 * rng.normal(size=len(x))
    labels = np.digitize(signal, [-0.3, 0.5, 1.2])
    x[rng.random(x.shape) < missing] = np.nan
    return x, labels


def probes(thresholds):
    """Rows with values at, just below and just above thresholds, as doubles and as 32-bit floats see them."""
    rows = []
    for feature, t in thresholds:
        t32 = np.float32(t)
        low, high = np.nextafter(t32, np.float32(-np.inf)), np.nextafter(t32, np.float32(np.inf))
        middles = [(float(low) + float(t32)) / 2, (float(t32) + float(high)) / 2]
        for value in [t, float(t32), float(low), float(high), *middles]:
            for x in (np.nextafter(value, -np.inf), value, np.nextafter(value, np.inf)):
                row = [0.1] * FEATURES
                row[feature] = float(x)
                rows.append(row)
    return np.array(rows) if rows else np.empty((0, FEATURES))


def special_rows():
    rows = [[np.nan] * FEATURES, [0.0] * FEATURES, [-0.0] * FEATURES, [1e-36] * FEATURES, [-1e-36] * FEATURES]
    return np.array(rows + [[1e-30] * FEATURES, [-1e-30] * FEATURES, [1e30] * FEATURES, [-1e30] * FEATURES])


def shown(rows):
    return [[None if np.isnan(x) else float(x) for x in row] for row in rows]


def record(name, rows, scores):
    with open(os.path.join(OUT, f"{name}.scores.json"), "w") as file:
        file.write('{"rows": [\n' + ",\n".join(json.dumps(row) for row in shown(rows)) + "\n],\n")
        file.write('"scores": ' + json.dumps([float(s) for s in scores]) + "}\n")


def lightgbm_thresholds(model):
    found = []
    for tree in model.dump_model()["tree_info"]:
        pending = [tree["tree_structure"]]
        while pending:
            node = pending.pop()
            if "split_feature" in node:
                found.append((node["split_feature"], node["threshold"]))
                pending += [node["left_child"], node["right_child"]]
    return found[:6]


LIGHTGBM = {
    "lightgbm-nan": (0.15, 0.1, {}),
    "lightgbm-zero": (0.0, 0.3, {"zero_as_missing": True}),
    "lightgbm-none": (0.0, 0.1, {}),
    "lightgbm-forest": (0.1, 0.1, {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.7}),
    "lightgbm-dart": (0.1, 0.1, {"boosting": "dart", "drop_rate": 0.5, "skip_drop": 0.1}),
    "lightgbm-regression": (0.1, 0.1, {"objective": "regression"}),
}


def train_lightgbm(name, missing, zeros, options):
    x, labels = documents(1, missing, zeros)
    groups = None if "objective" in options else [PER_QUERY] * QUERIES
    parameters = {"objective": "lambdarank", "num_leaves": 8, "min_data_in_leaf": 8, "verbose": -1, "seed": 7, "num_threads": 1}
    names = ["bm25", "length", "page_rank", "freshness", "clicks"] if name == "lightgbm-nan" else "auto"
    data = lgb.Dataset(x, labels, group=groups, feature_name=names)
    model = lgb.train({**parameters, **options}, data, 6)
    model.save_model(os.path.join(OUT, f"{name}.txt"))
    rows = np.vstack([x[:25], special_rows(), probes(lightgbm_thresholds(model))])
    record(name, rows, model.predict(rows, num_threads=1))


XGBOOST = {
    "xgboost-gbtree": {"objective": "rank:ndcg"},
    "xgboost-base": {"objective": "rank:pairwise", "base_score": 0.7},
    "xgboost-dart": {"objective": "rank:ndcg", "booster": "dart", "rate_drop": 0.6, "base_score": 0.25},
    "xgboost-logistic": {"objective": "binary:logistic", "base_score": 0.2},
}


def xgboost_thresholds(path):
    with open(path) as file:
        booster = json.load(file)["learner"]["gradient_booster"]
    trees = booster.get("gbtree", booster)["model"]["trees"]
    found = [
        (tree["split_indices"][n], tree["split_conditions"][n])
        for tree in trees
        for n in range(len(tree["left_children"]))
        if tree["left_children"][n] >= 0
    ]
    return found[:6]


def train_xgboost(name, options):
    x, labels = documents(2, 0.15, 0.1)
    if options["objective"] == "binary:logistic":
        labels = (labels > 1).astype(int)
        data = xgb.DMatrix(x, labels)
    else:
        data = xgb.DMatrix(x, labels, qid=np.repeat(np.arange(QUERIES), PER_QUERY))
    model = xgb.train({"max_depth": 3, "eta": 0.3, "seed": 7, "nthread": 1, **options}, data, 8)
    path = os.path.join(OUT, f"{name}.json")
    model.save_model(path)
    rows = np.vstack([x[:25], special_rows(), probes(xgboost_thresholds(path))])
    record(name, rows, model.predict(xgb.DMatrix(rows), output_margin=True))


RANKLIB_MODELS = {
    "ranklib-mart": "-ranker 0 -tree 5 -leaf 5",
    "ranklib-ranknet": "-ranker 1 -epoch 3 -layer 2 -node 3",
    "ranklib-rankboost": "-ranker 2 -round 8",
    "ranklib-adarank": "-ranker 3 -round 20",
    "ranklib-coordinate-ascent": "-ranker 4 -r 1 -i 5",
    "ranklib-lambdarank": "-ranker 5 -epoch 2 -node 3",
    "ranklib-lambdamart": "-ranker 6 -tree 5 -leaf 5",
    "ranklib-listnet": "-ranker 7 -epoch 3",
    "ranklib-forest": "-ranker 8 -bag 5 -leaf 6",
    "ranklib-forest-of-ensembles": "-ranker 8 -bag 3 -tree 2 -leaf 5",
    "ranklib-regression": "-ranker 9",
}


def run_ranklib(arguments):
    # RankLib does not end after some of its errors, so it is given a limit
    command = ["java", "-cp", RANKLIB, "ciir.umass.edu.eval.Evaluator", *arguments.split(), "-thread", "1"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or "Exception" in done.stderr:
        sys.exit(f"RankLib {arguments}: {done.stderr[-2000:]}")


def write_letor(path, rows, labels):
    """The last feature is always written: RankLib cannot ask for features beyond the last one of a line. All digits are, because
    RankLib makes a 32-bit float of the text, which is not always that of the double."""
    with open(path, "w") as file:
        for n, row in enumerate(rows):
            cells = [f"{f + 1}:{Decimal(float(x)):f}" for f, x in enumerate(row) if not np.isnan(x) or f == FEATURES - 1]
            file.write(f"{labels[n]} qid:{n // PER_QUERY + 1} {' '.join(cells)} # d{n}\n")


def ranklib_scores(folder, model, rows):
    test, out = os.path.join(folder, "test.txt"), os.path.join(folder, "scores.txt")
    write_letor(test, rows, np.zeros(len(rows), dtype=int))
    run_ranklib(f"-load {model} -rank {test} -score {out}")
    with open(out) as file:
        return [float(line.split("\t")[2]) for line in file]


def ranklib_rows():
    x, labels = documents(3, 0.1, 0.1)
    x[:, -1] = np.nan_to_num(x[:, -1])
    rows = np.vstack([x[:25], probes([(0, 0.5), (1, -0.37), (2, 1.2)]), special_rows()[1:]])
    return x, labels, rows


def train_ranklib(folder, name, options):
    x, labels, rows = ranklib_rows()
    train = os.path.join(folder, "train.txt")
    write_letor(train, x, labels)
    model = os.path.join(OUT, f"{name}.txt")
    run_ranklib(f"-train {train} {options} -metric2t NDCG@5 -save {model}")
    record(name, rows, ranklib_scores(folder, model, rows))


def check_exports(folder):
    """Lets the tools read what Gradus makes of all models."""
    command = ["node", os.path.join(HERE, "ltr-model-exports.mjs"), OUT, folder]
    exports = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    results = {}
    for export in exports:
        rows = np.array([[np.nan if x is None else x for x in row] for row in export["rows"]])
        ours = np.array(export["scores"])
        if export["format"] == "lightgbm":
            theirs = lgb.Booster(model_file=export["path"]).predict(rows, num_threads=1)
        elif export["format"] == "xgboost":
            theirs = xgb.Booster(model_file=export["path"]).predict(xgb.DMatrix(rows), output_margin=True, validate_features=False)
        else:
            theirs = np.array(ranklib_scores(folder, export["path"], rows))
        size = np.abs(ours).max() or 1
        results[f"{export['name']} as {export['format']}"] = {
            "documents": len(ours),
            "equal": int((ours == theirs).sum()),
            "largestDifference": float(np.abs(ours - theirs).max() / size),
        }
    with open(os.path.join(OUT, "exports.json"), "w") as file:
        json.dump({"versions": versions(), "exports": results}, file, indent=1)
        file.write("\n")


def versions():
    return {"lightgbm": lgb.__version__, "xgboost": xgb.__version__, "ranklib": "2.10.1"}


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if "--exports" not in sys.argv:  # or --train alone
            for name, case in LIGHTGBM.items():
                train_lightgbm(name, *case)
            for name, options in XGBOOST.items():
                train_xgboost(name, options)
            for name, options in RANKLIB_MODELS.items():
                train_ranklib(folder, name, options)
        if "--train" not in sys.argv:
            check_exports(folder)
