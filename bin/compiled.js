// Loads the program from its bundle and remembers what V8 compiled, as Node does by itself from version 22 on: half of the time
// that a small evaluation takes is compilation otherwise. Whatever goes wrong with the memory, the program runs without it.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const bundle = path.join(__dirname, '..', 'dist', 'bin');
const MAGIC = 'gradus compiled 1\n';
const HEADER = MAGIC.length + 8;
const MONTH = 30 * 24 * 60 * 60 * 1000;

/** The chunks' compiled code: from the last time, and to be kept for the next. */
const known = new Map();
const fresh = new Map();
const loaded = new Map();

/** Loads a file of the bundle, and all that it needs. */
function load(name) {
  const before = loaded.get(name);
  if (before !== undefined) return before.exports;
  const filename = path.join(bundle, name);
  const module = { exports: {}, filename, id: filename, importModule };
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, 'utf8')}\n})`;
  const cachedData = known.get(name);
  const script = new Script(source, { filename, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) fresh.set(name, script);
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
  const flags = crc32(process.execArgv.join('\n')).toString(16);
  return path.join(folder, 'gradus', `${build}-${process.version}-${process.arch}-${flags}.bin`);
}

/** Reads the memory. Compiled code is as good as code, so it is taken from a file of one's own only, and V8 does not check it. */
function recall(file) {
  const handle = fs.openSync(file, 'r');
  try {
    const { uid, mode, size } = fs.fstatSync(handle);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return;
    const bytes = Buffer.allocUnsafe(size);
    if (fs.readSync(handle, bytes, 0, size, 0) !== size || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return;
    const body = bytes.subarray(HEADER);
    if (bytes.readUInt32LE(MAGIC.length) !== crc32(body)) return;
    const start = bytes.readUInt32LE(MAGIC.length + 4);
    let at = start;
    for (const [name, length] of JSON.parse(body.toString('utf8', 0, start))) {
      known.set(name, body.subarray(at, at + length));
      at += length;
    }
  } finally {
    fs.closeSync(handle);
  }
}

/** Writes down what was compiled this time, beside what was known. */
function remember(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${Date.now().toString(36)}`;
  // where nothing can be written, nothing needs to be put together
  const handle = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(handle, packed());
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  forgetOld(path.dirname(file));
}

/** All compiled code, with the names and lengths before it and a checksum over everything. */
function packed() {
  for (const [name, script] of fresh) known.set(name, script.createCachedData());
  const names = Buffer.from(JSON.stringify([...known].map(([name, { length }]) => [name, length])));
  const body = Buffer.concat([names, ...known.values()]);
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(crc32(body), MAGIC.length);
  header.writeUInt32LE(names.length, MAGIC.length + 4);
  return Buffer.concat([header, body]);
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
  const file = attempt(placeOfMemory);
  if (file !== undefined) attempt(() => recall(file));
  return load(name);
};

exports.loadProgram = () => {
  const file = attempt(placeOfMemory);
  if (file !== undefined) {
    attempt(() => recall(file));
    process.once('exit', () => {
      if (fresh.size > 0) attempt(() => remember(file));
    });
  }
  return load('main.js');
};
