"""Whatever a program holds, the answer is the same."""

from __future__ import annotations

import os
import unittest
from collections import namedtuple

import gradus
from support import QRELS, RUNS, needs, read_qrels, read_run

QRELS_ROWS = [(topic, doc, grade) for topic, docs in read_qrels().items() for doc, grade in docs.items()]
RUN_ROWS = [(topic, doc, score) for topic, docs in read_run(RUNS[1]).items() for doc, score in docs.items()]
MEASURES = ["nDCG@10", "AP", "RR"]


class SameAnswer(unittest.TestCase):
    def expect(self, qrels, run):
        table = gradus.evaluate(qrels, run, MEASURES)
        expected = gradus.evaluate(QRELS, RUNS[1], MEASURES)
        self.assertEqual(table.to_dict().popitem()[1], expected.to_dict().popitem()[1])
        self.assertEqual(list(table.means(table.systems[0]).values()), list(expected.means(expected.systems[0]).values()))


class TestPlain(SameAnswer):
    def test_dicts_paths_and_texts(self):
        self.expect(read_qrels(), read_run(RUNS[1]))
        self.expect(str(QRELS), read_run(RUNS[1]))
        self.expect(read_qrels(), str(RUNS[1]))

    def test_records_tuples_and_columns(self):
        judged = namedtuple("Qrel", "query_id doc_id relevance")
        scored = namedtuple("ScoredDoc", "query_id doc_id score")
        self.expect([judged(*row) for row in QRELS_ROWS], [scored(*row) for row in RUN_ROWS])
        self.expect(iter(QRELS_ROWS), (row for row in RUN_ROWS))
        self.expect([{"qid": t, "docno": d, "label": g} for t, d, g in QRELS_ROWS], [{"qid": t, "docno": d, "score": s} for t, d, s in RUN_ROWS])
        columns = dict(zip(("query_id", "doc_id", "relevance"), map(list, zip(*QRELS_ROWS))))
        self.expect(columns, tuple(map(list, zip(*RUN_ROWS))))

    def test_rows_of_topics_need_not_stand_together(self):
        self.expect(QRELS_ROWS[::-1], sorted(RUN_ROWS, key=lambda row: row[2]))

    def test_lists_are_rankings(self):
        table = gradus.evaluate({"q": {"b": 1}}, {"q": ["a", "b", "c"]}, ["RR"])
        self.assertEqual(table["RR"], 0.5)

    def test_ranks_take_the_place_of_scores(self):
        columns = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [2, 1]}
        self.assertEqual(gradus.evaluate({"q": {"b": 1}}, columns, ["RR"])["RR"], 1.0)

    def test_ids_of_every_kind(self):
        for ids in (["a b", "c\td", "e\nf"], ["\0", "x\0y", "z"], ["ä", "日本", "🙂"], ["1", "10", "2"]):
            with self.subTest(ids):
                qrels = {ids[0]: {ids[1]: 1, ids[2]: 0}}
                run = {ids[0]: {ids[2]: 2.0, ids[1]: 1.0}}
                table = gradus.evaluate(qrels, run, ["RR"])
                self.assertEqual(table["RR"], 0.5)
                self.assertEqual(table.topics, [ids[0]])
                self.assertEqual(gradus.fuse([run, run])[ids[0]].keys(), run[ids[0]].keys())
        self.assertEqual(gradus.evaluate({1: {2: 1}}, {1: {3: 9.0, 2: 8.0}}, ["RR"])["RR"], 0.5)

    def test_topics_without_documents_are_none(self):
        qrels = {"a": {"d": 1}, "b": {}, "c": {"d": 1}}
        table = gradus.evaluate(qrels, {"a": {}, "b": {"d": 1.0}, "c": {"d": 1.0}}, ["RR"])
        self.assertEqual((table.topics, table["RR"]), (["a", "c"], 0.5))

    def test_several_runs(self):
        runs = {"one": read_run(RUNS[0]), "two": str(RUNS[1])}
        table = gradus.evaluate(read_qrels(), runs, "AP RR")
        self.assertEqual((table.systems, table.measures), (["one", "two"], ["AP", "RR"]))
        self.assertEqual(table["one"]["AP"], gradus.evaluate(read_qrels(), runs["one"], ["AP"])["AP"])
        self.assertEqual(list(gradus.evaluate(QRELS, [str(path) for path in RUNS], ["AP"])), ["bm25", "neural", "hybrid"])

    def test_relative_paths_begin_where_the_program_is_now(self):
        before = os.getcwd()
        gradus.evaluate(read_qrels(), read_run(RUNS[0]), ["AP"])
        try:
            os.chdir(QRELS.parent)
            self.expect(QRELS.name, RUNS[1].name)
            with self.assertRaises(gradus.InputError) as caught:
                gradus.evaluate("missing.qrels", RUNS[1].name, ["AP"])
            self.assertEqual(caught.exception.problems[0].source, "missing.qrels")
        finally:
            os.chdir(before)

    def test_other_spellings_are_found_by_them(self):
        table = gradus.evaluate(read_qrels(), read_run(RUNS[0]), ["ndcg_cut_10", "map"])
        self.assertEqual(table["ndcg_cut_10"], table["nDCG@10"])
        with self.assertRaises(KeyError):
            table["nothing"]


