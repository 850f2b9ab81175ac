/** Whether an experiment was reproduced. */
import { join } from 'node:path';

export async function reproduction(golden, tools) {
  const { tally, judging } = tools;
  for (const [name, entry] of Object.entries(golden.lists ?? {})) {
    tally.place = `reproducibility, lists ${name}`;
    const pair = [entry.original, entry.reproduced];
    if (typeof entry.ktu === 'string') {
      let refusal;
      try {
        judging.kendallTauUnion(...pair);
      } catch (error) {
        refusal = error;
      }
      tally.holds('refused', refusal?.name === 'InputError', 'not refused');
    } else tally.near('KTU', judging.kendallTauUnion(...pair), entry.ktu, 1e-9);
    for (const [key, value] of Object.entries(entry)) {
      const [, p, depth] = /^rbo_p([\d.]+)_depth(\d+)$/.exec(key) ?? [];
      if (p !== undefined) tally.near(key, judging.overlapToDepth(...pair, Number(p), Number(depth)), value, 1e-9);
    }
    if ('tau_b_of_ranks_absent_last' in entry)
      tally.near('tau of ranks', judging.tauOverUnion(...pair), entry.tau_b_of_ranks_absent_last, 1e-9);
  }
  for (const [name, entry] of Object.entries(golden.worlds ?? {})) await checkWorld(name, entry, tools);
}

async function checkWorld(name, entry, { tally, judging, data, product }) {
  const folder = join(data.archive('reproducibility.tar.xz'), name);
  const runs = {};
  for (const file of ['base.orig', 'adv.orig', 'base.rep', 'adv.rep', 'base.rpl', 'adv.rpl'])
    runs[file] = await data.run(join(folder, `${file}.run`));
  const qrels = { rep: await data.judgements(join(folder, 'qrels.txt')), rpl: await data.judgements(join(folder, 'qrels.rpl.txt')) };
  const names = Object.keys(Object.values(entry.arp)[0]);
  const scores = {};
  for (const [file, run] of Object.entries(runs)) {
    const table = product.evaluateUnder(product.findConvention('ir_measures'), file.endsWith('rpl') ? qrels.rpl : qrels.rep, run, names);
    scores[file] = Object.fromEntries(names.map((measure, m) => [measure, table.column(m)]));
  }
  const systems = { baseline: 'base', advanced: 'adv' };
  const lists = Object.fromEntries(Object.entries(runs).map(([file, run]) => [file, judging.documentLists(run, { depth: 1000 })]));
  tally.place = `reproducibility, ${name}, order`;
  for (const [system, file] of Object.entries(systems)) {
    const topics = [...lists[`${file}.rep`].keys()];
    const perTopic = (compute) => topics.map((topic) => compute(lists[`${file}.orig`].get(topic) ?? [], lists[`${file}.rep`].get(topic)));
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const unions = perTopic((a, b) => judging.kendallTauUnion(a, b));
    tally.near(`KTU of ${system}`, mean(unions), entry.ktu[system], 1e-9);
    for (const [topic, value] of Object.entries(entry.ktu_per_topic?.[system] ?? {}))
      tally.near(`KTU of ${system}, ${topic}`, unions[topics.indexOf(topic)], value, 1e-9);
    for (const [key, values] of Object.entries(entry)) {
      const [, p = '0.95', depth = '1000'] = /^rbo(?:_p([\d.]+)_depth(\d+))?$/.exec(key) ?? [undefined, undefined, undefined];
      if (!/^rbo(?:_p[\d.]+_depth\d+)?$/.test(key)) continue;
      const overlaps = perTopic((a, b) => judging.overlapToDepth(a, b, Number(p), Number(depth)));
      tally.near(`${key} of ${system}`, mean(overlaps), values[system], 1e-9);
      if (key !== 'rbo') continue;
      for (const [topic, value] of Object.entries(entry.rbo_per_topic?.[system] ?? {}))
        tally.near(`RBO of ${system}, ${topic}`, overlaps[topics.indexOf(topic)], value, 1e-9);
    }
  }
  for (const measure of names) {
    tally.place = `reproducibility, ${name}, ${measure}`;
    const of = (file) => scores[file][measure];
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const [file, values] of Object.entries(entry.arp)) tally.near(`mean of ${file}`, mean(of(file)), values[measure], 1e-9);
    for (const [system, file] of Object.entries(systems)) {
      const distance = judging.scoreDistance(of(`${file}.orig`), of(`${file}.rep`));
      tally.near(`RMSE of ${system}`, distance.rmse, entry.rmse[system][measure], 1e-9);
      tally.near(`nRMSE of ${system}`, distance.normalised, entry.nrmse[system][measure], 1e-9);
      checkTest(
        `paired p of ${system}`,
        judging.pairedReproductionTest(of(`${file}.orig`), of(`${file}.rep`)),
        entry.p_paired[system][measure],
        tally,
      );
      const unpaired = judging.unpairedReproductionTest(of(`${file}.orig`), of(`${file}.rpl`));
      checkTest(`unpaired p of ${system}`, unpaired, entry.replication.p_unpaired[system][measure], tally);
    }
    const pairOf = (kind) => ({ baseline: of(`base.${kind}`), advanced: of(`adv.${kind}`) });
    tally.near('effect ratio', judging.effectRatio(pairOf('orig'), pairOf('rep')), entry.er[measure], 1e-9);
    tally.near('delta RI', judging.deltaRelativeImprovement(pairOf('orig'), pairOf('rep')), entry.dri[measure], 1e-9);
    tally.near('effect ratio of the replication', judging.effectRatio(pairOf('orig'), pairOf('rpl')), entry.replication.er[measure], 1e-9);
    tally.near(
      'delta RI of the replication',
      judging.deltaRelativeImprovement(pairOf('orig'), pairOf('rpl')),
      entry.replication.dri[measure],
      1e-9,
    );
  }
}

/** Where the package has no p-value, because no score differs, ours is 1 with a note. */
function checkTest(what, { pValue, note }, expected, tally) {
  if (expected === null) tally.holds(`${what}, 1 with a note`, pValue === 1 && note !== undefined, pValue);
  else tally.near(what, pValue, expected, 1e-9);
}
