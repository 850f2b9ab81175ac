/** The page on mutation testing: what was changed, and how much of it tests noticed. */
export function describeScores(judged, { tests, total, equivalent, budget, seed, note }) {
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
    `${sampleText(judged.length, total, seed)} mutants of \`src/core\`, \`src/measures\` and \`src/stats\` were tried on ${tests} tests, those of the command line among them that run it in the same process. The changes are those of Stryker's instrumenter, without changes of texts. For each mutant the tests that run the changed line are asked, as many as take ${budget / 1000} s of processor time together without the change, so a survivor may still be noticed by a slower test: the scores are lower bounds.`,
    '',
    `A mutant that cannot change any result is listed with the reason in \`scripts/mutation/equivalent.mjs\`, and counted nowhere below; there are ${equivalent}. Others that change only how fast an answer comes, or the words of a refusal, are among the survivors.`,
    ...(note === '' ? [] : ['', note]),
    '',
    table(entries.filter((entry) => !isFile(entry))),
    '',
    '## By file',
    '',
    table(entries.filter(isFile)),
    '',
  ].join('\n');
}

function sampleText(count, total, seed) {
  if (count === total) return `All ${total}`;
  return `${count} of ${total}, the first in the random order of seed ${seed},`;
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
