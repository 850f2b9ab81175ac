import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';
import { rewriteStores } from './rewrite.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The sources with their types, which say where a store goes. */
function readProgram(): ts.Program {
  const path = join(repository, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  return ts.createProgram(fileNames, { ...options, noEmit: true });
}

/** Lets tests run the sources with checked stores: a number that a narrow array would change is an error. */
export function checkedStores(): { name: string; enforce: 'pre'; transform(code: string, id: string): string | undefined } {
  let program: ts.Program | undefined;
  return {
    name: 'checked-stores',
    enforce: 'pre',
    transform(code, id) {
      const path = id.split('?')[0];
      if (process.env.CHECKED_STORES === '0') return undefined;
      if (!path.startsWith(join(repository, 'src')) || !path.endsWith('.ts') || path.endsWith('.test.ts')) return undefined;
      program ??= readProgram();
      const file = program.getSourceFile(path);
      // what has been changed since is checked the next time
      if (file === undefined || file.text !== code || readFileSync(path, 'utf8') !== code) return undefined;
      return rewriteStores(file, program.getTypeChecker(), join(repository, 'test/checked-stores/checks.ts'));
    },
  };
}
