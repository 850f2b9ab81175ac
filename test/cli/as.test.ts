import { describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const files = ['examples/data/example.qrels', 'examples/data/bm25.run'];

describe('gradus as', () => {
  test('hands arguments on untouched and gives back what the tool says', () => {
    const { stdout, stderr, status } = runGradus(['as', 'trec_eval', '-m', 'nosuch', ...files]);
    expect([stdout, stderr, status]).toEqual(['', "trec_eval: illegal measure 'nosuch'\n", 1]);
  });

  test('leaves --version and --quiet to the tool', () => {
    expect(runGradus(['as', 'trec_eval@9.0.7', '--version']).stderr).toBe('trec_eval version 9.0.7\n');
    expect(runGradus(['as', 'trec_eval@10.0', '-v']).stderr).toBe('trec_eval version 10.0-rc3\n');
    expect(runGradus(['as', 'trec_eval', '--quiet', ...files]).stderr).not.toContain('gradus');
  });

  test('has help of its own before the tool is named', () => {
    const { stdout, status } = runGradus(['as', '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('trec_eval@9.0.7');
  });

  test('agrees with gradus eval under the same convention', () => {
    const { stdout } = runGradus(['as', 'trec_eval', '-q', '-m', 'map', '-m', 'ndcg_cut.10', ...files]);
    const values = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/\s+/));
    const table = runGradus([
      'eval',
      ...files,
      '-q',
      '-m',
      'map ndcg_cut.10',
      '-f',
      'csv',
      '--wide',
      '-p',
      '4',
      '--convention',
      'trec_eval',
    ]).stdout;
    const rows = table
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(
      rows.flatMap(([, topic, ap, ndcg]) => [
        ['map', topic, ap],
        ['ndcg_cut_10', topic, ndcg],
      ]),
    ).toEqual(values.filter(([, topic]) => topic !== 'all'));
    expect(rows).toHaveLength(12);
  });
});
