/** Judgements as search engines and judgement tools keep them. */
import { ratedHits } from './answers.js';
import { type Rating, type ReadingContext, shownTopic } from './collect.js';
import {
  at,
  entries,
  isArray,
  isNothing,
  isObject,
  isWord,
  items,
  type JsonTable,
  type JsonValue,
  numberOf,
  shownValue,
  textOf,
} from './json-value.js';

const quoted = (text: string): string => `query ${JSON.stringify(text)}`;

/** The grade of a document, or undefined and a problem. */
function gradeOf(value: JsonValue | undefined, where: string, context: ReadingContext, line = 0): number | undefined {
  const word = textOf(value)?.trim();
  const grade = (word === undefined ? undefined : context.grades.numberFor(word)) ?? numberOf(value);
  if (!Number.isNaN(grade)) return grade;
  context.bad(
    'not a number',
    line,
    `${where}: the rating is ${shownValue(value)}, expected a number`,
    `leave documents out that nobody rated${word === undefined || word === '' ? '' : `, or ${context.grades.missing(word, line)}`}`,
  );
  return undefined;
}

/** A request to `_rank_eval`. */
export function* readRankEvalRequest(top: JsonTable, context: ReadingContext): Generator<Rating> {
  const topics = new Set<string>();
  let numCut = 0;
  for (const [place, request] of items(top.get('requests')).entries()) {
    const topic = textOf(at(request, 'id'));
    if (topic === undefined) {
      context.bad('missing field', 0, `request ${place + 1} has no id`, 'give each request the id of its topic');
      continue;
    }
    if (topics.has(topic)) {
      context.bad('wrong shape', 0, `${shownTopic(topic)} is requested twice`, 'keep one of them; --lenient keeps the first');
      continue;
    }
    topics.add(topic);
    context.queries.intern(topic);
    for (const [index, rating] of items(at(request, 'ratings')).entries()) {
      const doc = textOf(at(rating, '_id'));
      if (doc === undefined) {
        context.bad(
          'missing field',
          0,
          `${shownTopic(topic)}: rating ${index + 1} has no _id`,
          'each rating is {"_index": …, "_id": …, "rating": …}',
        );
        continue;
      }
      const grade = gradeOf(at(rating, 'rating'), `${shownTopic(topic)}, document ${doc}`, context);
      if (grade === undefined) continue;
      if (!Number.isInteger(grade)) numCut++;
      yield { topic, doc, grade, line: 0 };
    }
  }
  if (numCut > 0)
    context.note(
      `${numCut} ${numCut === 1 ? 'rating is a fraction' : 'ratings are fractions'}, which Elasticsearch cuts towards zero; here ${numCut === 1 ? 'it is read as it is' : 'they are read as they are'}`,
    );
}

/** The ratings in what `_rank_eval` answered. */
export function* readRankEvalRatings(top: JsonTable, context: ReadingContext): Generator<Rating> {
  for (const { topic, hit, rating } of ratedHits(top, context)) {
    const doc = textOf(at(hit, '_id'));
    if (doc === undefined) continue;
    const grade = gradeOf(rating, `${shownTopic(topic)}, document ${doc}`, context);
    if (grade !== undefined) yield { topic, doc, grade, line: 0 };
  }
}

/** A judgement list of OpenSearch's search relevance workbench. */
export function* readWorkbenchJudgements(list: JsonTable, context: ReadingContext): Generator<Rating> {
  if (!list.has('judgmentRatings') && list.has('judgmentScores')) {
    throw context.fatal(
      'holds judgmentScores, as builds before June 2025 wrote them, expected judgmentRatings',
      'import the judgements again',
    );
  }
  const topics = new Set<string>();
  let numLeftOut = 0;
  for (const [place, entry] of items(list.get('judgmentRatings')).entries()) {
    const query = textOf(at(entry, 'query'));
    if (query === undefined) {
      context.bad('missing field', 0, `entry ${place + 1} of judgmentRatings has no query`, 'each entry is {"query": …, "ratings": […]}');
      continue;
    }
    const topic = query.trim();
    if (topics.has(topic)) {
      numLeftOut++;
      continue;
    }
    topics.add(topic);
    context.queries.intern(topic);
    for (const [index, rating] of items(at(entry, 'ratings')).entries()) {
      const doc = textOf(at(rating, 'docId'));
      if (doc === undefined) {
        context.bad('missing field', 0, `${quoted(topic)}: rating ${index + 1} has no docId`, 'each rating is {"docId": …, "rating": …}');
        continue;
      }
      const grade = gradeOf(at(rating, 'rating'), `${quoted(topic)}, document ${doc}`, context);
      if (grade !== undefined) yield { topic, doc, grade, line: 0 };
    }
  }
  if (numLeftOut > 0)
    context.note(
      `${numLeftOut} repeated ${numLeftOut === 1 ? 'query was' : 'queries were'} left out, because the workbench uses the first entry only`,
    );
}

