import { InputError } from '../../core/problem.js';

/** What a column of a table, or a field of a record, can hold. */
export type Role = 'topic' | 'doc' | 'score' | 'rank' | 'grade' | 'group' | 'subgroup';

/** Which column holds what: by its name, or by its number from 1. */
export type Columns = Readonly<Partial<Record<Role, string | number>>>;

/** What a table is read for. */
export type TableKind = 'run' | 'qrels';

/** The words that `Role` allows, which `--columns` takes. */
export const roles: readonly Role[] = ['topic', 'doc', 'score', 'rank', 'grade', 'group', 'subgroup'];

/** The names that are understood by themselves, the likeliest first: of a table that has both `docno` and `docid`,
 *  as PyTerrier's have, `docno` is the one that judgements speak of. Case, `_`, `-` and spaces do not matter. */
const knownNames: Readonly<Record<Role, readonly string[]>> = {
  topic: [
    ...['topic', 'topicid', 'topicno', 'qid', 'queryid', 'query', 'querytext', 'searchtext', 'searchterm', 'searchphrase', 'searchquery'],
    ...[
      'q',
      'keyword',
      'keywords',
      'question',
      'questionid',
      'userinput',
      'srchid',
      'searchid',
      'sessionid',
      'requestid',
      'exampleid',
      'prompt',
    ],
  ],
  doc: [
    ...['doc', 'docno', 'docid', 'document', 'documentid', 'corpusid', 'passageid', 'pid', 'did', 'objectid', 'productid', 'product'],
    ...['itemid', 'item', 'sku', 'asin', 'listingid', 'url', 'docuri', 'contextid', 'chunkid', 'nodeid', 'propid', 'movieid'],
  ],
  score: [
    ...['score', 'similarity', 'sim', 'relevancescore', 'searchscore', 'rerankscore', 'rankingscore'],
    ...['pred', 'prediction', 'predictions', 'probability', 'logit', 'bm25', 'cosine'],
  ],
  rank: ['rank', 'position', 'pos', 'docposition', 'place', 'resultrank', 'rankposition'],
  grade: [
    'grade',
    'relevance',
    'rel',
    'label',
    'judgment',
    'judgement',
    'rating',
    'gain',
    'gold',
    'relevancelabel',
    'relevancejudgment',
    'medianrelevance',
    'qrel',
    'escilabel',
  ],
  group: ['group', 'iteration', 'iter', 'subtopic', 'subtopicid', 'judge', 'rater', 'annotator', 'useremail', 'assessor'],
  subgroup: ['subgroup'],
};

/** Which columns a table of either kind can have. */
export const wantedRoles: Readonly<Record<TableKind, readonly Role[]>> = {
  run: ['topic', 'doc', 'score', 'rank'],
  qrels: ['topic', 'doc', 'grade', 'group', 'subgroup'],
};

/** What a table of this kind cannot do without; of roles that stand together one is enough. */
const needs: Readonly<Record<TableKind, readonly (readonly Role[])[]>> = {
  run: [['topic'], ['doc'], ['score', 'rank']],
  qrels: [['topic'], ['doc'], ['grade']],
};

function needsOf(kind: TableKind, columns: Columns | undefined): readonly (readonly Role[])[] {
  return kind === 'run' && ranksDecide(columns) ? [['topic'], ['doc'], ['rank']] : needs[kind];
}

/** What a table needs and does not have. */
export function missingRoles(kind: TableKind, has: (role: Role) => boolean, columns: Columns | undefined): readonly (readonly Role[])[] {
  return needsOf(kind, columns).filter((choice) => !choice.some(has));
}

