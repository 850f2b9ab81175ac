"""Runs one command and writes what it cost as JSON: measured.py COST_FILE OUTPUT_FILE LIMIT_SECONDS COMMAND...

The kernel's own accounting of the finished child gives CPU time and peak memory over all its threads. Peak memory
never reads below this interpreter's own 10 MB, which the child starts out as.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

cost_file, output_file, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
timed_out = threading.Event()

with open(output_file, "wb") as output:
    start = time.perf_counter()
    child = subprocess.Popen(sys.argv[4:], stdout=output, stdin=subprocess.DEVNULL)

    def give_up():
        timed_out.set()
        child.send_signal(signal.SIGKILL)

    alarm = threading.Timer(limit, give_up)
    alarm.start()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    alarm.cancel()

with open(cost_file, "w") as cost:
    json.dump(
        {
            "wall": wall,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peakBytes": usage.ru_maxrss * 1024,
            "status": os.waitstatus_to_exitcode(status),
            "timedOut": timed_out.is_set(),
        },
        cost,
    )
