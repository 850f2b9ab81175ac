"""Times the Python package against pytrec_eval: python speed.py [--topics 1000] [--depth 1000] [--repeats 7] [--json].

Needs gradus and, for the comparison, pytrec-eval-terrier; with pandas also a table. What both compute is compared first, and must be equal
to the last bit. Each is given the same thing: dicts, a table, files, and they take turns. Times are those of the clock and, on Linux, of
the processors in the interpreter and the worker together, which a busy machine does not change much.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable

import gradus
import gradus.pytrec_eval as ours
from gradus import _worker

MEASURES = {"map", "ndcg_cut_10", "P_10", "recip_rank"}
OWN_NAMES = ["AP", "nDCG@10", "P@10", "RR"]

Work = Callable[[], object]


def processor_time() -> float:
    """Of this process and of the worker; NaN where the system does not tell."""
    process = _worker.worker_process()
    try:
        # how Linux numbers the clock of another process
        return time.process_time() + (0.0 if process is None else time.clock_gettime((~process << 3) | 2))
    except (AttributeError, OSError):
        return float("nan")


def timed(work: Work) -> tuple[float, float]:
    start, used = time.perf_counter(), processor_time()
    work()
    return time.perf_counter() - start, processor_time() - used


def in_turns(repeats: int, tools: dict[str, Work]) -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = {tool: {"clock": [], "processors": []} for tool in tools}
    for turn in range(repeats + 1):
        for tool in list(tools) if turn % 2 else reversed(list(tools)):
            clock, processors = timed(tools[tool])
            # the first turn warms up
            if turn > 0:
                found[tool]["clock"].append(clock)
                found[tool]["processors"].append(processors)
    return found


def generated(topics: int, depth: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    draw = random.Random(7)
    qrels = {f"q{t}": {f"doc{draw.randrange(100_000):06d}": draw.randrange(3) for _ in range(100)} for t in range(topics)}
    run = {
        f"q{t}": {f"doc{doc:06d}": round(draw.random() * 30, 4) for doc in draw.sample(range(100_000), depth)} for t in range(topics)
    }
    return qrels, run


def works(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], folder: str) -> dict[str, dict[str, Work]]:
    """What is timed: by what is given, and by tool."""
    qrels_path, run_path = os.path.join(folder, "qrels.txt"), os.path.join(folder, "run.txt")
    with open(qrels_path, "w", encoding="utf-8") as file:
        file.writelines(f"{topic} 0 {doc} {grade}\n" for topic, docs in qrels.items() for doc, grade in docs.items())
    with open(run_path, "w", encoding="utf-8") as file:
        file.writelines(f"{topic} Q0 {doc} 0 {score} run\n" for topic, docs in run.items() for doc, score in docs.items())
    found: dict[str, dict[str, Work]] = {
        "dicts": {"gradus": lambda: ours.RelevanceEvaluator(qrels, MEASURES).evaluate(run)},
        "files": {"gradus": lambda: gradus.evaluate(qrels_path, run_path, OWN_NAMES)},
    }
    try:
        import pandas

        rows = [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
        table = pandas.DataFrame(rows, columns=["query_id", "doc_id", "score"])
        found["pandas"] = {"gradus": lambda: gradus.evaluate(qrels, table, OWN_NAMES)}
    except ImportError:
        pass
    try:
        import pytrec_eval
    except ImportError:
        return found
    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    assert ours.RelevanceEvaluator(qrels, MEASURES).evaluate(run) == theirs, "the values differ"

    def from_table() -> None:
        nested = {topic: dict(zip(part["doc_id"], part["score"])) for topic, part in table.groupby("query_id")}
        pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(nested)

    def from_files() -> None:
        with open(qrels_path, encoding="utf-8") as judged, open(run_path, encoding="utf-8") as ranked:
            pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judged), MEASURES).evaluate(pytrec_eval.parse_run(ranked))

    found["dicts"]["pytrec_eval"] = lambda: pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    found["files"]["pytrec_eval"] = from_files
    if "pandas" in found:
        found["pandas"]["pytrec_eval"] = from_table
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="every time that was measured")
    asked = parser.parse_args()
    small = {"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 0.5, "d2": 0.9}}
    first, second = (timed(lambda: gradus.evaluate(*small, ["nDCG@10"]))[0] for _ in range(2))
    later = statistics.median(timed(lambda: gradus.evaluate(*small, ["nDCG@10"]))[0] for _ in range(200))
    qrels, run = generated(asked.topics, asked.depth)
    with tempfile.TemporaryDirectory() as folder:
        given = {what: in_turns(asked.repeats, tools) for what, tools in works(qrels, run, folder).items()}
    if asked.json:
        print(json.dumps({"small": {"first": first, "second": second, "later": later}, "given": given}))
        return
    print(f"small calls: the first {1000 * first:.1f} ms, the second {1000 * second:.1f} ms, later {1000 * later:.1f} ms")
    for what, tools in given.items():
        for kind in ("clock", "processors"):
            middle = {tool: statistics.median(times[kind]) for tool, times in tools.items()}
            least = {tool: min(times[kind]) for tool, times in tools.items()}
            shares = ""
            if len(tools) == 2:
                middles, leasts = (one["gradus"] / one["pytrec_eval"] for one in (middle, least))
                shares = f"  share {middles:.2f} of the medians, {leasts:.2f} of the least"
            print(f"{what:7} {kind:10}", "  ".join(f"{tool} {middle[tool]:.3f} s (least {least[tool]:.3f})" for tool in tools) + shares)


if __name__ == "__main__":
    main()
