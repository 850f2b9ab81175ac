import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

const src = join(repository, 'src');

/** Names of the types that a file declares and exports. */
function exportedTypes(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement);
    if (!isType || statement.name === undefined) return [];
    return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ? [statement.name.text] : [];
  });
}

test('no two exported types of the source share a name', () => {
  const places = new Map<string, string[]>();
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|as)\.ts$/.test(name),
  );
  for (const file of files) {
    for (const name of exportedTypes(join(src, file))) places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(300);
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});
