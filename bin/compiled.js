// Loads the program from its bundle and remembers what V8 compiled, as Node does by itself from version 22 on: half of the time
// that a small evaluation takes is compilation otherwise. Whatever goes wrong with the memory, the program runs without it.
//
// Every millisecond here is one of every command, so parts of Node that take long to load, zlib and crypto among them, are not used.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const bundle = path.join(__dirname, '..', 'dist', 'bin');
const MAGIC = 'gradus compiled 2\n';
/** The magic, then the length of the index and its checksum. */
const HEADER = MAGIC.length + 8;
/** What is read at first: header and index, and nothing of the parts that this command does not need. */
const FIRST_READ = 1 << 15;
const MONTH = 30 * 24 * 60 * 60 * 1000;
/** Commands beyond these share what others have compiled. */
const MAX_COMMANDS = 100;

/** A function of the bundle's files over the bytes of its memory, eight at a time, from and to multiples of eight:
 *
 *      (module (memory (export "memory") 1)
 *        (func (export "checksum") (param $at i32) (param $end i32) (result i32) (local $sum i64)
 *          (loop $next
 *            (local.set $sum (i64.mul
 *              (i64.rotl (i64.xor (local.get $sum) (i64.load (local.get $at))) (i64.const 29))
 *              (i64.const -7046029254386353131)))
 *            (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end))))
 *          (i32.wrap_i64 (i64.xor (local.get $sum) (i64.shr_u (local.get $sum) (i64.const 32))))))
 *
 *  Every step can be undone, so that whatever is changed in eight bytes changes the sum of 64 bits. */
const CHECKSUM =
  'AGFzbQEAAAABBwFgAn9/AX8DAgEABQMBAAEHFQIGbWVtb3J5AgAIY2hlY2tzdW0AAAo3ATUBAX4DQCACIAApAwCFQh2JQpX4qfqXt96bnn9+IQIgAEEIaiIAIAFJDQALIAIgAkIgiIWnCw==';
let checker;

/** The file that holds the memory; undefined where there is none. */
let memory;
/** What the memory holds: where the compiled code of each file of the bundle stands in it, and its checksum. */
const known = new Map();
/** The commands whose functions are among it. */
let commands = [];
/** Whether something had to be compiled that a memory could have held. */
let compiledAnew = false;
const scripts = new Map();
const loaded = new Map();

