import { interleavingResultOf } from '../../../src/experiment/interleave.js';
import { bytesSource } from '../../../src/formats/source.js';
import { readTexts } from '../../../src/formats/texts.js';
import type { Dice } from '../../helpers/dice.js';
import { agree, outcomeLater, SOURCE, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function checkTexts(input: Uint8Array, dice: Dice): Promise<string> {
  const fileName = dice.pick(['texts.jsonl', 'texts.json', 'texts.csv', 'texts.tsv', 'texts']);
  const read = (isWanted?: (id: string) => boolean) =>
    outcomeLater(async () => [...(await readTexts(bytesSource(input, SOURCE, fileName), isWanted))]);
  const all = await read();
  const isWanted = (id: string): boolean => id.length % 2 === 1;
  // what is not wanted is left out, and changes nothing else
  if (all.value !== undefined) agree('all texts and some', { value: all.value.filter(([id]) => isWanted(id)) }, await read(isWanted));
  return `${fileName}|${shapeOfOutcome(all)}`;
}

async function checkLog(input: Uint8Array): Promise<string> {
  const found = await outcomeLater(() => interleavingResultOf(bytesSource(input, SOURCE)));
  if (found.value !== undefined) {
    const { impressions, creditA, creditB, pValue } = found.value;
    if (![impressions, creditA, creditB].every((value) => Number.isFinite(value) && value >= 0))
      throw new Disagreement(`credit that cannot be: ${creditA} and ${creditB} of ${impressions} lists`);
    if (!(pValue >= 0 && pValue <= 1)) throw new Disagreement(`a p-value of ${pValue}`);
  }
  return shapeOfOutcome(found);
}

export const logTargets: readonly FuzzTarget[] = [
  {
    name: 'texts',
    summary: 'texts of queries and documents: all of them and some, refusals',
    cases: 300,
    words: ['_id', 'title', 'text', 'url', '"', ',', '\t', '{}', '[]', 'null', '\\u0000', '\n\n'],
    seeds: () => [
      bytes('{"_id":"q1","text":"cheap flights"}\n{"_id":"q2","title":"red","text":"shoes","url":"https://example.org"}\n'),
      bytes('id,title,text\nq1,a,"b, c"\nq2,,d\n'),
      bytes('q1\tcheap flights\nq2\tred shoes\n'),
      bytes('{"q1":"cheap flights","q2":{"title":"red","text":"shoes"}}'),
    ],
    check: checkTexts,
  },
  {
    name: 'interleaving-log',
    summary: 'lists that were interleaved, with clicks: a test, or a refusal',
    cases: 300,
    words: ['clicked', 'teams', 'list', 'a', 'b', 'user', 'method', 'null', '1e999', '[]', '{}', '\n', '"d1"'],
    seeds: () => [
      bytes('{"topic":"1","method":"team-draft","list":["a","b","c"],"teams":["A","B","A"],"clicked":["a"]}\n'),
      bytes('{"topic":"1","method":"balanced","list":["a","b"],"a":["a","b"],"b":["b","a"],"clicked":["b"],"user":"u1"}\n'),
      bytes('{"topic":"1","method":"probabilistic","list":["a","b"],"a":["a","b"],"b":["b","c"],"clicked":["b","b"]}\n'),
    ],
    check: checkLog,
  },
];
