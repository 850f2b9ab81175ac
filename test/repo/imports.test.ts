import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

interface Room {
  readonly folder: string;
  readonly holds: string;
  readonly imports: readonly string[];
}

/** Which folder of src may import from which; `npm run docs` writes the table of CONTRIBUTING.md from the same file. Imports go down, never up. */
const rooms: readonly Room[] = JSON.parse(readFileSync(join(repository, 'scripts/rooms.json'), 'utf8'));
const mayImport: Readonly<Record<string, readonly string[]>> = Object.fromEntries(rooms.map(({ folder, imports }) => [folder, imports]));

interface Import {
  readonly from: string;
  readonly to: string;
  readonly specifier: string;
  /** The module, from the folder of sources on, if it is one of ours. */
  readonly module: string;
}

const src = join(repository, 'src');

function importsOfSource(): Import[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|as)\.ts$/.test(name),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    const room = file.includes('/') ? file.split('/')[0] : '.';
    return specifiers.map((specifier) => {
      const module = specifier.startsWith('.') ? relative(src, resolve(src, dirname(file), specifier)) : specifier;
      return {
        from: room,
        to: specifier.startsWith('.') ? module.split('/')[0] : specifier,
        specifier: `${file} imports ${specifier}`,
        module,
      };
    });
  });
}

describe('imports', () => {
  const imports = importsOfSource();
  const inside = imports.filter(({ specifier }) => / imports \./.test(specifier));

  test('are found at all', () => {
    expect(inside.length).toBeGreaterThan(100);
  });

  test('every folder of src has its place in the table', () => {
    expect([...new Set(imports.map(({ from }) => from))].filter((room) => !Object.hasOwn(mayImport, room))).toEqual([]);
  });

  test('every line of the table is about a folder of src', () => {
    const folders = new Set(imports.map(({ from }) => from));
    expect(rooms.flatMap(({ folder, imports: allowed }) => [folder, ...allowed]).filter((name) => !folders.has(name))).toEqual([]);
  });

  test('go only where the table allows', () => {
    const forbidden = inside.filter(({ from, to }) => to !== from && !to.endsWith('.js') && !mayImport[from]?.includes(to));
    expect(forbidden.map(({ specifier }) => specifier)).toEqual([]);
  });

  test('of src/cli lead to itself and to published entry points only, as those of the page and of any program', () => {
    const { exports: doors } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const published = Object.values<{ default?: string }>(doors).flatMap(({ default: file }) => file?.replace('./dist/', '') ?? []);
    expect(published.length).toBeGreaterThan(10);
    const ofProgram = inside.filter(({ from, to }) => from === 'cli' && to !== 'cli');
    expect(ofProgram.length).toBeGreaterThan(100);
    expect(ofProgram.filter(({ module }) => !published.includes(module)).map(({ specifier }) => specifier)).toEqual([]);
  });

  test('at run time of src/cli lead to itself only: all that is taken from an entry point by any import() is loaded by each of them', () => {
    const program = join(src, 'cli');
    const files = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const late = files.flatMap((file) =>
      [...readFileSync(join(program, file), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)].map(([, module]) => ({ file, module })),
    );
    expect(late.length).toBeGreaterThan(50);
    expect(late.filter(({ file, module }) => !resolve(program, dirname(file), module).startsWith(program))).toEqual([]);
  });

  test('of node:* stand in src/node only', () => {
    const offenders = imports.filter(({ from, to }) => to.startsWith('node:') && from !== 'node');
    expect(offenders.map(({ specifier }) => specifier)).toEqual([]);
  });

  test('of other packages are declared', () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const outside = imports.filter(({ specifier, to }) => !/ imports \./.test(specifier) && !to.startsWith('node:'));
    expect(
      outside.filter(({ to }) => !Object.hasOwn({ ...dependencies, ...peerDependencies }, to)).map(({ specifier }) => specifier),
    ).toEqual([]);
  });
});