/** Loads a file of the bundle, and all that it needs. */
function load(name) {
  const before = loaded.get(name);
  if (before !== undefined) return before.exports;
  const filename = path.join(bundle, name);
  const module = { exports: {}, filename, id: filename, importModule };
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, 'utf8')}\n})`;
  const cachedData = attempt(() => compiledCode(name));
  const script = new Script(source, { filename, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) compiledAnew = true;
  scripts.set(name, script);
  loaded.set(name, module);
  script.runInThisContext().call(module.exports, module.exports, requireFrom(filename), module, filename, bundle);
  return module.exports;
}

/** What a file of the bundle requires is another one, a part of Node, or a package that only few have. */
function requireFrom(filename) {
  let installed;
  const otherwise = () => {
    installed ??= require('node:module').createRequire(filename);
    return installed;
  };
  const find = (id) => {
    if (id.startsWith('./')) return load(id.slice(2));
    return id.startsWith('node:') ? require(id) : otherwise()(id);
  };
  find.resolve = (id) => otherwise().resolve(id);
  return find;
}

/** `import()` for files of the bundle, whose compiled code has lost its own. */
async function importModule(id) {
  if (id.startsWith('file:')) {
    const file = require('node:url').fileURLToPath(id);
    if (path.dirname(file) === bundle && fs.existsSync(file)) return load(path.basename(file));
  }
  return await import(id.startsWith('.') ? require('node:url').pathToFileURL(path.join(bundle, id)).href : id);
}

/** The file that holds the memory of this build under this Node; undefined where there is no place for it. */
function placeOfMemory() {
  const { env, platform } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const home = env.HOME && path.isAbsolute(env.HOME) ? env.HOME : undefined;
  let folder = env.NODE_COMPILE_CACHE;
  if (!folder && platform === 'win32') folder = env.LOCALAPPDATA;
  else if (!folder && platform === 'darwin') folder = home && path.join(home, 'Library', 'Caches');
  else if (!folder) folder = env.XDG_CACHE_HOME || (home && path.join(home, '.cache'));
  if (!folder || !path.isAbsolute(folder)) return undefined;
  const build = fs.readFileSync(path.join(bundle, 'digest'), 'utf8');
  const flags = Buffer.from(process.execArgv.join('\n'));
  return path.join(folder, 'gradus', `${build}-${process.version}-${process.arch}-${(checksum(flags) >>> 0).toString(16)}.bin`);
}

/** Room for this many bytes, in which they can be checked; what it held before is lost. */
function roomToCheck(length) {
  checker ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(CHECKSUM, 'base64'))).exports;
  const missing = length + 8 - checker.memory.buffer.byteLength;
  if (missing > 0) checker.memory.grow(Math.ceil(missing / 65536));
  return Buffer.from(checker.memory.buffer, 0, length + 8);
}

/** The checksum of what stands in the room already. */
function checksumOf(room) {
  const length = room.length - 8;
  room.fill(0, length);
  return checker.checksum(0, Math.ceil(length / 8) * 8);
}

function checksum(bytes) {
  const room = roomToCheck(bytes.length);
  bytes.copy(room);
  return checksumOf(room);
}

/** Calls with the memory's descriptor if it is a file of one's own: compiled code is as good as code, and V8 does not check it. */
function withMemory(use) {
  if (memory === undefined) return undefined;
  const handle = fs.openSync(memory, 'r');
  try {
    const { uid, mode } = fs.fstatSync(handle);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    return use(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Reads what the memory holds, but not yet the compiled code itself. */
function recall() {
  withMemory((handle) => {
    let bytes = Buffer.allocUnsafe(FIRST_READ);
    bytes = bytes.subarray(0, fs.readSync(handle, bytes, 0, FIRST_READ, 0));
    if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return;
    const length = bytes.readUInt32LE(MAGIC.length);
    const index = bytes.subarray(HEADER, HEADER + length);
    if (index.length !== length || checksum(index) !== bytes.readInt32LE(MAGIC.length + 4)) return;
    const { parts, uses } = JSON.parse(index.toString('utf8'));
    let at = HEADER + length;
    for (const [name, size, sum] of parts) {
      known.set(name, { at, size, sum });
      at += size;
    }
    commands = uses;
  });
}

/** The compiled code of a file of the bundle, if the memory has it unharmed. It is valid until the next is asked for. */
function compiledCode(name) {
  const part = known.get(name);
  return (
    part &&
    withMemory((handle) => {
      const room = roomToCheck(part.size);
      if (fs.readSync(handle, room, 0, part.size, part.at) !== part.size || checksumOf(room) !== part.sum) return undefined;
      return room.subarray(0, part.size);
    })
  );
}

/** What is run: a command, or the tool that is stood in for. Functions are compiled when they are called first, so each command adds
 *  its own to the memory, the first time that it is used. */
function commandName() {
  const [, , first = '', second = ''] = process.argv;
  return first === 'as' ? `as ${second}` : first;
}

/** Whether this command can add something to the memory. */
function isNewCommand() {
  const name = commandName();
  return process.exitCode === 0 && commands.length < MAX_COMMANDS && name.length < 40 && !commands.includes(name);
}

/** Writes down what was compiled this time, beside what was known. */
function remember() {
  fs.mkdirSync(path.dirname(memory), { recursive: true, mode: 0o700 });
  const temporary = `${memory}.${process.pid}.${Date.now().toString(36)}`;
  // where nothing can be written, nothing needs to be put together
  const handle = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(handle, packed());
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, memory);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  forgetOld(path.dirname(memory));
}

/** All compiled code, with an index before it. */
function packed() {
  const code = new Map();
  for (const name of known.keys()) {
    const bytes = scripts.has(name) ? undefined : attempt(() => compiledCode(name));
    if (bytes !== undefined) code.set(name, Buffer.from(bytes));
  }
  for (const [name, script] of scripts) code.set(name, script.createCachedData());
  const parts = [...code].map(([name, bytes]) => [name, bytes.length, checksum(bytes)]);
  const uses = isNewCommand() ? [...commands, commandName()] : commands;
  const index = Buffer.from(JSON.stringify({ parts, uses }));
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(index.length, MAGIC.length);
  header.writeInt32LE(checksum(index), MAGIC.length + 4);
  return Buffer.concat([header, index, ...code.values()]);
}

/** Removes what builds left behind that nobody has used for a month. */
function forgetOld(folder) {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith('.bin') && Date.now() - fs.statSync(file).mtimeMs > MONTH) fs.rmSync(file, { force: true });
  }
}

/** Does it if it can be done. */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What another thread of the program begins with. It leaves remembering to the first one. */
exports.loadThread = (name) => {
  memory = attempt(placeOfMemory);
  attempt(recall);
  return load(name);
};

exports.loadProgram = () => {
  memory = attempt(placeOfMemory);
  attempt(recall);
  if (memory !== undefined) {
    process.once('exit', () => {
      if (compiledAnew || isNewCommand()) attempt(remember);
    });
  }
  return load('main.js');
};