/** The ratings that Quepid exports as JSON. */
export function* readQuepidRatings(top: JsonTable, context: ReadingContext): Generator<Rating> {
  for (const [place, entry] of items(top.get('queries')).entries()) {
    const topic = textOf(at(entry, 'query'))?.trim();
    if (topic === undefined) {
      context.bad('missing field', 0, `entry ${place + 1} of queries has no query`, 'export the ratings again');
      continue;
    }
    context.queries.intern(topic);
    for (const [doc, value] of entries(at(entry, 'ratings'))) {
      const grade = gradeOf(value, `${quoted(topic)}, document ${doc}`, context);
      if (grade !== undefined) yield { topic, doc, grade, line: 0 };
    }
  }
}

/** A case of Quepid. */
export function* readQuepidCase(top: JsonTable, context: ReadingContext): Generator<Rating> {
  const queries = items(top.get('queries'));
  if (queries.every((query) => items(at(query, 'ratings')).length === 0)) {
    throw context.fatal(`holds no ratings for any of its ${queries.length} queries`, 'rate documents before exporting');
  }
  for (const [place, query] of queries.entries()) {
    const topic = textOf(at(query, 'query_text'))?.trim();
    if (topic === undefined) {
      context.bad('missing field', 0, `entry ${place + 1} of queries has no query_text`, 'export the case again');
      continue;
    }
    context.queries.intern(topic);
    for (const [index, rating] of items(at(query, 'ratings')).entries()) {
      const doc = textOf(at(rating, 'doc_id'));
      if (doc === undefined) {
        context.bad('missing field', 0, `${quoted(topic)}: rating ${index + 1} has no doc_id`, 'export the case again');
        continue;
      }
      if (isNothing(at(rating, 'rating'))) continue;
      const grade = gradeOf(at(rating, 'rating'), `${quoted(topic)}, document ${doc}`, context);
      if (grade !== undefined) yield { topic, doc, grade, line: 0 };
    }
  }
}

/** A judgement book of Quepid, in which several judges may have rated a document. */
export function* readQuepidBook(top: JsonTable, context: ReadingContext): Generator<Rating> {
  let numRated = 0;
  const left = { unrateable: 0, 'judge later': 0 };
  for (const [place, pair] of items(top.get('query_doc_pairs')).entries()) {
    const topic = textOf(at(pair, 'query_text'))?.trim();
    const doc = textOf(at(pair, 'doc_id'));
    if (topic === undefined || doc === undefined) {
      context.bad('missing field', 0, `pair ${place + 1} has no ${topic === undefined ? 'query_text' : 'doc_id'}`, 'export the book again');
      continue;
    }
    context.queries.intern(topic);
    const grades: { judge: string; grade: number }[] = [];
    for (const judgement of items(at(pair, 'judgements'))) {
      if (isWord(at(judgement, 'unrateable'), 'true')) left.unrateable++;
      else if (isWord(at(judgement, 'judge_later'), 'true')) left['judge later']++;
      else if (!isNothing(at(judgement, 'rating'))) {
        const grade = gradeOf(at(judgement, 'rating'), `${quoted(topic)}, document ${doc}`, context);
        if (grade !== undefined) grades.push({ judge: textOf(at(judgement, 'user_email')) ?? '', grade });
      }
    }
    numRated += grades.length;
    const grade = settled(grades, `${quoted(topic)}, document ${doc}`, context);
    if (grade !== undefined) yield { topic, doc, grade, line: 0 };
  }
  if (numRated === 0) {
    const why = Object.entries(left).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
    throw context.fatal(`holds no rating${why.length === 0 ? '' : ` (${why.join(', ')})`}`, 'judge some pairs first');
  }
}

