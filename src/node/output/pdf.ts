import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../core/problem.js';
import { runProgram } from '../child-program.js';
import { withTemporaryFolder, writeTemporary } from '../cleanup.js';
import { systemReason } from '../terminal.js';

const names: readonly string[] = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const places: readonly string[] = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const PRINT_SECONDS = 120;

/** The browser that prints: what CHROME_PATH names, or the first of Chromium's family that is installed. */
export function findChromium(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = environment.CHROME_PATH;
  if (named !== undefined && named !== '') return isProgram(named) ? named : undefined;
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Prints a page to PDF with the system's Chromium. */
export async function printToPdf(html: string, environment: Readonly<Record<string, string | undefined>>): Promise<Uint8Array> {
  const chromium = findChromium(environment);
  if (chromium === undefined) {
    throw new InputError({
      message:
        environment.CHROME_PATH === undefined || environment.CHROME_PATH === ''
          ? 'a PDF is printed by Chromium, and none was found on this system'
          : `a PDF is printed by Chromium, and CHROME_PATH names no program: ${environment.CHROME_PATH}`,
      wayOut: 'install Chromium or Chrome, name it in CHROME_PATH, or write the report with --format html and print it from a browser',
    });
  }
  return await withTemporaryFolder('pdf', async (folder) => {
    const page = join(folder, 'report.html');
    const pdf = join(folder, 'report.pdf');
    writeTemporary(page, html);
    const argv = [
      '--headless',
      '--disable-gpu',
      '--disable-extensions',
      '--disable-background-networking',
      '--no-first-run',
      '--no-pdf-header-footer',
      `--user-data-dir=${join(folder, 'profile')}`,
      `--print-to-pdf=${pdf}`,
      // Chromium refuses to run as root inside its own sandbox; the page is ours and runs nothing
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      pathToFileURL(page).href,
    ];
    const complaint = await outcome(chromium, argv);
    if (complaint !== undefined) throw new InputError({ source: chromium, message: `could not print the report: ${complaint}` });
    return readPdf(pdf, chromium);
  });
}

/** What went wrong, or undefined. */
async function outcome(program: string, argv: readonly string[]): Promise<string | undefined> {
  const { status, stderr, timedOut } = await runProgram(program, argv, { seconds: PRINT_SECONDS });
  if (timedOut) return `no answer in ${PRINT_SECONDS} seconds`;
  return status === 0 ? undefined : `status ${status}, ${stderr.slice(-500).trim().split('\n').at(-1) ?? ''}`;
}

function readPdf(path: string, chromium: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError({
      source: chromium,
      message: `could not print the report: what it printed cannot be read: ${systemReason(error)}`,
    });
  }
}
