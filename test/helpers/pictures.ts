import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { repository } from './run-gradus.js';

const folder = `${repository}test/snapshots/pictures/`;
/** Write what is seen in place of what is stored, after a wanted change; look at the difference before it is committed. */
const isWriting = process.env.GRADUS_WRITE_PICTURES === '1';

/** How much two pictures differ. */
export interface PictureDifference {
  /** True if width or height is another one. */
  readonly otherSize: boolean;
  /** Pixels of either that have nothing like them at their place, or right beside it, in the other. */
  readonly pixels: number;
}

/** A picture beside the one that is stored; a picture that is not stored yet differs in everything. */
export async function againstStored(page: Page, name: string, png: Uint8Array): Promise<PictureDifference> {
  const path = `${folder}${name}.png`;
  if (isWriting) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, png);
  }
  if (!existsSync(path)) return { otherSize: true, pixels: Number.POSITIVE_INFINITY };
  return await difference(page, readFileSync(path), png);
}

/** Compares two pictures in the page, which can read them. Edges may be smoothed otherwise, or lie a pixel beside: that is no difference. */
export async function difference(page: Page, stored: Uint8Array, seen: Uint8Array): Promise<PictureDifference> {
  const sources = [stored, seen].map((png) => Buffer.from(png).toString('base64'));
  return await page.evaluate(async (given) => {
    const TOLERANCE = 48;
    const read = async (text: string): Promise<ImageData> => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await read(given[0]), await read(given[1])];
    if (a.width !== b.width || a.height !== b.height) return { otherSize: true, pixels: Math.max(a.data.length, b.data.length) / 4 };
    const { width, height } = a;
    const isLike = (one: number, other: number): boolean =>
      Math.abs(a.data[one] - b.data[other]) <= TOLERANCE &&
      Math.abs(a.data[one + 1] - b.data[other + 1]) <= TOLERANCE &&
      Math.abs(a.data[one + 2] - b.data[other + 2]) <= TOLERANCE;
    const hasLike = (x: number, y: number, fromA: boolean): boolean => {
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const [here, there] = [4 * (y * width + x), 4 * (v * width + u)];
          if (fromA ? isLike(here, there) : isLike(there, here)) return true;
        }
      }
      return false;
    };
    let pixels = 0;
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (!hasLike(x, y, true) || !hasLike(x, y, false)) pixels++;
    return { otherSize: false, pixels };
  }, sources);
}
