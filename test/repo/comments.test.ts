import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

const src = join(repository, 'src');

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

/** What a text exports, and whether a JSDoc comment stands before it; of the overloads of a function, before any. */
function exportsOf(path: string, text: string): Map<string, boolean> {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found = new Map<string, boolean>();
  for (const statement of file.statements.filter(isExported)) {
    const isExplained = ts.getJSDocCommentsAndTags(statement).some((comment) => ts.isJSDoc(comment) && comment.comment !== undefined);
    for (const name of namesOf(statement)) found.set(name, found.get(name) === true || isExplained);
  }
  return found;
}

test('exportsOf tells exports with a comment from those without', () => {
  const text = '/** Why. */\nexport const a = 1, b = 2;\n// no\nexport function c() {}\n/** */\nexport type D = 1;\nconst e = 1;';
  expect([...exportsOf('x.ts', text)]).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
    ['D', false],
  ]);
});

test('every export of src says what it is for', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|as|wasm)\.ts$/.test(name),
  );
  const found = files.flatMap((name) =>
    [...exportsOf(name, readFileSync(join(src, name), 'utf8'))].map((each) => [name, ...each] as const),
  );
  expect(found.length).toBeGreaterThan(1500);
  expect(found.filter(([, , isExplained]) => !isExplained).map(([file, name]) => `${file}: ${name}`)).toEqual([]);
});

test('every entry point says what it is for, in a comment at its head', () => {
  const { exports: doors } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const files = Object.values<{ types?: string } | string>(doors).flatMap((target) =>
    typeof target === 'string' || target.types === undefined ? [] : [target.types.replace('./dist', src).replace('.d.ts', '.ts')],
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !/^\/\*\* \w/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
