// The registered claims (reproductions/claims.json): works out or trains what is missing, judges by src/verdicts.mjs and writes the pages.
//
//   npm run build && node reproductions/registered-claims.mjs DATA [--only G7,A12A] [--quick]
//   node reproductions/registered-claims.mjs --judge
//
// DATA holds the collections that the pages name. What claims are judged by is kept in reproductions/values; an interrupted run goes on
// where it was. --quick takes little of everything: minutes, and no verdict. --judge writes the pages from the values that are there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { armOf } from './src/arms.mjs';
import { studies } from './src/claims/index.mjs';
import { drawDifferences } from './src/intervals.mjs';
import { judgeStudy, writeStudy } from './src/page.mjs';
import { experimentArguments, valuesFolder } from './src/study.mjs';
import { Archive, trainArms, trainingCollections } from './src/trainer.mjs';
import { SourceValues } from './src/values.mjs';
import { registry } from './src/verdicts.mjs';

const args = experimentArguments('registered-claims', 'DATA');
const isTrial = args.small || args.quick;
const known = studies.flatMap(({ claims }) => Object.keys(claims));
/** A12 stands for A12L, A12A and A12O, as it did before the registry took them apart. */
const meantBy = (id) => (known.includes(id) ? [id] : known.filter((one) => one.startsWith(id) && /^[^\d]/.test(one.slice(id.length))));
for (const id of args.only ?? []) {
  if (meantBy(id).length > 0) continue;
  const isRegistered = registry.claims.some((claim) => claim.id === id);
  process.stderr.write(
    `${id} is ${isRegistered ? 'registered, but no script runs it yet' : 'not in the registry'}; there are ${known.join(', ')}\n`,
  );
  process.exit(2);
}
const wanted = args.only?.flatMap(meantBy) ?? known;
const values = new SourceValues(valuesFolder(args));
const collectionOf = trainingCollections(args);
const archive = new Archive(valuesFolder(args));
/** Trials take one partition of each arm. */
const partitions = isTrial ? 1 : Number.POSITIVE_INFINITY;

for (const study of studies) {
  const own = Object.entries(study.claims).filter(([id]) => wanted.includes(id));
  if (own.length === 0) continue;
  const also = own.map(([id]) => study.alsoTrained?.[id] ?? {});
  const needs = [...own.map(([, claim]) => claim), ...also];
  const keys = Object.keys(study.sources ?? {}).filter((key) => needs.some(({ sources = [] }) => sources.includes(key)));
  const armIds = [...new Set(needs.flatMap(({ arms = [] }) => arms))];
  if (!args.judge) {
    await values.complete(study, withParents(study, [...keys, ...(isTrial ? [] : (study.extra ?? []))]), args);
    await trainArms(armIds.map(armOf), args, archive, collectionOf, partitions);
  }
  const source = (key) => values.get(study.name, key);
  const arm = (id) => archive.finished(armOf(id), isTrial ? { atLeast: 1 } : {});
  const from = (name, key) => values.get(name, key);
  const context = { source, arm, from, isTrial, tests: isTrial ? { flips: 2000, samples: 1000 } : {} };
  const judged = judgeStudy(study, context);
  const command = `node reproductions/registered-claims.mjs ${args.small ? '--small' : 'DATA'}`;
  const out = isTrial && !args.small ? join(args.work, 'pages') : args.out;
  mkdirSync(join(out, 'pictures'), { recursive: true });
  const { pictures = [] } = study.drawn?.(context, out) ?? {};
  writeStudy(study, judged, {
    out,
    command,
    isTrial: args.quick,
    context,
    deviations: deviationsOf(study, judged),
    pictures: [...pictures, ...drawDifferences(out, study.name, judged)],
  });
}

/** Sources with those that they are made from, these first. */
function withParents({ parents = {} }, keys) {
  return [...new Set(keys.flatMap((key) => [...(parents[key] ?? []), key]))];
}

function deviationsOf({ notRun = [], departures = [] }, judged) {
  return [
    ...departures,
    ...(args.small ? ['the data is made up: this is a trial of the machinery, and the verdicts mean nothing'] : []),
    ...(isTrial ? ['one partition and small settings: a trial, which decides nothing'] : []),
    ...(judged.some(({ decided }) => decided === undefined) ? ['claims that are marked so have not been run yet'] : []),
    ...notRun.map((text) => `not run: ${text}; the label *stable* is therefore not given`),
  ];
}
