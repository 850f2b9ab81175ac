/** The page on mutation testing: what was changed, and how much of it tests noticed. */
export function describeScores(judged, { tests, total, budget }) {
  const groups = new Map([['all', emptyCounts()]]);
  for (const { file, result } of judged) {
    for (const name of ['all', `src/${file.split('/')[1]}`, file]) {
      if (!groups.has(name)) groups.set(name, emptyCounts());
      groups.get(name)[result]++;
    }
  }
  const isFile = ([name]) => name.endsWith('.ts');
  const entries = [...groups];
  return [
    '# Mutation testing',
    '',
    '<!-- Made by `node scripts/mutation.mjs --write`; do not edit. -->',
    '',
    'Does any test notice when one operator, condition or statement of the source is changed? Each such change is a mutant. The score is the share of mutants that make a test fail, or never come to an end.',
    '',
    `${judged.length === total ? `All ${total}` : `${judged.length} of ${total}, spread evenly,`} mutants of \`src/core\`, \`src/measures\` and \`src/stats\` were tried on ${tests} tests. The changes are those of Stryker's instrumenter, without changes of texts. For each mutant the tests that run the changed line are asked, as many as take ${budget / 1000} s together without the change, so a survivor may still be noticed by a slower test: the scores are lower bounds. Some mutants cannot be noticed at all, because they change how fast an answer comes and not the answer.`,
    '',
    table(entries.filter((entry) => !isFile(entry))),
    '',
    '## By file',
    '',
    table(entries.filter(isFile)),
    '',
  ].join('\n');
}

function emptyCounts() {
  return { killed: 0, survived: 0, 'not covered': 0 };
}

function table(entries) {
  return ['| | mutants | noticed | survived | not reached | score |', '|---|---:|---:|---:|---:|---:|', ...entries.map(row)].join('\n');
}

function row([name, { killed, survived, 'not covered': notReached }]) {
  const all = killed + survived + notReached;
  const label = name === 'all' ? name : `\`${name}\``;
  return `| ${label} | ${all} | ${killed} | ${survived} | ${notReached} | ${((100 * killed) / all).toFixed(1)} % |`;
}
