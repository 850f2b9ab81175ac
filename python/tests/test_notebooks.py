"""The notebooks run, and print what they show."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import threading
import unittest
from collections.abc import Iterator
from pathlib import Path

from support import REPOSITORY, alive, needs, wait_until

NOTEBOOKS = sorted((REPOSITORY / "python" / "notebooks").glob("*.ipynb"))


def run_cell(source: str, space: dict) -> list[dict]:
    """Runs a cell as a notebook does: what it prints, and the value of its last line, as outputs of a notebook."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run_notebook(path: Path) -> Iterator[tuple[int, dict, list[dict]]]:
    """The number of each cell with code, the cell, and what it shows now."""
    space: dict = {"__name__": "__main__"}
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        count = 0
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            if cell["cell_type"] == "code":
                count += 1
                outputs = run_cell("".join(cell["source"]), space)
                for output in outputs:
                    if "execution_count" in output:
                        output["execution_count"] = count
                yield number, cell, outputs
    finally:
        os.chdir(before)


def write() -> None:
    """Puts what the cells show now into the notebooks: python test_notebooks.py --write."""
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for count, (number, _, outputs) in enumerate(run_notebook(path), 1):
            notebook["cells"][number].update(outputs=outputs, execution_count=count)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


class TestNotebooks(unittest.TestCase):
    def test_there_are_three(self):
        self.assertEqual(
            [path.stem for path in NOTEBOOKS], ["from-trec-eval-to-gradus", "is-b-better-than-a", "train-and-explain-a-ranker"]
        )

    def test_cells_show_what_they_did_when_they_were_written(self):
        for path in NOTEBOOKS:
            for number, cell, outputs in run_notebook(path):
                with self.subTest(notebook=path.stem, cell=number):
                    self.assertEqual(outputs, cell["outputs"])

    def test_the_verdict_comes_first_and_has_its_picture(self):
        [path] = [path for path in NOTEBOOKS if path.stem == "is-b-better-than-a"]
        shown = [
            "".join(output["data"].get("text/html", ""))
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            for output in cell.get("outputs", ())
            if "data" in output
        ]
        [html] = [one for one in shown if "neural is better than bm25." in one]
        self.assertTrue(html.startswith("<p><strong>● neural is better than bm25.</strong>"))
        self.assertLess(html.index("<svg"), html.index("<table"))


@needs("nbclient", "nbformat", "ipykernel")
class TestKernel(unittest.TestCase):
    def test_a_kernel_runs_them_and_shows_their_html(self):
        import nbformat
        from nbclient import NotebookClient

        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(Path(path).parent)}}).execute()
                outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
                self.assertFalse([output for output in outputs if output.output_type == "error"])
                self.assertTrue([output for output in outputs if "text/html" in output.get("data", {})])


class Kernel:
    """A kernel of a notebook, in which code is run."""

    def __init__(self) -> None:
        from jupyter_client.manager import start_new_kernel

        self.manager, self.client = start_new_kernel()

    def run(self, code: str) -> str:
        """What the code prints."""
        printed: list[str] = []

        def hear(message: dict) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        self.client.execute_interactive(code, timeout=120, output_hook=hear)
        return "".join(printed)

    def restart(self) -> None:
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=60)

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


CALL = """
import gradus
from gradus import _worker
print(gradus.evaluate({"q": {"d": 1}}, {"q": {"e": 2.0, "d": 1.0}}, ["RR"])["RR"], _worker.worker_process())
"""

ENDLESS = """
qrels = {f"q{i}": {f"d{j}": j % 2 for j in range(40)} for i in range(400)}
runs = {f"s{s}": {f"q{i}": {f"d{j}": float((j * (s + 3) + i) % 41) for j in range(40)} for i in range(400)} for s in range(20)}
try:
    gradus.compare(qrels, runs, ["AP"], test="randomization", resamples=100000000)
except KeyboardInterrupt:
    print("interrupted")
"""


@unittest.skipIf(os.name == "nt", "there are no such signals on Windows")
@needs("jupyter_client", "ipykernel")
class TestRestart(unittest.TestCase):
    def setUp(self):
        self.kernel = Kernel()
        self.addCleanup(self.kernel.close)

    def test_a_kernel_that_is_restarted_has_another_worker_and_the_old_one_ends(self):
        value, first = self.kernel.run(CALL).split()
        self.assertEqual(value, "0.5")
        self.kernel.restart()
        value, second = self.kernel.run(CALL).split()
        self.assertEqual(value, "0.5")
        self.assertNotEqual(second, first)
        self.assertTrue(wait_until(lambda: not alive(int(first))))

    def test_the_stop_button_ends_the_call_and_the_next_one_is_answered(self):
        _, first = self.kernel.run(CALL).split()
        stop = threading.Timer(3.0, self.kernel.manager.interrupt_kernel)
        stop.start()
        self.assertEqual(self.kernel.run(ENDLESS).split(), ["interrupted"])
        value, second = self.kernel.run(CALL).split()
        self.assertEqual(value, "0.5")
        self.assertNotEqual(second, first)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
