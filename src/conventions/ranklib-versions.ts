/** Where versions of RankLib differ, as data. */
export interface RankLibVersion {
  readonly name: string;
  /** How one term of a discounted sum is formed. *inverse*: the gain times one over the binary logarithm, from a table;
   *  *ratio*: the gain divided by it. */
  readonly term: 'inverse' | 'ratio';
  /** How gains are made: *shift* of a 32-bit integer, wrong from label 32 on, or a *power* of two. */
  readonly gain: 'shift' | 'power';
  /** Whether reciprocal rank looks only as deep as asked; otherwise at the whole list. */
  readonly cutsReciprocalRank: boolean;
  /** What a list without documents scores. */
  readonly emptyList: number;
  /** Whether option names are read without regard to case, which makes `-metric2T` and `-metric2t` one. */
  readonly foldsOptions: boolean;
  /** Whether `-idv` names a file; otherwise it prints to the console. */
  readonly idvFile: boolean;
}

const v28: RankLibVersion = {
  name: '2.8',
  term: 'inverse',
  gain: 'shift',
  cutsReciprocalRank: true,
  emptyList: 0,
  foldsOptions: true,
  idvFile: true,
};

/** Oldest first. */
export const rankLibVersions: readonly RankLibVersion[] = [
  { ...v28, name: '2.1', term: 'ratio', gain: 'power', cutsReciprocalRank: false, emptyList: -1, foldsOptions: false, idvFile: false },
  { ...v28, name: '2.3', foldsOptions: false },
  v28,
  { ...v28, name: '2.10.1' },
];

/** The version that is meant where none is named. */
export const defaultRankLibVersion: RankLibVersion = v28;
