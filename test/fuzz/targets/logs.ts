import { interleavingResultOf } from '../../../src/experiment/interleave.js';
import { readPreferences } from '../../../src/experiment/judging/leaderboard.js';
import { headerFromText } from '../../../src/experiment/run-header.js';
import { readClickLog } from '../../../src/formats/click-log.js';
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

async function checkClickLog(input: Uint8Array): Promise<string> {
  const found = await outcomeLater(() => readClickLog(bytesSource(input, SOURCE)));
  for (const { docs, ranks, clicks } of found.value ?? []) {
    const isOdd = ranks.some((rank, i) => !(rank >= 1) || rank < (ranks[i - 1] ?? 1)) || clicks.some((click) => click !== 0 && click !== 1);
    if (isOdd || docs.length !== ranks.length || new Set(docs).size !== docs.length)
      throw new Disagreement(`a list of ranks ${ranks.join()}`);
  }
  return shapeOfOutcome(found);
}

async function checkPreferences(input: Uint8Array): Promise<string> {
  const found = await outcomeLater(() => readPreferences(bytesSource(input, SOURCE)));
  for (const { first, second, outcome, weight = 1 } of found.value ?? []) {
    if (first === '' || second === '' || !['first', 'second', 'tie'].includes(outcome) || !(weight > 0 && Number.isFinite(weight)))
      throw new Disagreement(`a comparison that cannot be: ${first}, ${second}, ${outcome}, ${weight}`);
  }
  return shapeOfOutcome(found);
}

async function checkHeader(input: Uint8Array): Promise<string> {
  const text = new TextDecoder().decode(input);
  const found = await outcomeLater(async () => headerFromText(text, SOURCE));
  // what was written reads back as the same
  if (found.value !== undefined) {
    const { metadata, problems } = found.value;
    agree(
      'a header and itself written',
      { value: { metadata, problems } },
      await outcomeLater(async () => {
        const again = headerFromText(found.value?.text ?? '', SOURCE);
        return { metadata: again.metadata, problems: again.problems };
      }),
    );
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
  {
    name: 'click-log',
    summary: 'logs of clicks: lists whose ranks rise, or a refusal',
    cases: 300,
    words: ['clicked', 'query', 'list', 'doc', 'rank', 'session', 'null', '1e999', '[]', '{}', '\n', '"d1"', 'true', '0', '-1', '\t'],
    seeds: () => [
      bytes('query,doc,rank,clicked\nq1,a,1,0\nq1,b,2,1\nq1,b,1,0\n'),
      bytes('session\tqid\tdocid\tposition\tclick\ns1\tq1\ta\t1\ttrue\ns2\tq1\ta\t2\tfalse\n'),
      bytes('{"query":"q1","list":["a","b"],"clicked":["b"]}\n{"query":"q1","doc":"a","rank":1,"clicked":0}\n'),
    ],
    check: checkClickLog,
  },
  {
    name: 'preferences',
    summary: 'comparisons of two systems: who was preferred, or a refusal',
    cases: 300,
    words: ['first', 'second', 'outcome', 'tie', 'weight', 'topic', ',', '\t', '"', 'nan', '1e999', '-1', '{}', 'null', '\n'],
    seeds: () => [
      bytes('first,second,outcome\na,b,first\nb,a,tie\n'),
      bytes('first\tsecond\toutcome\tweight\na\tb\tsecond\t2\n'),
      bytes('{"first":"a","second":"b","outcome":"first","weight":1.5,"topic":"t1"}\n'),
    ],
    check: checkPreferences,
  },
  {
    name: 'run-headers',
    summary: 'headers of runs by ir_metadata: read, written and read again, or refused',
    cases: 300,
    words: [
      '# ',
      'tag: x',
      'actor:',
      '  role: reproducer',
      '- ',
      '"',
      "'",
      '|',
      '>',
      '&a',
      '*a',
      '{',
      '[',
      ':',
      'null',
      'true',
      '0.1',
      '\n',
      '\t',
    ],
    seeds: () => [
      bytes('schema-version: 0.1\ntag: x\nmethod:\n  automatic: true\n  retrieval:\n    - name: bm25\n      k1: 0.9\n'),
      bytes('# ir_metadata.start\n# tag: x\n# actor:\n#   fields:\n#     - "a: b"\n# ir_metadata.end\n'),
    ],
    check: checkHeader,
  },
];
