"""Scores rows with LightGBM: score_lightgbm.py MODEL DATA COLUMNS OUT THREADS ROUNDS. DATA holds doubles, row by row. Writes the
scores to OUT and prints the processor seconds of each round; reading the files is not counted."""

import json
import sys
import time

import lightgbm
import numpy

model_file, data_file, columns, out, threads, rounds = sys.argv[1:]
rows = numpy.fromfile(data_file).reshape(-1, int(columns))
model = lightgbm.Booster(model_file=model_file)
model.predict(rows[:1000], num_threads=int(threads))
seconds = []
for _ in range(int(rounds)):
    start = time.process_time()
    scores = model.predict(rows, num_threads=int(threads))
    seconds.append(time.process_time() - start)
scores.tofile(out)
print(json.dumps({"seconds": seconds, "version": lightgbm.__version__}))
