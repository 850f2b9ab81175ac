import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '../../src/cli/tools/tools.js';
import { trecEvalVersions } from '../../src/conventions/trec-eval-versions.js';
import { repository } from '../helpers/run-gradus.js';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const workspaces: string[] = manifest.workspaces;
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

describe('package.json', () => {
  test('pins every dependency to one version', () => {
    for (const path of ['package.json', ...workspaces.map((name) => `${name}/package.json`)]) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path));
      const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(([, version]) => !exact.test(version));
      expect([path, loose]).toEqual([path, []]);
    }
  });

  test('has no dependencies at run time, and every package that only some need is optional', () => {
    expect(manifest.dependencies).toBeUndefined();
    const optional = Object.entries<{ optional?: boolean }>(manifest.peerDependenciesMeta).filter(([, meta]) => meta.optional === true);
    expect(optional.map(([name]) => name)).toEqual(Object.keys(manifest.peerDependencies));
  });

  test('gives the types of each door first, and every file is there', () => {
    for (const [door, target] of Object.entries<Record<string, string> | string>(manifest.exports)) {
      if (typeof target === 'string') continue;
      expect([door, Object.keys(target)]).toEqual([door, ['types', 'default']]);
      for (const path of Object.values(target)) expect([path, existsSync(join(repository, path))]).toEqual([path, true]);
    }
  });

  test('opens each door by its published name', () => {
    const doors = Object.keys(manifest.exports).filter((door) => door !== './package.json');
    const names = doors.map((door) => door.replace('.', 'gradus'));
    const script = `for (const name of ${JSON.stringify(names)}) if (Object.keys(await import(name)).length === 0) throw new Error(name);`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: repository, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

describe('package-lock.json', () => {
  test('has the hash of every package, for all platforms, and no address', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const entries = Object.entries<{ link?: boolean; integrity?: string; resolved?: string }>(packages);
    const fetched = entries.filter(([where, { link }]) => where.includes('node_modules/') && link !== true);
    expect(fetched.length).toBeGreaterThan(100);
    expect(fetched.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([where]) => where)).toEqual([]);
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined).map(([where]) => where)).toEqual([]);
  });

  test('names no registry', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "http/);
  });
});

describe('package-lock.json, so that npm ci takes it,', () => {
  test('holds the binaries of every platform; scripts/complete-lockfile.mjs adds what npm left out', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const missing = Object.entries<{ optionalDependencies?: Record<string, string> }>(packages).flatMap(
      ([where, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) => packages[`node_modules/${name}`] === undefined && packages[`${where}/node_modules/${name}`] === undefined,
        ),
    );
    expect(missing).toEqual([]);
  });
});

describe('.ci/run', () => {
  test('runs the test command of the README', () => {
    expect(read('README.md')).toContain('npm ci && npm test');
    expect(read('.ci/run')).toContain('\nnpm ci && npm test\n');
  });
});

describe('gradus as', () => {
  test('offers every version of trec_eval that the convention knows', () => {
    const offered = tools.find(({ name }) => name === 'trec_eval')?.versions ?? [];
    expect(offered).toEqual(expect.arrayContaining(trecEvalVersions.map(({ name }) => name)));
  });
});
