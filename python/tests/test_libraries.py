"""Models of LightGBM and XGBoost, the functions of ranx, and the manners of scikit-learn."""

from __future__ import annotations

import pickle
import random
import unittest

import gradus
from support import RUNS, needs, read_qrels, read_run


def documents(rows: int = 300, width: int = 6):
    draw = random.Random(5)
    x = [[draw.random() for _ in range(width)] for _ in range(rows)]
    y = [min(3, int(4 * (0.7 * row[0] + 0.3 * row[1]))) for row in x]
    return x, y, [20] * (rows // 20)


class TestRanker(unittest.TestCase):
    def test_fit_and_predict(self):
        x, y, group = documents()
        ranker = gradus.Ranker("lambdamart", trees=20, leaves=5).fit(x, y, group, eval_set=(x, y), eval_group=group)
        scores = ranker.predict(x)
        run = {f"q{g}": {f"d{i}": scores[20 * g + i] for i in range(20)} for g in range(15)}
        qrels = {f"q{g}": {f"d{i}": y[20 * g + i] for i in range(20)} for g in range(15)}
        self.assertGreater(gradus.evaluate(qrels, run, ["nDCG@10"])["nDCG@10"], 0.9)
        self.assertEqual(ranker.training_["learner"], "lambdamart")
        again = pickle.loads(pickle.dumps(ranker))
        self.assertEqual(list(again.predict(x)), list(scores))

    def test_settings_can_be_read_and_changed(self):
        ranker = gradus.Ranker("coordinate-ascent", seed=4)
        self.assertEqual(ranker.get_params(), {"learner": "coordinate-ascent", "seed": 4})
        self.assertEqual(ranker.set_params(seed=5).settings, {"seed": 5})

    def test_weights_change_the_model(self):
        x, y, group = documents()
        plain = gradus.Ranker("lambdamart", trees=5).fit(x, y, group)
        weighted = gradus.Ranker("lambdamart", trees=5).fit(x, y, group, sample_weight=[1.0 + i % 3 for i in range(len(x))])
        self.assertNotEqual(list(plain.predict(x)), list(weighted.predict(x)))

    def test_problems_are_sentences(self):
        x, y, group = documents()
        cases = [
            (lambda: gradus.Ranker().predict(x), "the ranker has no model yet"),
            (lambda: gradus.Ranker("lambdamart").fit(x, y, [7, 8]), "the queries have 15 documents together, expected 300"),
            (lambda: gradus.Ranker("lambdamart").fit(x, y[:5], group), "found 5 labels for 300 documents"),
            (lambda: gradus.Ranker("lamdamart").fit(x, y, group), "did you mean lambdamart?"),
            (lambda: gradus.Ranker("lambdamart", tres=5).fit(x, y, group), "has no option --tres; did you mean --trees?"),
            (lambda: gradus.Ranker("lambdamart").fit([[float("nan")]] * 4, [0, 1, 0, 1], [4]), "expected a number as feature 1, found NaN"),
        ]
        for work, sentence in cases:
            with self.subTest(sentence), self.assertRaises(gradus.InputError) as caught:
                work()
            self.assertIn(sentence, str(caught.exception))


@needs("lightgbm", "numpy")
class TestLightGbm(unittest.TestCase):
    def test_models_come_and_go(self):
        import lightgbm
        import numpy

        x, y, group = documents()
        data = numpy.array(x)
        theirs = lightgbm.LGBMRanker(n_estimators=50, num_leaves=7, min_child_samples=5, verbose=-1).fit(data, y, group=group)
        for one in (theirs, theirs.booster_):
            self.assertEqual(gradus.Ranker.from_lightgbm(one).predict(data).tolist(), theirs.predict(data).tolist())
        trained = gradus.Ranker("lambdamart", trees=50).fit(data, y, group)
        booster = trained.to_lightgbm()
        self.assertEqual(booster.predict(data).tolist(), trained.predict(data).tolist())
        self.assertEqual(gradus.Ranker.from_lightgbm(booster).predict(data).tolist(), trained.predict(data).tolist())


@needs("xgboost", "numpy")
class TestXgBoost(unittest.TestCase):
    def test_models_come_and_go(self):
        import numpy
        import xgboost

        x, y, group = documents()
        data = numpy.array(x, dtype="float32")
        theirs = xgboost.XGBRanker(n_estimators=50, max_depth=4).fit(data, y, group=group)
        for one in (theirs, theirs.get_booster()):
            self.assertEqual(gradus.Ranker.from_xgboost(one).predict(data).tolist(), theirs.predict(data).tolist())
        trained = gradus.Ranker("lambdamart", trees=50).fit(data, y, group)
        with self.assertWarnsRegex(UserWarning, "XGBoost adds in 32 bits what this model adds in 64"):
            booster = trained.to_xgboost()
        scores = booster.predict(xgboost.DMatrix(data))
        numpy.testing.assert_allclose(scores, trained.predict(data), rtol=1e-5, atol=1e-5)
        # what XGBoost makes of it is known to the bit
        self.assertEqual(gradus.Ranker.from_xgboost(booster).predict(data).tolist(), scores.tolist())

    def test_margins_of_other_objectives(self):
        import numpy
        import xgboost

        x, y, _ = documents()
        data = numpy.array(x)
        for objective, labels in (("binary:logistic", [int(label > 1) for label in y]), ("count:poisson", y), ("reg:squarederror", y)):
            with self.subTest(objective):
                theirs = xgboost.XGBRegressor(n_estimators=50, max_depth=4, objective=objective).fit(data, labels).get_booster()
                margins = theirs.predict(xgboost.DMatrix(data), output_margin=True)
                self.assertEqual(gradus.Ranker.from_xgboost(theirs).predict(data).tolist(), margins.tolist())


class TestRanxFunctions(unittest.TestCase):
    def test_values_tests_and_fusion(self):
        runs = [read_run(path) for path in RUNS]
        qrels = read_qrels()
        # the relevant document is the second: 1 / log2(3) and 1 / 2
        found = gradus.ranx.evaluate({"q": {"b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, ["ndcg@10", "mrr"])
        self.assertAlmostEqual(found["ndcg@10"], 0.6309297535714575, places=12)
        self.assertEqual(found["mrr"], 0.5)
        self.assertEqual(len(gradus.ranx.evaluate(qrels, runs[0], "mrr", return_mean=False)), 12)
        compared = gradus.ranx.compare(qrels, {"a": runs[0], "b": runs[2]}, ["ndcg@10"], stat_test="student", max_p=0.01)
        self.assertTrue(compared.pairs()[0]["significant"])
        fused = gradus.ranx.fuse(runs, norm="min-max", method="wsum", params={"weights": (0.2, 0.3, 0.5)})
        self.assertEqual(set(fused), set().union(*runs))


@needs("ranx")
class TestAgainstRanx(unittest.TestCase):
    def test_the_same_values(self):
        import ranx

        qrels, run = read_qrels(), read_run(RUNS[0])
        names = ["ndcg@10", "map", "mrr", "precision@5", "recall@20", "hit_rate@1", "r-precision", "f1@10"]
        expected = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names)
        found = gradus.ranx.evaluate(qrels, run, names)
        for name in names:
            self.assertAlmostEqual(found[name], float(expected[name]), places=12, msg=name)

    def test_the_same_fusion(self):
        import ranx

        runs = [read_run(path) for path in RUNS[:2]]
        shared = set(runs[0]) & set(runs[1])
        runs = [{topic: run[topic] for topic in sorted(shared)} for run in runs]
        theirs = ranx.fuse([ranx.Run(run) for run in runs], norm="min-max", method="sum").to_dict()
        ours = gradus.ranx.fuse(runs, norm="min-max", method="sum")
        for topic in shared:
            self.assertEqual(set(ours[topic]), set(theirs[topic]))
            for doc, score in ours[topic].items():
                self.assertAlmostEqual(score, theirs[topic][doc], places=9)


@needs("sklearn", "numpy")
class TestScikitLearn(unittest.TestCase):
    def test_ndcg_is_sklearns(self):
        import numpy
        from sklearn.metrics import ndcg_score

        draw = random.Random(3)
        grades = [[draw.randrange(4) for _ in range(15)] for _ in range(6)]
        scores = [[draw.random() for _ in range(15)] for _ in range(6)]
        qrels = {f"q{t}": {f"d{i}": grade for i, grade in enumerate(row)} for t, row in enumerate(grades)}
        run = {f"q{t}": {f"d{i}": score for i, score in enumerate(row)} for t, row in enumerate(scores)}
        found = gradus.evaluate(qrels, run, ["nDCG@10"], convention="sklearn")["nDCG@10"]
        self.assertAlmostEqual(found, ndcg_score(numpy.array(grades), numpy.array(scores), k=10), places=12)

    def test_rankers_are_cloned(self):
        from sklearn.base import clone

        ranker = clone(gradus.Ranker("lambdamart", trees=7))
        self.assertEqual(ranker.get_params(), {"learner": "lambdamart", "trees": 7})


if __name__ == "__main__":
    unittest.main()
