"""What pytrec_eval's documentation and published tests expect, and, where it is installed, pytrec_eval itself."""

from __future__ import annotations

import random
import unittest

from gradus import pytrec_eval
from support import DATA, REPOSITORY, RUNS, needs, read_qrels, read_run

QRELS = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
OFFICIAL = (
    {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"}
    | {f"iprec_at_recall_{i / 10:.2f}" for i in range(11)}
    | {f"P_{k}" for k in DEPTHS}
)
SETS = {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"}

ALL_TREC = (
    OFFICIAL
    | SETS
    | {f"{name}_{k}" for name in ("map_cut", "ndcg_cut", "recall", "relative_P") for k in DEPTHS}
    | {f"Rprec_mult_{i / 5:.2f}" for i in range(1, 11)}
    | {"success_1", "success_5", "success_10", "11pt_avg", "binG", "G", "gm_bpref", "infAP"}
    | {"ndcg", "ndcg_rel", "Rndcg", "num_nonrel_judged_ret", "relstring"}
)


def ndcg(scores: dict[str, float]) -> float:
    return pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg"}).evaluate({"q1": scores, "q2": {}})["q1"]["ndcg"]


class TestPublishedExpectations(unittest.TestCase):
    def test_the_example_of_its_readme(self):
        evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg"})
        run = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {"d1": 1.5, "d2": 0.2, "d3": 0.5}}
        self.assertEqual(
            evaluator.evaluate(run),
            {"q1": {"map": 1 / 3, "ndcg": 0.5}, "q2": {"map": 0.5833333333333333, "ndcg": 0.6934264036172708}},
        )

    def test_ndcg_by_the_rank_of_the_relevant_document(self):
        # 1, 1 / log2(3) and 1 / log2(4) at ranks 1, 2 and 3
        self.assertAlmostEqual(ndcg({"d1": 1.0, "d2": 2.0, "d3": 1.5}), 1.0)
        self.assertAlmostEqual(ndcg({"d1": 4.0, "d2": 2.0, "d3": 1.5}), 0.6309297535714575)
        self.assertAlmostEqual(ndcg({"d1": 1.0, "d2": 0.0, "d3": 1.5}), 0.5)

    def test_cutoffs_with_a_dot_with_several_and_beyond_the_ranking(self):
        run = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {}}
        found = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.1,2,3,1000"}).evaluate(run)["q1"]
        self.assertEqual(found, {"ndcg_cut_1": 0.0, "ndcg_cut_2": 0.0, "ndcg_cut_3": 0.5, "ndcg_cut_1000": 0.5})
        self.assertEqual(pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.3"}).evaluate(run)["q1"], {"ndcg_cut_3": 0.5})
        self.assertEqual(pytrec_eval.RelevanceEvaluator(QRELS, {"P_1", "P.2"}).evaluate(run)["q1"], {"P_1": 0.0, "P_2": 0.0})

    def test_nicknames_stand_for_all_their_measures(self):
        for names, expected in (({"official"}, OFFICIAL), ({"set"}, SETS), ({"official", "set", "ndcg"}, OFFICIAL | SETS | {"ndcg"})):
            found = pytrec_eval.RelevanceEvaluator(QRELS, names).evaluate({"q1": {}, "q2": {}})
            self.assertEqual(set(found), {"q1", "q2"})
            self.assertEqual(set(found["q1"]), expected)
        for run in ({"q1": {}, "q2": {}}, {"q1": {"d2": 1.0}}):
            found = pytrec_eval.RelevanceEvaluator(QRELS, {"all_trec"}).evaluate(run)
            self.assertEqual(set(found["q1"]), ALL_TREC)

    def test_the_means_are_what_trec_eval_printed(self):
        """As the published tests do it: its output on a run, and each measure of it aggregated from the topics."""
        golden = REPOSITORY / "test" / "golden" / "trec_eval"
        for case, name, settings in (
            ("gen-003", "basic", {}),
            ("gen-006", "graded", {}),
            ("gen-021", "large", {"judged_docs_only_flag": True}),
            ("gen-114", "graded", {"relevance_level": 2}),
        ):
            qrels = read_qrels(golden / "inputs" / f"{name}.qrels")
            run = read_run(golden / "inputs" / f"{name}.run")
            lines = [line.split() for line in (golden / "expected" / "v9.0.8" / f"{case}.out").read_text(encoding="utf-8").splitlines()]
            printed = {fields[0]: float(fields[2]) for fields in lines if fields[1] == "all" and fields[0] in ALL_TREC - {"runid", "relstring"}}
            self.assertGreater(len(printed), 25)
            results = pytrec_eval.RelevanceEvaluator(qrels, {"all_trec"}, **settings).evaluate(run)
            for measure, value in printed.items():
                with self.subTest(case=case, measure=measure):
                    found = pytrec_eval.compute_aggregated_measure(measure, [row[measure] for row in results.values()])
                    self.assertAlmostEqual(found, value, delta=0.5001e-4)

    def test_unknown_measures_and_wrong_scores_are_refused(self):
        with self.assertRaises(ValueError):
            pytrec_eval.RelevanceEvaluator(QRELS, {"nonsense"})
        for wrong in ({"q1": {"d1": "x"}}, {"q1": {"d1": None}}):
            with self.assertRaises(TypeError):
                pytrec_eval.RelevanceEvaluator(QRELS, {"map"}).evaluate(wrong)

    def test_topics_that_nobody_judged_are_left_out(self):
        evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map"})
        self.assertEqual(evaluator.evaluate({"q9": {"d": 1.0}}), {})
        self.assertEqual(evaluator.evaluate({}), {})

    def test_files_are_parsed(self):
        with open(RUNS[0], encoding="utf-8") as file:
            self.assertEqual(pytrec_eval.parse_run(file), read_run(RUNS[0]))
        with open(DATA / "example.qrels", encoding="utf-8") as file:
            self.assertEqual(pytrec_eval.parse_qrel(file), read_qrels())


@needs("pytrec_eval")
class TestAgainstPytrecEval(unittest.TestCase):
    """Every value of every measure, on rankings that are made to be difficult."""

    def test_all_measures_to_the_last_bit(self):
        import pytrec_eval as theirs

        draw = random.Random(11)
        docs = [f"d{i}" for i in range(30)]
        for case in range(12):
            qrels = {f"q{t}": {doc: draw.choice([-1, 0, 0, 1, 2, 3]) for doc in draw.sample(docs, draw.randrange(1, 20))} for t in range(6)}
            # few different scores, so that there are ties, and some that only 32 bits tell apart
            values = [0.0, 0.5, 0.5000000001, 1.0, -1.0, 3.25, 1e-3]
            run = {f"q{t}": {doc: draw.choice(values) for doc in draw.sample(docs, draw.randrange(1, 25))} for t in range(5)}
            for level in (1, 2):
                names = theirs.supported_measures - {"relstring", "runid"}
                with self.subTest(case=case, level=level):
                    expected = theirs.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
                    found = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
                    self.assertEqual(found, expected)

    def test_judged_documents_only(self):
        import pytrec_eval as theirs

        run, qrels = read_run(RUNS[1]), read_qrels()
        for flag in (False, True):
            expected = theirs.RelevanceEvaluator(qrels, {"map", "P"}, judged_docs_only_flag=flag).evaluate(run)
            self.assertEqual(pytrec_eval.RelevanceEvaluator(qrels, {"map", "P"}, judged_docs_only_flag=flag).evaluate(run), expected)

    def test_the_names_are_the_same(self):
        import pytrec_eval as theirs

        self.assertEqual(pytrec_eval.supported_measures, theirs.supported_measures)
        for name in ("official", "set", "all_trec"):
            self.assertEqual(pytrec_eval.supported_nicknames[name], set(theirs.supported_nicknames[name]))


if __name__ == "__main__":
    unittest.main()
