"""One reading of LETOR text by LightGBM or XGBoost: loading.py lightgbm|xgboost FILE THREADS [OPTION=VALUE ...]

LightGBM makes a data set with its bins, XGBoost a matrix without. Prints what it took as one line of JSON."""

import json
import resource
import sys
import time

library, path, threads, *given = sys.argv[1:]
threads = int(threads)
options = dict(option.split("=") for option in given)

if library == "lightgbm":
    import lightgbm

    def load():
        params = {"num_threads": threads, "verbose": -1, "max_bin": 255, **options}
        return lightgbm.Dataset(path, params=params).construct().num_data()

else:
    import warnings

    import xgboost

    warnings.filterwarnings("ignore")

    def load():
        return xgboost.DMatrix(f"{path}?format=libsvm", nthread=threads).num_row()


def cpu_seconds():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


start, cpu_start = time.perf_counter(), cpu_seconds()
rows = load()
seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu_start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "peakBytes": peak, "rows": rows}))
