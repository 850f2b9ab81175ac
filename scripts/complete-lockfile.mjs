// Completes package-lock.json after `npm install`. Tools that ship one binary per platform list them as optional packages. Where a
// registry does not carry those of other platforms, npm leaves them out of the lockfile, and then `npm ci` refuses to work with
// it anywhere. Their versions are known from the packages that ask for them, their platforms from their names, their hashes from the
// registry. A version whose hashes cannot be had for every platform cannot be pinned; take the newest that can.
//
//   node scripts/complete-lockfile.mjs [site/package-lock.json]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL(`../${process.argv[2] ?? 'package-lock.json'}`, import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const libraries = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.flatMap((word) => (Object.hasOwn(libraries, word) ? [libraries[word]] : []));
  // a package for every system is for none in particular
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os.length > 0 ? { os } : {}),
    ...(os.includes('linux') && libc.length > 0 ? { libc } : {}),
  };
}

for (const [where, { optionalDependencies = {}, dev, optional }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const found = [`${where}/node_modules/${name}`, `node_modules/${name}`].some((place) => Object.hasOwn(lock.packages, place));
    if (found) continue;
    const { cpu, os, libc } = platformOf(name);
    if (cpu === undefined && os === undefined) continue;
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`${where} asks for ${name}@${version}, which is no exact version`);
    lock.packages[`node_modules/${name}`] = { version, cpu, ...(dev || optional ? { dev: true } : {}), libc, optional: true, os };
  }
}

const without = [];
for (const [where, entry] of Object.entries(lock.packages)) {
  if (!where.includes('node_modules/') || entry.link || entry.integrity) continue;
  const name = where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length);
  try {
    entry.integrity = execFileSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // reported below, with all others
  }
  if (!entry.integrity) without.push(`${name}@${entry.version}`);
}
if (without.length > 0) {
  process.stderr.write(`the registry has no hash of ${without.join(', ')}; pin a version that it has for all platforms\n`);
  process.exitCode = 1;
}

const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
