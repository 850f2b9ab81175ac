// Loaded before anything else in every thread (NODE_OPTIONS=--require). In the threads that help, reading fails as GRADUS_FAULT says:
// { way, n, log }: the n-th read of the thread, or every read from there on with `lasting`. What was done is written to the log. With
// n = 0 none fails.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const { way, n, lasting, log } = JSON.parse(process.env.GRADUS_FAULT);

if (isMainThread) {
  // the others get their share: before it takes its first this one waits for a fault, or two of a kind that stops nobody, or a while if
  // there will be none
  const awaited = (way === 'short' ? 2 : 1) * `${way}\n`.length;
  const isOver = () => (fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) >= awaited;
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const add = Atomics.add;
  Atomics.add = (...values) => {
    Atomics.add = add;
    for (let left = n === 0 ? 100 : 1000; left > 0 && !isOver(); left--) Atomics.wait(nothing, 0, 0, 20);
    return add(...values);
  };
} else {
  const { readSync, appendFileSync } = fs;
  let count = 0;
  fs.readSync = (file, bytes, offset, length, position) => {
    // only pieces of the data are read from a stated position
    if (typeof position !== 'number') return readSync(file, bytes, offset, length, position);
    count++;
    if (count !== n && !(lasting && count > n)) return readSync(file, bytes, offset, length, position);
    appendFileSync(log, `${way}\n`);
    if (way === 'short') return readSync(file, bytes, offset, Math.max(1, length >> 1), position);
    throw Object.assign(new Error(`${way}: made to fail, read`), { code: way, syscall: 'read', errno: -5 });
  };
  syncBuiltinESMExports();
}
