/** A formula with numbers in it: what a person would write down when working out a value by hand. */
export type WorkedExpression =
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'sum' | 'product'; readonly parts: readonly WorkedExpression[] }
  /** Inline fractions are written with a slash, the others above and below a line. */
  | { readonly kind: 'fraction'; readonly above: WorkedExpression; readonly below: WorkedExpression; readonly inline: boolean }
  | { readonly kind: 'power'; readonly base: WorkedExpression; readonly exponent: WorkedExpression };

/** A number as it is written in a formula: whole, or with so many decimals. */
export function number(value: number, decimals = 3): WorkedExpression {
  return { kind: 'number', value, text: Number.isInteger(value) ? String(value) : value.toFixed(decimals) };
}

/** A number with its decimals, even where they are zeros. */
export function decimal(value: number, decimals = 3): WorkedExpression {
  return { kind: 'number', value, text: value.toFixed(decimals) };
}

/** Numbers that are added; a single one stays alone, and none are 0. */
export function sum(parts: readonly WorkedExpression[]): WorkedExpression {
  if (parts.length === 0) return number(0);
  return parts.length === 1 ? parts[0] : { kind: 'sum', parts };
}

/** Numbers that are multiplied; a single one stays alone. */
export function product(...parts: readonly WorkedExpression[]): WorkedExpression {
  return parts.length === 1 ? parts[0] : { kind: 'product', parts };
}

/** A fraction above and below a line. */
export function fraction(above: WorkedExpression, below: WorkedExpression): WorkedExpression {
  return { kind: 'fraction', above, below, inline: false };
}

/** A fraction of two numbers with a slash between them, for use inside others. */
export function ratio(above: WorkedExpression, below: WorkedExpression): WorkedExpression {
  return { kind: 'fraction', above, below, inline: true };
}

/** One number to the power of another. */
export function power(base: WorkedExpression, exponent: number): WorkedExpression {
  return { kind: 'power', base, exponent: number(exponent) };
}

/** What a formula comes to. */
export function computed(expression: WorkedExpression): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'sum':
      return expression.parts.reduce((total, part) => total + computed(part), 0);
    case 'product':
      return expression.parts.reduce((total, part) => total * computed(part), 1);
    case 'fraction':
      return computed(expression.above) / computed(expression.below);
    case 'power':
      return computed(expression.base) ** computed(expression.exponent);
  }
}

/** The last step before the value: a fraction with both of its parts worked out, or a product with its sum worked out. Undefined where
 *  there is nothing left to do. */
export function lastStep(expression: WorkedExpression): WorkedExpression | undefined {
  if (expression.kind === 'fraction') {
    const { above, below } = expression;
    if (above.kind === 'number' && below.kind === 'number') return undefined;
    return fraction(number(computed(above), 4), number(computed(below), 4));
  }
  if (expression.kind === 'product' && expression.parts.some(({ kind }) => kind === 'sum')) {
    return product(...expression.parts.map((part) => (part.kind === 'sum' ? number(computed(part), 4) : part)));
  }
  return undefined;
}

/** A formula in one line of plain text. */
export function formulaText(expression: WorkedExpression): string {
  switch (expression.kind) {
    case 'number':
      return expression.text;
    case 'sum':
      return expression.parts.map(formulaText).join(' + ');
    case 'product':
      return expression.parts.map((part) => inBrackets(part, part.kind === 'sum')).join(' · ');
    case 'fraction': {
      const { above, below, inline } = expression;
      return `${inBrackets(above, above.kind === 'sum')}${inline ? '/' : ' / '}${inBrackets(below, below.kind !== 'number')}`;
    }
    case 'power':
      return `${inBrackets(expression.base, expression.base.kind !== 'number')}^${formulaText(expression.exponent)}`;
  }
}

function inBrackets(expression: WorkedExpression, needed: boolean): string {
  const text = formulaText(expression);
  return needed ? `(${text})` : text;
}
