import { describe, expect, test } from 'vitest';
import type { Setting } from '../../experiment/index.js';
import * as experiment from '../../experiment/index.js';
import { loadAllLearners } from '../../ltr/index.js';
import { loadAllEntries } from '../commands.js';
import type { Command } from '../parse/command.js';
import { isGroup, loadSubcommands } from '../parse/group.js';
import { optionName } from './settings.js';

/** Options of the command line itself: a program has the answer in its hands, and opens and writes files as it likes. */
const ownOptions: Readonly<Record<string, string>> = {
  format: 'how the answer is printed',
  json: 'how the answer is printed',
  digits: 'how the answer is printed',
  'per-topic': 'which part of the answer is printed',
  'no-summary': 'which part of the answer is printed',
  top: 'which part of the answer is printed',
  header: 'lines above the printed report',
  siunitx: 'how the answer is printed',
  'two-column': 'how the answer is printed',
  pairs: 'which part of the answer is printed',
  bayes: 'which part of the answer is printed: a program calls bayesianComparison',
  normalise: 'how the answer is printed',
  merged: 'where judgements are written: a program calls mergedJudgements',
  bibtex: 'references of the printed answer',
  weights: 'a file: a program gives the topics themselves',
  'must-not-fail': 'a file: a program gives the topics themselves',
  solr: 'for whom a model is written',
  shift: 'in which form a model is written',
  output: 'where the answer is written',
  to: 'in which format a file is written',
  function: 'in which form a model is written',
  chart: 'where the answer is drawn',
  figures: 'in which forms figures are written',
  'save-baseline': 'where the scores are written',
  summary: 'where a summary is written',
  junit: 'where a summary is written',
  model: 'where the model is written',
  models: 'where the models are written',
  history: 'where the curves are written',
  state: 'where what is known is kept',
  predictions: 'where the scores are written',
  qrels: 'where the judgements are written',
  name: 'what the written run is called',
  data: 'an argument that may be left out',
  scores: 'an argument that may be left out',
  training: 'an argument that may be left out',
  query: 'an argument that may be left out',
  document: 'an argument that may be left out',
  against: 'an argument that may be left out',
  background: 'an argument that may be left out',
  'fail-on': 'the exit status',
  'all-topics': '--missing zero, as trec_eval has it',
  'no-audit': 'the opposite of --audit',
  port: 'of the server',
  host: 'of the server',
  open: 'of the server',
  save: 'where the page is written',
};

/** What an option accepts, apart from what a command makes of it. */
function kindOf({ value, type, min, max, repeatable, short }: Setting): string {
  return JSON.stringify({ value, type, min, max, repeatable, short });
}

const groups = Object.entries(experiment).filter(([name]) => name.endsWith('Settings')) as [string, Readonly<Record<string, Setting>>][];
const declared = new Set(
  groups.flatMap(([, group]) =>
    Object.entries(group).map(([name, setting]) => `${setting.turnsOff === true ? 'no-' : ''}${optionName(name)} ${kindOf(setting)}`),
  ),
);
const ofLearners = new Set<string>((await loadAllLearners()).flatMap(({ options }) => Object.keys(options).map(optionName)));

const commands: Command[] = [];
for (const entry of await loadAllEntries()) commands.push(...(isGroup(entry) ? await loadSubcommands(entry) : [entry]));

describe('the options of a command', () => {
  test.each(commands)('$name: what a program can set too is declared in the settings', ({ options }) => {
    const undeclared = options.filter((option) => !declared.has(`${option.long} ${kindOf(option)}`));
    expect(undeclared.map(({ long }) => long).filter((long) => !ofLearners.has(long) && !Object.hasOwn(ownOptions, long))).toEqual([]);
  });

  test('the list of those that belong to the command line names nothing that is gone', () => {
    const all = new Set(commands.flatMap(({ options }) => options.map(({ long }) => long)));
    expect(Object.keys(ownOptions).filter((name) => !all.has(name))).toEqual([]);
  });
});