class TestRefused(unittest.TestCase):
    def sentence(self, qrels, run, measures=("AP",), **settings) -> str:
        with self.assertRaises(gradus.InputError) as caught:
            gradus.evaluate(qrels, run, measures, **settings)
        return str(caught.exception)

    def test_every_problem_is_a_sentence(self):
        nan = float("nan")
        good = {"q": {"d": 1}}
        self.assertEqual(
            self.sentence(good, {"q": {"d": "x"}}),
            "topic q, document d: expected a number as score, found 'x'; leave the document out or give it a score",
        )
        self.assertIn("topic q, document d: expected a number as score, found NaN", self.sentence(good, {"q": {"e": 1.0, "d": nan}}))
        self.assertIn("topic q, document d: expected a number as grade, found NaN", self.sentence({"q": {"d": nan}}, good))
        self.assertIn("row 1: expected a document id, found nothing", self.sentence(good, {"q": {"": 1.0}}))
        self.assertIn("no column holds the score, found query_id, doc_id", self.sentence(good, {"query_id": ["q"], "doc_id": ["d"]}))
        self.assertIn("expected a run, found int", self.sentence(good, 7))
        self.assertIn("topic q: document d appears more than once in the run", self.sentence(good, [("q", "d", 1.0), ("q", "d", 2.0)]))
        self.assertIn("has no option --convntion; did you mean --convention?", self.sentence(good, good, convntion="x"))
        self.assertIn("both have rank 1", self.sentence(good, {"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [1, 1]}))
        self.assertIn("no-such.run", self.sentence(good, "no-such.run"))

    def test_columns_of_different_lengths_are_refused(self):
        self.assertIn("found 2 documents for 1 topics", self.sentence({"q": {"d": 1}}, (["q"], ["d", "e"], [1.0, 2.0])))


@needs("numpy")
class TestNumpy(SameAnswer):
    def test_structured_arrays_and_columns(self):
        import numpy

        run = numpy.array(RUN_ROWS, dtype=[("query_id", "U20"), ("doc_id", "U20"), ("score", "f8")])
        qrels = numpy.array(QRELS_ROWS, dtype=[("query_id", "U20"), ("doc_id", "U20"), ("relevance", "i4")])
        self.expect(qrels, run)
        self.expect(qrels, {name: run[name] for name in run.dtype.names})
        self.expect(qrels, (run["query_id"], run["doc_id"], run["score"]))

    def test_single_precision_stays_what_it_is(self):
        import numpy

        scores = numpy.array([0.1, 0.2], dtype="float32")
        table = gradus.evaluate({"q": {"a": 1}}, {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": scores}, ["RR"])
        self.assertEqual(table["RR"], 0.5)
        self.assertEqual(table.to_numpy().shape, (1, 1, 1))


@needs("pandas")
class TestPandas(SameAnswer):
    def frames(self):
        import pandas

        return pandas.DataFrame(QRELS_ROWS, columns=["query_id", "doc_id", "relevance"]), pandas.DataFrame(
            RUN_ROWS, columns=["qid", "docno", "score"]
        )

    def test_frames_of_every_kind(self):
        qrels, run = self.frames()
        self.expect(qrels, run)
        self.expect(qrels, run.astype({"qid": "category", "docno": "category"}))
        # categories that no row has are no topics
        categories = qrels["query_id"].astype("category").cat.add_categories(["another"])
        self.expect(qrels.assign(query_id=categories), run)
        self.expect(qrels, run.astype({"qid": object, "docno": object}))
        self.expect(qrels.sample(frac=1, random_state=1), run.sample(frac=1, random_state=2))

    def test_missing_values_are_refused(self):
        qrels, run = self.frames()
        run.loc[3, "docno"] = None
        with self.assertRaises(gradus.InputError):
            gradus.evaluate(qrels, run, ["AP"])

    def test_tables_become_frames(self):
        frame = gradus.evaluate(QRELS, RUNS, MEASURES).to_pandas()
        self.assertEqual(list(frame.columns), ["system", "topic", *MEASURES])
        self.assertEqual(len(frame), 36)
        means = gradus.evaluate(QRELS, RUNS, MEASURES).to_pandas(per_topic=False)
        self.assertEqual(list(means["system"]), ["bm25", "neural", "hybrid"])
        self.assertEqual(len(gradus.compare(QRELS, [str(path) for path in RUNS], ["AP"]).to_pandas()), 3)


@needs("polars")
class TestPolars(SameAnswer):
    def test_frames(self):
        import polars

        qrels = polars.DataFrame(QRELS_ROWS, schema=["query_id", "doc_id", "relevance"], orient="row")
        run = polars.DataFrame(RUN_ROWS, schema=["query_id", "doc_id", "score"], orient="row")
        self.expect(qrels, run)
        self.expect(qrels, run.with_columns(polars.col("query_id").cast(polars.Categorical)))

    def test_tables_become_frames(self):
        self.assertEqual(gradus.evaluate(QRELS, RUNS, MEASURES).to_polars().shape, (36, 5))


@needs("pyarrow")
class TestArrow(SameAnswer):
    def test_tables(self):
        import pyarrow

        topics, docs, scores = map(list, zip(*RUN_ROWS))
        run = pyarrow.table({"query_id": topics, "doc_id": docs, "score": scores})
        judged = dict(zip(("query_id", "doc_id", "relevance"), map(list, zip(*QRELS_ROWS))))
        self.expect(pyarrow.table(judged), run)
        self.expect(pyarrow.table(judged), run.slice(0, 5).__class__.from_batches(run.to_batches(max_chunksize=7)))
        coded = run.set_column(0, "query_id", run.column(0).dictionary_encode())
        self.expect(pyarrow.table(judged), coded)
        wide = run.set_column(1, "doc_id", run.column(1).cast(pyarrow.large_string()))
        self.expect(pyarrow.table(judged), wide)


@needs("ranx")
class TestRanxObjects(SameAnswer):
    def test_objects_of_ranx(self):
        import ranx

        self.expect(ranx.Qrels(read_qrels()), ranx.Run(read_run(RUNS[1])))


if __name__ == "__main__":
    unittest.main()
