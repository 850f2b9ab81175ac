// The page of a study, its numbers as JSON and CSV: they follow from the registry, the values and the rules, and from nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bibliography } from './papers.mjs';
import { fixed, pText, table } from './study.mjs';
import { decide, registry, rulesHash } from './verdicts.mjs';

const NOT_YET = 'not yet run';

/** Judges every claim of a study whose values are there. */
export function judgeStudy(study, { source, arm, from, isTrial, tests }) {
  const done = [];
  const earlier = (id) => done.find((one) => one.claim.id === id);
  for (const claim of registry.claims.filter(({ id }) => Object.hasOwn(study.claims, id))) {
    const { sources = [], arms = [], others = [], judge, after = [] } = study.claims[claim.id];
    const lacks = [
      ...sources.filter((key) => source(key) === undefined),
      ...arms.filter((id) => arm(id) === undefined),
      ...others.flatMap(([name, key]) => (from(name, key) === undefined ? [`${key} of ${name}`] : [])),
      ...after.filter((id) => earlier(id)?.decided === undefined),
    ];
    if (lacks.length > 0) {
      done.push({ claim, lacks });
      continue;
    }
    const {
      numbers,
      shown = numbers.parts ?? numbers.cells,
      facts,
      labels = [],
      details = [],
      data,
    } = judge({ source, arm, from, isTrial, tests, earlier });
    done.push({ claim, decided: decide(claim.id, numbers), shown, facts, labels, numbers, details, data });
  }
  return done;
}

/** The verdict of a claim in words. */
function verdictText({ decided, labels }, isTrial) {
  if (decided === undefined) return NOT_YET;
  if (isTrial) return 'none: a trial';
  const { verdict, parts } = decided;
  const said = (text) => `**${text}**`;
  const words =
    verdict === null || typeof verdict === 'object'
      ? Object.entries(verdict ?? Object.fromEntries(parts.map((part) => [part.part, part.verdict]))).map(
          ([name, text]) => `${name}: ${said(text)}`,
        )
      : [said(verdict)];
  return [...words, ...labels].join('; ');
}

const interval = (bounds, digits) => (bounds === undefined ? '' : `${fixed(bounds[0], digits)} to ${fixed(bounds[1], digits)}`);

/** The numbers of a claim's parts: differences with their tests, or whatever else there is. */
function numbersTable({ shown, decided }) {
  if (shown === undefined || shown.length === 0) return undefined;
  const verdictOf = (part) => decided.parts.find((one) => one.part === part)?.verdict ?? '';
  if (shown[0].interval95 === undefined) {
    const names = [...new Set(shown.flatMap((part) => Object.keys(part)))].filter((name) => name !== 'part');
    return table(
      ['part', ...names.map(spaced), 'verdict'],
      shown.map((part) => [part.part, ...names.map((name) => plainText(part[name])), verdictOf(part.part)]),
    );
  }
  return table(
    [
      'part',
      'n',
      'difference',
      '95 % interval',
      '90 % interval',
      'bootstrap, 95 %',
      'p',
      'p (Holm)',
      'p (randomisation)',
      'check',
      'verdict',
    ],
    shown.map((one) => [
      one.part,
      String(one.n),
      fixed(one.difference),
      interval(one.interval95),
      interval(one.interval90),
      interval(one.bootstrap95),
      pText(one.p),
      one.pHolm === undefined ? '' : pText(one.pHolm),
      one.pRandomisation === undefined ? '' : pText(one.pRandomisation),
      one.check === undefined ? '' : one.check ? 'passed' : 'failed',
      verdictOf(one.part),
    ]),
  );
}

/** Numbers, lists and objects as a reader wants them. */
function plainText(value) {
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : Math.abs(value) < 1e-3 ? value.toExponential(1) : fixed(value);
  if (Array.isArray(value)) return value.length > 20 ? `${value.length} values` : value.map(plainText).join(', ');
  if (value === null || value === undefined) return '';
  return typeof value === 'object'
    ? Object.entries(value)
        .map(([name, own]) => `${spaced(name)} ${plainText(own)}`)
        .join(', ')
    : String(value);
}

function factsText(facts) {
  return Object.entries(facts)
    .filter(([name]) => name !== 'hash' && name !== 'levels')
    .map(([name, value]) => `- ${spaced(name)}: ${plainText(withoutCurves(value))}`)
    .join('\n');
}

/** The name of a number in words; names of learners and collections stay as they are. */
const spaced = (name) => (/^[a-z]{2,}[A-Za-z0-9]*$/.test(name) ? name.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, ' ').toLowerCase() : name);

/** Points that are drawn are no text. */
function withoutCurves(value) {
  if (Array.isArray(value)) return value.map(withoutCurves);
  if (value === null || typeof value !== 'object') return value;
  const { levels, hash, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([name, own]) => [name, withoutCurves(own)]));
}

