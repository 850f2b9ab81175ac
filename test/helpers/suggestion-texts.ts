import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { repository } from './run-gradus.js';

/** What the source writes for a part of a suggestion that is only known when the program runs. */
export const HOLE = '…';

/** All suggestions in the source, with a hole for each part that is computed. */
export function suggestionTexts(): string[] {
  const found = new Set<string>();
  for (const folder of ['src', 'web/src']) {
    for (const name of readdirSync(`${repository}${folder}`, { recursive: true }).map(String)) {
      if (!name.endsWith('.ts') || /\.(test|d)\.ts$/.test(name)) continue;
      const text = readFileSync(`${repository}${folder}/${name}`, 'utf8');
      if (/way_?out/i.test(text)) collect(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true), found);
    }
  }
  return [...found].sort();
}

function collect(node: ts.Node, found: Set<string>): void {
  const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isParameter(node);
  if (isNamed && node.initializer !== undefined && /^(wayOut|\w*WAY_OUT|SKIPS_LINES)$/.test(node.name.getText())) {
    for (const text of textsOf(node.initializer)) found.add(text);
  }
  ts.forEachChild(node, (child) => collect(child, found));
}

/** The texts that an expression can be. A name stands for a text that is collected where it is declared. */
function textsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression)) {
    return [expression.head.text + expression.templateSpans.map((span) => HOLE + span.literal.text).join('')];
  }
  if (ts.isConditionalExpression(expression)) return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
  if (ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression)) return [];
  return [expression.getText()];
}
