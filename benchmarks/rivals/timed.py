"""What the in-memory benchmarks share: warm up, time every call, print one line of JSON. `topics` is how many the means are over."""

import json
import time

WARM_UP_CALLS = 3


def report(evaluate, topics, repeats):
    for _ in range(WARM_UP_CALLS):
        values = evaluate()
    seconds = []
    processor = []
    for _ in range(repeats):
        start = time.perf_counter()
        cpu = time.process_time()
        values = evaluate()
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - cpu)
    print(json.dumps({"seconds": seconds, "processor": processor, "values": values, "topics": topics}))
