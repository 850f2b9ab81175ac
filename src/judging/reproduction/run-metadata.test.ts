import { describe, expect, test } from 'vitest';
import { changedParts, metadataProblems, readRunMetadata, writeRunMetadata } from './run-metadata.js';

/** In the form of the examples of ir_metadata.org. */
const header = `# ir_metadata.start
# schema-version: 0.1
# run-version: 1.0
# tag: grc-1 
# actor:
#   name: Jane Doe
#   orcid: 0000-0002-1765-2449
#   fields:
#     - nlp
#     - recommender systems
#   role: experimenter
# platform:
#   hardware:
#     cpu:
#       model: "Intel Xeon Gold 6144 CPU @ 3.50GHz"
#       number of cores: 16
#   software:
#     libraries:
#       python:
#         - scikit-learn==0.20.1
#         - numpy==1.15.4
# method:
#   automatic: true
#   retrieval:
#     - name: bm25
#       method: org.apache.lucene.search.similarities.BM25Similarity
#       b: 0.4
#       k1: 0.9
#     - name: reranker
#       reranks: bm25
# research goal:
#   venue: {}
#   publication:
#     abstract: >
#       The first line
#       and the second.
# ir_metadata.end
1 Q0 a 1 2 r
`.replace('#   venue: {}\n', '');

describe('headers of runs', () => {
  test('are read', () => {
    expect(readRunMetadata(header)).toEqual({
      'schema-version': 0.1,
      'run-version': 1,
      tag: 'grc-1',
      actor: { name: 'Jane Doe', orcid: '0000-0002-1765-2449', fields: ['nlp', 'recommender systems'], role: 'experimenter' },
      platform: {
        hardware: { cpu: { model: 'Intel Xeon Gold 6144 CPU @ 3.50GHz', 'number of cores': 16 } },
        software: { libraries: { python: ['scikit-learn==0.20.1', 'numpy==1.15.4'] } },
      },
      method: {
        automatic: true,
        retrieval: [
          { name: 'bm25', method: 'org.apache.lucene.search.similarities.BM25Similarity', b: 0.4, k1: 0.9 },
          { name: 'reranker', reranks: 'bm25' },
        ],
      },
      'research goal': { publication: { abstract: 'The first line and the second.' } },
    });
    expect(readRunMetadata('1 Q0 a 1 2 r\n')).toBeUndefined();
  });

  test('are written as they can be read again, whatever their texts hold', () => {
    const read = readRunMetadata(header) ?? {};
    expect(readRunMetadata(`${writeRunMetadata(read)}1 Q0 a 1 2 r\n`)).toEqual(read);
    const odd = {
      tag: 'true',
      a: '1.5',
      b: 'x: y # z',
      c: ' blank ',
      d: '"quoted"',
      e: 'two\nlines',
      f: '- dash',
      'key: odd': null,
      g: [],
      h: '',
      i: [[1, 2], { x: 'y' }],
    };
    expect(readRunMetadata(writeRunMetadata(odd))).toEqual({ ...odd, i: odd.i });
    for (const line of writeRunMetadata(odd).trimEnd().split('\n')) expect(line).toMatch(/^# /);
  });

  test('are checked', () => {
    expect(metadataProblems(readRunMetadata(header) ?? {})).toEqual(['implementation is missing', 'data is missing']);
    expect(metadataProblems({ actor: { role: 'boss', shoe: 42 } })).toContain(
      'the role of the actor is boss, expected experimenter or reproducer',
    );
    expect(metadataProblems({ actor: { shoe: 42 } })).toContain('actor has shoe, which is no key of ir_metadata 0.1');
  });

  test('say which parts of two experiments differ', () => {
    const first = { method: { retrieval: ['a'] }, actor: { name: 'x', team: 'y' } };
    expect(changedParts(first, first)).toBe('primad');
    expect(changedParts(first, { method: { retrieval: ['b'] }, actor: { team: 'y', name: 'x' } })).toBe('priMad');
    expect(changedParts(first, { research_goal: { venue: 'z' } })).toBe('pRiMAd');
  });

  test.each([
    ['# ir_metadata.start\n# tag: x\n1 Q0 a 1 2 r\n', 'does not end'],
    ['# ir_metadata.start\n# tag\n# ir_metadata.end\n', 'cannot be read: "tag"'],
    ['# ir_metadata.start\n# tag: x\n# tag: y\n# ir_metadata.end\n', 'key tag occurs twice'],
    ['# ir_metadata.start\n# a: &anchor x\n# ir_metadata.end\n', 'cannot be read'],
    ['# ir_metadata.start\n# - a\n# ir_metadata.end\n', 'a header is a map'],
  ])('that are broken get a sentence: %j', (text, sentence) => {
    expect(() => readRunMetadata(text)).toThrow(sentence);
  });
});
