"""What tests share."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gradus._node import find_node, program

REPOSITORY = Path(os.environ.get("GRADUS_REPOSITORY", Path(__file__).resolve().parents[2]))
DATA = REPOSITORY / "examples" / "data"
QRELS = DATA / "example.qrels"
RUNS = [DATA / "bm25.run", DATA / "neural.run", DATA / "hybrid.run"]


def needs(*libraries: str) -> Any:
    """Skips a test, or a class of them, by the name of a library that is not there."""
    for library in libraries:
        try:
            importlib.import_module(library)
        except ImportError:
            return unittest.skip(f"{library} is not installed")
    return lambda test: test


def command_line(*words: str) -> Any:
    """What the command line says, as JSON."""
    node = find_node(os.environ.get("GRADUS_NODE") or None)
    done = subprocess.run([node, program(), *map(str, words), "--json"], capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """A TREC run as nested dicts."""
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, doc, _, score, _ = line.split()
        run.setdefault(topic, {})[doc] = float(score)
    return run


def read_qrels(path: Path = QRELS) -> dict[str, dict[str, int]]:
    """TREC judgements as nested dicts."""
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, doc, grade = line.split()
        qrels.setdefault(topic, {})[doc] = int(grade)
    return qrels


def alive(process: int) -> bool:
    """Whether a process still does something."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # a process that nobody has waited for yet is there, but does nothing any more
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return sys.platform != "linux"


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()
