import { describe, expect, test } from 'vitest';
import { findChromium, printToPdf } from './pdf.js';

describe('printToPdf', () => {
  test('says what is missing and what to do where there is no browser', async () => {
    await expect(printToPdf('<p>page', { PATH: '/nowhere', CHROME_PATH: '/nowhere/chromium' })).rejects.toThrow(
      /CHROME_PATH names no program/,
    );
    expect(findChromium({ PATH: '', CHROME_PATH: '/nowhere/chromium' })).toBeUndefined();
  });

  test('says so where the browser fails', async () => {
    await expect(printToPdf('<p>page', { CHROME_PATH: '/bin/false' })).rejects.toThrow(/could not print the report: status 1/);
  });
});