function claimSection(one, command) {
  const { claim, decided, facts, lacks } = one;
  const { id, where, proposition, kind, data, settings, statistic, sesoi, test, rule, power, seen, threats, sensitivity } = claim;
  const registered = {
    data,
    settings,
    statistic,
    'smallest effect of interest': sesoi,
    test,
    rule,
    'expected power': power,
    seen,
    threats,
    sensitivity,
  };
  const text = Object.entries(registered)
    .filter(([, value]) => value !== '-' && value !== '')
    .map(([name, value]) => `- *${name}:* ${value}`)
    .join('\n');
  const found =
    decided === undefined
      ? [`Not yet run${lacks.length > 0 ? `: ${lacks.join('; ')}` : ''}. \`${command} --only ${id}\``]
      : [
          numbersTable(one),
          ...one.details,
          factsText({ ...(one.shown === undefined && one.details.length === 0 ? one.numbers : {}), ...facts }),
        ].filter((piece) => piece !== undefined && piece !== '');
  return [`### ${id}. ${proposition}`, `*${kind}; ${where}.*`, text, ...found].join('\n\n');
}

/** One line for each part of each claim. */
function csvOf(judged) {
  const cell = (value) =>
    value === undefined || value === null ? '' : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  const columns = ['claim', 'part', 'n', 'difference', 'low95', 'high95', 'low90', 'high90', 'p', 'pHolm', 'pRandomisation', 'verdict'];
  const lines = judged.flatMap((one) => {
    const { claim, decided, shown } = one;
    if (decided === undefined) return [[claim.id, '', '', '', '', '', '', '', '', '', '', NOT_YET]];
    const whole = typeof decided.verdict === 'string' ? [[claim.id, 'all', '', '', '', '', '', '', '', '', '', decided.verdict]] : [];
    const parts = (shown ?? []).map((part) => [
      claim.id,
      part.part,
      part.n,
      part.difference,
      ...(part.interval95 ?? ['', '']),
      ...(part.interval90 ?? ['', '']),
      part.p,
      part.pHolm,
      part.pRandomisation,
      decided.parts.find((own) => own.part === part.part)?.verdict,
    ]);
    return [...parts, ...whole];
  });
  return `${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\n')}\n`;
}

/** What was worked out beside the claims, as far as it is there. */
function besideOf({ extra = [] }, { source }) {
  const known = extra.filter((key) => source(key) !== undefined);
  return known.length === 0 ? {} : { beside: Object.fromEntries(known.map((key) => [key, withoutCurves(source(key))])) };
}

/** Writes the page of a study with its JSON and CSV. */
export function writeStudy(study, judged, { out, command, isTrial, deviations, context, pictures = [] }) {
  const done = judged.filter(({ decided }) => decided !== undefined).length;
  const general = registry.general;
  const body = [
    `# ${study.title}`,
    `<!-- made by ${command}; do not edit -->`,
    deviations.length === 0
      ? '**Deviations from the registry:** none.'
      : `**Deviations from the registry:**\n\n${deviations.map((text) => `- ${text}`).join('\n')}`,
    '## Question',
    study.question,
    '## Data',
    study.data,
    '## Method and rules',
    study.method,
    general.inference,
    general.rule,
    `The rules are those of \`reproductions/claims.json\`, fixed before the confirmatory numbers; \`reproductions/registry-notes.md\` says how what they leave open is read. The SHA-256 of the registry and of the script that maps numbers to verdicts is \`${rulesHash()}\`. Families of tests are corrected one by one; with about 15 of them up to one false rejection is to be expected if every null hypothesis is true.`,
    '## Verdicts',
    `${done} of ${judged.length} claims of this page have been run.`,
    table(
      ['claim', 'proposition', 'verdict'],
      judged.map((one) => [one.claim.id, one.claim.proposition, verdictText(one, isTrial)]),
    ),
    ...pictures,
    '## Claim by claim',
    ...judged.map((one) => claimSection(one, command)),
    ...(study.exploratory?.(context) ?? []),
    '## Threats',
    judged
      .filter(({ claim }) => claim.threats !== '-')
      .map(({ claim }) => `- ${claim.id}: ${claim.threats}`)
      .join('\n'),
    '## How to run',
    `\`npm run build && ${command}\` redoes everything that is missing; \`--only ID --quick\` tries one claim within minutes, without a verdict; \`node reproductions/registered-claims.mjs --judge\` writes this page anew from the values that are kept in the repository, without data. [${study.name}.json](${study.name}.json) and [${study.name}.csv](${study.name}.csv) have all numbers; \`node reproductions/archive.mjs --out FOLDER --only ${study.name}\` packs them with the page, its figures as SVG and PDF, the values and the registry, for a repository that gives DOIs.`,
    '## To cite',
    `\`\`\`bibtex\n${bibliography(study)}\n\`\`\``,
  ];
  writeFileSync(join(out, `${study.name}.md`), `${body.join('\n\n')}\n`);
  writeFileSync(join(out, `${study.name}.csv`), csvOf(judged));
  const results = {
    rulesHash: rulesHash(),
    claims: judged.map(({ claim, decided, shown, facts, labels, data }) => ({
      id: claim.id,
      proposition: claim.proposition,
      ...(decided === undefined ? { verdict: NOT_YET } : { verdict: isTrial ? 'none: a trial' : decided.verdict, parts: decided.parts }),
      ...(shown === undefined ? {} : { numbers: shown }),
      ...(facts === undefined ? {} : { facts: withoutCurves(facts) }),
      ...(data === undefined ? {} : { data: withoutCurves(data) }),
      ...(labels === undefined || labels.length === 0 ? {} : { labels }),
    })),
    ...besideOf(study, context),
  };
  writeFileSync(join(out, `${study.name}.json`), `${JSON.stringify(results, null, 1)}\n`);
}
