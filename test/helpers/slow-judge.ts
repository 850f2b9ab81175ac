import type { JudgingRules } from '../../src/core/judging/judge.js';

/** A run or qrels as plain lines, the way a person would write them down. */
export interface Line {
  readonly topic: string;
  readonly doc: string;
  readonly value: number;
}

/** What `judge` should find, with nothing but arrays and strings: for each judged topic, in order of its id, the codes of
 *  the ranking and the grades of the judged documents, highest first. Ids must be plain ASCII here. */
export function slowJudge(
  run: readonly Line[],
  qrels: readonly Line[],
  rules: JudgingRules,
): { topic: string; codes: number[]; judged: number[] }[] {
  const topics = [...new Set(qrels.map((line) => line.topic))].sort();
  return topics.flatMap((topic) => {
    const grades = new Map(qrels.filter((line) => line.topic === topic).map((line) => [line.doc, line.value]));
    const judged = [...grades.values()].filter((grade) => grade >= 0).sort((a, b) => b - a);
    const lines = run.filter((line) => line.topic === topic);
    if (lines.length === 0) {
      if (rules.missingTopics === 'skip') return [];
      const holdsPlaceholder = rules.missingTopics === 'placeholder' && !rules.judgedOnly && rules.depth > 0;
      return [{ topic, codes: holdsPlaceholder ? [-1] : [], judged }];
    }
    const score = (line: Line): number => (rules.scorePrecision === 'float32' ? Math.fround(line.value) : line.value);
    const byDoc = (a: Line, b: Line): number => (a.doc < b.doc ? -1 : a.doc > b.doc ? 1 : 0);
    const ranked = lines
      .map((line, at) => ({ line, at }))
      .sort((a, b) => {
        if (score(a.line) !== score(b.line)) return score(b.line) - score(a.line);
        if (rules.ties === 'docno') return byDoc(b.line, a.line);
        return rules.ties === 'docno-ascending' ? byDoc(a.line, b.line) : a.at - b.at;
      })
      .slice(0, rules.depth);
    const codes = ranked.map(({ line }) => {
      const grade = grades.get(line.doc);
      if (grade === undefined) return -1;
      return grade < 0 ? -2 : grade;
    });
    return [{ topic, codes: rules.judgedOnly ? codes.filter((code) => code >= 0) : codes, judged }];
  });
}
