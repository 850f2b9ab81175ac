// Makes file operations of the program fail on purpose: the n-th one, in a given way. Operations of Node itself, such as loading
// modules, are left alone, and so is everything while no fault is armed.
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { join } = require('node:path');
const { syncBuiltinESMExports } = require('node:module');

const program = join(__dirname, '..', '..', 'dist');

/** How each operation can fail. `full` is a disk that is full from there on; `short` does less than it was asked to. */
const waysOf = {
  openSync: ['EMFILE', 'EIO', 'full'],
  readSync: ['EIO', 'short'],
  read: ['EIO', 'short'],
  writeSync: ['ENOSPC', 'EIO', 'short', 'full'],
  fsyncSync: ['EIO', 'full'],
  mkdirSync: ['ENOSPC', 'EIO'],
  mkdtemp: ['ENOSPC', 'EMFILE'],
  writeFileSync: ['ENOSPC', 'EIO'],
  readFileSync: ['EIO', 'EMFILE'],
};
const others = [
  'accessSync',
  'closeSync',
  'fchmodSync',
  'fchownSync',
  'fstatSync',
  'ftruncateSync',
  'linkSync',
  'lstatSync',
  'opendirSync',
  'readdirSync',
  'readlinkSync',
  'realpathSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'statSync',
  'unlinkSync',
];
for (const name of others) waysOf[name] = ['EIO'];

/** What a full disk refuses. */
const needsRoom = new Set(['writeSync', 'fsyncSync', 'mkdirSync', 'mkdtemp', 'writeFileSync', 'linkSync']);

let armed;
let isInside = false;

/** Counts operations from now on, and lets the n-th fail; none for n = 0. */
function arm(n, way) {
  armed = { n, way, operations: [], isFull: false };
}

/** Stops counting, and tells the names of the operations there were. */
function disarm() {
  const { operations } = armed;
  armed = undefined;
  return operations;
}

function isOurs() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes(program) && !/node:internal\/modules|node_modules/.test(stack);
}

function failure(code, name) {
  const error = new Error(`${code}: made to fail, ${name}`);
  return Object.assign(error, { code, syscall: name.replace('Sync', ''), errno: -1 });
}

/** Whether this operation is to fail, and how. */
function wayOfNow(name) {
  if (armed === undefined || isInside || !isOurs()) return undefined;
  armed.operations.push(name);
  if (armed.isFull && needsRoom.has(name)) return 'ENOSPC';
  if (armed.operations.length !== armed.n) return undefined;
  if (armed.way !== 'full') return armed.way;
  armed.isFull = true;
  return needsRoom.has(name) ? 'ENOSPC' : undefined;
}

/** Lets an operation on a buffer do about half of what it was asked to. */
function shortened(args) {
  const copy = [...args];
  copy[3] = Math.max(1, copy[3] >> 1);
  return copy;
}

function wrap(owner, name, isAsync) {
  const original = owner[name];
  owner[name] = function wrapped(...args) {
    const way = wayOfNow(name);
    const act = (given) => {
      isInside = true;
      try {
        return original.apply(this, given);
      } finally {
        isInside = false;
      }
    };
    if (way === undefined) return act(args);
    if (way === 'short') return act(shortened(args));
    const error = failure(way, name);
    // a descriptor is gone whatever close answers
    if (name === 'closeSync') act(args);
    if (name === 'read') return void setImmediate(() => args.at(-1)(error));
    if (isAsync) return Promise.reject(error);
    throw error;
  };
  Object.assign(owner[name], original);
}

for (const name of Object.keys(waysOf)) if (name !== 'mkdtemp') wrap(fs, name, false);
wrap(promises, 'mkdtemp', true);
syncBuiltinESMExports();

module.exports = { arm, disarm, waysOf };
