import type { LinePicture } from '../../report/charts/lines.js';
import { writeWholeFiles } from './output-file.js';

/** Draws line charts to SVG files: the first to `path`, the others beside it with a number in their names. All files appear, or none. */
export async function saveLineCharts(path: string, pictures: readonly LinePicture[]): Promise<void> {
  const { createDocument, lineChart, svgFile } = await import('./drawing.js');
  const document = createDocument();
  writeWholeFiles(
    pictures.map((picture, i) => ({
      path: i === 0 ? path : path.replace(/(\.svg)?$/i, `-${i + 1}.svg`),
      content: new TextEncoder().encode(svgFile(lineChart(picture, { document }))),
    })),
  );
}
