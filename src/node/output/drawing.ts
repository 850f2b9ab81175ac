/** The charts, and a document to draw them in. In the built package this module is one file with Observable Plot and linkedom inside
 *  (`scripts/bundle-cli.mjs`): reports have their charts without further packages. */
import { parseHTML } from 'linkedom';

export { lineChart, reportCharts, svgFile, svgMarkup, tikzPicture, verdictStrip } from '../../report/charts/index.js';

/** A document for charts to be drawn in. */
export function createDocument(): Document {
  return parseHTML('<!doctype html><html><body></body></html>').document;
}
