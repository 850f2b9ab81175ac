import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../core/problem.js';

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
  const folder = mkdtempSync(join(tmpdir(), 'gradus-pdf-'));
  try {
    const page = join(folder, 'report.html');
    const pdf = join(folder, 'report.pdf');
    writeFileSync(page, html);
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
    return readFileSync(pdf);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What went wrong, or undefined. */
async function outcome(program: string, argv: readonly string[]): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const child = spawn(program, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (bytes: Uint8Array) => {
      told = (told + new TextDecoder().decode(bytes)).slice(-500);
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(`no answer in ${PRINT_SECONDS} seconds`);
    }, PRINT_SECONDS * 1000);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(status === 0 ? undefined : `status ${status}, ${told.trim().split('\n').at(-1) ?? ''}`);
    });
  });
}
