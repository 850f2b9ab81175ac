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

function nth(n: number): string {
  const endings = n % 100 >= 11 && n % 100 <= 13 ? [] : ['th', 'st', 'nd', 'rd'];
  return `${n}${endings[n % 10] ?? 'th'}`;
}

/** The proceedings of a year's SIGIR conference, the first of them in 1978. */
export const sigir = (year: number): string =>
  `Proceedings of the ${nth(year - 1977)} ${year < 2009 ? 'Annual ' : ''}International ACM SIGIR Conference on Research and Development in Information Retrieval`;
/** The proceedings of a year's CIKM conference, the first of them in 1992; from 2007 to 2009 they did not call it international. */
export const cikm = (year: number): string =>
  `Proceedings of the ${nth(year - 1991)} ACM ${year >= 2007 && year <= 2009 ? '' : 'International '}Conference on Information and Knowledge Management`;
/** The proceedings of a year's WSDM conference, the first of them in 2008. */
export const wsdm = (year: number): string =>
  `Proceedings of the ${nth(year - 2007)} ACM International Conference on Web Search and Data Mining`;
/** ACM's journal of the field. */
export const TOIS = 'ACM Transactions on Information Systems';
/** The journal of the American statisticians. */
export const JASA = 'Journal of the American Statistical Association';
