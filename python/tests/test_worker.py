"""The worker process: started once, restarted, ended, and never shared with another process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import gradus
from gradus import _messages, _worker
from gradus._node import NodeMissing, find_node, program
from support import alive, wait_until

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}
RUN = {"q1": {"d1": 0.5, "d2": 0.9}, "q2": {"d2": 1.0}}


def value() -> float:
    return gradus.evaluate(QRELS, RUN, ["RR"])["RR"]


def value_and_process(_: int = 0) -> tuple[float, int | None]:
    return value(), _worker.worker_process()


def python(code: str, **more) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


PRELUDE = """
import gradus
from gradus import _worker
QRELS = {"q1": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 0.5, "d2": 0.9}}
gradus.evaluate(QRELS, RUN, ["RR"])
"""


class TestProcess(unittest.TestCase):
    def test_one_process_answers_all_calls(self):
        value()
        first = _worker.worker_process()
        value()
        self.assertIsNotNone(first)
        self.assertEqual(_worker.worker_process(), first)

    def test_a_worker_that_died_is_started_again(self):
        value()
        first = _worker.worker_process()
        os.kill(first, signal.SIGTERM)
        wait_until(lambda: not alive(first))
        self.assertEqual(value(), 0.75)
        self.assertNotEqual(_worker.worker_process(), first)

    def test_what_a_dead_worker_held_is_sent_again(self):
        evaluator = gradus.pytrec_eval.RelevanceEvaluator(QRELS, {"recip_rank"})
        self.assertEqual(evaluator.evaluate(RUN)["q1"]["recip_rank"], 0.5)
        gradus.close()
        self.assertEqual(evaluator.evaluate(RUN)["q1"]["recip_rank"], 0.5)

    def test_a_worker_that_dies_during_a_call_on_what_it_held_is_asked_again(self):
        evaluator = gradus.pytrec_eval.RelevanceEvaluator(QRELS, {"recip_rank"})
        evaluator.evaluate(RUN)
        first = _worker.worker_process()
        worker = _worker._worker

        def die_first(header, arrays, parts=None):
            if header["call"] == "eval":
                os.kill(first, signal.SIGTERM)
            return type(worker)._exchange(worker, header, arrays, parts)

        worker._exchange = die_first
        self.assertEqual(evaluator.evaluate(RUN)["q1"]["recip_rank"], 0.5)
        self.assertNotEqual(_worker.worker_process(), first)

    def test_close_ends_it_and_the_next_call_starts_another(self):
        value()
        first = _worker.worker_process()
        gradus.close()
        self.assertFalse(alive(first))
        self.assertEqual(value(), 0.75)

    def test_bad_input_is_an_exception_and_the_worker_lives_on(self):
        value()
        first = _worker.worker_process()
        with self.assertRaises(gradus.InputError) as caught:
            gradus.evaluate(QRELS, RUN, ["nDGC@10"])
        self.assertIn("there is no measure nDGC@10", str(caught.exception))
        self.assertEqual(caught.exception.problems[0].way_out, "did you mean nDCG? gradus measures lists them all")
        with self.assertRaises(gradus.InputError):
            gradus.evaluate(QRELS, "no-such-file.run", ["RR"])
        self.assertEqual(value(), 0.75)
        self.assertEqual(_worker.worker_process(), first)

    def test_it_ends_with_the_interpreter(self):
        done = python(PRELUDE + "print(_worker.worker_process())")
        process = int(done.communicate()[0])
        self.assertTrue(wait_until(lambda: not alive(process)))

    @unittest.skipIf(os.name == "nt", "there are no such signals on Windows")
    def test_it_ends_with_an_interpreter_that_is_killed_as_when_a_notebook_is_restarted(self):
        kernel = python(PRELUDE + "import time\nprint(_worker.worker_process(), flush=True)\ntime.sleep(60)")
        process = int(kernel.stdout.readline())
        kernel.kill()
        kernel.communicate()
        self.assertTrue(wait_until(lambda: not alive(process)))


class TestConcurrency(unittest.TestCase):
    def test_threads_get_their_own_answers(self):
        found: dict[int, float] = {}

        def work(number: int) -> None:
            run = {"q1": {f"d{i}": float(-i) for i in range(number)} | {"x": float(-number)}}
            found[number] = gradus.evaluate({"q1": {"x": 1}}, run, ["RR"])["RR"]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 13)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: 1 / (number + 1) for number in range(1, 13)})

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_forked_child_has_a_worker_of_its_own_and_leaves_the_parents_alone(self):
        value()
        mine = _worker.worker_process()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                found, process = value_and_process()
                os.write(writing, f"{found} {process}".encode())
                gradus.close()
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reading) as pipe:
            found, process = pipe.read().split()
        self.assertEqual(status, 0)
        self.assertEqual(float(found), 0.75)
        self.assertNotEqual(int(process), mine)
        self.assertEqual(value(), 0.75)
        self.assertEqual(_worker.worker_process(), mine)

    def test_multiprocessing_works_in_every_way_that_processes_are_started(self):
        value()
        for method in multiprocessing.get_all_start_methods():
            with self.subTest(method=method), multiprocessing.get_context(method).Pool(2) as pool:
                found = pool.map(value_and_process, range(4))
                self.assertEqual({one for one, _ in found}, {0.75})
                self.assertNotIn(_worker.worker_process(), {process for _, process in found})

    @unittest.skipIf(os.name == "nt", "there are no such signals on Windows")
    def test_ctrl_c_abandons_the_call_and_the_next_one_is_answered(self):
        interpreter = python(
            PRELUDE
            + textwrap.dedent(
                """
                import sys
                first = _worker.worker_process()
                qrels = {f"q{i}": {f"d{j}": j % 2 for j in range(40)} for i in range(400)}
                runs = {f"s{s}": {f"q{i}": {f"d{j}": float((j * (s + 3) + i) % 41) for j in range(40)} for i in range(400)} for s in range(20)}
                print("ready", flush=True)
                try:
                    gradus.compare(qrels, runs, ["AP"], test="randomization", resamples=100000000)
                    print("finished")
                except KeyboardInterrupt:
                    print("interrupted", flush=True)
                print(gradus.evaluate(QRELS, RUN, ["RR"])["RR"], _worker.worker_process() != first, flush=True)
                """
            )
        )
        self.assertEqual(interpreter.stdout.readline().strip(), "ready")
        time.sleep(1.0)
        interpreter.send_signal(signal.SIGINT)
        output, errors = interpreter.communicate(timeout=60)
        self.assertEqual(output.split(), ["interrupted", "0.5", "True"], errors)


def raw_worker() -> subprocess.Popen:
    return subprocess.Popen(
        [find_node(os.environ.get("GRADUS_NODE") or None), program(), "worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def message(header: bytes, body: bytes = b"", magic: int = 0x44415247) -> bytes:
    return struct.pack("<IIQ", magic, len(header), len(body)) + header + body


HELLO = message(b'{"id": 1, "call": "hello", "protocol": 1}')


class TestProtocol(unittest.TestCase):
    def answers(self, data: bytes) -> tuple[list[dict], int, str]:
        worker = raw_worker()
        try:
            worker.stdin.write(data)
            worker.stdin.close()
        except BrokenPipeError:
            pass
        found = []
        while True:
            try:
                found.append(_messages.receive(worker.stdout)[0])
            except EOFError:
                break
        errors = worker.stderr.read().decode()
        status = worker.wait(60)
        worker.stdout.close()
        worker.stderr.close()
        return found, status, errors

    def test_it_says_hello_and_ends_with_its_input(self):
        (hello,), status, errors = self.answers(HELLO)
        self.assertEqual((hello["ok"]["protocol"], hello["ok"]["version"], status, errors), (1, gradus.__version__, 0, ""))

    def test_another_version_of_the_protocol_is_refused_with_a_sentence(self):
        (refused,), status, errors = self.answers(message(b'{"id": 1, "call": "hello", "protocol": 2}'))
        self.assertIn("expected the call hello with version 1 of the protocol first, found version 2", refused["message"])
        self.assertEqual(status, 2)
        self.assertIn(refused["message"], errors)

    def test_hostile_messages_get_a_sentence_and_a_clean_end(self):
        cases = {
            "begins with GRAD": b"GET / HTTP/1.1\r\n\r\n",
            "the body of a message has": struct.pack("<IIQ", 0x44415247, 2, 1 << 60) + b"{}",
            "the header of a message has": struct.pack("<IIQ", 0x44415247, 0xFFFFFFFF, 0) + b"{}",
            "not a JSON object": message(b"[1, 2"),
            "not a JSON object in UTF-8": message(b'{"call": "\xff"}'),
            "ends in the middle": message(b'{"id": 2}')[:-3],
            "the body ends before": message(b'{"arrays": [{"type": "f64", "length": 1000000}]}', b"12345678"),
            "one of the types": message(b'{"arrays": [{"type": "f16", "length": 1}]}'),
            "body of the message has 8": message(b'{"arrays": []}', b"12345678"),
        }
        for sentence, data in cases.items():
            with self.subTest(sentence):
                found, status, errors = self.answers(HELLO + data)
                self.assertIn(sentence, found[-1]["message"])
                self.assertEqual(status, 2)
                self.assertNotIn("    at ", errors)

    def test_odd_calls_are_refused_one_by_one(self):
        cases = {
            "there is no call": b'{"id": 2, "call": "launch"}',
            "expected a list": b'{"id": 2, "call": "eval", "inputs": 7}',
            "expected a path, held, or one of the kinds": b'{"id": 2, "call": "eval", "inputs": [{"kind": "song"}]}',
            "expected an object": b'{"id": 2, "call": "eval", "settings": []}',
            "nothing is held as 9": b'{"id": 2, "call": "eval", "inputs": [{"held": 9}], "arguments": [0]}',
            "there is no input 4": b'{"id": 2, "call": "eval", "arguments": [4]}',
            "is the stream that messages come and go by": b'{"id": 2, "call": "eval", "arguments": ["-", "x"]}',
            "/dev/stdout is the stream": b'{"id": 2, "call": "convert", "arguments": ["a", "/dev/stdout"]}',
        }
        data = HELLO + b"".join(message(header) for header in cases.values()) + message(b'{"id": 3, "call": "version"}')
        found, status, _ = self.answers(data)
        for sentence, answer in zip(cases, found[1:]):
            with self.subTest(sentence):
                self.assertIn(sentence, answer["message"])
        self.assertEqual((found[-1]["ok"]["status"], status), (0, 0))


    PARTS = b'{"id": 2, "call": "%s", "inputs": [{"kind": "qrels", "name": "j", "topics": {"bytes": 0, "separator": 0, "count": 1}, "rowsOfTopics": 1, "docs": {"bytes": 2, "separator": 0, "count": 1}, "grades": 3, "hold": true}, {"kind": "run", "name": "r", "parts": true}], "arguments": [0, 1], "settings": {"measure": ["RR"]}, "arrays": [{"type": "u8", "length": 1}, {"type": "u32", "length": 1}, {"type": "u8", "length": 1}, {"type": "f64", "length": 1}]}'
    COLUMNS = b"q".ljust(8, b"\0") + struct.pack("<I", 1).ljust(8, b"\0") + b"d".ljust(8, b"\0") + struct.pack("<d", 1.0)
    PART = message(
        b'{"part": {"topics": {"bytes": 0, "separator": 0, "count": 1}, "rowsOfTopics": 1, "docs": {"bytes": 2, "separator": 0, "count": 1}, "scores": 3}, "arrays": [{"type": "u8", "length": 1}, {"type": "u32", "length": 1}, {"type": "u8", "length": 1}, {"type": "f64", "length": 1}]}',
        COLUMNS,
    )
    END = message(b'{"part": null}')
    VERSION = message(b'{"id": 3, "call": "version"}')

    def test_a_run_in_parts_is_scored_and_what_was_to_be_held_is_held(self):
        again = message(b'{"id": 4, "call": "eval", "inputs": [{"held": 1}, {"kind": "run", "name": "r", "parts": true}], "arguments": [0, 1]}')
        data = message(self.PARTS % b"eval", self.COLUMNS) + self.PART + self.END + again + self.PART + self.END
        found, status, _ = self.answers(HELLO + data)
        self.assertEqual([one["ok"]["topics"] for one in found[1:]], [["q"], ["q"]])
        self.assertEqual((found[1]["ok"]["handles"], status), ([1], 0))

    def test_a_run_in_parts_that_is_needed_whole_is_asked_for(self):
        data = message(self.PARTS % b"audit", self.COLUMNS) + self.PART + self.END + self.VERSION
        found, status, _ = self.answers(HELLO + data.replace(b', "settings": {"measure": ["RR"]}', b', "settings":      {"json": true}'))
        self.assertEqual((found[1]["ok"].get("whole"), found[2]["ok"]["status"], status), (True, 0, 0))

    def test_parts_of_a_call_that_is_refused_are_no_calls(self):
        for call in (b"launch", b"eval --rel"):
            found, status, _ = self.answers(HELLO + message(self.PARTS % call, self.COLUMNS) + 3 * self.PART + self.END + self.VERSION)
            self.assertIn("there is no call", found[1]["message"])
            self.assertEqual((len(found), found[2]["ok"]["status"], status), (3, 0, 0))

    def test_parts_that_end_too_early_end_the_worker(self):
        call = message(self.PARTS % b"eval", self.COLUMNS)
        _, status, errors = self.answers(HELLO + call + self.PART)
        self.assertEqual((status, "ends before the last part of a run" in errors), (2, True))
        _, status, errors = self.answers(HELLO + call + b"something else than a part")
        self.assertEqual((status, "begins with GRAD" in errors), (2, True))


class TestParts(unittest.TestCase):
    """Large runs are scored while they are put together, with the values and the sentences of small ones."""

    QRELS = {f"q{t}": {"d3": 1, "d7": 2} for t in range(80)}

    def run_of(self, **more: dict) -> dict[str, dict[str, float]]:
        return {**{f"q{t}": {f"d{i}": float((i * 7 + t) % 1009) for i in range(1000)} for t in range(80)}, **more}

    def setUp(self):
        self.assertIsNotNone(gradus._inputs.run_parts(self.run_of()))

    def test_values_are_those_of_the_same_run_as_columns(self):
        run = self.run_of(nobody={"d1": 1.0})
        rows = [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
        columns = {"query_id": [row[0] for row in rows], "doc_id": [row[1] for row in rows], "score": [row[2] for row in rows]}
        for settings in ({}, {"ties": "expected"}, {"depth": 10}, {"convention": "trec_eval"}, {"convention": "ranx"}):
            with self.subTest(settings):
                found = gradus.evaluate(self.QRELS, run, ["AP", "nDCG@10"], **settings)
                expected = gradus.evaluate(self.QRELS, columns, ["AP", "nDCG@10"], **settings)
                self.assertEqual((found.to_dict(), found.means(), found.notes), (expected.to_dict(), expected.means(), expected.notes))

    def test_what_is_odd_is_said_as_of_a_small_run_and_the_worker_lives_on(self):
        cases = [
            ({"d1": "high"}, "topic q40, document d1: expected a number as score, found 'high'"),
            ({"d1": None}, "topic q40, document d1: expected a number as score, found None"),
            ({"d1": float("nan")}, "topic q40, document d1: expected a number as score, found NaN"),
            ({"": 1.0}, "expected a document id, found nothing"),
            ({"a\0b": 1.0}, None),
        ]
        gradus.evaluate(QRELS, RUN, ["RR"])
        process = _worker.worker_process()
        for docs, sentence in cases:
            with self.subTest(docs):
                if sentence is None:
                    gradus.evaluate(self.QRELS, self.run_of(q40=docs), ["AP"])
                else:
                    with self.assertRaises(gradus.InputError) as caught:
                        gradus.evaluate(self.QRELS, self.run_of(q40=docs), ["AP"])
                    self.assertIn(sentence, str(caught.exception))
        with self.assertRaises(gradus.InputError):
            gradus.evaluate(self.QRELS, self.run_of(), ["APP"])
        self.assertEqual((value(), _worker.worker_process()), (0.75, process))

    def test_a_worker_that_dies_among_the_parts_is_started_again(self):
        evaluator = gradus.pytrec_eval.RelevanceEvaluator(self.QRELS, {"map"})
        expected = evaluator.evaluate(self.run_of())
        original, first = gradus._inputs._part, _worker.worker_process()

        def kill_once(value):
            gradus._inputs._part = original
            os.kill(first, signal.SIGTERM)
            wait_until(lambda: not alive(first))
            return original(value)

        gradus._inputs._part = kill_once
        try:
            self.assertEqual(evaluator.evaluate(self.run_of()), expected)
        finally:
            gradus._inputs._part = original
        self.assertNotEqual(_worker.worker_process(), first)


class TestMemory(unittest.TestCase):
    @unittest.skipUnless(sys.platform == "linux", "memory is looked up in /proc")
    def test_many_large_calls_take_no_more_memory_than_a_few(self):
        run = {f"q{t}": {f"d{i}": float(i % 97) for i in range(1000)} for t in range(100)}
        qrels = {f"q{t}": {"d5": 1} for t in range(100)}

        def peak() -> int:
            with open(f"/proc/{_worker.worker_process()}/status", encoding="utf-8") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

        gradus.close()
        for _ in range(20):
            gradus.evaluate(qrels, run, ["AP"])
        before = peak()
        for _ in range(100):
            gradus.evaluate(qrels, run, ["AP"])
        # each call sends 2 MB; kept, they would be 200 MB more
        self.assertLess(peak() - before, 120_000)

    def test_released_judgements_are_let_go(self):
        for _ in range(1100):
            gradus.pytrec_eval.RelevanceEvaluator(QRELS, {"map"}).evaluate(RUN)
        self.assertEqual(value(), 0.75)


class TestNode(unittest.TestCase):
    def test_a_node_that_cannot_be_used_is_named(self):
        with self.assertRaises(NodeMissing) as caught:
            find_node("/no/such/node")
        self.assertIn("GRADUS_NODE=/no/such/node cannot be run", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
