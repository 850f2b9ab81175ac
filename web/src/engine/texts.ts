/** The texts of queries and documents that were dropped beside judgements and runs. */
import { InputError } from 'gradus';
import { queryTexts, type ShownText, textsOf, type WantedIds } from 'gradus/experiment';
import { type ByteSource, openSource, readTexts, type TextKind, textKindOf } from 'gradus/formats';
import type { DocumentWords, FileKind, TopicRanking } from './protocol.js';
import type { PageMaterial } from './session.js';
import { pagePlatform } from './sources.js';

interface TextFile {
  readonly source: ByteSource;
  readonly kind: TextKind;
  /** What was found for the documents of the page; read when somebody looks at a ranking. */
  found?: Map<string, ShownText> | undefined;
}

/** A document as somebody judges it. */
export interface WholeDocument extends DocumentWords {
  readonly query?: string | undefined;
  readonly text?: string | undefined;
}

/** Characters of a document that are shown: more than anybody reads to judge it. */
const MOST_SHOWN = 100_000;

export class PageTexts {
  private readonly files: Map<number, TextFile> = new Map();

  /** Takes a file if it holds texts, or if somebody says so; undefined if it is something else. */
  async add(id: number, source: ByteSource, as: FileKind | undefined): Promise<{ kind: TextKind; count: number } | undefined> {
    const kind = as === undefined ? await kindOf(source) : as === 'queries' || as === 'documents' ? as : undefined;
    if (kind === undefined) return undefined;
    let count = 0;
    await readTexts(source, () => {
      count++;
      return false;
    });
    if (count === 0) throw new InputError({ source: source.name, message: 'holds no texts', wayOut: 'choose another one' });
    this.files.set(id, { source, kind });
    this.forget();
    return { kind, count };
  }

  remove(id: number): void {
    this.files.delete(id);
    this.forget();
  }

  /** To be called when other ids are shown. */
  forget(): void {
    for (const file of this.files.values()) file.found = undefined;
  }

  /** The texts of queries, in the order of the topics; undefined where no file has any. */
  async queries(topics: readonly string[]): Promise<readonly (string | null)[] | undefined> {
    const file = this.last('queries');
    if (file === undefined) return undefined;
    return await queryTexts(file.source, topics, pagePlatform);
  }

  /** The same, with a note where the file has none of the topics: scores need no texts. */
  async queriesOrNote(topics: readonly string[]): Promise<{ queries: readonly (string | null)[] | undefined; notes: readonly string[] }> {
    try {
      return { queries: await this.queries(topics), notes: [] };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { queries: undefined, notes: error.problems.map(({ source, message }) => `${source}: ${message}`) };
    }
  }

  /** The file with the texts of queries, for reports. */
  get queryFile(): ByteSource | undefined {
    return this.last('queries')?.source;
  }

  /** A ranking with the words of its query and its documents. */
  async beside(page: PageMaterial, ranking: TopicRanking): Promise<TopicRanking> {
    const [query] = (await this.queries([ranking.topic]).catch(() => undefined)) ?? [];
    const file = this.last('documents');
    if (file === undefined) return { ...ranking, query: query ?? undefined };
    file.found ??= await textsOf(file.source, documentsOf(page), 'documents', pagePlatform);
    const { found } = file;
    const words = (id: string): DocumentWords => ({ title: found.get(id)?.shown, url: webAddress(found.get(id)?.url) });
    return {
      ...ranking,
      query: query ?? undefined,
      rows: ranking.rows.map((row) => ({ ...row, ...words(row.id) })),
      missed: ranking.missed.map((one) => ({ ...one, ...words(one.id) })),
    };
  }

  /** All that is known of one document and of its query. */
  async wordsOf(page: PageMaterial, topic: string, doc: string): Promise<WholeDocument> {
    const [query] = (await this.queries([topic]).catch(() => undefined)) ?? [];
    const file = this.last('documents');
    if (file !== undefined) file.found ??= await textsOf(file.source, documentsOf(page), 'documents', pagePlatform);
    const { title, text, url } = file?.found?.get(doc) ?? {};
    return { query: query ?? undefined, title, text: text?.slice(0, MOST_SHOWN), url: webAddress(url) };
  }

  private last(kind: TextKind): TextFile | undefined {
    return [...this.files.values()].findLast((file) => file.kind === kind);
  }
}

async function kindOf(source: ByteSource): Promise<TextKind | undefined> {
  const input = await openSource(source);
  await input.close();
  return textKindOf(source.fileName ?? '', input.start);
}

/** Nothing else belongs behind a link. */
function webAddress(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined;
}

/** The documents of all judgements and runs, of which a large collection keeps only these. */
function documentsOf({ material: { judgements }, runs }: PageMaterial): WantedIds {
  const tables = [judgements.qrels.docs, ...runs.map(({ docs }) => docs)];
  return {
    size: Math.max(...tables.map(({ size }) => size)),
    has: (id) => tables.some((docs) => docs.find(id) >= 0),
    *[Symbol.iterator]() {
      if (tables[0].size > 0) yield tables[0].text(0);
    },
  };
}
