"""Every value is the command line's, to the last bit."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import re
import shutil
import tempfile
import unittest

import gradus
from support import DATA, QRELS, REPOSITORY, RUNS, command_line, needs, read_qrels, read_run

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10", "ERR@20", "RBP", "Bpref", "nDCG(gain='exp')@5"]


class TestBits(unittest.TestCase):
    def test_dicts_files_and_the_command_line_agree(self):
        printed = command_line("eval", str(QRELS), *map(str, RUNS), "-q", *(word for name in MEASURES for word in ("-m", name)))
        files = gradus.evaluate(QRELS, RUNS, MEASURES)
        dicts = gradus.evaluate(read_qrels(), {path.stem: read_run(path) for path in RUNS}, MEASURES)
        for table in (files, dicts):
            self.assertEqual(table.systems, [run["run"] for run in printed["runs"]])
            for run in printed["runs"]:
                self.assertEqual(table.means(run["run"]), run["all"])
                for topic in run["perTopic"]:
                    for measure, value in topic["scores"].items():
                        self.assertEqual(table.value(topic["topic"], measure, run["run"]), value)

    def test_conventions_and_settings_pass_through(self):
        for words, settings in [
            (["--convention", "trec_eval"], {"convention": "trec_eval"}),
            (["-l", "2"], {"rel": 2}),
            (["--ties", "expected"], {"ties": "expected"}),
            (["--judged-only"], {"judged_only": True}),
            (["--depth", "5"], {"depth": 5}),
            (["--missing", "skip"], {"missing": "skip"}),
        ]:
            with self.subTest(settings):
                printed = command_line("eval", str(QRELS), str(RUNS[1]), "-m", "AP", *words)
                table = gradus.evaluate(read_qrels(), {"neural": read_run(RUNS[1])}, ["AP"], **settings)
                self.assertEqual(table.means("neural"), printed["runs"][0]["all"])

    def test_commands_say_what_the_command_line_says(self):
        runs = {path.stem: read_run(path) for path in RUNS}
        qrels = read_qrels()
        words = [str(QRELS), *map(str, RUNS)]
        compared = gradus.compare(qrels, runs, ["nDCG@10", "AP"], test="randomization", seed=7)
        printed = command_line("compare", *words, "-m", "nDCG@10 AP", "--test", "randomization", "--seed", "7")
        self.assertEqual(compared["measures"], printed["measures"])
        self.assertEqual(compared.methods, printed["methods"])
        explained = gradus.explain(qrels, runs["bm25"], ["trec_eval", "ranklib"], ["nDCG@10"])
        printed = command_line("explain", str(QRELS), str(RUNS[0]), "--as", "trec_eval,ranklib", "-m", "nDCG@10")
        of_files = printed.pop("fingerprint")
        held = {name: value for name, value in explained.data.items() if name != "fingerprint"}
        self.assertEqual(held, printed)
        # a run in memory is no file that could be told by its digest
        self.assertEqual(explained["fingerprint"], {**of_files, "runs": []})
        audited = gradus.audit(qrels, runs)
        found = command_line("audit", *words)
        self.assertEqual(
            [(one["kind"], one["count"]) for one in audited.findings() if one["kind"] != "ranks"],
            [(one["kind"], one["count"]) for file in found["files"] for one in file["findings"] if one["kind"] != "ranks"],
        )
        gated = gradus.gate(qrels, runs["hybrid"], runs["bm25"], ["nDCG@10"])
        printed = command_line("gate", str(QRELS), str(RUNS[2]), str(RUNS[0]), "-m", "nDCG@10")
        self.assertEqual(gated["checks"], printed["checks"])
        self.assertFalse(gated.passed)
        power = gradus.meta("power", qrels, runs, ["AP"], resamples=100)
        printed = command_line("meta", "power", *words, "-m", "AP", "-B", "100")
        self.assertEqual(power["measures"], printed["measures"])

    def test_fusion_is_the_command_lines(self):
        runs = {path.stem: read_run(path) for path in RUNS[:2]}
        for method, settings in [("rrf", {"k": 30}), ("combmnz", {"norm": "z-score"}), ("wsum", {"weights": {"bm25": 0.3, "neural": 0.7}})]:
            with self.subTest(method):
                ours = gradus.fuse(runs, method, **settings)
                files = gradus.fuse([str(path) for path in RUNS[:2]], method, **settings)
                self.assertEqual(ours, files)
                self.assertEqual(ours.name, method)
                self.assertTrue(gradus.evaluate(read_qrels(), ours, ["AP"])["AP"] > 0)

    def test_tuning_finds_weights(self):
        found = gradus.tune({path.stem: read_run(path) for path in RUNS[:2]}, read_qrels(), "AP", folds=3)
        printed = command_line("fuse", str(RUNS[0]), str(RUNS[1]), "--tune", "AP", "--qrels", str(QRELS), "--method", "wsum", "--folds", "3")
        self.assertEqual(found["comparison"], printed["comparison"])

    def test_rankers_are_the_command_lines(self):
        rows = [line.split() for line in (DATA / "ltr" / "train.txt").read_text(encoding="utf-8").splitlines()]
        x = [[float(cell.partition(":")[2]) for cell in row[2:] if ":" in cell and "#" not in cell][:100] for row in rows]
        width = min(map(len, x))
        x = [row[:width] for row in x]
        y = [float(row[0]) for row in rows]
        qid = [row[1].partition(":")[2] for row in rows]
        ranker = gradus.Ranker("lambdamart", trees=5, leaves=4, seed=3).fit(x, y, qid=qid)
        self.assertEqual(len(ranker.predict(x)), len(x))
        sizes: list[int] = []
        for place, one in enumerate(qid):
            if place == 0 or one != qid[place - 1]:
                sizes.append(0)
            sizes[-1] += 1
        grouped = gradus.Ranker("lambdamart", trees=5, leaves=4, seed=3).fit(x, y, group=sizes)
        self.assertEqual(list(grouped.predict(x)), list(ranker.predict(x)))
        again = gradus.Ranker.from_bytes(ranker.to("lightgbm"))
        self.assertEqual(list(again.predict(x)), list(ranker.predict(x)))
        self.assertIn("trees", ranker.describe().text)
        self.assertTrue(len(ranker.importance()) > 0)

    def test_the_program_and_the_package_have_one_version(self):
        self.assertEqual(gradus.version(), gradus.__version__)


class TestShown(unittest.TestCase):
    def test_answers_show_themselves_in_notebooks(self):
        runs = {path.stem: read_run(path) for path in RUNS}
        qrels = read_qrels()
        table = gradus.evaluate(qrels, runs, ["AP"])
        self.assertIn("<th>bm25</th>", table._repr_html_())
        compared = gradus.compare(qrels, runs, ["AP"])
        self.assertIn("<svg", compared._repr_html_())
        self.assertEqual(len(compared.verdicts()), 3)
        self.assertIn("is significant", repr(compared))
        page = gradus.report(qrels, runs, ["AP"])
        self.assertIn("<svg", page.html)
        self.assertIn("srcdoc=", page._repr_html_())
        self.assertIn("The gate", gradus.gate(qrels, runs["bm25"], runs["hybrid"])._repr_html_())
        self.assertIn("<table>", gradus.audit(qrels, runs["bm25"])._repr_html_())
        self.assertIn("<table>", gradus.explain(qrels, runs["bm25"], ["trec_eval", "ranx"])._repr_html_())

    def test_names_from_outside_cannot_act_in_a_notebook(self):
        name = "<script>alert(1)</script>"
        qrels = {f"q{i}": {"d": 1} for i in range(3)}
        runs = {name: {f"q{i}": {"d": 1.0} for i in range(3)}, "b": {f"q{i}": {"e": 2.0, "d": 1.0 + i} for i in range(3)}}
        for shown in (gradus.evaluate(qrels, runs, ["AP"]), gradus.compare(qrels, runs, ["AP"])):
            self.assertNotIn(name, shown._repr_html_())


class TestExamples(unittest.TestCase):
    def test_the_examples_of_the_documentation_run(self):
        for name in ("gradus", "_api", "_table", "errors", "pytrec_eval", "ranx", "ranker"):
            module = importlib.import_module("gradus" if name == "gradus" else f"gradus.{name}")
            with self.subTest(name):
                found = doctest.testmod(module)
                self.assertGreater(found.attempted, 0)
                self.assertEqual(found.failed, 0)


@needs("pandas")
class TestPages(unittest.TestCase):
    """The blocks of code on the pages about Python, one after another, in a folder with the files that they name."""

    def test_the_blocks_of_the_guide_run_and_say_what_they_say(self):
        before = os.getcwd()
        for page in ("docs/guides/python.md", "python/README.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (REPOSITORY / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            self.assertTrue(blocks, page)
            with tempfile.TemporaryDirectory() as folder:
                for name, source in {"qrels.txt": QRELS, "baseline.run": RUNS[2], "candidate.run": RUNS[0]}.items():
                    shutil.copy(source, os.path.join(folder, name))
                os.chdir(folder)
                try:
                    for number, block in enumerate(blocks):
                        with self.subTest(page=page, block=number):
                            self.run_block(block)
                finally:
                    os.chdir(before)

    def run_block(self, block: str) -> None:
        space: dict = {"__name__": "__main__"}
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(block, "block", "exec"), space)
        except SystemExit as ended:
            # the candidate of the example is worse than its baseline
            self.assertEqual(ended.code, 1)
            self.assertTrue(printed.getvalue().startswith("failed\nFAILED: nDCG@10"), printed.getvalue())
            self.assertTrue(os.path.getsize("report.html") > 10_000)
        # a comment behind an expression is its value
        for expression, value in re.findall(r"^(\S.*?)\s+# ([\[{(\d'].*)$", block, re.MULTILINE):
            self.assertEqual(repr(eval(expression, space)), value)


if __name__ == "__main__":
    unittest.main()
