"""What the published tests of ir_measures expect of its providers, and PyTerrier's experiments."""

from __future__ import annotations

import unittest

import gradus
from support import QRELS, RUNS, needs, read_qrels, read_run

FIRST = {"0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 2}}
OTHER = {"0": {"D0": 0, "D1": 1, "D2": 2, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 0}}
LEVELS = {"0": {"D0": 1, "D1": 1, "D2": 2, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 0}}
POOLED = {"0": {"D0": 1, "D1": -1, "D2": 0, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D4": -1, "D5": 0}}
RUN = {
    "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
    "1": {"D1": 0.8, "D3": 0.7, "D4": 0.3, "D2": 0.4},
}
SWAPPED = {"0": RUN["0"], "1": {"D1": 0.8, "D4": 0.7, "D3": 0.3, "D2": 0.4}}
LONGER = {"0": RUN["0"], "1": {**RUN["1"], "D0": 0.1}}

#: Measure, judgements, run, value on topic 0, on topic 1, and over both.
EXPECTED = [
    ("NumRet", FIRST, RUN, 5, 4, 9),
    ("NumRet(rel=1)", FIRST, RUN, 3, 1, 4),
    ("NumRet(rel=2)", FIRST, RUN, 1, 1, 2),
    ("NumRet(rel=3)", FIRST, RUN, 0, 0, 0),
    ("NumQ", FIRST, RUN, 1, 1, 2),
    ("NumRel", OTHER, RUN, 3, 2, 5),
    ("P@5", FIRST, LONGER, 0.6, 0.4, 0.5),
    ("Success@2", OTHER, SWAPPED, 1, 0, 0.5),
    ("Success(rel=2)@2", OTHER, SWAPPED, 1, 0, 0.5),
    ("Success(rel=3)@2", OTHER, SWAPPED, 0, 0, 0),
    ("SetP(rel=1)", OTHER, SWAPPED, 0.6, 0.25, 0.425),
    ("SetP(rel=2)", OTHER, SWAPPED, 0.4, 0.25, 0.325),
    ("SetP(rel=3)", OTHER, SWAPPED, 0, 0, 0),
    ("SetR(rel=1)", OTHER, SWAPPED, 1.0, 0.5, 0.75),
    ("SetR(rel=2)", OTHER, SWAPPED, 1.0, 1.0, 1.0),
    ("SetR(rel=3)", OTHER, SWAPPED, 0, 0, 0),
    ("IPrec@0.25", LEVELS, SWAPPED, 1.0, 0.25, 0.625),
    ("IPrec@0.5", LEVELS, SWAPPED, 1.0, 0.25, 0.625),
    ("IPrec@0.75", LEVELS, SWAPPED, 1.0, 0.0, 0.5),
    ("IPrec(rel=2)@0.1", LEVELS, SWAPPED, 2 / 3, 0.25, 0.4583333333333333),
    ("IPrec(rel=2)@0.75", LEVELS, SWAPPED, 2 / 3, 0.25, 0.4583333333333333),
    ("AP", POOLED, SWAPPED, 0.8333333333333333, 0.125, 0.47916666666666663),
    ("infAP", POOLED, SWAPPED, 0.8333333333, 0.1875, 0.5104166666),
    ("AP(rel=2)", POOLED, SWAPPED, 1 / 3, 0.25, 0.2916666667),
    ("infAP(rel=2)", POOLED, SWAPPED, 0.3333333333, 0.375, 0.3541666667),
    ("Judged@1000", FIRST, RUN, 1.0, 0.25, 0.625),
    ("Judged@10", FIRST, RUN, 1.0, 0.25, 0.625),
    ("Judged@3", FIRST, RUN, 1.0, 1 / 3, 2 / 3),
    ("Judged@1", FIRST, RUN, 1.0, 0.0, 0.5),
]


#: Of the provider for gdeval, which prints five decimals: exponential gains, on both topics and over them.
GDEVAL = [
    ("nDCG(dcg='exp-log2')@20", 0.6201, 0.35099, 0.485545),
    ("nDCG(dcg='exp-log2')@2", 0.17377, 0.38685, 0.28031),
    ("ERR@20", 0.10175, 0.09375, 0.09775),
    ("ERR@2", 0.03125, 0.09375, 0.0625),
]

#: Of the provider for ranx, on topic 0 alone.
RANX = {
    **{"P@5": 0.6, "P(rel=2)@5": 0.2, "SetP": 0.6, "SetP(rel=2)": 0.2, "R@5": 1.0, "R(rel=2)@5": 1.0, "R@2": 1 / 3, "R(rel=2)@2": 0.0},
    **{"SetR": 1.0, "SetR(rel=2)": 1.0, "RR": 0.5, "RR(rel=2)": 1 / 3, "RR@10": 0.5, "RR(rel=2)@10": 1 / 3, "RR@2": 0.5, "RR(rel=2)@2": 0.0},
    **{"AP": 0.6388888888888888, "AP(rel=2)": 1 / 3, "AP@10": 0.6388888888888888, "AP(rel=2)@10": 1 / 3, "AP@2": 1 / 6, "AP(rel=2)@2": 0.0},
    **{"Success@10": 1.0, "Success(rel=2)@10": 1.0, "Success@2": 1.0, "Success(rel=2)@2": 0.0, "NumRet(rel=1)": 3.0},
    **{"nDCG": 0.6584645692843067, "nDCG@5": 0.6584645692843067, "nDCG@2": 0.23981246656813146},
    **{"nDCG(dcg='exp-log2')": 0.6201040599710453, "nDCG(dcg='exp-log2')@5": 0.6201040599710453},
    **{"nDCG(dcg='exp-log2')@2": 0.17376534287144002, "Rprec": 2 / 3, "Rprec(rel=2)": 0.0},
}

#: Of the provider for cwl_eval: the judgements of three topics, all answered with D1 to D10 in this order, and four decimals of each.
CWL_QRELS = {
    "T1": {"D1": 1, "D2": 0, "D3": 1, "D4": 1, "D7": 1, "D8": 0, "D9": 1, "D10": 0},
    "T2": {"D1": 1, "D2": 1, "D5": 1, "D6": 0, "D7": 1, "D8": 1, "D9": 1, "D10": 0},
    "T3": {"D4": 0, "D5": 0, "D6": 1, "D7": 1, "D8": 1, "D9": 0, "D10": 1},
}
CWL_RUN = {topic: {f"D{rank}": 5.0 - rank / 10 for rank in range(1, 11)} for topic in CWL_QRELS}
CWL = [
    ("AP", 0.7087, 0.7438, 0.3068),
    ("BPM(T=1.0,max_rel=1)@20", 1.0000, 1.0000, 0.1667),
    ("BPM(T=2.0,max_rel=1)@10", 0.6667, 1.0000, 0.2857),
    ("INSQ(T=1.0,max_rel=1)", 0.5872, 0.6629, 0.0880),
    ("INSQ(T=2.0,max_rel=1)", 0.4513, 0.5068, 0.1292),
    ("INST(T=1.0,max_rel=1)", 0.7934, 0.9226, 0.0888),
    ("INST(T=2.0,max_rel=1)", 0.5994, 0.6924, 0.1397),
    ("SDCG(max_rel=1)@10", 0.5645, 0.6531, 0.2848),
    ("NERR8(max_rel=1)@10", 1.0000, 1.0000, 0.1667),
    ("NERR9(max_rel=1)@10", 1.0000, 1.0000, 0.0680),
    ("NERR10(p=0.8,max_rel=1)", 1.0000, 1.0000, 0.0888),
    ("NERR11(T=2.0,max_rel=1)", 1.0000, 1.0000, 0.0691),
    ("P@1", 1.0000, 1.0000, 0.0000),
    ("P@10", 0.5000, 0.6000, 0.4000),
    ("P@20", 0.2500, 0.3000, 0.2000),
    ("P@5", 0.6000, 0.6000, 0.0000),
    ("RBP(p=0.9,rel=1)", 0.3501, 0.3996, 0.1988),
    ("RR", 1.0000, 1.0000, 0.1667),
]

#: Of the provider for pyndeval: judgements of subtopics, and what it can compute of them.
SUBTOPICS = [
    *[("0", "0", "D0", 0), ("0", "0", "D1", 1), ("0", "0", "D2", 1), ("0", "1", "D2", 1), ("0", "1", "D3", 2), ("0", "0", "D4", 0)],
    *[("1", "0", "D0", 1), ("1", "0", "D3", 2), ("1", "1", "D5", 2)],
]
OF_SUBTOPICS = [
    *["ERR_IA@5", "ERR_IA(rel=2)@10", "nERR_IA@5", "nERR_IA(rel=2)@10", "alpha_DCG@5", "alpha_nDCG@5", "NRBP", "NRBP(rel=2)", "nNRBP"],
    *["nNRBP(rel=2)", "AP_IA", "AP_IA(rel=2)", "P_IA@5", "P_IA(rel=2)@10", "StRecall@5", "StRecall(rel=2)@10"],
]


class TestPublishedExpectations(unittest.TestCase):
    def test_of_gdeval_ranx_and_cwl_eval(self):
        for name, first, second, both in GDEVAL:
            with self.subTest(name):
                table = gradus.evaluate(FIRST, RUN, [name], convention="ir_measures")
                self.assertAlmostEqual(table.value("0", name), first, delta=0.5e-5)
                self.assertAlmostEqual(table.value("1", name), second, delta=0.5e-5)
                self.assertAlmostEqual(table[name], both, delta=0.5e-5)
        for name, value in RANX.items():
            with self.subTest(name):
                # without a cutoff ir_measures leaves exponential gains to ranx
                convention = "gradus" if name == "nDCG(dcg='exp-log2')" else "ir_measures"
                table = gradus.evaluate({"0": FIRST["0"]}, {"0": RUN["0"]}, [name], convention=convention)
                # ir_measures asks gdeval for these, which prints five decimals
                self.assertAlmostEqual(table[name], value, delta=0.5e-5 if "exp-log2" in name and "@" in name else 1e-15)
        for name, *values in CWL:
            with self.subTest(name):
                table = gradus.evaluate(CWL_QRELS, CWL_RUN, [name], convention="ir_measures")
                for topic, value in zip(CWL_QRELS, values):
                    self.assertAlmostEqual(table.value(topic, name), value, delta=0.0001)

    def test_of_subtopics(self):
        qrels = dict(zip(("query_id", "iteration", "doc_id", "relevance"), map(list, zip(*SUBTOPICS))))
        table = gradus.evaluate(qrels, RUN, ["ERR_IA@20", *OF_SUBTOPICS], convention="ir_measures")
        self.assertAlmostEqual(table.value("0", "ERR_IA@20"), 0.4659, places=4)
        self.assertAlmostEqual(table.value("1", "ERR_IA@20"), 0.1803, places=4)
        self.assertAlmostEqual(table["ERR_IA@20"], 0.3231, places=4)

    def test_by_the_rules_of_ir_measures(self):
        for name, qrels, run, first, second, both in EXPECTED:
            with self.subTest(name):
                table = gradus.evaluate(qrels, run, [name], convention="ir_measures")
                self.assertAlmostEqual(table.value("0", name), first, places=4 if "infAP" in name else 7)
                self.assertAlmostEqual(table.value("1", name), second, places=4 if "infAP" in name else 7)
                self.assertAlmostEqual(table[name], both, places=4 if "infAP" in name else 7)


@needs("ir_measures")
class TestProvider(unittest.TestCase):
    def test_the_provider_answers_as_the_published_tests_expect(self):
        import ir_measures

        from gradus.ir_measures import provider

        for name, qrels, run, first, second, both in EXPECTED:
            with self.subTest(name):
                measure = ir_measures.parse_measure(name)
                self.assertTrue(provider.supports(measure))
                found = {metric.query_id: metric.value for metric in provider.iter_calc([measure], qrels, run)}
                self.assertAlmostEqual(found["0"], first, places=4 if "infAP" in name else 7)
                self.assertAlmostEqual(found["1"], second, places=4 if "infAP" in name else 7)
                self.assertAlmostEqual(provider.calc_aggregate([measure], qrels, run)[measure], both, places=4 if "infAP" in name else 7)

    def test_the_provider_says_what_the_other_providers_say(self):
        import ir_measures

        from gradus.ir_measures import provider

        names = [*RANX, *(name for name, *_ in GDEVAL), *(name for name, *_ in CWL)]
        # gdeval takes topics with numbers only
        qrels = {topic[1:]: docs for topic, docs in CWL_QRELS.items()}
        run = {topic[1:]: docs for topic, docs in CWL_RUN.items()}
        for name in names:
            with self.subTest(name):
                measure = ir_measures.parse_measure(name)
                self.assertTrue(provider.supports(measure))
                ours = {metric.query_id: metric.value for metric in provider.iter_calc([measure], qrels, run)}
                for other in ir_measures.providers.registry.values():
                    # trectools has rules of its own, and ranx takes no tables of pandas 3
                    if other is provider or other.NAME in ("trectools", "ranx") or not other.is_available() or not other.supports(measure):
                        continue
                    theirs = {metric.query_id: metric.value for metric in other.iter_calc([measure], qrels, run)}
                    for topic, value in theirs.items():
                        self.assertAlmostEqual(ours[topic], value, places=4, msg=other.NAME)

    def test_subtopics_come_with_the_records(self):
        import ir_measures

        from gradus.ir_measures import provider

        qrels = [ir_measures.Qrel(topic, doc, grade, group) for topic, group, doc, grade in SUBTOPICS]
        measure = ir_measures.ERR_IA @ 20
        found = {metric.query_id: metric.value for metric in provider.iter_calc([measure], qrels, RUN)}
        self.assertAlmostEqual(found["0"], 0.4659, places=4)
        self.assertAlmostEqual(found["1"], 0.1803, places=4)
        self.assertAlmostEqual(provider.calc_aggregate([measure], qrels, RUN)[measure], 0.3231, places=4)

    def test_nothing_on_either_side(self):
        import math

        from ir_measures import ERR, RR, Judged, Metric, P

        from gradus.ir_measures import provider

        for measure in (P @ 5, ERR @ 5, Judged @ 5, RR @ 5):
            with self.subTest(str(measure)):
                self.assertEqual(set(provider.iter_calc([measure], FIRST, [])), {Metric("0", measure, 0.0), Metric("1", measure, 0.0)})
                self.assertEqual(provider.calc_aggregate([measure], FIRST, []), {measure: 0.0})
                for run in (RUN, []):
                    self.assertEqual(list(provider.iter_calc([measure], [], run)), [])
                    self.assertTrue(math.isnan(provider.calc_aggregate([measure], [], run)[measure]))

    def test_measures_that_are_functions_stay_what_they_are(self):
        import ir_measures

        import gradus.ir_measures as ours

        share = ir_measures.define_byquery(lambda qrels, run: (run.merge(qrels, "left", on=["doc_id"])["relevance"] > 0).mean())
        ours.use()
        try:
            # the second of the first two is relevant on topic 0, and none of them on topic 1
            qrels = [ir_measures.Qrel(topic, doc, grade) for topic, docs in FIRST.items() for doc, grade in docs.items() if doc != "D3"]
            run = [ir_measures.ScoredDoc(topic, doc, score) for topic, docs in RUN.items() for doc, score in docs.items()]
            self.assertEqual((share @ 2).calc_aggregate(qrels, run), 0.25)
        finally:
            ours.stop_using()

    def test_all_shapes_of_input_give_one_answer(self):
        import ir_measures

        from gradus.ir_measures import provider

        measures = [ir_measures.nDCG @ 10, ir_measures.AP, ir_measures.RR]
        expected = provider.calc_aggregate(measures, read_qrels(), read_run(RUNS[0]))
        rows = list(ir_measures.read_trec_qrels(str(QRELS))), list(ir_measures.read_trec_run(str(RUNS[0])))
        self.assertEqual(provider.calc_aggregate(measures, *rows), expected)
        self.assertEqual(provider.calc_aggregate(measures, *(iter(one) for one in rows)), expected)

    def test_gradus_takes_over_where_it_is_asked_to(self):
        import ir_measures

        import gradus.ir_measures as ours

        measures = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.RR, ir_measures.P @ 5, ir_measures.Judged @ 10]
        before = ir_measures.calc_aggregate(measures, read_qrels(), read_run(RUNS[1]))
        ours.use()
        try:
            self.assertIs(ir_measures.DefaultPipeline.providers[0], ours.provider)
            after = ir_measures.calc_aggregate(measures, read_qrels(), read_run(RUNS[1]))
        finally:
            ours.stop_using()
        for measure in measures:
            self.assertAlmostEqual(after[measure], before[measure], places=12)

    def test_measures_that_ir_measures_has_not(self):
        import ir_measures

        import gradus.ir_measures as ours

        mine = ours.measure("GAP")
        found = ir_measures.calc_aggregate([mine, ir_measures.AP], read_qrels(), read_run(RUNS[0]))
        self.assertAlmostEqual(found[mine], gradus.evaluate(read_qrels(), read_run(RUNS[0]), ["GAP"])["GAP"], places=12)
        with self.assertRaises(gradus.InputError):
            ours.measure("Nonsense@10")

    def test_a_run_without_judged_topics_is_empty_rankings(self):
        import ir_measures

        from gradus.ir_measures import provider

        self.assertEqual(provider.calc_aggregate([ir_measures.AP], {"a": {"d": 1}}, {"b": {"d": 1.0}}), {ir_measures.AP: 0.0})


@needs("pyterrier", "pandas", "ir_measures")
class TestPyTerrier(unittest.TestCase):
    def test_experiments_take_measures_of_both(self):
        import pandas
        import pyterrier
        from ir_measures import AP, nDCG

        import gradus.ir_measures as ours

        rows = [(topic, doc, grade) for topic, docs in read_qrels().items() for doc, grade in docs.items()]
        qrels = pandas.DataFrame(rows, columns=["qid", "docno", "label"])
        topics = pandas.DataFrame([(topic, f"about {topic}") for topic in read_qrels()], columns=["qid", "query"])
        systems = []
        for path in RUNS:
            scored = [(topic, doc, score) for topic, docs in read_run(path).items() for doc, score in docs.items()]
            systems.append(pyterrier.Transformer.from_df(pandas.DataFrame(scored, columns=["qid", "docno", "score"])))
        mine = ours.measure("GAP")
        ours.use()
        try:
            found = pyterrier.Experiment(systems, topics, qrels, [nDCG @ 10, AP, mine], names=[path.stem for path in RUNS])
        finally:
            ours.stop_using()
        for path in RUNS:
            expected = gradus.evaluate(read_qrels(), read_run(path), ["nDCG@10", "AP", "GAP"])
            row = found[found["name"] == path.stem].iloc[0]
            for name in ("nDCG@10", "AP", "GAP"):
                self.assertAlmostEqual(row[name], expected[name], places=9)


if __name__ == "__main__":
    unittest.main()
