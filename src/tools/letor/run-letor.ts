import type { LetorScript } from '../../conventions/letor-scripts.js';
import { perlNumber } from '../../formats/text/perl-number.js';
import { bytesOf, toByteText } from '../byte-text.js';
import { runTool, ToolExit, type ToolHost } from '../host.js';
import { evaluateQueries } from './evaluate.js';
import { printValues } from './print-values.js';
import { type PredictionKind, readTestSet } from './test-set.js';

/** Behaves as one of the evaluation scripts does: TEST PREDICTIONS OUT FLAG. */
export async function runLetor(
  script: LetorScript,
  kind: PredictionKind,
  argv: readonly string[],
  strict: boolean,
  host: ToolHost,
): Promise<number> {
  return await runTool(host, () => evaluate(script, kind, argv, strict, host));
}

function evaluate(script: LetorScript, kind: PredictionKind, argv: readonly string[], strict: boolean, host: ToolHost): string {
  if (argv.length !== 4) throw new ToolExit(255, { out: usage(script) });
  const [test, predictions, output] = argv;
  const flagText = bytesOf(toByteText(argv[3]));
  const flag = perlNumber(flagText, 0, flagText.length);
  if (flag !== 0 && flag !== 1) {
    throw new ToolExit(255, {
      out: 'Invalid command line.\nUsage: perl Eval.pl argv[1] argv[2] argv[3] argv[4]\nFlag should be 0 or 1\n',
    });
  }
  const testSet = readTestSet(script, kind, { test, predictions }, strict, host);
  const { text, complete } = printValues(script, testSet.queries, evaluateQueries(script, testSet), flag === 1);
  // the scripts never look whether the output could be opened
  host.write(output, bytesOf(text));
  if (!complete) throw new ToolExit(DIED, { err: `Illegal division by zero${script.divisionByZeroAt}.\n` });
  return '';
}

/** The status with which Perl dies on Linux after it has looked whether its files are terminals. */
export const DIED = 25;

function usage({ usageName }: LetorScript): string {
  return [
    'Invalid command line.',
    `Usage: perl ${usageName} argv[1] argv[2] argv[3] argv[4]`,
    'argv[1]: feature file ',
    'argv[2]: prediction file',
    'argv[3]: result (output) file',
    'argv[4]: flag. If flag equals 1, output the evaluation results per query; if flag equals 0, simply output the average results.',
    '',
  ].join('\n');
}
