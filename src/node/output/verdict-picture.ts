import type { Verdict } from '../../report/verdict/model.js';

/** The picture of a verdict on two systems as a part of a page: the difference with its interval, and the topics won, tied and lost.
 *  Undefined where there is nothing to draw: of more than two systems the means are the picture. */
export async function verdictPicture(verdict: Verdict): Promise<string | undefined> {
  if (verdict.state === 'identical' || verdict.systems.length > 2) return undefined;
  const { createDocument, svgMarkup, verdictStrip } = await import('./drawing.js');
  return svgMarkup(verdictStrip(verdict, { document: createDocument() }));
}
