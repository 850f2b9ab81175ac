import { type LetorScript, letor2, letor3, letor4, mslr } from '../../conventions/index.js';
import { InputError } from '../../core/index.js';
import { nodeToolHost, refuseOverwriting } from '../../node/index.js';
import { runLetor, runLetorTtest } from '../../tools/index.js';

type Script = (argv: readonly string[], strict: boolean) => Promise<number>;

function score(script: LetorScript): Script {
  return (argv, strict) => runLetor(script, 'scores', argv, strict, nodeToolHost);
}

const collections: Readonly<Record<string, Readonly<Record<string, Script>>>> = {
  letor2: { score: score(letor2) },
  letor3: {
    score: score(letor3),
    rank: (argv, strict) => runLetor(letor3, 'ranks', argv, strict, nodeToolHost),
    ttest: (argv) => runLetorTtest('blocks', argv, nodeToolHost),
  },
  letor4: { score: score(letor4), ttest: (argv) => runLetorTtest('table', argv, nodeToolHost) },
  mslr: { score: score(mslr), ttest: (argv) => runLetorTtest('table', argv, nodeToolHost) },
};

/** `gradus as letor4 [--strict] score …`: one of a collection's scripts, with the script's own arguments. */
export async function asLetor(collection: string, argv: readonly string[]): Promise<number> {
  const strict = argv[0] === '--strict';
  const [name = '', ...rest] = strict ? argv.slice(1) : argv;
  const scripts = collections[collection];
  if (!Object.hasOwn(scripts, name)) {
    throw new InputError({
      message: name === '' ? `expected a script of ${collection}` : `${collection} has no script ${name}`,
      wayOut: `it has ${Object.keys(scripts).join(', ')}`,
    });
  }
  const [first, second, output] = rest;
  if (output !== undefined) {
    refuseOverwriting([
      { use: 'input', path: first, label: 'the first argument' },
      { use: 'input', path: second, label: 'the second argument' },
      { use: 'output', path: output, label: 'the output' },
    ]);
  }
  return await scripts[name](rest, strict);
}
