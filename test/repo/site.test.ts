import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formulas } from '../../site/formulas.mjs';
import { asText, withLinks } from '../../site/text.mjs';
import { docOf } from '../../src/measures/reference/index.js';
import { allMeasures } from '../../src/measures/registry.js';
import { repository } from '../helpers/run-gradus.js';

describe('the site', () => {
  test('has a formula to typeset for every measure that has one in the reference, and for no other name', () => {
    const known = allMeasures.map(({ name }) => name);
    expect(Object.keys(formulas).filter((name) => !known.includes(name))).toEqual([]);
    expect(allMeasures.filter((def) => docOf(def).formula !== undefined && formulas[def.name] === undefined)).toEqual([]);
  });

  test('formulas close what they open', () => {
    for (const [name, tex = ''] of Object.entries(formulas)) {
      expect([name, tex.match(/\{/g)?.length ?? 0]).toEqual([name, tex.match(/\}/g)?.length ?? 0]);
      expect([name, tex.match(/\\left/g)?.length ?? 0]).toEqual([name, tex.match(/\\right/g)?.length ?? 0]);
    }
  });

  test('text that looks like a tag or a placeholder stays text, and code stays as it is', () => {
    expect(asText('a Map<string> and {{x}}, `Map<string>`\n\n```ts\nlet a: Map<{{}}>;\n```\n<br>')).toBe(
      'a Map&lt;string> and &#123;&#123;x}}, `Map<string>`\n\n```ts\nlet a: Map<{{}}>;\n```\n<br>',
    );
  });

  test('links lead to pages of the site, to copies of files, or become words', () => {
    const pages = new Map([
      ['docs/guides/gate.md', 'guides/gate.md'],
      ['README.md', 'overview.md'],
    ]);
    const text =
      '[gate](guides/gate.md#rules), [readme](../README.md), [file](../examples/a.mjs), [folder](../src), [web](https://example.org)';
    expect(withLinks(text, 'docs/library.md', 'library.md', pages, (file) => file === 'examples/a.mjs')).toBe(
      '[gate](./guides/gate.md#rules), [readme](./overview.md), [file](/files/examples/a.mjs), folder, [web](https://example.org)',
    );
  });

  test('names no registry, and pins what it needs', () => {
    expect(readFileSync(join(repository, 'site/package-lock.json'), 'utf8')).not.toContain('"resolved"');
    const { devDependencies } = JSON.parse(readFileSync(join(repository, 'site/package.json'), 'utf8'));
    for (const version of Object.values(devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
