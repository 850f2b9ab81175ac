/** A size of letters in LaTeX. */
export interface LetterSize {
  readonly command: string;
  readonly points: number;
}

/** Sizes of letters below the usual one, in points; the letters of small fonts are a little wider than they are high. */
export const smallLetters: readonly LetterSize[] = [
  { command: '\\small', points: 9 },
  { command: '\\footnotesize', points: 8 },
  { command: '\\scriptsize', points: 7.4 },
];