/** What a table of this kind needs, for a sentence. */
export function neededText(kind: TableKind, columns?: Columns): string {
  const words = needsOf(kind, columns).map((choice) => choice.join(' or '));
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const roleWords: Readonly<Record<Role, string>> = {
  topic: 'topic',
  doc: 'document',
  score: 'score',
  rank: 'rank',
  grade: 'grade',
  group: 'group',
  subgroup: 'sub-group',
};

/** What a table lacks, for a sentence: `no column for the document; it has query, rating`. */
export function lackingText(missing: readonly (readonly Role[])[], names: readonly string[]): string {
  const words = missing.map((choice) => `the ${choice.map((role) => roleWords[role]).join(' or ')}`);
  const lacking = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  const listed = names.slice(0, MOST_NAMES).map((name) => (name === '' ? '""' : name));
  const has = names.length === 0 ? '' : `; it has ${listed.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`;
  return `has no column for ${lacking}${has}`;
}

/** Messages list at most this many names of columns. */
const MOST_NAMES = 20;

/** What `--columns` takes to say that a column has a role: its name, or its number from 1 if the name would not be understood.
 *  @param place Where it is, from 0. */
export function columnChoice(role: Role, name: string, place: number): string {
  return /^[\w.-]*[a-z_][\w.-]*$/i.test(name) ? `${role}=${name}` : `${role}=${place + 1}`;
}

/** The one column that can be the missing one, because nothing else is known of it; undefined if there is no choice or more than one. */
function onlyCandidate(missing: readonly (readonly Role[])[], kind: TableKind, names: readonly string[]): string | undefined {
  const [choice, ...others] = missing;
  if (others.length > 0 || choice.length > 1) return undefined;
  const isFree = (name: string): boolean => isBareId(name) || (columnUse(name, kind) === undefined && roleOf(name) === undefined);
  const unknown = [...names.keys()].filter((place) => isFree(names[place]));
  return unknown.length === 1 ? columnChoice(choice[0], names[unknown[0]], unknown[0]) : undefined;
}

/** How to say which columns the missing ones are, of which some may have been named for another file.
 *  @param names All columns of the table, to name the one that it must be. */
export function columnsAdvice(
  missing: readonly (readonly Role[])[],
  columns: Columns | undefined,
  { canCount = false, kind, names = [] }: { canCount?: boolean; kind: TableKind; names?: readonly string[] },
): string {
  const distance = missing.some((choice) => choice.includes('score')) ? names.find(isDistance) : undefined;
  if (distance !== undefined) return `${distance} is a distance, of which the smallest is the best, and no score: ${ADD_RANKS}`;
  const only = columns === undefined ? onlyCandidate(missing, kind, names) : undefined;
  if (only !== undefined) return `say which it is: --columns ${only}`;
  const hasValueOf = (...wanted: readonly Role[]): boolean =>
    columns === undefined && missing.length === 1 && names.some((name) => wanted.includes(roleOf(name) ?? 'topic'));
  if (kind === 'qrels' && missing[0]?.[0] === 'grade' && hasValueOf('score', 'rank')) return RUN_COLUMNS;
  if (kind === 'run' && missing[0]?.includes('score') && hasValueOf('grade')) return JUDGEMENT_COLUMNS;
  const list = `--columns ${missing.map(([role]) => `${role}=NAME`).join(',')}`;
  if (missing.some((choice) => choice.some((role) => columns?.[role] !== undefined))) {
    return `name one that is there: ${list}; gradus convert rewrites a file in which it is called otherwise`;
  }
  const advice = `say which they are: ${list}`;
  const ranks = missing.some((choice) => choice.includes('rank')) ? ' (rank=NAME instead of score=NAME if 1 is best)' : '';
  return `${advice}${ranks}${canCount ? ', or numbers if there is no header' : ''}`;
}

/** Whether documents are ranked by the ranks that the input states, even if it has scores: somebody said which column the ranks are
 *  and not which the scores are. */
export function ranksDecide(columns: Columns | undefined): boolean {
  return columns?.rank !== undefined && columns.score === undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Whether a column is called `id` and nothing else: that of the documents, if the table has no better one. */
export function isBareId(name: string): boolean {
  return plain(name) === 'id';
}

/** What a column of this name holds, whatever it is read for. */
export function roleOf(name: string): Role | undefined {
  return roles.find((role) => knownNames[role].includes(plain(name)));
}

/** What a column is for, and how sure that is: of several columns for one role the lowest `doubt` is right. */
export interface ColumnUse {
  readonly role: Role;
  readonly doubt: number;
}

/** Tells what the column or field of this name is for, if anything. */
export function columnUse(name: string, kind: TableKind, columns: Columns = {}): ColumnUse | undefined {
  for (const role of wantedRoles[kind]) if (columns[role] === name) return { role, doubt: 0 };
  for (const role of wantedRoles[kind]) {
    // what was said of the ids of one file need not hold for the other files, but a value must be the one that was asked for
    if (columns[role] !== undefined && role !== 'topic' && role !== 'doc') continue;
    const doubt = knownNames[role].indexOf(plain(name)) + 1;
    if (doubt > 0) return { role, doubt };
    if (role === 'doc' && isBareId(name)) return { role, doubt: knownNames.doc.length + 1 };
    // BEIR's judgements call their grades scores
    if (role === 'grade' && plain(name) === 'score') return { role, doubt: knownNames.grade.length + 1 };
  }
  return undefined;
}

/** Where each role stands in a table, from 0. */
export type Places = ReadonlyMap<Role, number>;

/** Whether the columns are all given by number, so that a header would have nothing to say. */
export function areCounted(columns: Columns | undefined, kind: TableKind): boolean {
  return columns !== undefined && missingRoles(kind, (role) => typeof columns[role] === 'number', columns).length === 0;
}

/** Finds the columns of a table by its header and what the user said about them.
 *  @param onColumn Called for each of `columns` that the table has. */
export function placeColumns(
  header: readonly string[] | undefined,
  kind: TableKind,
  columns: Columns = {},
  onColumn?: (role: Role) => void,
): Places {
  const places = new Map<Role, number>();
  const doubts = new Map<Role, number>();
  for (const [place, name] of (header ?? []).entries()) {
    const use = columnUse(name, kind, columns);
    if (use === undefined || use.doubt >= (doubts.get(use.role) ?? Number.POSITIVE_INFINITY)) continue;
    places.set(use.role, place);
    doubts.set(use.role, use.doubt);
  }
  for (const role of wantedRoles[kind]) {
    const number = columns[role];
    if (typeof number === 'number') places.set(role, number - 1);
  }
  const scoreName = header?.[places.get('score') ?? -1];
  if (kind === 'run' && scoreName !== undefined) refuseRankAsScore(scoreName);
  for (const [role, place] of places) {
    const isChosen = typeof columns[role] === 'number' || (columns[role] !== undefined && columns[role] === header?.[place]);
    if (isChosen) onColumn?.(role);
  }
  return places;
}

/** Names of columns that may tell which run a row belongs to, and as well something else, such as the model of a product. */
const perhapsRunNames: ReadonlySet<string> = new Set(['tag', 'model', 'method', 'experiment', 'variant', 'name']);

/** Names of columns that tell which run a row belongs to. */
const runNames: ReadonlySet<string> = new Set([
  'run',
  'runname',
  'runid',
  'runtag',
  'system',
  'algorithm',
  'snapshotname',
  'searchconfigurationid',
]);

/** The column that tells which run a row belongs to, from 0; -1 if none does.
 *  @param isCertain Whether its name leaves no doubt; of others, one may be the column of runs if documents repeat. */
export function runColumnOf(header: readonly string[], isCertain = true): number {
  const names = isCertain ? runNames : perhapsRunNames;
  return header.findIndex((name) => names.has(plain(name)));
}

/** Whether this is the header of an export of Quepid. */
export function isQuepidExport(header: readonly string[]): boolean {
  return endsRowsEarly(header) || header.map(plain).join() === 'query,docid,rating';
}

/** Whether this is the header of an export of Quepid whose rows end early where a query has no results. */
export function endsRowsEarly(header: readonly string[]): boolean {
  return header.some((name) => plain(name) === 'caseid');
}

/** What vector stores call the number of which the smallest is the best. */
function isDistance(name: string): boolean {
  return ['distance', 'vectordistance', 'dist'].includes(plain(name));
}

/** What is said of files that were given the other way round. */
const RUN_COLUMNS = 'these are columns of a run, which comes after the judgements';
const JUDGEMENT_COLUMNS = 'these are columns of judgements, which come before the runs';
const ADD_RANKS = 'add a column rank, which counts from 1 for the nearest document';

/** Ranks or distances taken for scores would turn every ranking upside down. */
function refuseRankAsScore(column: string): void {
  if (isDistance(column)) {
    throw new InputError({
      message: 'the score cannot come from a column of distances: the best distance is the smallest, the best score is the highest',
      wayOut: ADD_RANKS,
    });
  }
  if (!knownNames.rank.includes(plain(column))) return;
  throw new InputError({
    message: 'the score cannot come from a column of ranks: the best rank is 1, the best score is the highest',
    wayOut: `--columns rank=${column} ranks by it`,
  });
}

/** Refuses columns that cannot be, whatever the file holds. */
export function checkColumns(columns: Columns | undefined): void {
  if (typeof columns?.score === 'string') refuseRankAsScore(columns.score);
  for (const role of roles) {
    const number = columns?.[role];
    if (typeof number === 'number' && !(Number.isInteger(number) && number >= 1)) {
      throw new InputError({ message: `invalid column for ${role}: ${number}`, wayOut: 'columns are counted from 1' });
    }
  }
}

/** Understands `topic=q,doc=d,score=3`, where the words before `=` may be any known name. */
export function parseColumns(text: string): Columns {
  const columns = readColumnList(text, roles, roleOf);
  checkColumns(columns);
  return columns;
}

/** Understands a list of roles and columns.
 *  @param names The roles that there are.
 *  @param roleFor The role that a word stands for. */
export function readColumnList<Name extends string>(
  text: string,
  names: readonly Name[],
  roleFor: (word: string) => Name | undefined,
): Partial<Record<Name, string | number>> {
  const columns: Partial<Record<Name, string | number>> = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const role = roleFor(part.slice(0, Math.max(0, equals)));
    const column = part.slice(equals + 1);
    if (role === undefined || column === '') {
      throw new InputError({
        message: `invalid columns: expected role=column, found "${part}"`,
        wayOut: `roles are ${names.join(', ')}; columns are names, or numbers from 1`,
      });
    }
    if (columns[role] !== undefined) {
      throw new InputError({ message: `--columns names the ${role} twice: ${columns[role]} and ${column}`, wayOut: 'name it once' });
    }
    columns[role] = /^[1-9][0-9]*$/.test(column) ? Number(column) : column;
  }
  return columns;
}
