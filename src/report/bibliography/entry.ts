/** A publication, with the fields of BibTeX. */
export interface BibliographyEntry {
  readonly key: string;
  readonly type: 'article' | 'inproceedings' | 'book' | 'phdthesis';
  /** Family name first, as BibTeX has them. */
  readonly author: string;
  readonly title: string;
  /** The journal, the proceedings, the publisher or the school. */
  readonly venue: string;
  readonly year: number;
  readonly volume?: string;
  readonly number?: string;
  readonly pages?: string;
  readonly edition?: string;
  readonly doi?: string;
}

type More = Pick<BibliographyEntry, 'volume' | 'number' | 'pages' | 'edition' | 'doi'>;
type MakeEntry = (key: string, author: string, title: string, venue: string, year: number, more?: More) => BibliographyEntry;

const paper =
  (type: BibliographyEntry['type']): MakeEntry =>
  (key, author, title, venue, year, more = {}) => ({ key, type, author, title, venue, year, ...more });

/** A paper in a journal. */
export const article: MakeEntry = paper('article');
/** A paper in the proceedings of a conference. */
export const inproceedings: MakeEntry = paper('inproceedings');
/** A book. */
export const book: MakeEntry = paper('book');
/** A doctoral thesis. */
export const phdthesis: MakeEntry = paper('phdthesis');

/** The proceedings of a year's SIGIR conference. */
export const sigir = (year: number): string =>
  `Proceedings of the ${year} International ACM SIGIR Conference on Research and Development in Information Retrieval`;
/** The proceedings of a year's CIKM conference. */
export const cikm = (year: number): string =>
  `Proceedings of the ${year} ACM International Conference on Information and Knowledge Management`;
/** The proceedings of a year's WSDM conference. */
export const wsdm = (year: number): string => `Proceedings of the ${year} ACM International Conference on Web Search and Data Mining`;
/** ACM's journal of the field. */
export const TOIS = 'ACM Transactions on Information Systems';
/** The journal of the American statisticians. */
export const JASA = 'Journal of the American Statistical Association';