/** One grade of what several judges gave. */
function settled(given: readonly { judge: string; grade: number }[], where: string, context: ReadingContext): number | undefined {
  const { judges } = context.options;
  if (judges !== undefined) context.options.onChoice?.('judges');
  const grades = given.map(({ grade }) => grade).sort((a, b) => a - b);
  if (grades.length === 0) return undefined;
  const middle = grades.length >> 1;
  if (judges === 'mean') return grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  if (judges === 'median') return grades.length % 2 === 1 ? grades[middle] : (grades[middle - 1] + grades[middle]) / 2;
  if (judges !== undefined && judges !== 'majority') return given.find(({ judge }) => judge === judges)?.grade;
  if (grades[0] === grades[grades.length - 1]) return grades[0];
  if (judges === 'majority') {
    const winner = grades.find((grade) => grades.filter((other) => other === grade).length * 2 > grades.length);
    if (winner !== undefined) return winner;
  }
  const message = `${where}: ${grades.length} judges ${judges === 'majority' ? 'have no majority' : 'disagree'} (${given.map(({ grade }) => grade).join(' and ')})`;
  const wayOut = 'say how to settle it: --judges mean, median, majority or the address of one judge';
  context.bad('wrong shape', 0, message, wayOut);
  return undefined;
}

/** What the Rated Ranking Evaluator takes for a document that is listed without a gain. */
const DEFAULT_GAIN = 2;

/** Ratings of the Rated Ranking Evaluator: queries in groups in topics, of which the outer levels may be missing. */
export function* readRreRatings(top: JsonTable, context: ReadingContext): Generator<Rating> {
  const groups = (level: JsonValue): readonly JsonValue[] =>
    at(level, 'query_groups') === undefined ? [level] : items(at(level, 'query_groups'));
  const seen = new Map<string, number>();
  for (const topic of top.has('topics') ? items(top.get('topics')) : [top]) {
    for (const group of groups(topic)) {
      for (const query of items(at(group, 'queries'))) {
        const name = nameOfQuery(query, seen);
        context.queries.intern(name);
        const documents = at(query, 'relevant_documents') ?? at(group, 'relevant_documents');
        if (documents === undefined) {
          context.bad(
            'missing field',
            0,
            `${quoted(name)} has no relevant_documents, nor has its group`,
            'give the query or its group relevant_documents',
          );
        } else yield* gainsOf(documents, name, context);
      }
    }
  }
}

/** The text of a query; with its other placeholders where that alone would not tell it from another one. */
function nameOfQuery(query: JsonValue, seen: Map<string, number>): string {
  const text = textOf(at(query, 'placeholders', '$query'))?.trim() ?? '';
  const others = [...entries(at(query, 'placeholders'))].flatMap(([key, value]) => (key === '$query' ? [] : [textOf(value) ?? '']));
  const name = seen.has(text) && others.length > 0 ? [text, ...others].join(' ') : text;
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  return times === 1 && name !== '' ? name : `${name} ${times}`.trim();
}

function* gainsOf(documents: JsonValue, topic: string, context: ReadingContext): Generator<Rating> {
  for (const [key, value] of entries(documents)) {
    if (isArray(value)) {
      const grade = gradeOf(key, quoted(topic), context);
      if (grade === undefined) continue;
      for (const item of value) {
        const doc = textOf(item);
        if (doc !== undefined) yield { topic, doc, grade, line: 0 };
      }
      continue;
    }
    const gain = isObject(value) ? (value.get('gain') ?? value.get('rating')) : value;
    const grade = gain === undefined ? DEFAULT_GAIN : gradeOf(gain, `${quoted(topic)}, document ${key}`, context);
    if (grade !== undefined) yield { topic, doc: key, grade, line: 0 };
  }
}

/** What LlamaIndex calls a data set: for each query the documents that are relevant. */
export function* readRetrievalDataset(top: JsonTable, context: ReadingContext): Generator<Rating> {
  for (const [topic] of entries(top.get('queries'))) context.queries.intern(topic);
  for (const [topic, docs] of entries(top.get('relevant_docs'))) {
    for (const [place, item] of items(docs).entries()) {
      const doc = textOf(item);
      if (doc !== undefined) yield { topic, doc, grade: 1, line: 0 };
      else
        context.bad('wrong shape', 0, `${shownTopic(topic)}: document ${place + 1} is ${shownValue(item)}, expected an id`, 'leave it out');
    }
  }
}
