import type { ReportColumn } from './model.js';

/** Decimals of numbers in tables. */
export const DIGITS = 4;

/** A column of words. */
export const text = (name: string): ReportColumn => ({ name, kind: 'text' });

/** A column of numbers. */
export const number = (name: string, digits = DIGITS): ReportColumn => ({ name, kind: 'number', digits });
