/** TeX by the name of the measure. */
export const formulas: Readonly<Record<string, string | undefined>>;
