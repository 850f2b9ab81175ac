import { describe, expect, test } from 'vitest';
import { darkTheme, lightTheme, systemStyles } from './theme.js';

type Colour = readonly [number, number, number];

function linear(hex: string): Colour {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** Ottosson's OKLab, from linear light. */
function oklab([r, g, b]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Machado, Oliveira and Fernandes (doi:10.1109/TVCG.2009.113), full severity. */
const visions: Readonly<Record<string, readonly number[]>> = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function seen(colour: Colour, matrix: readonly number[]): Colour {
  const row = (i: number): number =>
    Math.min(1, Math.max(0, matrix[i] * colour[0] + matrix[i + 1] * colour[1] + matrix[i + 2] * colour[2]));
  return [row(0), row(3), row(6)];
}

function leastDistance(colours: readonly string[], matrix: readonly number[]): number {
  const places = colours.map((colour) => oklab(seen(linear(colour), matrix)));
  return Math.min(...places.flatMap((a, i) => places.slice(i + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))));
}

function contrast(a: string, b: string): number {
  const light = (hex: string): number => linear(hex).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe('the colours of systems', () => {
  for (const [name, theme] of [
    ['light', lightTheme],
    ['dark', darkTheme],
  ] as const) {
    for (const [vision, matrix] of Object.entries(visions)) {
      test(`${name}: any two are apart with ${vision} vision`, () => {
        expect(leastDistance(theme.series, matrix)).toBeGreaterThanOrEqual(0.08);
      });
    }

    test(`${name}: every one stands out from the paper`, () => {
      for (const colour of [...theme.series, theme.muted]) expect(contrast(colour, theme.paper)).toBeGreaterThanOrEqual(2.99);
    });
  }

  test('the measure finds the collision that the palette had before: vermilion and ochre with protanopia', () => {
    const before = ['#0072b2', '#c2500a', '#00795a', '#a0468a', '#8a6500', '#4d4dbd'];
    expect(leastDistance(before, visions.protanopia)).toBeLessThan(0.02);
  });
});

test('a style has a colour, a dash and a marker of its own; of more than eight systems the chosen ones have one', () => {
  const all = [...systemStyles(8, [], lightTheme).values()];
  expect(new Set(all.map(({ dash, marker, colour }) => `${dash} ${marker} ${colour}`)).size).toBe(8);
  for (const part of ['dash', 'marker', 'colour'] as const) expect(new Set(all.map((style) => style[part])).size).toBe(8);
  expect([...systemStyles(20, [7, 3], lightTheme)].map(([s, { colour }]) => [s, colour])).toEqual([
    [7, lightTheme.series[0]],
    [3, lightTheme.series[1]],
  ]);
});
